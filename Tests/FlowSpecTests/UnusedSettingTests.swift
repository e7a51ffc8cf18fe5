import FlowSpec
import Testing

@Suite struct UnusedSettingTests {
  /// A setting that a scenario reads cannot be removed; to give it another value is no use of it.
  @Test(arguments: [
    (#""given": {"store": {"k": "${config.c}"}}, "script": []"#, true),
    (#""script": [{"event": "user.goes", "with": {"f": "${config.c + '!'}"}}]"#, true),
    (#""given": {"config": {"c": "y"}}, "script": []"#, false),
    (#""given": {"store": {"k": "c"}}, "script": []"#, false),
  ]) func whatAScenarioReadsIsUsed(members: String, isUsed: Bool) throws {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "ask",
        "config": {"c": {"type": "string", "value": "x"}}, "store": {"k": {"type": "string"}},
        "events": {"user.goes": {"fields": {"f": {"type": "string"}}}},
        "states": {"ask": {"rest": true, "on": {"user.goes": {"when": "store.k == event.f", "goto": "done"}}}, "done": {"goal": true}}}
      """#,
      "s.json": #"{"scenario": "s", \#(members)}"#,
    ])
    let checked = documents.flow("x.json")
    let flow = try #require(checked.value)
    let scenario = try #require(Loading.scenario(at: "s.json", for: flow, reader: &documents).value)
    func told(_ scenarios: [Scenario]) -> [String] {
      Loading.diagnostics(checked.diagnostics, of: flow, given: scenarios).map(\.code).filter { $0 == "unused-config" }
    }
    #expect(told([]) == ["unused-config"])
    #expect(told([scenario]) == (isUsed ? [] : ["unused-config"]))
  }
}
