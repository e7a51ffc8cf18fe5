import Testing

@testable import FlowSpec

/// A flow whose state `ask` asks, and goes by these transitions.
private func asking(
  _ next: String, state: String = "", retry: String = "", states: String = "", flows: String = ""
) -> [Diagnostic] {
  let model = #"{"service": "s", "routes": [{"on": "GET /r", "next": [{"reply": {}}]}]}"#
  var documents = Documents(texts: [
    "s.json": model,
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"},
      "device": {"kind": "device", "capabilities": {"p": {"failures": ["x"]}}},
      "s": {"kind": "service", "url": "https://s.example", "model": "s.json"}},
      "memory": {"who": {"type": "string", "initial": "child"}, "n": {"type": "int", "initial": 3}},
      "let": {"isChild": "memory.who == 'child'"}, "start": "ask",
      "states": {
        "ask": {\#(state)"request": {"to": "s", "get": "/r"\#(retry)}, "next": [
          {"when": "response.status == 200", "goto": "home"}, \#(next)]},
        "asking": {"perform": "p", "next": [{"when": "result.failure == null", "goto": "home"}, {"goto": "ask"}]},
        \#(states)"home": {"goal": true, "do": [{"set": {"who": "${memory.who}!", "n": "${memory.n + 1}"}}],
          "on": {"device.online": {"goto": "asking"}}}},
      "flows": {"part": {"ends": ["over"], "start": "p", "states": {"p": {\#(flows)"end": "over"}}}}}
    """#,
  ])
  let codes = ["loop-without-wait", "despite-unused"]
  let found = documents.flow("x.json").diagnostics
  #expect(!found.contains { $0.severity == .error }, "\(found)")
  return found.filter { codes.contains($0.code) }
}

@Suite struct LoopTests {
  private static let despite = #""despite": {"loop-without-wait": "the second time it is another"}"#
  private static let busy = #"{"name": "busy", "when": "response.status == 503", "goto": "ask"}"#
  private static let other = #"{"name": "else", "goto": "ask"}"#

  @Test func transitionsBetweenTheSameStatesAreCirclesOfTheirOwn() {
    let found = asking("\(Self.busy), \(Self.other)")
    #expect(
      found.map(\.help) == [
        #"ask → ask: goes round without a wait while it takes "busy""#,
        #"ask → ask: goes round without a wait while it takes "else""#,
      ])
    #expect(found.allSatisfy { $0.code == "loop-without-wait" && $0.severity == .warning })
  }

  /// What an author knows of one circle says nothing of others through the same state.
  @Test func aReasonOnATransitionHidesNoOther() {
    let known = Self.busy.replacing(#""when""#, with: Self.despite + #", "when""#)
    #expect(asking("\(known), {\"goto\": \"home\"}").map(\.severity) == [.remark])
    let both = asking("\(known), \(Self.other)")
    #expect(both.map(\.severity) == [.remark, .warning] && both.allSatisfy { $0.code == "loop-without-wait" })
    #expect(both[1].help?.hasSuffix(#"while it takes "else""#) == true)
  }

  /// Each circle is shown with the reason that stands around.
  @Test func aReasonOnAStateIsGivenForEachOfItsCircles() {
    let found = asking("\(Self.busy), \(Self.other)", state: Self.despite + ", ")
    #expect(found.map(\.severity) == [.remark, .remark])
    #expect(Set(found.compactMap(\.labels.first?.site)).count == 2)
  }

  @Test func ofManyCirclesAFewAreTold() {
    let many = (0..<20).map { #"{"when": "response.status == \#(400 + $0)", "goto": "ask"}"# }
    #expect(asking(many.joined(separator: ", ") + #", {"goto": "home"}"#).count == 5)
    let known = asking(many.joined(separator: ", ") + #", {"goto": "home"}"#, state: Self.despite + ", ")
    #expect(known.count == 20 && known.allSatisfy { $0.severity == .remark })
  }

  /// What asks the device each time ends there, whatever somebody says of it.
  @Test func aCircleThroughTheDeviceIsNone() {
    let odd = #"{"name": "odd", "goto": "again"}"#
    func again(_ despite: String) -> String { #""again": {\#(despite)"perform": "p", "next": [{"goto": "ask"}]}, "# }
    #expect(asking(odd, states: again("")).isEmpty)
    #expect(asking(odd, states: again(Self.despite + ", ")).map(\.code) == ["despite-unused"])
  }

  /// It sets what its condition compares to something else.
  @Test(arguments: [
    (#"response.status == 403 && memory.who == 'child'"#, #"{"set": {"who": "own"}}"#),
    (#"response.status == 403 && memory.who != 'own'"#, #"{"set": {"who": "own"}}"#),
    (#"response.status == 403 && isChild"#, #"{"set": {"who": "own"}}"#),
    (#"memory.who in ['child', 'ward']"#, #"{"set": {"who": "own"}}"#),
    (#"response.status == 403 && memory.n > 3"#, #"{"set": {"n": 2}}"#),
    (#"response.status == 403 && memory.who != 'child'"#, #"{"clear": "who"}"#),
  ])
  func whatIsTakenOnceIsNoCircle(when: String, does: String) {
    let once = #"{"name": "once", "when": "\#(when)", "do": [\#(does)], "goto": "ask"}, {"goto": "home"}"#
    #expect(asking(once).isEmpty)
    #expect(asking(once, state: Self.despite + ", ").map(\.code) == ["despite-unused"])
    let later = once.replacing(#""goto": "ask""#, with: #""goto": "between""#)
    #expect(asking(later, states: #""between": {"next": [{"goto": "ask"}]}, "#).isEmpty)
    let back = #""between": {"do": [{"set": {"who": "child", "n": 9}}], "next": [{"goto": "ask"}]}, "#
    let isSetBack = !when.contains("!= 'child'")
    #expect(asking(later, states: back).map(\.code) == (isSetBack ? ["loop-without-wait"] : []))
  }

  /// Nobody knows what the key is then, or the condition may hold of it all the same.
  @Test(arguments: [
    (#"response.status == 403 && memory.who == 'child'"#, #"{"set": {"who": "${response.json.who}"}}"#),
    (#"response.status == 403 && memory.who == 'child'"#, #"{"clear": "who"}"#),
    (#"response.status == 403 || memory.who == 'child'"#, #"{"set": {"who": "own"}}"#),
    (#"response.status == 403 && memory.who != 'none'"#, #"{"set": {"who": "own"}}"#),
    (#"response.status == 403 && memory.n > 3"#, #"{"set": {"who": "own"}}"#),
  ])
  func whatMayBeTakenAgainIsACircle(when: String, does: String) {
    let again = #"{"name": "again", "when": "\#(when)", "do": [\#(does)], "goto": "ask"}, {"goto": "home"}"#
    #expect(asking(again).map(\.code) == ["loop-without-wait"])
  }

  /// What else is taken in the circle, or called in it, may set it back.
  @Test func whatIsSetBackOnTheWayIsACircle() {
    let once = #"{"name": "once", "when": "memory.who == 'child'", "do": [{"set": {"who": "own"}}], "goto": "ask"}"#
    let back = #"{"name": "back", "when": "memory.who == 'own'", "do": [{"set": {"who": "child"}}], "goto": "ask"}"#
    #expect(asking("\(once), {\"goto\": \"home\"}").isEmpty)
    #expect(
      asking("\(once), \(back), {\"goto\": \"home\"}").map(\.help)
        == [#"ask → ask → ask: goes round without a wait while it takes "once", "back""#])
    let calling = #""between": {"call": "part", "next": [{"goto": "ask"}]}, "#
    let called = once.replacing(#""goto": "ask""#, with: #""goto": "between""#) + #", {"goto": "home"}"#
    #expect(asking(called, states: calling).isEmpty)
    #expect(asking(called, states: calling, flows: #""do": [{"set": {"who": "child"}}], "#).count == 1)
    // Where it goes out of the circle it may set what it likes.
    let leaving =
      #"{"name": "out", "when": "response.status == 410", "do": [{"set": {"who": "child"}}], "goto": "home"}"#
    #expect(asking("\(once), \(leaving), {\"goto\": \"home\"}").isEmpty)
  }

  /// It fails behind what every way back does, as a transition or a state that is entered.
  @Test func whatEveryWayBackEndsIsNoCircle() {
    let once = #"{"name": "once", "when": "memory.who == 'child'", "goto": "between"}, {"goto": "home"}"#
    func between(_ next: String, entry: String = "") -> String { #""between": {\#(entry)"next": [\#(next)]}, "# }
    let sets = #""do": [{"set": {"who": "own"}}], "goto": "ask"}"#
    #expect(asking(once, states: between("{\(sets)")).isEmpty)
    #expect(asking(once, states: between("{\"when\": \"device.native\", \(sets), {\(sets)")).isEmpty)
    #expect(
      asking(once, states: between(#"{"goto": "ask"}"#, entry: #""do": [{"set": {"who": "own"}}], "#)).isEmpty)
    // One way back leaves it as it is, or sets it again.
    let leaves = #"{"when": "device.native", "goto": "ask"}"#
    #expect(asking(once, states: between("\(leaves), {\(sets)")).count == 1)
    let again = sets.replacing("own", with: "child")
    #expect(!asking(once, states: between("{\"when\": \"device.native\", \(again), {\(sets)")).isEmpty)
  }

  /// Each fails behind what another one writes; a circle beside them, without that, stays one.
  @Test func whatOneOfManyKeysEndsHidesNoOtherCircle() {
    let first = #"{"name": "first", "when": "memory.who == 'child'", "do": [{"set": {"n": 2}}], "goto": "between"}"#
    let second = #"{"name": "second", "when": "memory.n == 3", "do": [{"set": {"who": "own"}}], "goto": "ask"}"#
    func between(_ others: String) -> String { #""between": {"next": [\#(second)\#(others), {"goto": "home"}]}, "# }
    #expect(asking("\(first), {\"goto\": \"home\"}", states: between("")).isEmpty)
    let beside = #", {"name": "beside", "when": "device.native", "goto": "between"}"#
    let found = asking("\(first), {\"goto\": \"home\"}", states: between(beside))
    #expect(found.map(\.help) == [#"between → between: goes round without a wait while it takes "beside""#])
    let around = #", {"name": "around", "when": "device.native", "do": [{"set": {"n": 2}}], "goto": "ask"}"#
    #expect(asking("\(first), {\"goto\": \"home\"}", states: between(around)).count == 1)
  }

  /// Somebody has to do that for each turn.
  @Test func whatIsHeardOnTheWaySetsNothingByItself() {
    let once = #"{"name": "once", "when": "memory.who == 'child'", "do": [{"set": {"who": "own"}}], "goto": "between"}"#
    let hears = #""on": {"device.online": {"do": [{"set": {"who": "child"}}]}}, "#
    let calling = #""between": {"call": "part", "next": [{"goto": "ask"}]}, "#
    #expect(asking("\(once), {\"goto\": \"home\"}", state: hears, states: calling).isEmpty)
    let wait = #""after": [{"wait": "5s", "do": [{"set": {"who": "child"}}]}], "#
    #expect(asking("\(once), {\"goto\": \"home\"}", state: wait, states: calling).isEmpty)
    let atOnce = wait.replacing("5s", with: "0s")
    #expect(asking("\(once), {\"goto\": \"home\"}", state: atOnce, states: calling).count == 1)
  }

  private func trying(_ members: String, state: String = "", flows: String = "") -> [Diagnostic] {
    asking(#"{"goto": "home"}"#, state: state, retry: #", "retry": {\#(members)}"#, flows: flows)
  }

  @Test(arguments: [
    ("response.failure == 'unreachable'", "response.failure == 'unreachable'"),
    ("response.failure == 'unreachable' && device.online", "response.failure == 'unreachable'"),
    ("response.failure != null", "response.failure == 'unreachable'"), ("response.status == 503", "503"),
    ("response.status in [401, 429]", "429"), ("response.status >= 500", "500"),
  ])
  func manyTriesAtOnceAreALoop(when: String, holdsFor: String) {
    let found = trying(#""when": "\#(when)", "most": 1000"#)
    #expect(found.map(\.message) == ["this request is sent again up to 1000 times without a wait"])
    #expect(found.map(\.labels.first?.text) == ["holds for \(holdsFor)"])
    #expect(trying(#""when": "\#(when)", "most": 4, "wait": "0s""#).map(\.code) == ["loop-without-wait"])
    #expect(trying(#""when": "\#(when)", "most": 4, "do": [{"set": {"n": 1}}]"#).count == 1)
    #expect(trying(#""when": "\#(when)", "most": 9"#, state: Self.despite + ", ").map(\.severity) == [.remark])
    for members in [#""most": 3"#, #""most": 1"#, #""most": 1000, "wait": "1s""#] {
      #expect(trying(#""when": "\#(when)", \#(members)"#).isEmpty)
    }
  }

  /// Another failure takes its time, or is none; what else decides, nobody knows.
  @Test(arguments: [
    "response.failure == 'lost'", "response.status == 401", "response.status == 409",
    "response.status == 503 && memory.n < 5",
  ])
  func whatDoesNotComeAtOnceIsNoLoop(when: String) {
    #expect(trying(#""when": "\#(when)", "most": 1000"#).isEmpty)
  }

  /// What is called may wait before the next try.
  @Test(arguments: [
    ("", 1), (#""request": {"to": "s", "get": "/r"}, "next": [{"goto": "q"}]}, "q": {"#, 1),
    (#""perform": "p", "next": [{"goto": "q"}]}, "q": {"#, 0),
    (#""after": [{"wait": "1s", "goto": "q"}]}, "q": {"#, 0), (#""on": {"device.online": {"goto": "q"}}}, "q": {"#, 0),
  ])
  func aSubFlowBetweenTriesMayWait(states: String, count: Int) {
    let calling = #""when": "response.status in [401, 503]", "call": "part", "most": "#
    #expect(trying(calling + "50", flows: states).count == count)
    #expect(trying(calling + "1", flows: states).isEmpty)
  }

  private static func queue(told: String, asked: String = "size(store.queue) > 0", first: String = "first")
    -> [Diagnostic]
  {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"}, "user": {"kind": "person"}, "s": {"kind": "service", "url": "https://s.example"}},
        "store": {"queue": {"rows": {"text": {"type": "string"}}}}, "memory": {"first": {"type": "string", "initial": "a"}, "who": {"type": "string"}},
        "events": {"user.says": {"fields": {"text": {"type": "string"}}}}, "start": "looking", "states": {
          "looking": {"next": [{"name": "one", "when": "\#(asked)", "do": [{"set": {"\#(first)": "${store.queue.map(q, q)[0]}"}}], "goto": "telling"}, {"goto": "home"}]},
          "telling": {"request": {"to": "s", "post": "/told"}, "next": [{"when": "response.status == 204", \#(told)"goto": "looking"}, {"goto": "home"}]},
          "home": {"goal": true, "on": {"user.says": {"do": [{"set": {"queue[event.text].text": "${event.text}"}}], "goto": "looking"}}}}}
      """#
    ])
    return documents.told("loop-without-wait")
  }

  /// It goes round as often as there are rows.
  @Test func aQueueThatEachRoundShortensEnds() {
    let clears = #""do": [{"clear": "queue[memory.first]"}], "#
    #expect(Self.queue(told: clears).isEmpty)
    #expect(Self.queue(told: clears, asked: "device.online").count == 1)
    #expect(Self.queue(told: #""do": [{"clear": "queue"}], "#).isEmpty)
    // What it is called does not change.
    #expect(Self.queue(told: clears, first: "who").count == 1)
    #expect(Self.queue(told: "").count == 1)
    #expect(
      Self.queue(told: #""do": [{"clear": "queue[memory.first]"}, {"set": {"queue['last'].text": "x"}}], "#).count == 1)
  }
}
