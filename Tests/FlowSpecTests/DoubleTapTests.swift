import FlowSpec
import Testing

/// What is said of a form that sends a POST, of which `form` and `sending` hear that much.
private func told(
  form: String = "", sending: String = "", request: String = #""post": "/asset""#, whole: String = "",
  flows: String = "", states: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "links": {"confirm": "https://x.example/{code}"}},
      "api": {"kind": "service", "url": "https://api.example"}},
      "memory": {"busy": {"type": "bool", "initial": false}, "code": {"type": "string", "secret": true}},
      "events": {"link.confirm": {"fields": {"code": {"type": "string", "secret": true}}}, "user.sends": {"fields": {"name": {"type": "string", "example": "Silver"}}}, "user.looks": {}},
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

  /// A link that is taken everywhere, as it starts the app, is taken while what it sent is awaited, too.
  @Test func aLinkThatIsTappedTwiceIsTold() {
    let link = #""on": {"link.confirm": {"do": [{"set": {"code": "${event.code}"}}], "goto": "sending"}},"#
    let tapped = Self.twice.replacing("user.sends", with: "link.confirm")
      .replacing("a double tap", with: "a link that is tapped twice")
    #expect(told(whole: link) == [tapped])
    let stays = #""on": {"link.confirm": {"when": "same(event.code, memory.code)"}},"#
    #expect(told(sending: stays, whole: link) == [])
    #expect(told(request: #""get": "/asset""#, whole: link) == [])
    #expect(told(whole: link.replacing("goto", with: "when\": \"!memory.busy\", \"goto")) == [])
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

  /// Another request on the way is answered as it was just now.
  @Test func whatComesBehindAnotherRequestIsTold() {
    let sending =
      #""loading": {"request": {"to": "api", "get": "/cart"}, "next": [{"when": "response.status == 200", "goto": "sending"}, {"goto": "home"}]},"#
    let loads = #""on": {"user.sends": {"goto": "loading"}},"#
    #expect(told(form: loads, states: sending) == [Self.twice])
    #expect(told(form: loads, sending: #""on": {"user.sends": {}},"#, states: sending) == [])
    let own = sending.replacing("response.status == 200", with: "response.status == 200 && !memory.busy")
    #expect(told(form: loads, states: own) == [])
    let behindPost = sending.replacing("get", with: "post")
    #expect(told(form: loads, states: behindPost) == [Self.twice])
  }

  /// The sub-flow that a `retry` calls has what it hears from the request.
  @Test func whatARetryCallsIsTold() {
    let flows =
      #""renew": {"ends": ["done"], "start": "asking", "states": {"asking": {"request": {"to": "api", "post": "/token"}, "next": [{"end": "done"}]}}}"#
    let looking =
      #""looking": {"request": {"to": "api", "get": "/me", "retry": {"when": "response.status == 401", "most": 1, "call": "renew"}}, "on": {"user.sends": {"goto": "looking"}}, "next": [{"goto": "home"}]},"#
    let looks = #""on": {"user.looks": {"goto": "looking"}},"#
    let looked = Self.twice.replacing("user.sends", with: "user.looks")
    #expect(Set(told(whole: looks, flows: flows, states: looking)) == [Self.twice, looked])
    let stays = looking.replacing(#"{"goto": "looking"}"#, with: "{}")
    #expect(told(whole: looks, flows: flows, states: stays) == [looked])
    let quiet = flows.replacing(#""start""#, with: #""on": {"user.sends": {}, "user.looks": {}}, "start""#)
    #expect(told(whole: looks, flows: quiet, states: looking) == [])
    let once = looking.replacing("response.status == 401", with: "response.status == 401 && !memory.busy")
    #expect(told(whole: looks, flows: flows, states: once) == [])
  }
}
