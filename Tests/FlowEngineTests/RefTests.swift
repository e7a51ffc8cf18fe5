import Testing

/// Section 11: which line of the trace carries a step of the source document.
@Suite struct RefTests {
  private static let source =
    #""source": {"title": "S", "refs": {\#((1...9).map { "\"\($0)\": \"step \($0)\"" }.joined(separator: ", "))}},"#

  private static func checkRefs(
    _ states: String, more: String = "", api: String = plain, scenario: String? = nil, _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let sketch = Sketch(
      flow: #"""
        \#(source) "events": {"user.x": {"ref": "8"}, "user.y": {}}, "store": {"n": {"type": "int", "initial": 0}, "k": {"type": "int", "ref": "9"}},
        \#(more) "start": "a", "states": {\#(states)}
        """#, services: ["api": api])
    let refs = try Story(sketch.load()).refs(of: sketch.run(scenario))
    #expect(refs == expected.split(separator: "\n").map(String.init), sourceLocation: sourceLocation)
  }

  private static let plain = #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#

  @Test func onARequestStateItIsTheRequests() throws {
    try Self.checkRefs(
      #""a": {"next": [{"goto": "ask"}]}, "ask": {"ref": "1", "request": {"to": "api", "get": "/x"}, "next": [{"goto": "b"}]}, "b": {"goal": true}"#,
      "app → api GET /x #1")
  }

  @Test func onARouteItIsTheRequestsWhereTheCallerGaveNone() throws {
    let api = #""routes": [{"on": "GET /x", "ref": "t#2", "next": [{"reply": {"status": 200, "ref": "t#3"}}]}]"#
    try Self.checkRefs(
      #""a": {"next": [{"goto": "ask"}]}, "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "b"}]}, "b": {"goal": true}"#,
      api: api, "app → api GET /x #2\napi → app 200 #3")
    try Self.checkRefs(
      #""a": {"next": [{"goto": "ask"}]}, "ask": {"ref": ["1", "4"], "request": {"to": "api", "get": "/x"}, "next": [{"goto": "b"}]}, "b": {"goal": true}"#,
      api: api, "app → api GET /x #1 #4\napi → app 200 #3")
  }

  @Test func anAnswerWithoutOneTakesThatOfTheTransitionItLedTo() throws {
    try Self.checkRefs(
      #""a": {"next": [{"goto": "ask"}]}, "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"ref": "5", "goto": "b"}]}, "b": {"goal": true}"#,
      "api → app 200 #5")
    try Self.checkRefs(
      #""a": {"next": [{"goto": "ask"}]}, "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"ref": "5", "goto": "b"}]}, "b": {"goal": true}"#,
      api: #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200, "ref": "t#3"}}]}]"#,
      "api → app 200 #3\ntransition of ask #5")
  }

  @Test func onARetryItIsTheFurtherTries() throws {
    let api = #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 503}}]}]"#
    func asking(_ retry: String) -> String {
      #""a": {"next": [{"goto": "ask"}]}, "ask": {"ref": "1", "request": {"to": "api", "get": "/x", "retry": {\#(retry)"when": "response.status == 503", "most": 1}}, "next": [{"goto": "b"}]}, "b": {"goal": true}"#
    }
    try Self.checkRefs(asking(#""ref": "2", "#), api: api, "app → api GET /x #1\napp → api GET /x #2")
    try Self.checkRefs(asking(""), api: api, "app → api GET /x #1\napp → api GET /x #1")
  }

  @Test func onAnEventWhenItIsTaken() throws {
    let states =
      #""a": {"on": {"user.x": {"goto": "b"}, "user.y": {"ref": "6", "goto": "c"}}}, "b": {"goal": true}, "c": {"goal": true}"#
    try Self.checkRefs(states, scenario: #""script": [{"event": "user.x"}]"#, "event user.x #8")
    try Self.checkRefs(states, scenario: #""script": [{"event": "user.y"}]"#, "event user.y #6")
    try Self.checkRefs(
      #""a": {"on": {"user.x": {"ref": "6", "goto": "b"}}}, "b": {"goal": true}"#,
      scenario: #""script": [{"event": "user.x"}]"#,
      "event user.x #8\ntransition of a #6")
    try Self.checkRefs(
      #""a": {"rest": true, "on": {"user.x": {"when": "store.n > 0", "goto": "b"}}}, "b": {"goal": true}"#,
      scenario: #""script": [{"event": "user.x"}]"#, "")
  }

  @Test func onSetClearOrAKeyItIsANote() throws {
    try Self.checkRefs(
      #""a": {"next": [{"goto": "b", "do": [{"set": {"n": 1}, "ref": "2"}, {"set": {"k": 1}}, {"clear": ["k"], "ref": "3"}]}]}, "b": {"goal": true}"#,
      "set n = 1 #2\nset k = 1 #9\nset k = null #3 #9")
    // A key that is left as it was lends none.
    try Self.checkRefs(
      #""a": {"next": [{"goto": "b", "do": [{"set": {"n": 1, "k": "${store.?k}"}}]}]}, "b": {"goal": true}"#, "")
  }

  @Test func onALetWhenItDecides() throws {
    try Self.checkRefs(
      #""a": {"next": [{"when": "big", "goto": "b"}, {"when": "small", "goto": "b"}, {"goto": "b"}]}, "b": {"goal": true}"#,
      more: #""let": {"big": {"is": "store.n > 5", "ref": "2"}, "small": {"is": "store.n < 5", "ref": "3"}},"#,
      "transition of a #3")
  }

  @Test func onAScenarioWhenItEndsAsItSays() throws {
    let states = #""a": {"rest": true, "on": {"user.y": {"goto": "b"}}}, "b": {"goal": true}"#
    try Self.checkRefs(states, scenario: #""ref": "7", "script": [], "ends": "a""#, "rests in \"a\" #7")
    try Self.checkRefs(states, scenario: #""ref": "7", "script": [], "ends": "b""#, "")
  }

  @Test func onTheStateThatTheFlowStartsInItIsTheLaunch() throws {
    try Self.checkRefs(#""a": {"ref": "1", "goal": true}"#, "launch by user #1")
  }

  @Test func aRefWithoutAMessageGoesOnItsStateOrTransition() throws {
    try Self.checkRefs(
      #""a": {"next": [{"ref": "2", "goto": "b"}]}, "b": {"ref": "3", "goal": true}"#, "transition of a #2\nin b #3")
    try Self.checkRefs(
      #""a": {"next": [{"ref": "2", "do": [{"show": {"s": {}}}], "goto": "b"}]}, "b": {"ref": "3", "do": [{"show": {"t": {}}}], "goal": true}"#,
      "show s #2\nshow t #3")
    try Self.checkRefs(
      #""a": {"next": [{"ref": "2", "do": [{"show": {"s": {}}, "ref": "4"}], "goto": "b"}]}, "b": {"goal": true}"#,
      "transition of a #2\nshow s #4")
  }

  @Test func pagesFormsAndMailCarryTheirs() throws {
    let api = #"""
      "routes": [{"on": "GET /p", "next": [{"reply": {"page": {"title": "P", "ref": "t#1", "forms": {"f": {"post": "/f", "fields": {}, "ref": "t#2"}}}}}]},
        {"on": "POST /f", "next": [{"do": [{"send": {"m": {}}, "ref": "t#3"}], "reply": {"page": {"title": "Q", "links": {"l": {"get": "/p", "ref": "t#4"}}}}}]}]
      """#
    try Self.checkRefs(
      #""a": {"rest": true, "do": [{"open": {"to": "api", "get": "/p"}, "ref": "5"}]}"#, api: api,
      scenario: #""script": [{"submit": "f"}, {"follow": "l"}]"#,
      "open https://api.example/p #5\npage P #1\nsubmit f #2\nmail m #3\nfollow l #4\npage P #1")
  }
}
