import FlowSpec
import Testing

/// What is said of the words of a key with `one of` that this sets, in a flow whose scenarios may give it others.
private func told(set value: String, initial: String = "", also other: String = #""new""#) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
     "store": {"stage": {"one of": ["new", "asked", "done"]\#(initial)}, "other": {"one of": ["asked", "done"], "initial": "asked"}},
     "memory": {"word": {"type": "string"}},
     "events": {"user.asks": {"fields": {"word": {"one of": ["asked", "done"]}}}, "user.ends": {}},
     "start": "waiting", "states": {
       "waiting": {"rest": true, "on": {"user.asks": {"do": [{"set": {"stage": \#(value), "word": "${event.word}"}}], "goto": "home"}}},
       "home": {"goal": true, "on": {
         "user.ends": {"when": "store.stage == 'done' && store.other == 'done' && present(memory.word)",
           "do": [{"set": {"stage": \#(other), "other": "done"}}], "goto": "waiting"}}}}}
    """#
  ])
  return documents.told("unset-word").map(\.message)
}

/// A word of `one of` that nothing gives its key.
@Suite struct UnsetWordTests {
  @Test func aWordThatNothingSetsIsTold() {
    #expect(told(set: #""asked""#) == [#"nothing sets "stage" to "done""#])
    #expect(told(set: "null") == [#"nothing sets "stage" to "asked""#, #"nothing sets "stage" to "done""#])
  }

  @Test func itIsShownWhereItIsListed() throws {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "store": {"stage": {"one of": ["new", "done"], "initial": "new"}}, "events": {"user.ends": {}},
       "start": "home", "states": {"home": {"goal": true, "on": {
         "user.ends": {"when": "store.stage == 'done'", "do": [{"set": {"stage": "new"}}]}}}}}
      """#
    ])
    let found = try #require(documents.told("unset-word").first)
    #expect(found.summary == "unset-word x.json:2:40" && found.labels.count == 2)
  }

  @Test func whatSomethingSetsOrAKeyBeginsWithIsNotTold() {
    #expect(told(set: #""done""#, initial: #", "initial": "asked""#) == [])
    #expect(told(set: #""done""#, also: #""${present(memory.word) ? 'asked' : 'new'}""#) == [])
    #expect(told(set: #""${event.word}""#) == [])
  }

  /// What scenarios give counts, which only who has them all can tell.
  @Test func whatAScenarioGivesIsNotTold() {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "store": {"stage": {"one of": ["new", "done", "lost"], "initial": "new"}}, "events": {"user.ends": {}},
       "start": "home", "states": {"home": {"goal": true, "on": {
         "user.ends": {"when": "store.stage == 'done'", "do": [{"set": {"stage": "new"}}]}}}}}
      """#,
      "x/old.json": #"{"scenario": "old", "given": {"store": {"stage": "done"}}, "script": []}"#,
    ])
    let checked = documents.flow("x.json")
    guard let flow = checked.value else { return #expect(Bool(false), "It is a flow.") }
    let scenario = Loading.scenario(at: "x/old.json", for: flow, reader: &documents)
    let scenarios = [scenario.value].compactMap(\.self)
    func words(_ found: [Diagnostic]) -> [String] { found.filter { $0.code == "unset-word" }.map(\.message) }
    #expect(scenarios.count == 1 && words(checked.diagnostics).count == 2)
    let left = words(Loading.diagnostics(checked.diagnostics, of: flow, given: scenarios))
    #expect(left == [#"nothing sets "stage" to "lost""#])
    #expect(!Loading.diagnosticsWithoutScenarios(checked.diagnostics).contains { $0.code == "unset-word" })
  }
}
