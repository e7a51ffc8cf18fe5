import Testing

@testable import FlowSpec

/// Checks a flow of these states and compares code and state of what is found; `start` is `a`.
private func checkStates(
  _ states: String, finds expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let flow = #"""
    {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"}},
      "start": "a", "states": {\#(states), "done": {"goal": true}}}
    """#
  var documents = Documents(texts: ["x.json": flow])
  let found = documents.flow("x.json").diagnostics.map { diagnostic in
    let help = diagnostic.help?.split(separator: ":")[0] ?? ""
    return "\(diagnostic.code) \(help.contains("→") ? help : diagnostic.message.split(separator: "\"")[1])"
  }
  #expect(found == expected, sourceLocation: sourceLocation)
}

/// A state that decides between others; the last is taken where nothing else is.
private func decision(_ name: String, _ targets: String...) -> String {
  let choices = targets.dropLast().map { "{\"when\": \"device.online\", \"goto\": \"\($0)\"}, " }.joined()
  return "\"\(name)\": {\"next\": [\(choices){\"goto\": \"\(targets.last ?? "done")\"}]}"
}

@Suite struct GraphTests {
  @Test func eachCircleOfItsOwnIsTold() throws {
    try checkStates(
      [decision("a", "b", "c"), decision("b", "a", "done"), decision("c", "d"), decision("d", "c", "done")]
        .joined(separator: ", "), finds: ["loop-without-wait a → b → a", "loop-without-wait c → d → c"])
    try checkStates([decision("a", "a", "done")].joined(), finds: ["loop-without-wait a → a"])
  }

  @Test func ofCirclesThatShareAStateTheFirstIsTold() throws {
    try checkStates(
      [decision("a", "b"), decision("b", "c", "a"), decision("c", "a", "done")].joined(separator: ", "),
      finds: ["loop-without-wait a → b → a"])
  }

  @Test func aWayBetweenCirclesIsNone() throws {
    try checkStates(
      [decision("a", "a", "b"), decision("b", "c"), decision("c", "d"), decision("d", "d", "done")]
        .joined(separator: ", "), finds: ["loop-without-wait a → a", "loop-without-wait d → d"])
  }

  @Test func ofStatesThatNothingEntersTheHeadsAreTold() throws {
    try checkStates(
      [decision("a", "done"), decision("x", "y"), decision("y", "done"), decision("z", "x"), decision("w", "done")]
        .joined(separator: ", "), finds: ["unreachable-state z", "unreachable-state w"])
    // Of those that lead to one another the first; the circle is another finding.
    try checkStates(
      [decision("a", "done"), decision("tail", "done"), decision("x", "y"), decision("y", "x", "tail")]
        .joined(separator: ", "), finds: ["unreachable-state x", "loop-without-wait x → y → x"])
  }

  /// Time in proportion to size: what asks each state for its circles anew takes minutes here.
  @Test func aLongFlowIsCheckedInReasonableTime() throws {
    let count = 3_000
    let chain = (0..<count).map { decision("s\($0)", $0 + 1 < count ? "s\($0 + 1)" : "done") }
    try checkStates(([decision("a", "s0")] + chain).joined(separator: ", "), finds: [])
  }
}
