import FlowSpec
import Testing

/// What is said of a sign-out that does this first, and this behind what its revocation comes to.
private func told(
  first: String = "", revoked: String = #"{"clear": ["session", "old"]}"#,
  not: String = #"{"clear": ["session", "old"]}"#,
  sent: String = "store.token", last: String = "", loading: String? = nil, launch: String = "", out: String = ""
) -> [String] {
  let asked = loading.map { #""post": "/me", \#($0)"# } ?? #""get": "/me", "bearer": "${\#(sent)}""#
  let behind = out.isEmpty ? "out" : "deciding"
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"token": {"type": "string", "secret": true, "group": "session"}, "old": {"type": "string", "secret": true}},
     "events": {"user.in": {}, "user.out": {}},
     "start": "launch", "states": {
       "launch": {"next": [\#(launch){"when": "present(store.token)", "goto": "loading"}, {"goto": "out"}]},
       "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"token": "${fresh('t')}"}}], "goto": "loading"}}},
       "loading": {"request": {"to": "id", \#(asked)}, "next": [{"goto": "home"}]},
       "home": {"goal": true, "on": {"user.out": {"do": [{"set": {"old": "${store.token}"}}\#(first)], "goto": "revoking"}}},
       \#(out)"revoking": {"request": {"to": "id", "post": "/revoke", "form": {"token": "${store.old}", "token_type_hint": "refresh_token"}},
         "next": [{"when": "response.status == 200", "do": [\#(revoked)], "goto": "\#(behind)"}\#(last),
           {"do": [\#(not)], "goto": "\#(behind)"}]}}}
    """#
  ])
  return documents.told("late-clear").map { "\($0.message.prefix { $0 != " " }) \($0.labels.map(\.text))" }
}

/// A sign-out that waits for an answer of which nothing depends.
@Suite struct LateClearTests {
  @Test func whatIsClearedWhateverComesIsTold() {
    #expect(told() == [#""token" ["is awaited first", "comes to that"]"#])
    #expect(
      told(last: #", {"when": "response.status == 503", "do": [{"set": {"token": null}}], "goto": "out"}"#).count == 1)
  }

  @Test func whatIsClearedBeforeOrKeptBehindSomeAnswerIsNot() {
    #expect(
      told(first: #", {"clear": ["session"]}"#, revoked: #"{"clear": ["old"]}"#, not: #"{"clear": ["old"]}"#) == [])
    #expect(told(not: #"{"clear": ["old"]}"#) == [])
    #expect(told(last: #", {"when": "response.status == 503", "goto": "home"}"#) == [])
  }

  /// A key that no other request sends is this request's own.
  @Test func whatNothingElseSendsIsNot() { #expect(told(sent: "'me'") == []) }

  /// What is redeemed shows nobody who asks.
  @Test func whatIsSentToBeRedeemedIsNot() {
    #expect(told(loading: #""json": {"hash": "${s256(store.token)}"}"#) == [])
  }

  @Test func whatIsSetAnewOrClearedAtALaunchIsNot() {
    #expect(told(revoked: #"{"clear": ["session", "old"]}, {"set": {"token": "${fresh('t')}"}}"#) == [])
    #expect(told(launch: #"{"when": "present(store.old)", "goto": "revoking"}, "#) == [])
  }

  @Test func whatADecisionBehindClearsIsToldToo() {
    #expect(
      told(
        revoked: "", not: "",
        out:
          #""deciding": {"next": [{"when": "present(store.old)", "do": [{"clear": ["session", "old"]}], "goto": "out"}, {"do": [{"clear": ["session"]}], "goto": "out"}]}, "#
      ).count == 1)
  }
}
