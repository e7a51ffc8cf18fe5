import Expressions
import FlowEngine
import FlowSpec
import Foundation
import Testing

/// What is said to make an exploration long.
private func told(_ sketch: Sketch, most: Int) throws -> [Variety] {
  Exploration.of(try sketch.load(), most: most).varieties
}

/// A button that has a server make a row, whose name the app keeps.
private func shop(named call: String) -> Sketch {
  Sketch(
    flow: #"""
      "events": {"user.x": {}}, "store": {"job": {"type": "string"}}, "start": "home", "states": {
      "home": {"goal": true, "on": {"user.x": {"goto": "ask"}}},
      "ask": {"request": {"to": "api", "post": "/jobs"}, "next": [
        {"when": "response.status == 200", "do": [{"set": {"job": "${response.json.job}"}}], "goto": "home"}, {"goto": "home"}]}}
      """#,
    services: [
      "api": """
      "store": {"jobs": {"rows": {"done": {"type": "bool", "initial": false}}}}, "memory": {"job": {"type": "string"}},
      "routes": [{"on": "POST /jobs", "next": [{"do": [{"set": {"job": "${\(call)('job')}"}}, {"set": {"jobs[memory.job].done": false}}],
        "reply": {"status": 200, "json": {"job": "${memory.job}"}}}]}]
      """
    ])
}

@Test func rowsByNamesThatAnybodyMayKnowAreToldFirst() throws {
  let variety = try #require(try told(shop(named: "newId"), most: 1000).first)
  #expect(variety.key.name == "jobs" && variety.identifiers == ["job"])
  #expect(try told(shop(named: "fresh"), most: 1000).isEmpty, "those rows are forgotten")
}

/// All that wait have come about as far, so that they say little of what only grows.
@Test func whatGrowsOnTheWayIsToldFirst() throws {
  let sketch = Sketch(
    flow: #"""
      "store": {"first": {"type": "bool", "initial": false}}, "memory": {"tries": {"type": "int", "initial": 0}},
      "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {"home": {"goal": true, "on": {
        "user.x": {"do": [{"set": {"tries": "${memory.tries + 1}"}}]}, "user.y": {"do": [{"set": {"first": true}}]}}}}
      """#)
  let varieties = try told(sketch, most: 300)
  #expect(varieties.first?.key.name == "tries" && (varieties.first?.values ?? 0) > 20, "\(varieties)")
}

@Test func whereInstantsAloneDifferThatIsTold() throws {
  let sketch = Sketch(
    flow: #"""
      "events": {"user.x": {}}, "store": {"notes": {"rows": {"at": {"type": "timestamp"}}}}, "start": "home", "states": {
      "home": {"goal": true, "after": [{"wait": "7s", "goto": "home"}], "on": {"user.x": {"when": "store.notes[?'a'].?at.orValue(now) >= now - duration('1h')",
        "do": [{"set": {"notes['a'].at": "${now}"}}]}}}}
      """#)
  let variety = try #require(try told(sketch, most: 400).first)
  #expect(variety.key.name == "notes" && variety.values > 3 && variety.identifiers.isEmpty)
  #expect(2 * variety.timeless <= variety.values, "\(variety)")
}

@Test func whereTimeAlonePassesItIsToldHowFar() throws {
  let sketch = Sketch(
    flow: #"""
      "store": {"until": {"type": "timestamp"}}, "start": "begin", "states": {
      "begin": {"do": [{"set": {"until": "${now + duration('240h')}"}}], "next": [{"goto": "wait"}]},
      "wait": {"rest": true, "after": [{"wait": "2s", "goto": "look"}]},
      "look": {"next": [{"when": "now > store.until", "goto": "done"}, {"goto": "wait"}]}, "done": {"goal": true}}
      """#)
  let varieties = try told(sketch, most: 5000)
  #expect(varieties.map(\.key.name) == ["until"])
  let ahead = try #require(varieties.first?.ahead)
  #expect(ahead > .seconds(3600) && ahead < .seconds(240 * 3600))
}

@Test func aFlowOfWhichAllIsKnownHasNone() throws {
  let sketch = Sketch(flow: #""start": "a", "states": {"a": {"goal": true}}"#)
  #expect(try told(sketch, most: 1000).isEmpty)
}

/// A pause that doubles for centuries: no one `advance` is as long.
@Test func timeThatAddsUpToMoreThanADurationIsToldInSteps() throws {
  let sketch = Sketch(
    flow: #"""
      "memory": {"pause": {"type": "int", "initial": 5}}, "start": "asking", "states": {
      "asking": {"request": {"to": "api", "get": "/x"}, "next": [
        {"when": "response.status == 200", "goto": "home"}, {"do": [{"set": {"pause": "${memory.pause * 2}"}}], "goto": "waiting"}]},
      "waiting": {"rest": true, "after": [{"wait": "${seconds(memory.pause)}", "goto": "asking"}]}, "home": {"goal": true}}
      """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
  let finding = try #require(Exploration.of(try sketch.load()).findings.first { $0.kind == .runError })
  let scenario = try #require(finding.scenario)
  #expect(scenario.components(separatedBy: "\"advance\"").count > 2, "\(scenario)")
}

/// That a span is only known from running makes no difference.
@Test(arguments: ["duration('1h')", "seconds(memory.hour)"])
func instantsAreToldApartAsTheExplorationDoes(span: String) throws {
  let sketch = Sketch(
    flow: #"""
      "events": {"user.x": {}}, "store": {"at": {"type": "timestamp"}},
      "memory": {"hour": {"type": "int", "initial": 3600}, "k": {"type": "int", "initial": 0}}, "start": "home", "states": {
      "home": {"goal": true, "do": [{"set": {"at": "${present(store.at) ? store.at : now}"}}],
        "after": [{"wait": "7s", "do": [{"set": {"k": "${memory.k + 1}"}}], "goto": "home"}],
        "on": {"user.x": {"when": "present(store.at) && now > store.at + \#(span)", "goto": "home"}}}}
      """#)
  let varieties = try told(sketch, most: 100)
  #expect(varieties.map(\.key.name) == ["at", "k"] && varieties.first?.values == 6, "\(varieties)")
}

/// A count of what is sent, and what it is compared with.
private func counting(_ condition: String, kept: String = "memory") -> Sketch {
  Sketch(
    flow: #"""
      "config": {"most": {"type": "int", "value": 7}}, "let": {"mayTry": "\#(condition)"},
      "\#(kept)": {"tries": {"type": "int", "initial": 0}, "seen": {"type": "bool", "initial": false}},
      "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {"home": {"goal": true, "on": {
        "user.x": {"when": "mayTry", "do": [{"set": {"tries": "${\#(kept).tries + 1}"}}]},
        "user.y": {"do": [{"set": {"seen": "${!\#(kept).seen}"}}]}}}}
      """#)
}

@Test(arguments: [
  ("memory.tries < 5", 5, nil), ("!(5 <= memory.tries)", 5, nil), ("memory.tries < config.most", 7, "most"),
  ("memory.tries < 30", 30, nil), ("memory.tries != 6 && memory.tries < 9", 9, nil),
])
func whatHasABoundIsToldWithIt(condition: String, number: Int64, setting: String?) throws {
  for kept in ["memory", "store"] {
    let sketch = counting(condition.replacing("memory", with: kept), kept: kept)
    let variety = try #require(try told(sketch, most: 8).first)
    #expect(variety.key.name == "tries" && variety.bound?.number == number && variety.bound?.setting == setting)
  }
}

/// It is compared with something, and grows all the same; or with nothing.
@Test(arguments: ["memory.tries > -1", "memory.tries < 5 || device.native", "device.native"])
func whatGrowsBeyondWhatItIsComparedWithHasNoBound(condition: String) throws {
  let variety = try #require(try told(counting(condition), most: 60).first)
  #expect(variety.key.name == "tries" && variety.bound == nil, "\(variety)")
}
