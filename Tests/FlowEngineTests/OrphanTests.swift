import FlowSpec
import Testing

@testable import FlowEngine

/// What goes on though nobody waits for it any more.
@Suite struct OrphanTests {
  private static func asks(_ path: String, of service: String) -> String {
    #""request": {"to": "\#(service)", "get": "\#(path)"}"#
  }

  @Test func aPageThatIsReplacedGoesWrongAsAnyOther() throws {
    let open = #""do": [{"open": {"to": "api", "get": "/page"}}]"#
    let sketch = Sketch(
      flow: #"""
        "start": "one", "states": {
          "one": {\#(open), \#(Self.asks("/a", of: "api")), "next": [{"goto": "two"}]}, "two": {"goal": true, \#(open)}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "GET /a", "next": [{"reply": {"status": 200}}]},
          {"on": "GET /page", "next": [{"reply": {"page": {"title": "P"}}}]}]
        """#
      ])
    try checkStory(
      sketch, #""faults": [{"request": "GET /page", "unreachable": true}], "script": []"#,
      has: "browser → api GET /page\napi → browser unreachable dropped\napi → browser 200")
  }

  /// The service goes on before or behind what the app asks, as a run has it.
  @Test(arguments: [(#""user.y": {"goto": "ask"}"#, "", 2), ("", #", "after": [{"wait": "1m", "goto": "ask"}]"#, 3)])
  func triesCountWhenARunMakesThem(on: String, after: String, nth: Int) throws {
    let asksBack = Self.asks("/y", of: "back")
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "wait"}}},
          "wait": {\#(Self.asks("/x", of: "api")), "next": [{"goto": "home"}], "on": {"user.x": {"goto": "left"}}},
          "left": {"rest": true, "on": {\#(on)}\#(after)},
          "ask": {\#(asksBack), "next": [{"when": "response.json.ok == true", "goto": "home"}, {"goto": "home"}]}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "GET /x", "next": [{"goto": "one"}]}], "states": {
          "one": {\#(asksBack), "next": [{"goto": "two"}]}, "two": {\#(asksBack), "next": [{"reply": {"status": 200}}]}}
        """#,
        "back": #"""
        "sometimes": [{"name": "odd", "reply": {"status": 503, "json": {}}}],
        "routes": [{"on": "GET /y", "next": [{"reply": {"status": 200, "json": {"ok": true}}}]}]
        """#,
      ])
    let exploration = try explore(sketch, finds: ["run-error ask no-such-key"])
    let scenario = try #require(exploration.findings[0].scenario)
    #expect(scenario.contains(#"{ "request": "GET /y", "nth": \#(nth), "reply": "odd" }"#), "\(scenario)")
  }

  /// What cannot be sent for anybody cannot be sent for nobody either.
  @Test func anExplorationSendsNoMoreThanARun() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "wait"}}},
          "wait": {\#(Self.asks("/x", of: "api")), "next": [{"goto": "home"}], "on": {"user.x": {"goto": "left"}}},
          "left": {"rest": true, "on": {"user.y": {"goto": "ask"}}},
          "ask": {\#(Self.asks("/n", of: "back")), "next": [
            {"when": "response.status == 200 && response.json.?n.orValue(0) > 0", "goto": "bad"}, {"goto": "home"}]},
          "bad": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "memory": {"t": {"type": "string"}}, "routes": [{"on": "GET /x", "next": [{"goto": "one"}]}], "states": {
          "one": {\#(Self.asks("/z", of: "back")), "next": [
            {"when": "response.status == 200", "do": [{"set": {"t": "${response.text}"}}], "goto": "two"},
            {"reply": {"status": 502}}]},
          "two": {"request": {"to": "back", "get": "/y", "headers": {"x-v": "${memory.t}"}}, "next": [
            {"reply": {"status": 200}}]}}
        """#,
        "back": #"""
        "store": {"n": {"type": "int", "initial": 0}}, "routes": [
          {"on": "GET /z", "next": [{"reply": {"text": "a\nb"}}]},
          {"on": "GET /y", "next": [{"do": [{"set": {"n": "${store.n + 1}"}}], "reply": {"json": {}}}]},
          {"on": "GET /n", "next": [{"reply": {"json": {"n": "${store.n}"}}}]}]
        """#,
      ])
    _ = try explore(sketch, finds: ["never-entered bad"])
  }

  /// What is lost stays lost, also where the service is at work on it when the app hears of that.
  @Test(arguments: [
    (#"{"request": "GET /x", "to": "api", "lost": true}, {"request": "GET /y", "delay": "20s"}"#, "", "5s"),
    (#"{"request": "GET /x", "to": "api", "delay": "4s"}"#, #"{"event": "user.x"}, {"offline": true}"#, "1m"),
    (#"{"request": "GET /y", "delay": "4s"}"#, #"{"event": "user.x"}, {"offline": true}"#, "1m"),
    (#"{"request": "GET /y", "delay": "4s"}"#, #"{"offline": true}, {"online": true}"#, "1m"),
  ]) func noAnswerComesToNobodyBehindItsLoss(faults: String, script: String, timeout: String) throws {
    try checkStory(
      Self.chain(timeout: timeout), #""faults": [\#(faults)], "script": [\#(script)]"#, has: "back → api 200",
      never: ["api → app 200 dropped"])
  }

  @Test func aLateAnswerComesToNobody() throws {
    try checkStory(
      Self.chain(timeout: "5s"), #""faults": [{"request": "GET /y", "delay": "20s"}], "script": []"#,
      has: "api → app lost\nback → api 200\napi → app 200 dropped")
  }

  private static func chain(timeout: String) -> Sketch {
    Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "ask", "states": {"ask": {"request": {"to": "api", "get": "/x", "timeout": "\#(timeout)"},
          "on": {"user.x": {"goto": "done"}}, "next": [{"goto": "done"}]}, "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "GET /x", "next": [{"goto": "asking"}]}], "states": {
          "asking": {\#(asks("/y", of: "back")), "next": [{"reply": {"status": 200}}]}}
        """#,
        "back": #""routes": [{"on": "GET /y", "next": [{"reply": {"status": 200}}]}]"#,
      ])
  }
}
