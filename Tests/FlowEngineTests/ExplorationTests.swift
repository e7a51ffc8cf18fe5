import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// Explores a sketch to its end; every scenario of a finding is run once more and must come to what was found.
func explore(
  _ sketch: Sketch, finds expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) throws -> Exploration {
  let flow = try sketch.load()
  let exploration = Exploration.of(flow, most: 20_000)
  #expect(exploration.isComplete, sourceLocation: sourceLocation)
  let found = exploration.findings.map { finding in
    "\(finding.kind.rawValue) \(finding.state ?? "-")" + (finding.diagnostic.map { " \($0.code)" } ?? "")
  }
  #expect(found == expected, sourceLocation: sourceLocation)
  for finding in exploration.findings where finding.kind != .neverEntered {
    let text = try #require(finding.scenario, "\(finding.kind) has no scenario", sourceLocation: sourceLocation)
    let outcome = try #require(World(flow).replay(text)?.outcome, "\(text)", sourceLocation: sourceLocation)
    if let diagnostic = finding.diagnostic {
      #expect(outcome.problems.map(\.code) == [diagnostic.code], "\(text)", sourceLocation: sourceLocation)
    } else {
      let leaf = outcome.snapshot.app.run?.levels.last?.leaf
      // What is found of a killed app is told with a launch behind it.
      if finding.state == nil, leaf != nil { continue }
      #expect(leaf.map { flow.app.states[$0].name } == finding.state, "\(text)", sourceLocation: sourceLocation)
    }
  }
  return exploration
}

/// The lines of the first finding's scenario, without indentation.
private func lines(_ exploration: Exploration) -> [String] {
  let text = exploration.findings.first?.scenario ?? ""
  return text.split(separator: "\n").map { line in String(line.drop { $0 == " " }) }
}

@Suite struct ExplorationTests {
  @Test func countsWhatCanBeCountedByHand() throws {
    // Not running, in a, in b; each with a network and without: 6 snapshots. Moves: at each start the launch, the network
    // (2 × 2); in a the event, the network, the kill (2 × 3); in b the network, the kill (2 × 2): 14.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"user.x": {"goto": "b"}}}, "b": {"goal": true}}
        """#)
    let exploration = try explore(sketch, finds: [])
    #expect(exploration.snapshots == 6 && exploration.moves == 14)
  }

  @Test func countsTimeByItsTurns() throws {
    // As above with no event: not running, in a, in b, twice: 6 snapshots. A timer leads from a to b: launch, network (2 × 2);
    // in a the network, the kill, the timer. The network goes and comes at the same instant, so the timer's time is the
    // same: 2 × 3. In b 2 × 2.
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"rest": true, "after": [{"wait": "5m", "goto": "b"}]}, "b": {"goal": true}}
        """#)
    let exploration = try explore(sketch, finds: [])
    #expect(exploration.snapshots == 6 && exploration.moves == 14)
  }

  @Test func composedAndDecomposedLettersAreTwoTexts() throws {
    func snapshots(_ first: String, _ second: String) throws -> Int {
      func route(_ path: String, _ text: String) -> String {
        #"{"on": "POST /\#(path)", "next": [{"do": [{"set": {"s": "\#(text)"}}], "reply": {"status": 200, "json": {"s": "${store.s}"}}}]}"#
      }
      let routes = route("a", first) + ", " + route("b", second)
      let sketch = Sketch(
        flow: #"""
          "events": {"user.a": {}, "user.b": {}}, "start": "w", "states": {
            "w": {"goal": true, "on": {"user.a": {"goto": "a"}, "user.b": {"goto": "b"}}},
            "a": {"request": {"to": "s", "post": "/a"}, "next": [{"goto": "w"}]},
            "b": {"request": {"to": "s", "post": "/b"}, "next": [{"goto": "w"}]}}
          """#,
        services: ["s": #""store": {"s": {"type": "string"}}, "routes": [\#(routes)]"#])
      return try explore(sketch, finds: []).snapshots
    }
    #expect(try snapshots("\u{e9}", "e\u{301}") == snapshots("x", "y"))
  }

  @Test func aBoundIsNotSilent() throws {
    let sketch = Sketch(flow: #""start": "a", "states": {"a": {"goal": true}}"#)
    let exploration = Exploration.of(try sketch.load(), most: 2)
    #expect(!exploration.isComplete && exploration.snapshots == 2 && exploration.expanded == 0)
    #expect(exploration.findings.map(\.kind) == [.neverEntered])
    #expect(Exploration.of(try sketch.load(), most: 1).snapshots == 1)
  }

  /// What only grows: a count, a row for each fresh value; and what is set or not.
  private static let growing = Sketch(
    flow: #"""
      "store": {"n": {"type": "int", "initial": 0}, "session": {"type": "string"}},
      "memory": {"seen": {"type": "bool", "initial": false}}, "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
        "home": {"goal": true, "on": {
          "user.x": {"goto": "ask"}, "user.y": {"do": [{"set": {"n": "${store.n + 1}", "seen": true}}]}}},
        "ask": {"request": {"to": "api", "post": "/x"}, "next": [
          {"when": "response.status == 200", "do": [{"set": {"session": "${response.json.session}"}}], "goto": "home"}, {"goto": "home"}]}}
      """#,
    services: [
      "api": #"""
      "store": {"made": {"rows": {"at": {"type": "int"}}}}, "memory": {"id": {"type": "string"}},
      "routes": [{"on": "POST /x", "next": [
        {"do": [{"set": {"id": "${fresh('id')}"}}, {"set": {"made[memory.id].at": "${size(store.made)}"}}],
          "reply": {"status": 200, "json": {"session": "${memory.id}"}}}]}]
      """#
    ])

  @Test func whoAsksItToStopIsToldWhatWasFound() throws {
    let flow = try Self.growing.load()
    var heard: [Int] = []
    let exploration = Exploration.of(flow, most: 5000) { expanded, waiting in
      heard.append(expanded)
      return expanded < 192 || waiting == 0
    }
    #expect(heard == Array(0...192))
    #expect(exploration.isStopped && !exploration.isComplete && exploration.expanded == 192)
    #expect(exploration.snapshots > 192 && exploration.weaknesses.isEmpty)
    let bounded = Exploration.of(flow, most: 300)
    #expect(!bounded.isStopped && !bounded.isComplete)
  }

  @Test func whatMakesItLongIsSaidWhereItDoesNotEnd() throws {
    let exploration = Exploration.of(try Self.growing.load(), most: 2000)
    let found = exploration.varieties.map { variety in
      "\(variety.owner) \(variety.isMemory ? "memory" : "store").\(variety.key.name) \(variety.values)"
    }
    // One session is like another: there is one, or none.
    #expect(found == ["app store.n 16", "api store.made 9", "app store.session 2", "app memory.seen 2"])
    let sketch = Sketch(flow: #""start": "a", "states": {"a": {"goal": true}}"#)
    #expect(Exploration.of(try sketch.load()).varieties.isEmpty)
  }

  @Test func findsWhereTheAppIsLeft() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.status == 200", "goto": "done"}, {"goto": "sorry"}]},
          "sorry": {"on": {"user.x": {"goto": "ask"}}}, "done": {"goal": true}, "nowhere": {"rest": true}}, "events": {"user.x": {}}
        """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
    let exploration = try explore(sketch, finds: ["stopped-elsewhere sorry", "never-entered nowhere"])
    #expect(
      lines(exploration) == [
        "{", "\"scenario\": \"stopped-elsewhere\",", "\"script\": [],", "\"faults\": [",
        "{ \"request\": \"GET /x\", \"unreachable\": true }", "]", "}",
      ])
  }

  @Test func findsWhatCanNeverBeMended() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"bad": {"type": "bool", "initial": false}}, "events": {"user.x": {}}, "start": "see", "states": {
          "see": {"next": [{"when": "store.bad", "goto": "dead"}, {"goto": "home"}]},
          "home": {"goal": true, "on": {"user.x": {"goto": "ask"}}},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.failure == 'lost'", "do": [{"set": {"bad": true}}], "goto": "dead"}, {"goto": "home"}]},
          "dead": {"rest": true}}
        """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
    let exploration = try explore(sketch, finds: ["no-way-to-goal dead"])
    // Without a network the answer that is under way is lost at once, or it is lost after 30 seconds.
    let scenario = lines(exploration)
    #expect(scenario.contains("{ \"event\": \"user.x\" }") || scenario.contains("{ \"event\": \"user.x\" },"))
    #expect(scenario.contains { $0.hasPrefix("{ \"request\": \"GET /x\", ") })
  }

  @Test func findsErrorsOfARunAndCountsTries() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "one"}}},
          "one": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.status == 200", "goto": "two"}, {"goto": "home"}]},
          "two": {"request": {"to": "api", "get": "/x"}, "next": [{"when": "response.json.ok == true", "goto": "home"}, {"goto": "home"}]}}
        """#,
      services: [
        "api": #"""
        "sometimes": [{"name": "odd", "reply": {"status": 503, "json": {}}}],
        "routes": [{"on": "GET /x", "next": [{"reply": {"status": 200, "json": {"ok": true}}}]}]
        """#
      ])
    let exploration = try explore(sketch, finds: ["run-error two no-such-key"])
    let scenario = lines(exploration)
    #expect(scenario.contains { $0.hasPrefix("{ \"request\": \"GET /x\", \"nth\": 2, ") })
  }

  @Test func killsAtEveryDurableWrite() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"a": {"type": "bool", "initial": false}, "b": {"type": "bool", "initial": false}}, "events": {"user.x": {}},
        "start": "see", "states": {
          "see": {"next": [{"when": "store.a && !store.b", "goto": "half"}, {"goto": "home"}]},
          "home": {"goal": true, "on": {"user.x": {"do": [{"set": {"a": true}}, {"set": {"b": true}}]}}},
          "half": {"rest": true}}
        """#)
    // The app is lost while it is not running: half of what it stores is there.
    let flow = try sketch.load()
    let exploration = Exploration.of(flow)
    #expect(exploration.findings.map(\.kind) == [.noWayToGoal] && exploration.findings.first?.state == nil)
    #expect(
      lines(exploration).dropFirst(2) == [
        "\"script\": [", "{ \"kill\": { \"keeping\": 1 } },", "{ \"event\": \"user.x\" },", "{ \"launch\": true }", "]",
        "}",
      ])
  }

  @Test func anEventComesBeforeAnAnswer() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "home"}], "on": {"user.x": {"goto": "left"}}},
          "home": {"goal": true}, "left": {}}
        """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
    let exploration = try explore(sketch, finds: ["stopped-elsewhere left"])
    #expect(lines(exploration).contains("{ \"event\": \"user.x\" }"))
  }

  @Test func whoAsksForEverNewMailComesToAnEnd() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "link.in": {"fields": {"t": {"type": "string"}}}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "ask"}, "link.in": {"goto": "home"}}},
          "ask": {"request": {"to": "api", "post": "/mail"}, "next": [{"goto": "home"}]}}
        """#,
      services: [
        "api": #"""
        "memory": {"t": {"type": "string"}}, "routes": [{"on": "POST /mail", "next": [
          {"do": [{"set": {"t": "${fresh('t')}"}}, {"send": {"in": {"links": {"in": "https://x.example/${memory.t}"}}}}], "reply": {}}]}]
        """#
      ], participants: ["app": #", "links": {"in": "https://x.example/{t}"}"#])
    _ = try explore(sketch, finds: [])
  }

  @Test func exchangesForNobodyDoNotPileUp() throws {
    // The app asks and gives up, as often as it likes within one instant, while the service waits for another.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "ask"}}},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "home"}], "on": {"user.x": {"goto": "home"}}}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "GET /x", "next": [{"goto": "asking"}]}],
        "states": {"asking": {"request": {"to": "other", "get": "/y"}, "next": [{"reply": {"status": 200}}]}}
        """#,
        "other": #""routes": [{"on": "GET /y", "next": [{"reply": {"status": 200}}]}]"#,
      ])
    _ = try explore(sketch, finds: [])
  }

  @Test func whatWaitsIsBoundedAndMadeOnceMore() throws {
    let world = World(try whereMuchIsRenumbered.load())
    var kept = Explorer(world: world, most: 800)
    var bounded = Explorer(world: world, most: 800, mostKept: 3)
    kept.explore()
    bounded.explore()
    #expect(kept.nodes.count == bounded.nodes.count && kept.edges.count == bounded.edges.count)
    #expect(kept.edges.map(\.to) == bounded.edges.map(\.to))
  }

  @Test func whatIsRememberedOfMovesIsWhatTheyDo() throws {
    checkMemory(World(try whereMuchIsRenumbered.load()), most: 3000)
    // A service counts when another cannot be reached, and when time has passed: both look at its store.
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.x": {"goto": "ask"}, "user.y": {"goto": "wait"}}},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "home"}]},
          "wait": {"request": {"to": "api", "get": "/y"}, "next": [{"goto": "home"}]}}
        """#,
      services: [
        "api": #"""
        "store": {"n": {"type": "int", "initial": 0}}, "routes": [
          {"on": "GET /x", "next": [{"goto": "asking"}]}, {"on": "GET /y", "next": [{"goto": "waiting"}]}],
        "states": {
          "asking": {"request": {"to": "other", "get": "/z"}, "next": [
            {"do": [{"set": {"n": "${(store.n + 1) % 5}"}}], "reply": {"status": 200}}]},
          "waiting": {"request": {"to": "other", "get": "/z", "retry": {"when": "response.status == 0", "most": 1, "wait": "1s"}}, "next": [
            {"do": [{"set": {"n": "${(store.n + 1) % 5}"}}], "reply": {"status": 200}}]}}
        """#,
        "other": #""routes": [{"on": "GET /z", "next": [{"reply": {"status": 200}}]}]"#,
      ])
    checkMemory(World(try sketch.load()), most: 3000)
  }

  @Test func farInstantsAreRoundedInTheirOrder() {
    func rounded(_ ahead: [Int]) -> (seconds: [Int64], apart: UInt64?) {
      var intervals = Pile<Interval>()
      for seconds in ahead { intervals.append(Interval(.seconds(seconds))) }
      var order: [Int] = []
      let apart = intervals.roundAhead(&order)
      return (intervals.indices.map { intervals[$0].seconds }, apart)
    }
    let (seconds, apart) = rounded([3600, 20, 3599, -5, 31])
    #expect(seconds == [4097, 20, 4096, -5, 32])
    let other = rounded([3600, 20, 3598, -5, 31])
    #expect(other.seconds == seconds && other.apart != apart)
    #expect(rounded([30, -5]).apart == nil)
  }
}
