import FlowEngine
import FlowSpec
import Testing

/// Section 8, `given`: where a run starts.
@Suite struct GivenTests {
  private static let app = Sketch(
    flow: #"""
      "config": {"c": {"type": "string", "value": "C"}, "span": {"type": "duration", "value": "1h"}},
      "store": {"s": {"type": "string"}, "at": {"type": "timestamp"}, "n": {"type": "int", "initial": 1},
        "users": {"rows": {"name": {"type": "string"}, "n": {"type": "int", "initial": 4}}, "initial": {"ada": {"name": "Ada", "n": 1}}}},
      "memory": {"m": {"type": "int", "initial": 0}}, "events": {"user.x": {}, "user.asks": {}}, "start": "see", "states": {
        "see": {"rest": true, "do": [{"show": {"seen": {"s": "${store.s}", "at": "${store.at}", "users": "${store.users}", "c": "${config.c}", "native": "${device.native}", "platform": "${device.platform}", "now": "${now}"}}}],
          "on": {"user.x": {"do": [{"set": {"m": "${memory.m + 1}", "n": "${store.n + 1}"}}]}, "user.asks": {"goto": "asks"}}, "after": [{"wait": "1h", "goto": "late"}]},
        "asks": {"request": {"to": "api", "get": "/x"}, "next": [{"do": [{"show": {"got": {"j": "${response.json}"}}}], "goto": "done"}]},
        "late": {"rest": true}, "done": {"goal": true}}
      """#,
    services: [
      "api": #"""
      "store": {"hits": {"type": "int", "initial": 0}, "codes": {"rows": {"used": {"type": "bool", "initial": false}, "at": {"type": "timestamp"}}}},
      "routes": [{"on": "GET /x", "next": [{"do": [{"set": {"hits": "${store.hits + 1}"}}], "reply": {"json": {"hits": "${store.hits}", "codes": "${store.codes}"}}}]}]
      """#
    ])

  @Test func withoutGivenItIsTheFirstOfJanuaryOnlineNativeOnIOS() throws {
    try checkStory(
      Self.app, #""script": []"#,
      has:
        #"show seen {s=null, at=null, users={"ada":{"name":"Ada","n":1}}, c=C, native=true, platform=ios, now="2026-01-01T09:00:00Z"}"#
    )
  }

  @Test func itOverlaysKeysRowsAndFields() throws {
    try checkStory(
      Self.app,
      #""given": {"store": {"s": "is ${config.c}", "at": "${now + duration('60s')}", "users": {"ada": {"n": 7}, "bob": {"name": "B"}, "eve": {}}}, "config": {"c": "D"}, "device": {"native": false, "platform": "web"}, "now": "2027-02-03T04:05:06Z"}, "script": []"#,
      has:
        #"show seen {s=is D, at="2027-02-03T04:06:06Z", users={"ada":{"name":"Ada","n":7},"bob":{"name":"B","n":4},"eve":{"name":null,"n":4}}, c=D, native=false, platform=web, now="2027-02-03T04:05:06Z"}"#
    )
  }

  @Test func stringsForInstantsAreReadAsSuch() throws {
    try checkStory(
      Self.app, #""given": {"store": {"at": "2026-05-06T07:08:09Z"}}, "script": []"#,
      has:
        #"show seen {s=null, at="2026-05-06T07:08:09Z", users={"ada":{"name":"Ada","n":1}}, c=C, native=true, platform=ios, now="2026-01-01T09:00:00Z"}"#
    )
  }

  @Test func itOverlaysServices() throws {
    try checkStory(
      Self.app,
      #""given": {"services": {"api": {"hits": 41, "codes": {"${config.c}-1": {"at": "${now}"}}}}}, "script": [{"event": "user.asks"}]"#,
      has: #"show got {j={"hits":42,"codes":{"C-1":{"used":false,"at":"2026-01-01T09:00:00Z"}}}}"#)
  }

  private static let chain: Sketch = {
    var sketch = app
    sketch.scenarios = [
      "first": #""script": [{"event": "user.x"}, {"advance": "50m"}]"#,
      "asked": #""script": [{"event": "user.asks"}]"#,
      "bad": #""script": [], "ends": "done""#,
      "killed": #""script": [{"kill": true}]"#,
      "round": #""given": {"after": "about"}"#, "about": #""given": {"after": "round"}"#,
    ]
    return sketch
  }()

  @Test func afterStartsWhereAnotherScenarioEndedWithItsTimers() throws {
    try checkStory(
      Self.chain, #""given": {"after": "first"}, "script": [{"event": "user.x"}, {"advance": "10m"}]"#,
      expects: "resumed first\nevent user.x\nset m = 2, n = 3\n+600s\nin late\nrests in \"late\"")
  }

  @Test func theRestOverlaysWhatItEndedWith() throws {
    try checkStory(
      Self.chain,
      #""given": {"after": "first", "store": {"n": 50}, "now": "2026-01-01T09:55:00Z"}, "script": [{"event": "user.x"}, {"advance": "5m"}]"#,
      expects: "resumed first\nevent user.x\nset m = 2, n = 51\n+300s\nin late\nrests in \"late\"")
    try checkStory(
      Self.chain, #""given": {"after": "first", "now": "2026-01-03T00:00:00Z"}, "script": []"#,
      expects: "resumed first\nrests in \"see\"")
    try checkStory(
      Self.chain, #""given": {"after": "first", "now": "2026-01-03T00:00:00Z"}, "script": [{"advance": "1s"}]"#,
      expects: "resumed first\nin late\n+1s\nrests in \"late\"")
  }

  @Test func nowLiesNotBeforeIt() throws {
    try checkProblem(
      Self.chain, #""given": {"after": "first", "now": "2026-01-01T09:49:59Z"}"#, is: "starts-earlier",
      at: "\"2026-01-01T09:49:59Z\"")
    let outcome = try Self.chain.run(#""given": {"after": "first", "now": "2026-01-01T09:49:59Z"}"#)
    #expect(outcome.problems.first?.help?.contains("at 2026-01-01T09:50:00Z") == true, "\(outcome.problems)")
  }

  @Test func nthBeginsAnew() throws {
    try checkStory(
      Self.chain,
      #""given": {"after": "asked"}, "script": [{"relaunch": true}, {"event": "user.asks"}], "faults": [{"request": "GET /x", "unreachable": true}]"#,
      has: "resumed asked\nkilled\nlaunch by user\nin asks\napi → app unreachable")
  }

  @Test func aScenarioThatFailsIsNoBeginning() throws {
    try checkProblem(Self.chain, #""given": {"after": "bad"}"#, is: "earlier-scenario-failed", at: "\"bad\"")
    try checkProblem(Self.chain, #""given": {"after": "nowhere"}"#, is: "unknown-scenario", at: "\"nowhere\"")
    try checkProblem(Self.chain, #""given": {"after": "round"}"#, is: "scenario-circle", at: "\"round\"")
  }

  @Test func aHundredScenariosMayBeRunBeforeOne() throws {
    var sketch = Self.app
    sketch.scenarios = ["s1": #""script": []"#]
    for number in 2...101 { sketch.scenarios["s\(number)"] = #""given": {"after": "s\#(number - 1)"}, "script": []"# }
    #expect(try sketch.run(#""given": {"after": "s100"}, "script": []"#).problems.isEmpty)
    try checkProblem(sketch, #""given": {"after": "s101"}, "script": []"#, is: "too-deep", at: "\"s101\"")
  }

  @Test func anAutomaticRunGoesOnBehindAnother() throws {
    try checkStory(
      Self.chain, #""given": {"after": "first"}"#,
      has: "resumed first\nevent user.x\nset m = 2, n = 3\nevent user.asks\nin asks\nin done\nended at goal \"done\"")
  }
}
