import FlowSpec
import Testing

@testable import FlowEngine

/// Asks for a page that leads back at once.
private let goingAway = #"""
  "out": {"rest": true, "on": {"user.x": {"goto": "away"}}},
  "away": {"do": [{"open": {"to": "api", "get": "/q"}}], "rest": true, "after": [{"wait": "1h", "goto": "out"}]}
  """#

/// Circles that take no time and that nobody has a hand in.
@Suite struct ExplorationCircleTests {
  /// A device that can be asked for three things, each of which may go wrong.
  private static let device = [
    "device": #"""
    , "capabilities": {"p": {"failures": ["odd", "even"]}, "q": {"failures": ["odd"]}, "r": {"failures": ["odd"]}}
    """#
  ]

  /// What a scenario says goes wrong.
  private func faults(_ finding: Finding) throws -> [String] {
    let lines = try #require(finding.scenario).split(separator: "\n").map { $0.drop { $0 == " " } }
    let faults = lines.drop { !$0.hasPrefix("\"faults\"") }.dropFirst().prefix { !$0.hasPrefix("]") }
    return faults.map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }
  }

  /// The states that a finding names, and its snapshots and moves.
  private func figures(_ finding: Finding) -> String {
    let words = finding.diagnostic?.message.split(separator: "ones from ").last ?? "-"
    return "\(words): \(finding.snapshots) snapshots, \(finding.moves) moves"
  }

  @Test func whatTheDeviceMayDoEveryTimeIsACircle() throws {
    // Not running, at home, unlocking, open; each with a network and without: 8 snapshots. Moves: the launch, the network (2 × 2); at home
    // the event, the network, the kill (2 × 3); unlocking done or not (2 × 2); open the network, the kill (2 × 2): 18.
    // Of the two snapshots in which it unlocks each is a circle by itself, behind a launch and an event.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"rest": true, "on": {"user.x": {"goto": "unlocking"}}},
          "unlocking": {"perform": "q", "next": [{"when": "result.failure == null", "goto": "open"}, {"goto": "unlocking"}]},
          "open": {"goal": true}}
        """#, participants: Self.device)
    let exploration = try explore(sketch, finds: ["run-error unlocking spinning"])
    #expect(exploration.snapshots == 8 && exploration.moves == 18)
    #expect(exploration.findings.map(figures) == [#""unlocking": 2 snapshots, 3 moves"#])
    #expect(try faults(exploration.findings[0]) == [#"{ "perform": "q", "nth": "every", "fails": "odd" }"#])
  }

  /// Asks for another token whenever the answer is 401; `despite` may say that this is right.
  private static func refreshing(_ despite: String = "") -> Sketch {
    Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"rest": true, "on": {"user.x": {"goto": "refresh"}}},
          "refresh": {\#(despite)"request": {"to": "api", "post": "/t"}, "next": [{"when": "response.status == 200", "goto": "ask"}, {"goto": "home"}]},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.status == 401", "goto": "refresh"}, {"when": "response.status == 200", "goto": "done"}, {"goto": "home"}]},
          "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "POST /t", "next": [{"reply": {"status": 200}}]},
          {"on": "GET /x", "next": [{"name": "old", "sometimes": true, "reply": {"status": 401}}, {"reply": {"status": 200}}]}]
        """#
      ])
  }

  @Test func anAnswerThatIsGivenSometimesMayBeGivenEveryTime() throws {
    // It asks for a token and uses it: 2 snapshots. Without a network it is at home at once.
    let exploration = try explore(Self.refreshing(), finds: ["run-error ask spinning"])
    #expect(exploration.findings.map(figures) == [#""refresh", "ask": 2 snapshots, 4 moves"#])
    #expect(try faults(exploration.findings[0]) == [#"{ "request": "GET /x", "nth": "every", "reply": "old" }"#])
  }

  /// What a check is told not to say is no reason to be silent about a run that goes around for ever.
  @Test func aCircleThatItsAuthorOverrulesIsToldAllTheSame() throws {
    _ = try explore(
      Self.refreshing(#""despite": {"loop-without-wait": "it waits for its answer"}, "#),
      finds: ["run-error ask spinning"])
  }

  /// What stands on the whole of a flow, or of a sub-flow, goes around as what stands on a state does.
  @Test(arguments: [
    #""on": {"browser.redirected": {"goto": "away"}}, "start": "out", "states": {\#(goingAway)}"#,
    #""start": "sub", "states": {"sub": {"call": "part", "next": [{"goto": "end"}]}, "end": {"goal": true}}, "flows": {"part": {"ends": ["over"], "on": {"browser.redirected": {"goto": "away"}}, "start": "out", "states": {\#(goingAway), "over": {"end": "over"}}}}"#,
  ])
  func aCircleOnAWholeFlowComesToAnEnd(members: String) throws {
    let sketch = Sketch(
      flow: #""events": {"user.x": {}}, \#(members)"#,
      services: ["api": #""routes": [{"on": "GET /q", "next": [{"reply": {"redirect": {"uri": "com.app:/back"}}}]}]"#],
      participants: ["app": #", "redirectUris": ["com.app:/back"]"#])
    let error = try #require(Exploration.of(try sketch.load()).findings.first { $0.kind == .runError })
    #expect(error.diagnostic?.code == "spinning" && error.scenario?.contains("user.x") == true, "\(error)")
    let site = try #require(error.diagnostic?.labels.first?.site)
    #expect(String(decoding: site.document.bytes[site.range], as: UTF8.self) == #"{"goto": "away"}"#)
  }

  @Test func everySnapshotOfACircleIsToldWithOne() throws {
    // From a two ways lead to b, and b leads back: circles of two and of three, each with a network and without.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "a"}}},
          "a": {"perform": "p", "next": [
            {"when": "result.failure == 'odd'", "goto": "b"}, {"when": "result.failure == 'even'", "goto": "c"}, {"goto": "home"}]},
          "b": {"perform": "q", "next": [{"when": "result.failure == null", "goto": "home"}, {"goto": "a"}]},
          "c": {"perform": "r", "next": [{"when": "result.failure == null", "goto": "home"}, {"goto": "b"}]}}
        """#, participants: Self.device)
    let findings = Exploration.of(try sketch.load()).findings
    #expect(findings.map(figures) == [#""a", "b": 4 snapshots, 4 moves"#, #""a", "b", "c": 6 snapshots, 6 moves"#])
    #expect(
      try faults(findings[1]).sorted() == [
        #"{ "perform": "p", "nth": "every", "fails": "even" }"#, #"{ "perform": "q", "nth": "every", "fails": "odd" }"#,
        #"{ "perform": "r", "nth": "every", "fails": "odd" }"#,
      ])
  }

  @Test func aCircleThatNoScenarioCanSayIsToldWithoutOne() throws {
    // The same is asked for twice, and goes wrong in two ways.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "a"}}},
          "a": {"perform": "p", "next": [{"when": "result.failure == 'odd'", "goto": "b"}, {"goto": "home"}]},
          "b": {"perform": "p", "next": [{"when": "result.failure == 'even'", "goto": "a"}, {"goto": "home"}]}}
        """#, participants: Self.device)
    let findings = Exploration.of(try sketch.load()).findings
    #expect(findings.map(figures) == [#""a", "b": 4 snapshots, 4 moves"#])
    #expect(findings.allSatisfy { $0.kind == .runError && $0.scenario == nil })
    // Move by move, the circle once.
    #expect(
      findings.first?.way == ["launch", "event user.x", #"perform, fails "odd""#, #"perform, fails "even""#],
      "\(findings.map(\.way))")
  }

  @Test func aTimerThatWaitsForNothingTakesNoTime() throws {
    // From a and from b, with a network and without.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "a"}}},
          "a": {"goal": true, "after": [{"wait": "0s", "goto": "b"}]},
          "b": {"goal": true, "after": [{"wait": "0s", "goto": "a"}]}}
        """#)
    let exploration = try explore(sketch, finds: ["run-error b spinning"])
    #expect(exploration.findings.map(figures) == [#""a", "b": 4 snapshots, 4 moves"#])
    #expect(exploration.findings[0].scenario?.contains(#"{ "advance": "0s" }"#) == true)
  }

  @Test func timeAndAPersonBreakACircle() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "a"}}},
          "a": {"perform": "p", "next": [{"when": "result.failure == 'odd'", "goto": "later"}, {"goto": "home"}]},
          "later": {"rest": true, "after": [{"wait": "1s", "goto": "a"}]}}
        """#, participants: Self.device)
    _ = try explore(sketch, finds: [])
  }

  @Test func whatIsCutShortTellsTheCirclesItHas() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "a"}, "user.y": {"do": [{"set": {"n": "${store.n + 1}"}}]}}},
          "a": {"perform": "q", "next": [{"when": "result.failure == 'odd'", "goto": "a"}, {"goto": "home"}]}}
        """#, participants: Self.device)
    let exploration = Exploration.of(try sketch.load(), most: 200)
    #expect(!exploration.isComplete && exploration.findings.map(\.kind) == [.runError])
    #expect(try faults(exploration.findings[0]) == [#"{ "perform": "q", "nth": "every", "fails": "odd" }"#])
  }

  /// Two models that ask each other for ever: a run comes to that in a hundred steps, exploring in very many.
  private static let asking: KeyValuePairs = [
    "one": #"""
    "routes": [{"on": "GET /x", "next": [{"goto": "w"}]}],
    "states": {"w": {"request": {"to": "two", "get": "/y"}, "next": [{"reply": {"status": 200}}]}}
    """#,
    "two": #"""
    "routes": [{"on": "GET /y", "next": [{"goto": "w"}]}],
    "states": {"w": {"request": {"to": "one", "get": "/x"}, "next": [{"reply": {"status": 200}}]}}
    """#,
  ]

  @Test func whatIsCutShortTellsTheErrorInWhichTheAutomaticRunEnds() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "one", "get": "/x"}, "next": [{"goto": "home"}]}, "home": {"goal": true}}
        """#, services: Self.asking)
    let flow = try sketch.load()
    let exploration = Exploration.of(flow, most: 50)
    #expect(!exploration.isComplete && exploration.findings.map(\.kind) == [.runError])
    let finding = try #require(exploration.findings.first)
    #expect(finding.state == "ask" && finding.diagnostic?.code == "spinning")
    #expect(finding.scenario == "{\n  \"scenario\": \"run-error\"\n}\n")
    let replay = try #require(World(flow).replay(finding.scenario ?? ""))
    #expect(replay.outcome.problems == [finding.diagnostic])
  }

  /// Others than the automatic person may end it.
  @Test func whatIsCutShortTellsOfNoRunThatGoesOnForEver() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "start": "wait", "states": {
          "wait": {"rest": true, "after": [{"wait": "1s", "do": [{"set": {"n": "${store.n + 1}"}}], "goto": "wait"}]}}
        """#)
    #expect(try sketch.run().problems.map(\.code) == ["endless-run"])
    let exploration = Exploration.of(try sketch.load(), most: 50)
    #expect(!exploration.isComplete && exploration.findings.isEmpty)
  }

  @Test func aDeadEndIsToldThatAWayThroughACircleLeadsToAsWell() throws {
    // The event leads into a circle, from which a kill leads into the dead end; so does a kill before the event.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "store": {"bad": {"type": "bool", "initial": false}}, "start": "a", "states": {
          "a": {"next": [{"when": "store.bad", "goto": "broken"}, {"goto": "home"}]},
          "home": {"goal": true, "do": [{"set": {"bad": true}}], "on": {"user.x": {"goto": "unlocking"}}},
          "unlocking": {"perform": "q", "next": [{"goto": "unlocking"}]}, "broken": {"rest": true}}
        """#, participants: Self.device)
    let exploration = try explore(sketch, finds: ["run-error unlocking spinning", "no-way-to-goal -"])
    let scenario = try #require(exploration.findings[1].scenario)
    #expect(scenario.contains(#"{ "relaunch": true }"#) && !scenario.contains("user.x"), "\(scenario)")
    #expect(exploration.findings[1].statesAhead.contains("broken"))
  }
}
