import FlowSpec
import Testing

/// What is said of a flow whose person signs out with these actions, and is signed out by this.
private func told(
  _ actions: String, goto target: String = "out", out: String = "", more: String = "", keeps: String = "access refresh"
) -> [String] {
  let kept = keeps.split(separator: " ").map { #""\#($0)": "${string(response.json.\#($0))}""# }
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}}, "events": {"user.signsIn": {}, "user.signsOut": {}},
      "store": {"access": {"type": "string", "secret": true, "group": "session"},
        "refresh": {"type": "string", "secret": true, "group": "session"}, "name": {"type": "string"}},
      "let": {"signedIn": "present(store.refresh)", "useful": "present(store.access)"},
      "start": "launch", "states": {
        "launch": {"next": [{"when": "signedIn", "goto": "home"}, {"goto": "out"}]},
        "home": {"goal": true, "on": {"user.signsOut": {"do": [\#(actions)], "goto": "\#(target)"},
          "user.signsIn": {"goto": "looking"}}},
        "looking": {"request": {"to": "api", "get": "/me", "bearer": "${store.access}"}, "next": [{"goto": "home"}]},
        "out": {"rest": true, \#(out) "on": {"user.signsIn": {"goto": "signingIn"}}},\#(more)
        "signingIn": {"request": {"to": "api", "post": "/login"}, "next": [
          {"when": "response.status == 200", "do": [{"set": {\#(kept.joined(separator: ", "))}}], "goto": "home"},
          {"goto": "out"}]}}}
    """#
  ])
  return documents.told("split-group").map(\.message)
}

/// Signing out clears what belongs together.
@Suite struct LeftSecretTests {
  private static let refresh = #"{"clear": "refresh"}"#
  private static let access = #"{"clear": "access"}"#

  @Test func aSecretThatStaysBehindForNothingIsTold() {
    let left =
      #"this clears a part of the group "session" and leaves the secret "access", which nothing reads before it is set "#
      + "again"
    #expect(told(Self.refresh) == [left])
    #expect(told(#"{"set": {"name": null}}, {"clear": ["refresh", "name"]}"#) == [left])
    #expect(told(#"{"set": {"name": null}}"#, out: #""do": [\#(Self.refresh)],"#) == [left])
  }

  @Test(arguments: [
    #"{"clear": "session"}"#, #"{"clear": ["access", "refresh"]}"#, refresh + ", " + access, #"{"clear": "name"}"#,
    refresh + #", {"set": {"access": null}}"#,
  ])
  func whoClearsAllOrNothingOfItIsNot(actions: String) {
    #expect(told(actions) == [])
  }

  /// The next launch looks for it, or the state behind it does.
  @Test func whatIsReadLaterIsKept() {
    #expect(told(Self.access) == [])
    #expect(told(Self.refresh, goto: "looking") == [])
    #expect(told(Self.refresh, goto: "home") == [])
    let asks = #""asks": {"next": [{"when": "useful", "goto": "looking"}, {"goto": "out"}]},"#
    #expect(told(Self.refresh, goto: "asks", more: asks) == [])
  }

  @Test func whatIsClearedLaterIsNotLeft() {
    #expect(told(Self.refresh, out: #""do": [\#(Self.access)],"#) == [])
    let cleans = #""cleans": {"next": [{"do": [{"set": {"access": null}}], "goto": "out"}]},"#
    #expect(told(Self.refresh, goto: "cleans", more: cleans) == [])
  }

  /// The next launch goes on with it then.
  @Test func whatIsSetWithoutItComesBackToIt() {
    #expect(told(Self.refresh, keeps: "refresh") == [])
  }
}
