import Testing

@testable import FlowSpec

/// Checks a flow of these states and compares code and state of what is found; `start` is `a`, `members` are more of the
/// flow's.
private func checkStates(
  _ states: String, members: String = "", finds expected: [String], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let flow = #"""
    {"flow": "x", "title": "X", "participants": {
      "app": {"kind": "app"}, "browser": {"kind": "browser"}, "device": {"kind": "device"}},
      \#(members) "start": "a", "states": {\#(states), "done": {"goal": true}}}
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
  /// A transition leaves what does not stand around both ends, and enters all between there and where its target starts.
  @Test func whatIsEnteredIsAllBetweenSourceAndLeaf() throws {
    let flow = #"""
      {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "events": {"user.goes": {}},
        "start": "a", "states": {
          "a": {"start": "b", "states": {
            "b": {"start": "c", "states": {"c": {"on": {"user.goes": {"goto": "d"}}},
              "d": {"on": {"user.goes": {"goto": "e"}}}}},
            "e": {"on": {"user.goes": {"goto": "f"}}}}},
          "f": {"goal": true, "on": {"user.goes": {"goto": "a"}}}}}
      """#
    var documents = Documents(texts: ["x.json": flow])
    let machine = try #require(documents.flow("x.json").value?.app)
    func index(_ name: String) throws -> Int { try #require(machine.states.firstIndex { $0.name == name }) }
    func entered(_ target: String, from source: String?) throws -> String {
      let states = try machine.entered(index(target), from: source.map(index))
      return states.map { machine.states[$0].name }.joined()
    }
    #expect(try entered("a", from: "f") == "abc" && entered("d", from: "f") == "abd" && entered("f", from: "c") == "f")
    #expect(try entered("d", from: "c") == "d" && entered("e", from: "c") == "e" && entered("c", from: "e") == "bc")
    // What stands around its source, or is it, is left and entered anew.
    #expect(try entered("a", from: "c") == "abc" && entered("b", from: "c") == "bc" && entered("c", from: "c") == "c")
    // What is within its source is entered alone.
    #expect(try entered("d", from: "a") == "bd" && entered("e", from: "a") == "e" && entered("a", from: "a") == "abc")
    #expect(try entered("d", from: nil) == "abd" && machine.routines.map { machine.leaf(of: $0.root) } == [index("c")])
  }

  @Test func eachCircleOfItsOwnIsTold() throws {
    try checkStates(
      [decision("a", "b", "c"), decision("b", "a", "done"), decision("c", "d"), decision("d", "c", "done")]
        .joined(separator: ", "), finds: ["loop-without-wait a → b → a", "loop-without-wait c → d → c"])
    try checkStates([decision("a", "a", "done")].joined(), finds: ["loop-without-wait a → a"])
  }

  /// What is heard on the way, and a timer beside, end none that goes past them.
  @Test func aCircleGoesPastWhatItHears() throws {
    let heard = #""on": {"device.offline": {"goto": "done"}}"#
    try checkStates(
      #""a": {\#(heard), "after": [{"wait": "0s", "goto": "b"}]}, "#
        + decision("b", "a", "done"), finds: ["loop-without-wait a → b → a"])
    let called = #""flows": {"s": {"ends": ["e"], "start": "t", "states": {"t": {"end": "e"}}}}, "#
    try checkStates(
      #""a": {"call": "s", \#(heard), "next": [{"goto": "b"}]}, "# + decision("b", "a", "done"), members: called,
      finds: ["loop-without-wait a → b → a"])
    // Where it waits if nothing holds, what it decided on is done with when it comes back.
    try checkStates(
      #""a": {\#(heard), "next": [{"when": "device.online", "goto": "b"}]}, "# + decision("b", "a", "done"), finds: [])
  }

  @Test func aWaitOfNothingIsNone() throws {
    func waiting(_ span: String) -> String { "\"a\": {\"after\": [{\"wait\": \"\(span)\", \"goto\": \"b\"}]}" }
    for span in ["0s", "0ms", "0d"] {
      try checkStates(
        [waiting(span), decision("b", "a", "done")].joined(separator: ", "), finds: ["loop-without-wait a → b → a"])
    }
    for span in ["1ms", "${duration('0s')}"] {
      try checkStates([waiting(span), decision("b", "a", "done")].joined(separator: ", "), finds: [])
    }
  }

  @Test func ofCirclesThatShareAStateEachIsTold() throws {
    try checkStates(
      [decision("a", "b"), decision("b", "c", "a"), decision("c", "a", "done")].joined(separator: ", "),
      finds: ["loop-without-wait a → b → a", "loop-without-wait b → c → a → b"])
  }

  @Test func aWayBetweenCirclesIsNone() throws {
    try checkStates(
      [decision("a", "a", "b"), decision("b", "c"), decision("c", "d"), decision("d", "d", "done")]
        .joined(separator: ", "), finds: ["loop-without-wait a → a", "loop-without-wait d → d"])
  }

  @Test func aCircleThatMayLeadNowhereIsACircleAllTheSame() throws {
    let states = [decision("a", "b", "done"), decision("b", "b", "c"), "\"c\": {\"rest\": true}"]
      .joined(separator: ", ")
    try checkStates(states, finds: ["no-way-to-goal b"])
    try checkStates(
      states, members: "\"despite\": {\"no-way-to-goal\": \"so\"},",
      finds: ["no-way-to-goal b", "loop-without-wait b → b"])
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

  /// Two states that lead to each other, and what else they say.
  private func pair(_ one: String, _ other: String, _ more: String = "") -> String {
    [(one, other), (other, one)].map { "\"\($0)\": {\"on\": {\"browser.closed\": {\"goto\": \"\($1)\"}}\(more)}" }
      .joined(separator: ", ")
  }

  private func sub(_ states: String, start: String = "b", _ more: String = "") -> String {
    "\"flows\": {\"sub\": {\"ends\": [\"over\"], \"start\": \"\(start)\", \"states\": {\(states)}\(more)}},"
  }

  @Test(arguments: ["\"on\": {\"device.offline\": {TO}}", "\"after\": [{\"wait\": \"1s\", TO}]"])
  func whatEndsTheFlowFromAroundIsAWayOut(way: String) throws {
    for to in ["\"end\": \"left\"", "\"goto\": \"done\""] {
      let way = way.replacing("TO", with: to)
      let unentered = to.contains("end") ? ["unreachable-state done"] : []
      try checkStates("\"a\": {\"start\": \"b\", \"states\": {\(pair("b", "c"))}, \(way)}", finds: unentered)
      try checkStates(pair("a", "b"), members: way + ",", finds: unentered)
      let caller = "\"a\": {\"call\": \"sub\", \"next\": [{\"goto\": \"done\"}], \(way)}"
      let over = "\"over\": {\"end\": \"over\"}"
      try checkStates(
        caller, members: sub(pair("b", "c") + ", " + over), finds: ["unreachable-state over"])
      try checkStates(
        caller, members: sub(decision("b", "c", "over") + ", \"c\": {}, " + over), finds: [])
    }
    try checkStates(
      decision("a", "b", "done") + ", \"b\": {\"start\": \"c\", \"states\": {\(pair("c", "d"))}}",
      finds: ["no-way-to-goal b"])
  }

  @Test func theEndOfASubFlowIsOneOfTheFlowWhereItsCallerLeadsThere() throws {
    let calling = "{\"call\": \"sub\", \"next\": [{\"goto\": \"c\"}]}"
    let trap = decision("a", "b", "done") + ", \"b\": \(calling), "
    try checkStates(
      trap + "\"c\": {\"on\": {\"browser.closed\": {\"goto\": \"b\"}}}",
      members: sub("\"b\": {\"end\": \"over\"}"), finds: ["no-way-to-goal b"])
    // What happens in the sub-flow ends that alone.
    try checkStates(
      trap + "\"c\": {\"on\": {\"browser.closed\": {\"goto\": \"b\"}}}",
      members: sub(pair("b", "c"), ", \"on\": {\"device.offline\": {\"end\": \"over\"}}"), finds: ["no-way-to-goal b"])
  }

  @Test func aGoalInASubFlowIsOneOfItsCaller() throws {
    try checkStates(
      decision("a", "b", "done") + ", \"b\": {\"call\": \"sub\", \"next\": [{\"goto\": \"b\"}]}",
      members: sub(decision("b", "c", "over") + ", \"c\": {\"goal\": true}, \"over\": {\"end\": \"over\"}"),
      finds: ["loop-without-wait b → b"])
  }

  @Test func aStartThatNothingEntersIsToldWhereItsStateIsEnteredBesideIt() throws {
    try checkStates(
      decision("a", "c")
        + ", \"b\": {\"start\": \"s\", \"states\": {\"s\": {\"on\": {\"browser.closed\": {\"goto\": \"s\"}}}, "
        + decision("c", "done") + "}}", finds: ["unreachable-state s"])
  }

  /// Time in proportion to size: what asks each state for its circles anew takes minutes here.
  @Test func aLongFlowIsCheckedInReasonableTime() throws {
    let count = 3_000
    let chain = (0..<count).map { decision("s\($0)", $0 + 1 < count ? "s\($0 + 1)" : "done") }
    try checkStates(([decision("a", "s0")] + chain).joined(separator: ", "), finds: [])
  }
}
