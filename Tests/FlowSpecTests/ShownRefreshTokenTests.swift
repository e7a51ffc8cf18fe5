import FlowSpec
import Testing

/// What is said of a request that shows this to say who asks.
private func told(_ bearer: String = "${store.refresh}", grant: String = "refresh_token", renewing: String = "")
  -> [String]
{
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"refresh": {"type": "string", "secret": true, "initial": "r"}, "access": {"type": "string", "secret": true, "initial": "a"}},
     "events": {"user.asks": {}}, "start": "refreshing", "states": {
       "refreshing": {"request": {"to": "id", "post": "/token", \#(renewing)"form": {"grant_type": "\#(grant)", "refresh_token": "${store.refresh}"}}, "next": [
         {"when": "response.status == 200", "do": [{"set": {"access": "${string(response.json.access_token)}", "refresh": "${string(response.json.refresh_token)}"}}], "goto": "home"},
         {"goto": "home"}]},
       "home": {"goal": true, "on": {"user.asks": {"goto": "asking"}}},
       "asking": {"request": {"to": "id", "get": "/me", "bearer": "\#(bearer)"}, "next": [{"goto": "home"}]}}}
    """#
  ])
  return documents.told("weak-grant").map { $0.labels[0].text }
}

/// A refresh token that is shown where an access token is due.
@Suite struct ShownRefreshTokenTests {
  @Test func aRefreshTokenIsTold() { #expect(told() == ["is what renews them"]) }

  @Test func anAccessTokenAndWhatRenewsItAreNot() {
    #expect(told("${store.access}") == [])
    #expect(told("${store.access}", renewing: #""bearer": "${store.refresh}", "#) == [])
  }

  /// Of a server's own kind of renewal nobody knows what is shown where.
  @Test func withoutTheGrantNothingIs() { #expect(told(grant: "urn:example:renewal") == []) }
}
