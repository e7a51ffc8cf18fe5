import FlowSpec
import Testing

/// What is said of a form that sends a POST, of which `form` and `sending` hear that much.
private func told(
  form: String = "", sending: String = "", request: String = #""post": "/asset""#, whole: String = "",
  flows: String = "", states: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}},
      "memory": {"busy": {"type": "bool", "initial": false}},
      "events": {"user.sends": {"fields": {"name": {"type": "string", "example": "Silver"}}}},
      "start": "form", \#(whole) "flows": {\#(flows)}, "states": {
        "form": {"start": "empty", \#(form) "states": {
          "empty": {"rest": true, "on": {"user.sends": {"goto": "sending"}}},
          "sending": {"request": {"to": "api", \#(request)}, \#(sending)
            "next": [{"when": "response.status == 201", "goto": "home"}, {"goto": "empty"}]}}},
        \#(states) "home": {"goal": true}}}
    """#
  ])
  let found = documents.flow("x.json").diagnostics.filter { $0.code == "unsafe-retry" || $0.severity == .error }
  return found.map { "\($0.code): \($0.message)" }
}

@Suite struct DoubleTapTests {
  private static let sends = #""on": {"user.sends": {"goto": "sending"}},"#
  private static let twice =
    "unsafe-retry: \"user.sends\" sends this POST again while its answer is awaited: a double tap does it twice"

  @Test func whatIsHeardAroundTheRequestIsTold() {
    #expect(told() == [])
    #expect(told(form: Self.sends) == [Self.twice])
    #expect(told(sending: Self.sends) == [Self.twice])
    #expect(told(whole: Self.sends) == [Self.twice])
    #expect(told(form: Self.sends, request: #""patch": "/asset""#) == [Self.twice.replacing("POST", with: "PATCH")])
    #expect(told(form: #""on": {"user.sends": {"when": "event.name != ''", "goto": "sending"}},"#) == [Self.twice])
  }

  @Test func whatKeepsItFromThatIsNot() {
    #expect(told(form: Self.sends, sending: #""on": {"user.sends": {}},"#) == [])
    #expect(told(form: Self.sends, sending: #""on": {"user.sends": {"goto": "empty"}},"#) == [])
    #expect(told(form: Self.sends, request: #""put": "/asset""#) == [])
    let key = #""post": "/asset", "headers": {"Idempotency-Key": "${store.key}"}"#
    let kept = #""store": {"key": {"type": "string", "initial": "k"}},"#
    #expect(told(form: Self.sends, request: key, whole: kept) == [])
    // A key that each tap makes is none.
    let anew = #""on": {"user.sends": {"do": [{"set": {"key": "${fresh('k')}"}}], "goto": "sending"}},"#
    #expect(told(form: anew, request: key, whole: kept) == [Self.twice])
    #expect(
      told(form: Self.sends, sending: #""do": [{"set": {"key": "${fresh('k')}"}}],"#, request: key, whole: kept) == [
        Self.twice
      ])
    #expect(told(form: #""do": [{"set": {"key": "${fresh('k')}"}}],"# + Self.sends, request: key, whole: kept) == [])
    #expect(told(form: #""on": {"user.sends": {"when": "!memory.busy", "goto": "sending"}},"#) == [])
    let later = #"[{"when": "memory.busy", "goto": "empty"}, {"goto": "sending"}]"#
    #expect(told(form: #""on": {"user.sends": \#(later)},"#) == [])
  }

  /// What time sends later comes of no tap.
  @Test func whatComesAfterATimeIsNoDoubleTap() {
    let waits = #""later": {"after": [{"wait": "5s", "goto": "sending"}]},"#
    #expect(told(whole: #""on": {"user.sends": {"goto": "later"}},"#, states: waits) == [])
  }

  /// Whoever calls a sub-flow hears what that does not, and begins it once more.
  @Test func whatCallsASubflowHearsToo() {
    let flows =
      #""pay": {"ends": ["done"], "start": "paying", "states": {"paying": {"request": {"to": "api", "post": "/b"}, "next": [{"goto": "over"}]}, "over": {"end": "done"}}}"#
    let calling = #""calling": {"call": "pay", "next": [{"goto": "home"}]},"#
    let begins = #""on": {"user.sends": {"goto": "calling"}},"#
    #expect(told(whole: begins, flows: flows, states: calling) == [Self.twice])
    let heard = flows.replacing(#""start": "paying","#, with: #""on": {"user.sends": {}}, "start": "paying","#)
    #expect(told(whole: begins, flows: heard, states: calling) == [])
    // Of two callers each hears for itself.
    let quiet =
      #""calling": {"call": "pay", "on": {"user.sends": {}}, "next": [{"goto": "second"}]}, "second": {"call": "pay", "next": [{"goto": "home"}]},"#
    #expect(told(whole: begins, flows: flows, states: quiet) == [Self.twice])
  }
}
