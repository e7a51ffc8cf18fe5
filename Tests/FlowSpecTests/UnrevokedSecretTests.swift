import FlowSpec
import Testing

/// What is said of a sign-out that keeps this for its revocation, which goes there and sends this.
private func told(
  kept: String = "${store.access}", path: String = "/revoke", sent: String = #""token": "${memory.old}""#,
  grant: String = "refresh_token", behind: String = "out",
  also: String = "", keeps: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"apiKey": {"type": "string", "secret": true, "initial": "k"}, "access": {"type": "string", "secret": true}, "refresh": {"type": "string", "secret": true, "initial": "r"}},
     "memory": {"old": {"type": "string", "secret": true}, "other": {"type": "string", "secret": true, "initial": "o"}}, "events": {"user.out": {}},
     "let": {"toRevoke": "present(store.refresh) ? store.refresh : store.access"},
     "start": "refreshing", "states": {
       "refreshing": {"request": {"to": "id", "post": "/token", "form": {"grant_type": "\#(grant)", "refresh_token": "${store.refresh}"}}, "next": [
         {"when": "response.status == 200", "do": [{"set": {"access": "${string(response.json.access_token)}", "refresh": "${string(response.json.refresh_token)}"}}], "goto": "home"},
         {"goto": "out"}]},
       "home": {"goal": true, "on": {"user.out": {"do": [{"set": {"old": "\#(kept)"\#(keeps)}}, {"clear": ["access", "refresh"]}], "goto": "revoking"}}},
       "revoking": {"request": {"to": "id", "post": "\#(path)", "form": {\#(sent)}}, "next": [{"goto": "\#(behind)"}]},
       \#(also)
       "out": {"rest": true, "after": [{"wait": "1h", "goto": "refreshing"}]}}}
    """#
  ])
  return documents.told("weak-grant").map { $0.labels[0].text }
}

/// A revocation of the access token alone.
@Suite struct UnrevokedSecretTests {
  private static let found = [#"is never "refresh""#]

  @Test func aRefreshTokenThatStaysGoodIsTold() {
    #expect(told() == Self.found)
    #expect(told(path: "/logout", sent: #""token": "${memory.old}", "token_type_hint": "access_token""#) == Self.found)
  }

  @Test func whatMayBeTheRefreshTokenIsNot() {
    #expect(told(kept: "${store.refresh}") == [])
    #expect(told(kept: "${toRevoke}") == [])
  }

  @Test func whatRevokesNothingIsNot() {
    #expect(told(path: "/welcome") == [])
    #expect(told(grant: "urn:example:exchange") == [])
  }

  @Test func allRevocationsAreTakenTogether() {
    let both =
      #""revokingToo": {"request": {"to": "id", "post": "/revoke", "form": {"token": "${memory.other}"}}, "next": [{"goto": "out"}]},"#
    #expect(told(behind: "revokingToo", also: both, keeps: #", "other": "${store.refresh}""#) == [])
    #expect(told(behind: "revokingToo", also: both, keeps: #", "other": "${store.access}""#) == Self.found)
  }

  /// Who asks about a token sends the same (RFC 7662).
  @Test func askingAboutATokenIsNoRevocation() {
    #expect(told(path: "/introspect", sent: #""token": "${memory.old}", "token_type_hint": "access_token""#) == [])
  }

  @Test func whatNoRefreshGivesIsNot() { #expect(told(kept: "${store.apiKey}") == []) }
}
