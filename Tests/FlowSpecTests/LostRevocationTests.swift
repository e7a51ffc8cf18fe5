import FlowSpec
import Testing

/// What is said of a sign-in that does this while a token may wait for its revocation, which is done where that was not
/// answered.
private func told(
  signedIn: String = #", {"clear": ["old"]}"#, lost: String = "", when: String = "response.status == 200",
  path: String = "/revoke", bearer: String = "${store.access}", launch: String = "",
  good: String = #""do": [{"clear": ["old"]}], "goto": "out""#, states: String = "", flows: String = "",
  first: String = "revoking"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"old": {"type": "string", "secret": true}, "kept": {"type": "string", "secret": true}, "access": {"type": "string", "secret": true}},
     "events": {"user.in": {}, "user.out": {}, "user.asks": {}}, "start": "launch", "states": {
       "launch": {\#(launch)"next": [{"when": "present(store.old)", "goto": "\#(first)"}, {"when": "present(store.access)", "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "on": {"user.in": {"goto": "signingIn"}}},
       "signingIn": {"request": {"to": "id", "post": "/login"}, "next": [
         {"when": "\#(when)", "do": [{"set": {"access": "${string(response.json.token)}"}}\#(signedIn)], "goto": "home"}, {"goto": "out"}]},
       "home": {"goal": true, "on": {"user.asks": {"goto": "asking"}, "user.out": {"do": [{"set": {"old": "${store.access}"}}, {"clear": ["access"]}], "goto": "revoking"}}},
       "asking": {"request": {"to": "id", "get": "/me", "bearer": "\#(bearer)"}, "next": [{"goto": "home"}]},
       "revoking": {"request": {"to": "id", "post": "\#(path)", "form": {"token": "${store.old}"}}, "next": [
         {"when": "response.failure != null || response.status >= 500", \#(lost)"goto": "out"}, {\#(good)}]}\#(states)}\#(flows)}
    """#
  ])
  return documents.told("weak-grant").map { "\($0.labels[0].text), \($0.labels[1].text)" }
}

/// A token that waits for its revocation and is cleared by something else.
@Suite struct LostRevocationTests {
  private static let found = ["may be done then, revokes it"]

  @Test func aTokenThatIsClearedWhileItWaitsIsTold() { #expect(told() == Self.found) }

  @Test func whatWaitsOrWasPutElsewhereIsNot() {
    #expect(told(signedIn: "") == [])
    #expect(told(signedIn: #", {"set": {"kept": "${store.old}", "old": null}}"#) == [])
    #expect(told(when: "response.status == 200 && !present(store.old)") == [])
  }

  /// Behind a good answer, here or where it is asked once more, nothing waits.
  @Test func whatTheRevocationItselfClearsIsNot() {
    let revoked = #", "revoked": {"next": [{"do": [{"clear": ["old"]}], "goto": "out"}]}"#
    #expect(told(signedIn: "", good: #""goto": "revoked""#, states: revoked) == [])
    let again = #"""
      , "again": {"request": {"to": "id", "post": "/revoke", "form": {"token": "${store.old}"}}, "next": [
        {"when": "response.status == 200", "do": [{"clear": ["old"]}], "goto": "out"}, {"goto": "out"}]}
      """#
    #expect(told(signedIn: "", states: again, first: "again") == [])
    #expect(told(states: again, first: "again") == Self.found)
    let flows = #"""
      , "flows": {"revoke": {"ends": ["done", "later"], "start": "asking", "states": {"asking": {
        "request": {"to": "id", "post": "/revoke", "form": {"token": "${store.old}"}}, "next": [
          {"when": "response.status == 200", "end": "done"}, {"end": "later"}]}}}}
      """#
    let calling = #"""
      , "calling": {"call": "revoke", "next": [
        {"when": "result.ended == 'done'", "do": [{"clear": ["old"]}], "goto": "out"}, {"goto": "out"}]}
      """#
    let callsIt = #""goto": "calling""#
    #expect(told(signedIn: "", good: callsIt, states: calling, flows: flows) == [])
    #expect(told(good: callsIt, states: calling, flows: flows) == Self.found)
  }

  @Test func whatIsGivenUpAtOnceDoesNotWait() { #expect(told(lost: #""do": [{"clear": ["old"]}], "#) == []) }

  @Test func anotherRequestAndATokenOfMoreAreNot() {
    #expect(told(path: "/welcome") == [])
    #expect(told(bearer: "${store.old}") == [])
  }

  /// Before the app is asked whether one waits.
  @Test func whatIsClearedAtTheLaunchIsTold() {
    #expect(told(signedIn: "", launch: #""do": [{"clear": ["old"]}], "#) == Self.found)
  }
}
