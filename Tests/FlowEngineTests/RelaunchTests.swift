import Testing

/// Section 7, relaunch: what a kill takes, and what it leaves.
@Suite struct RelaunchTests {
  private static let app = Sketch(
    flow: #"""
      "store": {"a": {"type": "int", "initial": 0}, "b": {"type": "int", "initial": 0}}, "memory": {"m": {"type": "int", "initial": 0}},
      "events": {"user.x": {}, "user.asks": {}, "user.opens": {}}, "start": "see", "states": {
        "see": {"rest": true, "do": [{"show": {"seen": {"a": "${store.a}", "b": "${store.b}", "m": "${memory.m}"}}}],
          "after": [{"wait": "10s", "goto": "timer"}], "on": {
            "user.x": {"do": [{"set": {"m": 1}}, {"set": {"a": 1, "b": 1}}, {"show": {"half": {}}}, {"set": {"a": 2, "m": 2}}, {"clear": ["m"]}, {"clear": ["b"]}], "goto": "asks"},
            "user.asks": {"goto": "asks"}, "user.opens": {"do": [{"set": {"a": 9}}, {"open": {"to": "api", "get": "/page"}}, {"set": {"b": 9}}]}, "browser.closed": {"goto": "timer"}}},
        "asks": {"request": {"to": "api", "get": "/x"}, "next": [{"do": [{"set": {"a": 7}}, {"set": {"b": 7}}], "goto": "done"}]},
        "timer": {"rest": true}, "done": {"goal": true}}
      """#,
    services: [
      "api": #"""
      "store": {"hits": {"type": "int", "initial": 0}}, "routes": [
        {"on": "GET /x", "next": [{"do": [{"set": {"hits": "${store.hits + 1}"}}, {"send": {"note": {}}}], "reply": {"status": 200}}]},
        {"on": "GET /page", "next": [{"reply": {"page": {"title": "P"}}}]}]
      """#
    ])

  @Test func memoryAndTimersAreGoneTheStoreStays() throws {
    try checkStory(
      Self.app, #""script": [{"event": "user.x"}, {"relaunch": {"after": "1h"}}, {"advance": "9s"}]"#,
      expects: """
        launch by user
        in see
        show seen {a=0, b=0, m=0}
        event user.x
        set m = 1
        set a = 1, b = 1
        show half
        set a = 2, m = 2
        set m = 0
        set b = 0
        in asks
        app → api GET /x
        api set hits = 1
        api → app 200
        mail note
        set a = 7
        set b = 7
        in done
        killed
        +3600s
        launch by user
        in see
        show seen {a=7, b=7, m=0}
        +9s
        rests in "see"
        """)
  }

  @Test func aPendingAnswerIsDroppedAndTheServerHasActed() throws {
    try checkStory(
      Self.app,
      #""faults": [{"request": "GET /x", "delay": "20s"}], "script": [{"event": "user.asks"}, {"relaunch": {"after": "5s"}}]"#,
      has:
        "app → api GET /x\napi set hits = 1\nkilled\n+5s\nlaunch by user\nin see\n+15s\napi → app 200 dropped\nrests in \"see\""
    )
  }

  @Test(arguments: [(0, "a=0, b=0"), (1, "a=1, b=1"), (2, "a=2, b=1")])
  func aKillInAStepKeepsAPrefixOfItsDurableWrites(keeping: Int, seen: String) throws {
    try checkStory(
      Self.app, #""script": [{"kill": {"keeping": \#(keeping)}}, {"event": "user.x"}, {"launch": true}]"#,
      has: "event user.x\nset m = 1\nkilled keeping \(keeping)\nlaunch by user\nin see\nshow seen {\(seen), m=0}",
      never: ["in asks", "set b = 0"])
  }

  @Test func aKillThatNeverStrikesIsAnError() throws {
    try checkProblem(
      Self.app, #""script": [{"kill": {"keeping": 4}}, {"event": "user.x"}], "ends": "done""#, is: "kill-never-struck",
      at: #"{"kill": {"keeping": 4}}"#)
    try checkProblem(
      Self.app, #""script": [{"event": "user.x"}, {"kill": {"keeping": 1}}], "ends": "done""#, is: "kill-never-struck",
      at: #"{"kill": {"keeping": 1}}"#, says: "put it before the step in which it is to strike")
  }

  @Test(arguments: [
    (0, #"{"advance": "1s"}"#, "No later step makes a durable write, so"),
    (1, #"{"event": "user.x"}"#, "more than 1 durable write, or makes 1 and then asks for something"),
  ])
  func aStepThatWritesNoMoreIsNotStruck(keeping: Int, step: String, says: String) throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"a": {"type": "int", "initial": 0}}, "events": {"user.x": {}}, "start": "home",
        "states": {"home": {"goal": true, "on": {"user.x": {"do": [{"set": {"a": "${store.a}"}}]}}}}
        """#)
    try checkProblem(
      sketch, #""script": [{"kill": {"keeping": \#(keeping)}}, \#(step)], "ends": "home""#, is: "kill-never-struck",
      at: #"{"kill": {"keeping": \#(keeping)}}"#, says: says)
    try checkStory(
      sketch, #""script": [{"kill": {"keeping": 0}}, {"event": "user.x"}, {"launch": true}]"#, has: "killed keeping 0")
  }

  @Test func aKillThatKeepsAllWritesStrikesBeforeWhatTheAppAsksFor() throws {
    try checkStory(
      Self.app, #""script": [{"kill": {"keeping": 3}}, {"event": "user.x"}, {"launch": true}]"#,
      has: "set b = 0\nin asks\nkilled keeping 3\nlaunch by user\nin see\nshow seen {a=2, b=0, m=0}",
      never: ["app → api GET /x", "api set hits = 1"])
    try checkStory(
      Self.app, #""script": [{"kill": {"keeping": 2}}, {"event": "user.opens"}, {"launch": true}]"#,
      has: "set a = 9\nset b = 9\nkilled keeping 2\nlaunch by user", never: ["browser → api GET /page"])
  }

  @Test func aKillStrikesWhileAnAnswerIsHandledAndMailLeavesAllTheSame() throws {
    try checkStory(
      Self.app, #""script": [{"event": "user.asks"}, {"relaunch": true}]"#,
      has: "api → app 200\nmail note\nset a = 7\nset b = 7\nin done")
    try checkStory(
      Self.app, #""script": [{"kill": {"keeping": 1}}, {"event": "user.asks"}, {"launch": true}]"#,
      expects: """
        launch by user
        in see
        show seen {a=0, b=0, m=0}
        event user.asks
        in asks
        app → api GET /x
        api set hits = 1
        api → app 200
        mail note
        set a = 7
        killed keeping 1
        launch by user
        in see
        show seen {a=7, b=0, m=0}
        rests in "see"
        """)
  }

  @Test func aKillClosesTheTabAndNothingTellsTheApp() throws {
    try checkStory(
      Self.app, #""script": [{"event": "user.opens"}, {"relaunch": true}]"#,
      has: "page P\nkilled\nlaunch by user\nin see\nrests in \"see\"")
    try checkStory(
      Self.app, #""script": [{"kill": {"keeping": 1}}, {"event": "user.opens"}, {"launch": true}]"#,
      has: "set a = 9\nkilled keeping 1\nlaunch by user", never: ["page P", "browser → api GET /page"])
    try checkProblem(
      Self.app, #""script": [{"event": "user.opens"}, {"relaunch": true}, {"close": "browser"}]"#,
      is: "step-not-offered",
      at: #"{"close": "browser"}"#)
  }

  @Test func killAndLaunchAreStepsOfTheirOwn() throws {
    try checkStory(
      Self.app, #""script": [{"kill": true}, {"advance": "1m"}, {"offline": true}, {"launch": true}]"#,
      has: "killed\n+60s\nevent device.offline\nlaunch by user\nin see\nrests in \"see\"", never: ["in timer"])
    try checkProblem(Self.app, #""script": [{"launch": true}]"#, is: "already-running", at: #"{"launch": true}"#)
    try checkProblem(
      Self.app, #""script": [{"kill": true}]"#, is: "stopped-elsewhere", at: "",
      says: #"it ended with the app not running; the app was killed: end the script with {"launch": true}"#)
    try checkProblem(
      Self.app, #""script": [{"kill": true}], "ends": "see""#, is: "another-end", at: "\"see\"",
      says: #"; the app was killed: end the script with {"launch": true}"#)
  }

  @Test func aLaunchBehindAKillThatWaitsPointsAtTheKill() throws {
    try checkProblem(
      Self.app, #""script": [{"kill": {"keeping": 4}}, {"event": "user.x"}, {"launch": true}], "ends": "see""#,
      is: "kill-never-struck", at: #"{"kill": {"keeping": 4}}"#,
      says:
        "No step before the launch has made more than 4 durable writes, or has made 4 and then asked for something, so the kill never struck; put it before"
    )
  }

  @Test(arguments: [#"{"kill": true}"#, #"{"kill": {"keeping": 1}}"#])
  func aKillThatWaitsIsNotReplacedByAnother(_ other: String) throws {
    try checkProblem(
      Self.app, #""script": [{"kill": {"keeping": 4}}, \#(other), {"launch": true}], "ends": "see""#,
      is: "kill-never-struck", at: #"{"kill": {"keeping": 4}}"#,
      says:
        "No step before the next kill has made more than 4 durable writes, or has made 4 and then asked for something")
  }

  @Test func anEventForAStoppedAppIsNotOffered() throws {
    try checkProblem(
      Self.app, #""script": [{"kill": true}, {"event": "user.x"}]"#, is: "step-not-offered",
      at: #"{"event": "user.x"}"#, says: "; the app does not run: launch it first")
  }
}
