import FlowEngine
import Testing

/// Section 7, network: going offline and online, and the events of it.
@Suite struct NetworkTests {
  private static let api =
    #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}, {"on": "GET /p", "next": [{"reply": {"page": {"title": "P"}}}]}]"#

  private static func asking(_ states: String, more: String = "") -> Sketch {
    Sketch(
      flow: #""events": {"user.x": {}, "user.y": {}}, \#(more) "start": "ask", "states": {\#(states)}"#,
      services: ["api": api])
  }

  private static let slow = #""faults": [{"request": "GET /x", "delay": "20s"}]"#

  @Test func theFactThenWhatIsInFlightThenTheEvent() throws {
    let sketch = Self.asking(
      #"""
      "ask": {"request": {"to": "api", "get": "/x"}, "next": [
        {"when": "response.failure == 'lost' && !device.online", "goto": "lost"}, {"goto": "done"}],
        "on": {"device.offline": {"goto": "wrong"}}},
      "lost": {"rest": true, "on": {"device.offline": {"goto": "heard"}}}, "heard": {"rest": true}, "wrong": {}, "done": {"goal": true}
      """#)
    try checkStory(
      sketch, #"\#(Self.slow), "script": [{"offline": true}]"#,
      expects: """
        launch by user
        in ask
        app → api GET /x
        fault: GET /x is received, and its answer takes 20s
        event device.offline
        api → app lost
        in lost
        in heard
        rests in "heard"
        """)
  }

  @Test func whoeverIsKilledWhileItTakesTheEventHasTakenIt() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"m": {"type": "int"}, "n": {"type": "int"}}, "start": "ask", "states": {
          "ask": {"rest": true, "on": {"device.offline": {"do": [{"set": {"m": 1}}, {"set": {"n": 1}}], "goto": "ask"}}}}
        """#)
    try checkStory(
      sketch, #""script": [{"kill": {"keeping": 1}}, {"offline": true}, {"launch": true}], "ends": "ask""#,
      has: "event device.offline\n")
  }

  @Test func whatIsGivenUpWithoutANetworkWasNeverSent() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.pays": {}}, "start": "home", "states": {
          "home": {"rest": true, "on": {"user.pays": {"goto": "paying"}}},
          "paying": {"request": {"to": "api", "post": "/pay"}, "on": {"device.offline": {"goto": "home"}}, "next": [{"goto": "home"}]}}
        """#,
      services: [
        "api": #"""
        "store": {"paid": {"type": "bool", "initial": false}},
        "routes": [{"on": "POST /pay", "next": [{"do": [{"set": {"paid": true}}], "reply": {"status": 200}}]}]
        """#
      ])
    try checkStory(
      sketch, #""script": [{"offline": true}, {"event": "user.pays"}]"#,
      expects: """
        launch by user
        in home
        event device.offline kept
        event user.pays
        in paying
        app → api POST /pay
        event device.offline
        api → app unreachable dropped
        in home
        rests in "home"
        """)
  }

  @Test func offlineCutsOffAppAndBrowserOnly() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "front", "get": "/x"}, "next": [{"when": "response.status == 200", "goto": "done"}, {"goto": "failed"}]},
          "done": {"goal": true}, "failed": {"rest": true}}
        """#,
      services: [
        "front": #"""
        "store": {"seen": {"type": "int", "initial": 0}},
        "routes": [{"on": "GET /x", "next": [{"goto": "asking"}]}], "states": {
          "asking": {"request": {"to": "back", "get": "/y"}, "next": [
            {"do": [{"set": {"seen": "${response.status}"}}], "reply": {"status": 200}}]}}
        """#, "back": #""routes": [{"on": "GET /y", "next": [{"reply": {"status": 204}}]}]"#,
      ])
    try checkStory(
      sketch, #""faults": [{"request": "GET /y", "delay": "5s"}], "script": [{"offline": true}]"#,
      has: """
        front → back GET /y
        event device.offline ignored
        front → app lost
        in failed
        +5s
        back → front 204
        front set seen = 204
        """, never: ["front → app 200 dropped"])
  }

  private static let waiting = asking(
    #"""
    "ask": {"rest": true, "on": {"user.x": {"goto": "waits"}, "user.y": {"goto": "ask"}}},
    "waits": {"rest": true, "on": {"device.online": {"goto": "done"}, "user.x": {"goto": "waits"}}}, "done": {"goal": true}
    """#)

  @Test func anEventThatNothingTookIsOfferedAtTheNextWaitThatNamesIt() throws {
    try checkStory(
      Self.waiting,
      #""given": {"device": {"online": false}}, "script": [{"online": true}, {"event": "user.y"}, {"event": "user.x"}]"#,
      expects: """
        launch by user
        in ask
        event device.online kept
        event user.y
        in ask
        event user.x
        in waits
        event device.online
        in done
        ended at goal "done"
        """)
  }

  @Test func aNetworkThatHasNotChangedTellsNothing() throws {
    try checkStory(
      Self.waiting,
      #""script": [{"event": "user.x"}, {"online": true}, {"offline": true}, {"offline": true}, {"online": true}]"#,
      has: "in waits\nevent device.offline ignored\nevent device.online\nin done\n")
  }

  @Test func anAppThatDoesNotRunHearsNothingOfTheNetwork() throws {
    let outcome = try Self.waiting.run(#""script": [{"kill": true}, {"offline": true}, {"launch": true}]"#)
    let trace = try Trace(reading: TraceWriter.trace(of: outcome, scenario: nil))
    let line = try #require(trace.lines.first { $0.kind == .event })
    #expect(line.who != nil && line.from == nil && line.words == "is offline")
  }

  /// A network that nobody asks about is told as a fact alone.
  @Test func whatComesAgainAndIsNotTakenIsToldSo() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "memory": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"user.x": {"goto": "b"}}},
          "b": {"rest": true, "on": {"device.offline": {"when": "memory.n > 0", "goto": "a"}}}}
        """#)
    let outcome = try sketch.run(#""script": [{"offline": true}, {"event": "user.x"}, {"online": true}], "ends": "b""#)
    let trace = try Trace(reading: TraceWriter.trace(of: outcome, scenario: nil))
    let words = trace.lines.filter { $0.kind == .event }.map(\.words).filter { $0.hasPrefix("is o") }
    #expect(
      words == [
        "is offline, kept for the next wait that names it", "is offline, which nothing takes here", "is online",
      ])
  }

  @Test func itIsNotOfferedWhenItsFactHoldsNoLonger() throws {
    try checkStory(
      Self.waiting,
      #""given": {"device": {"online": false}}, "script": [{"online": true}, {"offline": true}, {"event": "user.x"}], "ends": "waits""#,
      has: "event device.online kept\nevent device.offline ignored\nevent user.x\nin waits", never: ["in done"])
  }

  /// The wait that refused it is not asked again: no spinning.
  @Test func itIsOfferedOnceMoreOnly() throws {
    let sketch = Self.asking(
      #"""
      "ask": {"rest": true, "on": {"device.online": {"when": "memory.ok", "goto": "done"},
        "user.x": {"do": [{"set": {"ok": true}}]}, "user.y": {"goto": "ask"}}}, "done": {"goal": true}
      """#, more: #""memory": {"ok": {"type": "bool", "initial": false}},"#)
    try checkStory(
      sketch,
      #""given": {"device": {"online": false}}, "script": [{"online": true}, {"event": "user.x"}, {"event": "user.y"}]"#,
      expects: """
        launch by user
        in ask
        event device.online kept
        event user.x
        set ok = true
        event user.y
        in ask
        event device.online
        in done
        ended at goal "done"
        """)
    try checkStory(
      sketch,
      #""given": {"device": {"online": false}}, "script": [{"online": true}, {"event": "user.y"}, {"event": "user.y"}]"#,
      expects: """
        launch by user
        in ask
        event device.online kept
        event user.y
        in ask
        event device.online ignored
        event user.y
        in ask
        rests in "ask"
        """)
  }

  @Test func whatIsOverIsNotHeardLater() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"was": {"type": "bool", "initial": false}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"device.online": {"do": [{"set": {"was": true}}]}, "device.offline": {"when": "memory.was", "goto": "b"}}},
          "b": {"rest": true, "on": {"device.offline": {"goto": "c"}}}, "c": {"rest": true}}
        """#)
    try checkStory(
      sketch, #""script": [{"offline": true}, {"online": true}, {"offline": true}]"#,
      has: "event device.offline kept\nevent device.online\nevent device.offline\nin b\nrests in \"b\"")
  }

  @Test func aLostWakeUpAtARequestIsHeardBehindIt() throws {
    let sketch = Self.asking(
      #"""
      "ask": {"request": {"to": "api", "get": "/x"}, "next": [
        {"when": "response.status == 200", "goto": "done"}, {"goto": "offline"}]},
      "offline": {"rest": true, "on": {"device.online": {"goto": "ask"}}}, "done": {"goal": true}
      """#)
    try checkStory(
      sketch, #"\#(Self.slow), "script": [{"offline": true}, {"online": true}]"#,
      has: "api → app lost\nin offline\nevent device.online\nin ask\napp → api GET /x\napi → app 200\nin done")
    // Online comes while the app still waits for its next try, of which the time-out will tell.
    var patient = sketch
    patient.flow = sketch.flow.replacing(
      #""get": "/x"}"#,
      with: #""get": "/x", "retry": {"when": "response.failure == 'unreachable'", "most": 1, "wait": "10s"}}"#)
    try checkStory(
      patient,
      #""faults": [{"request": "GET /x", "nth": 2, "lost": true}], "given": {"device": {"online": false}}, "script": [{"online": true}]"#,
      has: """
        event device.online kept
        +10s
        +30s
        api → app lost
        in offline
        event device.online
        in ask
        api → app 200
        in done
        """)
  }

  @Test func theBrowserShowsThatNothingCanBeReached() throws {
    let sketch = Self.asking(
      #""ask": {"rest": true, "do": [{"open": {"to": "api", "get": "/p"}}]}"#)
    try checkStory(
      sketch, #""given": {"device": {"online": false}}, "script": [{"online": true}, {"follow": "again"}]"#,
      expects: """
        launch by user
        in ask
        open https://api.example/p
        browser → api GET /p
        api → browser unreachable
        page This page cannot be reached
        event device.online ignored
        follow again
        browser → api GET /p
        api → browser 200
        page P
        rests in "ask"
        """)
  }

  @Test func aPageThatIsLoadingIsLost() throws {
    let sketch = Self.asking(#""ask": {"rest": true, "do": [{"open": {"to": "api", "get": "/p"}}]}"#)
    try checkStory(
      sketch,
      #""faults": [{"request": "GET /p", "delay": "9s"}], "script": [{"offline": true}, {"online": true}, {"follow": "again"}]"#,
      has: "event device.offline ignored\napi → browser lost\npage This page cannot be reached\nfollow again\npage P")
  }

  @Test func aKilledAppHearsNothingOfIt() throws {
    try checkStory(
      Self.waiting,
      #""given": {"device": {"online": false}}, "script": [{"online": true}, {"relaunch": true}, {"event": "user.x"}], "ends": "waits""#,
      has: "event device.online kept\nkilled\nlaunch by user\nin ask\nevent user.x\nin waits", never: ["in done"])
  }
}
