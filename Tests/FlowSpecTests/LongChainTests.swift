import FlowSpec
import Testing

/// What the checks follow may be long: chains of decisions, and of models that ask.
@Suite struct LongChainTests {
  /// Each decides at once, so that nobody sees the first screen before the last.
  @Test func aScreenBehindManyDecisionsIsReplacedAtOnce() {
    let count = 20_000
    let states = (0..<count).map { #""s\#($0)": {"next": [{"goto": "s\#($0 + 1)"}]}"# }
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "screens": {"one": {}, "two": {}}, "start": "a", "states": {
         "a": {"do": [{"show": {"one": {}}}], "next": [{"goto": "s0"}]}, \#(states.joined(separator: ", ")),
         "s\#(count)": {"goal": true, "do": [{"show": {"two": {}}}]}}}
      """#
    ])
    #expect(documents.flow("x.json").diagnostics.map(\.code) == ["unused-screen"])
  }
}
