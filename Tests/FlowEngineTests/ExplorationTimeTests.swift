import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// An exploration lets time pass to what guards wait for.
@Suite struct ExplorationTimeTests {
  /// Keeps an instant and spans once, then goes on whenever a guard holds.
  private func waiting(with kept: String, until guardText: String, early: String, late: String) -> Sketch {
    Sketch(
      flow: #"""
        "config": {"life": {"type": "int", "value": 3600}, "margin": {"type": "int", "value": 600},
          "opens": {"type": "timestamp", "value": "2026-03-01T00:00:00Z"}},
        "store": {"at": {"type": "timestamp"}, "until": {"type": "timestamp"}, "text": {"type": "string"},
          "life": {"type": "int", "initial": 0}, "span": {"type": "duration"}, "slack": {"type": "duration"},
          "over": {"type": "bool", "initial": false}},
        "let": {"soon": "now + seconds(config.margin)"}, "events": {"user.x": {}}, "start": "see", "states": {
          "see": {"next": [{"when": "store.over", "goto": "late"}, {"when": "present(store.span)", "goto": "early"},
            {"do": [{"set": {\#(kept), "life": "${config.life}", "span": "${seconds(config.life)}",
              "slack": "${seconds(config.margin)}"}}], "goto": "early"}]},
          "early": {"\#(early)": true, "on": {"user.x": [
            {"when": "\#(guardText)", "do": [{"set": {"over": true}}], "goto": "late"}, {"goto": "early"}]}},
          "late": {"\#(late)": true}}
        """#)
  }

  private static let guards: [(kept: String, all: [String])] = [
    (
      #""at": "${now}""#,
      [
        "now > store.at + seconds(store.life)", "seconds(store.life) + store.at < now",
        "store.at < now - seconds(store.life)", "now - store.at > seconds(store.life)", "now - store.at > store.span",
        "now - store.at - store.span > duration('0s')", "now - store.at > seconds(config.life)",
        "expired(store.at + store.span, '0s')", "now <= store.at + store.span && expired(store.at + store.span)",
        "[store.at].exists(x, x + seconds(store.life) < now)",
      ]
    ),
    (
      #""until": "${soon + seconds(config.life)}""#,
      [
        "now < store.until && now + seconds(config.margin) > store.until", "now < store.until && soon > store.until",
        "now < store.until && store.until - now < store.slack",
        "now < store.until && expired(store.until, store.slack)", "now <= store.until && expired(store.until)",
        "now <= store.until && !(store.until > now)", "now <= store.until && store.until - now <= duration('0s')",
      ]
    ),
    (
      #""text": "${string(now + seconds(config.life))}""#,
      [
        "expired(timestamp(store.text))", "now > timestamp(store.text)",
        "now - timestamp(store.text) > seconds(config.margin)", "now >= config.opens",
        "now > timestamp('2026-03-01T00:00:00Z')",
      ]
    ),
  ]

  @Test(arguments: guards.flatMap { kept, all in all.map { (kept, $0) } })
  func timePassesToWhereAGuardTurns(_ kept: String, _ guardText: String) throws {
    // Who lets the instant pass that a guard must come before is too late for ever.
    let missed = guardText.hasPrefix("now <") ? ["no-way-to-goal early"] : []
    let found = try explore(waiting(with: kept, until: guardText, early: "rest", late: "goal"), finds: missed)
    #expect(!found.hasMoreTimes)
    let trap = waiting(with: kept, until: guardText, early: "goal", late: "rest")
    _ = try explore(trap, finds: ["no-way-to-goal late"])
  }

  @Test(arguments: [("rest", "goal", []), ("goal", "rest", ["no-way-to-goal late"])])
  func timePassesToWhereARowOfAServiceTurns(_ early: String, _ late: String, _ expected: [String]) throws {
    let rows = #"{"rows": {"at": {"type": "timestamp"}, "life": {"type": "int"}}}"#
    let sketch = Sketch(
      flow: #"""
        "store": {"over": {"type": "bool", "initial": false}}, "events": {"user.x": {}}, "start": "see", "states": {
          "see": {"next": [{"when": "store.over", "goto": "late"}, {"goto": "ask"}]},
          "ask": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.status == 403", "do": [{"set": {"over": true}}], "goto": "late"}, {"goto": "early"}]},
          "early": {"\#(early)": true, "on": {"user.x": {"goto": "ask"}}}, "late": {"\#(late)": true}}
        """#,
      services: [
        "api": #"""
        "store": {"rows": \#(rows)}, "routes": [{"on": "GET /x", "next": [
          {"when": "store.rows.exists(k, store.rows[k].at + seconds(store.rows[k].life) < now)", "reply": {"status": 403}},
          {"when": "'a' in store.rows", "reply": {"status": 200}},
          {"do": [{"set": {"rows['a']": {"at": "${now}", "life": 3600}}}], "reply": {"status": 200}}]}]
        """#
      ])
    _ = try explore(sketch, finds: expected)
  }

  @Test func aTurnWithinWhatIsRoundedHidesNoLaterOne() throws {
    // At 3600 seconds ahead less the hour that is written out nothing has changed as far as snapshots are told apart.
    let sketch = Sketch(
      flow: #"""
        "store": {"text": {"type": "string"}}, "events": {"user.x": {}}, "start": "see", "states": {
          "see": {"next": [{"when": "present(store.text)", "goto": "early"},
            {"do": [{"set": {"text": "${string(now + duration('1h'))}"}}], "goto": "early"}]},
          "early": {"rest": true, "on": {"user.x": [{"when": "now > timestamp(store.text)", "goto": "late"}, {"goto": "early"}]}},
          "late": {"goal": true}}
        """#)
    _ = try explore(sketch, finds: [])
  }

  @Test(arguments: [
    "now + seconds(config.life)", "timestamp(config.text)", "present(store.at) ? store.at : timestamp(config.text)",
  ]) func anInstantThatIsOnlyKeptCountsForNothing(_ made: String) throws {
    let sketch = Sketch(
      flow: #"""
        "config": {"life": {"type": "int", "value": 3600}, "text": {"type": "string", "value": "2026-03-01T00:00:00Z"}},
        "store": {"at": {"type": "timestamp"}}, "events": {"user.x": {}}, "start": "a", "states": {
          "a": {"goal": true, "on": {"user.x": [{"when": "expired(store.at, '60s')",
            "do": [{"set": {"at": "${\#(made)}"}}], "goto": "a"}, {"goto": "a"}]}}}
        """#)
    let flow = try sketch.load()
    var explorer = Explorer(world: World(flow, times: knownTimes(of: World(flow), most: 20_000)), most: 20_000)
    explorer.explore()
    #expect(explorer.expanded == explorer.nodes.count && explorer.times.spans == flow.spans)
    #expect(explorer.times.instants.isEmpty)
  }

  /// Something ends behind an instant before which it began: a timer, or what another instant allows.
  @Test(arguments: [
    (#""user.y": {"goto": "pay"}"#, "store.until"),
    (#""user.y": {"do": [{"set": {"good": "${now + duration('10m')}"}}]}"#, "store.until"),
  ]) func timePassesToWhereSomethingBeginsThatEndsLater(_ begins: String, _ until: String) throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"until": {"type": "timestamp"}, "good": {"type": "timestamp"}, "over": {"type": "bool", "initial": false}},
        "events": {"user.x": {}, "user.y": {}, "user.z": {}}, "start": "see", "states": {
          "see": {"next": [{"when": "store.over", "goto": "late"}, {"goto": "early"}]},
          "early": {"rest": true, "on": {
            "user.x": {"when": "!present(store.until)", "do": [{"set": {"until": "${now + duration('1h')}"}}]},
            \#(begins),
            "user.z": [{"when": "present(store.good) && expired(\#(until)) && !expired(store.good)",
              "do": [{"set": {"over": true}}], "goto": "late"}, {"goto": "early"}]}},
          "pay": {"rest": true, "after": [{"wait": "10m", "when": "present(\#(until)) && expired(\#(until))",
            "do": [{"set": {"over": true}}], "goto": "late"}, {"wait": "10m", "goto": "early"}],
            "on": {"user.y": {"when": "expired(\#(until))", "goto": "early"}}},
          "late": {"goal": true}}
        """#)
    _ = try explore(sketch, finds: begins.contains("pay") ? [] : ["never-entered pay"])
  }

  @Test func aTurnThatLeadsToTheSameSnapshotHidesNoneBehindIt() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"until": {"type": "timestamp"}}, "events": {"user.x": {}}, "start": "see", "states": {
          "see": {"next": [{"when": "present(store.until)", "goto": "early"},
            {"do": [{"set": {"until": "${now + duration('1h')}"}}], "goto": "early"}]},
          "early": {"rest": true, "on": {"user.x": [{"when": "now > store.until", "goto": "late"},
            {"when": "store.until - now > duration('1h')", "goto": "early"}, {"goto": "early"}]}},
          "late": {"goal": true}}
        """#)
    _ = try explore(sketch, finds: [])
  }

  @Test func whatDataSayIsBounded() throws {
    func explored(_ guardText: String, _ set: String) throws -> Exploration {
      let sketch = Sketch(
        flow: #"""
          "store": {"at": {"type": "timestamp"}, "text": {"type": "string", "initial": "2026-01-01T10:00:00Z"},
            "n": {"type": "int", "initial": 1}}, "events": {"user.x": {}}, "start": "see", "states": {
            "see": {"next": [{"when": "present(store.at)", "goto": "a"}, {"do": [{"set": {"at": "${now}"}}], "goto": "a"}]},
            "a": {"goal": true, "on": {"user.x": [{"when": "store.n < 20 && \#(guardText)",
              "do": [{"set": {"n": "${store.n + 1}"\#(set)}}], "goto": "a"}, {"goto": "a"}]}}}
          """#)
      return Exploration.of(try sketch.load(), most: 20_000)
    }
    // Sixteen of nineteen count.
    let spans = try explored("now >= store.at + seconds(100 * store.n)", "")
    #expect(spans.isComplete && spans.hasMoreTimes && spans.limits.contains { $0.hasSuffix("there are more here.") })
    let instants = try explored("now > timestamp(store.text)", #", "text": "${string(now + duration('1h'))}""#)
    #expect(instants.isComplete && instants.hasMoreTimes)
  }

  @Test func asksWhetherToGoOnWhenItBeginsAnew() throws {
    var asked: [Int] = []
    let sketch = waiting(
      with: #""at": "${now}""#, until: "now > store.at + seconds(store.life)", early: "rest", late: "goal")
    let flow = try sketch.load()
    let exploration = Exploration.of(flow) { expanded, _ in
      asked.append(expanded)
      return asked.count { $0 == 0 } < 2
    }
    #expect(asked.last == 0 && exploration.isStopped && exploration.expanded == 0)
  }

  /// Each turn of a circle counts as the one before, but for how far ahead the outer timer is.
  @Test(arguments: [("5s", "10m"), ("5m", "24h"), ("55m", "720h")])
  func timePassesToATimerAroundACircle(turn: String, outer: String) throws {
    let sketch = Sketch(
      flow: """
        "events": {"user.x": {}}, "start": "a", "states": {
          "a": {"rest": true, "start": "odd", "on": {"user.x": {"goto": "b"}},
            "after": [{"wait": "\(outer)", "goto": "late"}], "states": {
              "odd": {"after": [{"wait": "\(turn)", "goto": "even"}]},
              "even": {"after": [{"wait": "\(turn)", "goto": "odd"}]}}},
          "late": {"rest": true}, "b": {"goal": true}}
        """)
    _ = try explore(sketch, finds: [])
  }

  /// The ways with and without a network go around the same circle, and neither keeps the other from it.
  @Test(arguments: [
    (#"{"when": "response.failure == 'unreachable'", "goto": "net"}, "#, "5s", "2m"), ("", "20s", "5m"),
  ])
  func timePassesAroundACircleFromSeveralSides(exit: String, turn: String, outer: String) throws {
    let sketch = Sketch(
      flow: """
        "start": "polling", "states": {
          "polling": {"rest": true, "start": "asks", "after": [{"wait": "\(outer)", "goto": "late"}], "states": {
            "asks": {"request": {"to": "api", "get": "/x"}, "next": [\(exit){"goto": "waits"}]},
            "waits": {"after": [{"wait": "\(turn)", "goto": "asks"}]}}},
          "late": {"goal": true}\(exit.isEmpty ? "" : #", "net": {"goal": true}"#)}
        """,
      services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 202}}]}]"#])
    _ = try explore(sketch, finds: [])
  }

  /// Each time around the outer circle comes to what the inner one has come to before.
  @Test(arguments: [("15s", "2m", "1m", "20m"), ("10s", "45s", "1m", "20m"), ("4s", "400s", "5s", "60m")])
  func timePassesAroundACircleOfCircles(turn: String, inner: String, between: String, outer: String) throws {
    let sketch = Sketch(
      flow: """
        "start": "polling", "states": {
          "polling": {"rest": true, "start": "mid", "after": [{"wait": "\(outer)", "goto": "late"}], "states": {
            "mid": {"start": "asks", "after": [{"wait": "\(inner)", "goto": "between"}], "states": {
              "asks": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "waits"}]},
              "waits": {"after": [{"wait": "\(turn)", "goto": "asks"}]}}},
            "between": {"after": [{"wait": "\(between)", "goto": "mid"}]}}},
          "late": {"goal": true}}
        """,
      services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 202}}]}]"#])
    _ = try explore(sketch, finds: [])
  }

  /// The same where a service is asked around the circle, and where a kept instant ends it.
  @Test func timePassesToAnInstantAroundACircle() throws {
    _ = try explore(
      Sketch(
        flow: #"""
          "store": {"until": {"type": "timestamp"}}, "start": "a", "states": {
            "a": {"next": [{"when": "present(store.until) && expired(store.until, '0s')", "goto": "late"},
              {"when": "present(store.until)", "goto": "asking"},
              {"do": [{"set": {"until": "${now + duration('1h')}"}}], "goto": "asking"}]},
            "asking": {"request": {"to": "api", "get": "/x"}, "next": [
              {"when": "expired(store.until, '0s')", "goto": "late"}, {"goto": "between"}]},
            "between": {"rest": true, "after": [{"wait": "20s", "goto": "asking"}]},
            "late": {"goal": true}}
          """#,
        services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 204}}]}]"#]),
      finds: [])
  }

  @Test func whatIsDueAtOnceGoesWrongOnceTimeIsWaitedFor() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {
          "a": {"rest": true, "after": [{"wait": "0s", "do": [{"set": {"n": "${1 / store.n}"}}], "goto": "done"}]}, "done": {"goal": true}}
        """#)
    let error = try #require(Exploration.of(try sketch.load()).findings.first { $0.kind == .runError })
    #expect(error.scenario?.contains(#""script": [\#n    { "advance": "0s" }\#n  ]"#) == true, "\(error)")
  }

  /// Who waits for the last of many instants does one thing: what comes of it is not looked for behind all else that can be
  /// done before each of them.
  @Test func whatIsWaitedForIsFoundAsEarlyAsWhatIsDone() throws {
    let numbers = 1...9
    let keys = numbers.map { #""t\#($0)": {"type": "timestamp"}, "c\#($0)": {"type": "int", "initial": 0}"# }
    let sets = numbers.map { #""t\#($0)": "${now + duration('\#($0)h')}""# }.joined(separator: ", ")
    let counts = numbers.map { number in
      #""user.e\#(number)": {"when": "!expired(store.t\#(number), '0s')", "do": [{"set": {"c\#(number)": "${(store.c\#(number) + 1) % 9}"}}]}"#
    }
    let flow = try Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}, \#(keys.joined(separator: ", "))},
        "events": {"user.x": {}, \#(numbers.map { #""user.e\#($0)": {}"# }.joined(separator: ", "))}, "start": "a", "states": {
          "a": {"next": [{"when": "present(store.t1)", "goto": "home"}, {"do": [{"set": {\#(sets)}}], "goto": "home"}]},
          "home": {"goal": true, "on": {"user.x": {"when": "expired(store.t9, '0s')",
            "do": [{"set": {"n": "${1 / store.n}"}}]}, \#(counts.joined(separator: ", "))}}}
        """#
    ).load()
    let exploration = Exploration.of(flow, most: 2000)
    let error = try #require(exploration.findings.first { $0.kind == .runError })
    #expect(!exploration.isComplete && error.scenario?.contains(#"{ "event": "user.x" }"#) == true)
  }
}
