import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

// The words for what differs between a golden and a run.

@Test func aGuardLineMoreOrLessIsToldByItself() {
  func sentences(golden: [String], run: [String]) -> [String] {
    func bytes(_ lines: [String]) -> [UInt8] {
      let known = #"{"when":"response.status == 200","holds":true,"with":{"response.status":200}}"#
      let guards = lines.map { "{\"when\":\"\($0)\",\"holds\":true,\"with\":{\"response.status\":200}}" }
      let text = String(decoding: Sample.bytes([Sample.happening(Sample.transition("refreshed"))]), as: UTF8.self)
      #expect(text.contains(known))
      return Array(text.replacing(known, with: guards.joined(separator: ",")).utf8)
    }
    guard case .changed(let difference) = GoldenComparison.compare(golden: bytes(golden), run: bytes(run)) else {
      return []
    }
    // Each decides the same.
    #expect(difference.isInWordsAlone)
    return difference.sentences.dropLast()
  }
  let place = "At +0s, App in refreshing, line 2: in \"decides: refreshed\" "
  #expect(
    sentences(golden: ["a", "c"], run: ["a", "b", "c"]) == [place + "this run looks at \"b\" (holds) as well."])
  #expect(sentences(golden: ["a", "b"], run: ["a"]) == [place + "the golden looks at \"b\" (holds) as well."])
  #expect(
    sentences(golden: ["a", "b"], run: ["c"]) == [
      place + "the golden looks at \"a\" (holds), and at \"b\" (holds); this run looks at \"c\" (holds)."
    ])
  #expect(sentences(golden: ["a", "a"], run: ["a"]) == [place + "the golden looks at \"a\" (holds) as well."])
}

/// Which of many goldens need a second look.
@Test func whatIsDoneOtherwiseIsNoMatterOfWords() {
  func isInWordsAlone(_ golden: [Happening.Fact], _ run: [Happening.Fact]) -> Bool? {
    let bytes = [golden, run].map { facts in Sample.bytes(facts.map { Sample.happening($0, refs: []) }) }
    guard case .changed(let difference) = GoldenComparison.compare(golden: bytes[0], run: bytes[1]) else { return nil }
    return difference.isInWordsAlone
  }
  let titled = [Sample.state("ready", title: "Ready"), Sample.transition("refreshed")]
  #expect(isInWordsAlone(titled, [Sample.state("ready", title: "Done"), Sample.transition("made anew")]) == true)
  #expect(isInWordsAlone(titled, [Sample.state("home", title: "Ready"), Sample.transition("refreshed")]) == false)
  #expect(isInWordsAlone(titled, titled + [.clock(.seconds(2))]) == false)
  // When something is done is no mere word.
  #expect(isInWordsAlone([.clock(.seconds(2))] + titled, [.clock(.seconds(3))] + titled) == false)
}

@Test func ofListsOnlyWhatDiffersIsTold() {
  let body = { (names: [String]) in
    Sample.request { $0.body = .json(.map(ValueMap([Sample.named("to", .list(names.map { .string($0) }))]))) }
  }
  checkDifference(
    golden: [body(["ada", "bob"])], run: [body(["ada", "eve", "bob"])],
    ["At +2h, line 2: the golden has no json.to[1] in \"POST /token\", this run has \"eve\"."])
  checkDifference(
    golden: [body(["ada", "bob", "eve"])], run: [body(["ada"])],
    ["At +2h, line 2: the golden has json.to[1] \"bob\", \"eve\" in \"POST /token\", this run has none."])
}

@Test func atADecisionTheAppIsWhereItDecides() {
  // What it entered last was a state of a sub-flow, which has ended.
  let happenings = { (name: String, target: String) in
    [Sample.state("asking"), Sample.transition(name, from: "caller", to: target), Sample.state(target)]
  }
  checkDifference(
    golden: happenings("one", "a"), run: happenings("two", "b"),
    ["At +2h, App in caller, line 3: the golden took \"one\", this run took \"two\"."])
}

/// Somebody has edited the golden: no words name such a place.
@Test func aPlaceThatIsNoTextIsToldAsItStands() {
  let run = Sample.bytes([Sample.happening(Sample.transition("refreshed"))])
  let text = String(decoding: run, as: UTF8.self)
  let golden = text.replacing(#""where":"refreshing""#, with: #""where":5"#)
  #expect(golden != text)
  guard case .changed(let difference) = GoldenComparison.compare(golden: Array(golden.utf8), run: run) else {
    Issue.record("the traces do not differ")
    return
  }
  #expect(
    difference.sentences == [
      #"At +0s, App in refreshing, line 2: the golden has where 5 in "decides: refreshed", this run has "refreshing"."#
    ])
}

@Test func whatIsOnlyCalledOtherwiseIsToldInOneSentence() {
  let happenings = { (names: [String], title: String) in
    names.map { Sample.transition($0) } + [Sample.state("ready", title: title)]
  }
  checkDifference(
    golden: happenings(["one", "two", "one"], "Ready"), run: happenings(["first", "second", "first"], "Ready"),
    [
      "App takes \"first\" where the golden has \"one\", App takes \"second\" where the golden has \"two\"; "
        + "nothing else differs."
    ])
  checkDifference(
    golden: happenings(["one"], "Ready"), run: happenings(["one"], "All done"),
    ["\"All done\" stands where the golden has \"Ready\"; nothing else differs."])
  let merged = Sample.bytes(happenings(["first", "first", "first"], "Ready").map { Sample.happening($0) })
  let golden = Sample.bytes(happenings(["one", "two", "one"], "Ready").map { Sample.happening($0) })
  #expect(
    !sentences(of: GoldenComparison.compare(golden: golden, run: merged)).joined().contains("nothing else differs"))
}

@Test func ofTwoThatDecideTheAppIsHeldAgainstItself() {
  // The server is not asked in this run: its decision in the golden is no other one of the app's.
  let server = Happening.Fact.transition(
    TransitionTaken(
      lane: Sample.server, source: "POST /token", name: "busy", target: .stay, id: 0, decisions: [], values: []))
  let app = Sample.transition("no link now")
  checkDifference(
    golden: [server, Sample.answer(503), app, Sample.ended()], run: [Sample.lost(reason: nil), app, Sample.ended()],
    [
      "At +2h, line 2: the golden has Server: decides: busy; this run has Server → App: no answer came."
    ])
}

@Test func theAppIsBehindASubflowThatHasEnded() {
  func inSubflow(_ name: String) -> Happening.Fact {
    .state(StateEntered(lane: Sample.app, name: name, title: nil, subflow: "session", isGoal: false))
  }
  let end = Happening.Fact.transition(
    TransitionTaken(
      lane: Sample.app, source: "asking", name: "given", target: .end("given"), id: 0, decisions: [], values: []))
  let happenings = { (status: Int) in
    [Sample.state("listing"), inSubflow("asking"), end, Sample.answer(status)]
  }
  checkDifference(
    golden: happenings(200), run: happenings(299),
    ["At +2h, App in listing, line 5: the golden has Server → App: 200 issued; this run has Server → App: 299 issued."])
}

@Test func aParticipantThatIsOnlyCalledOtherwiseIsToldInOneSentence() {
  func trace(_ name: String, _ status: Int) -> [UInt8] {
    let happenings = [Sample.request { _ in }, Sample.answer(status)].map { Sample.happening($0) }
    let text = String(decoding: Sample.bytes(happenings), as: UTF8.self)
    return Array(text.replacing("\"server\"", with: "\"\(name)\"").utf8)
  }
  let renamed = "participant \"backend\" where the golden has \"server\""
  #expect(
    sentences(of: GoldenComparison.compare(golden: trace("server", 200), run: trace("backend", 200))) == [
      renamed + "; nothing else differs."
    ])
  #expect(
    sentences(of: GoldenComparison.compare(golden: trace("server", 200), run: trace("backend", 299))) == [
      renamed + ".",
      "At +0s, line 3: the golden has Server → App: 200 issued; this run has Server → App: 299 issued.",
    ])
}

@Test func aLineOfAnotherKindThatReadsTheSameIsToldByItsKind() {
  let show = Sample.happening(Sample.state("ready"))
  let choice = Sample.happening(.choice("ready"))
  let golden = Sample.bytes([choice, show])
  let run = Sample.bytes([show, show])
  let told = sentences(of: GoldenComparison.compare(golden: golden, run: run))
  #expect(told.first?.contains("is of kind \"choice\" in the golden, of kind \"state\" in this run") == true, "\(told)")
}

@Test func aGoldenWithTwoParticipantsOfOneNameIsTold() {
  let happenings = [Sample.request { _ in }, Sample.answer(200)].map { Sample.happening($0) }
  let run = Sample.bytes(happenings)
  let golden = String(decoding: run, as: UTF8.self).replacing("\"app\"", with: "\"x\"").replacing(
    "\"server\"", with: "\"x\"")
  #expect(!sentences(of: GoldenComparison.compare(golden: Array(golden.utf8), run: run)).isEmpty)
}

@Test func whatDecidesAroundAStateLeavesTheAppInIt() {
  let stays = Happening.Fact.transition(
    TransitionTaken(
      lane: Sample.app, source: "outer", name: "pinged", target: .stay, id: 0, decisions: [], values: []))
  let happenings = { (status: Int) in [Sample.state("inner"), stays, Sample.answer(status)] }
  checkDifference(
    golden: happenings(200), run: happenings(299),
    ["At +2h, App in inner, line 4: the golden has Server → App: 200 issued; this run has Server → App: 299 issued."])
}

/// An edited golden may have any number of them.
@Test func ofChoicesWithoutEndWhatComesOfThemIsTold() {
  let choices = Array(repeating: Happening.Fact.choice("tick"), count: 20_000)
  checkDifference(
    golden: choices + [Sample.answer(200)], run: [Sample.answer(299)],
    ["At +2h, line 2: the golden has Server → App: 200 issued; this run has Server → App: 299 issued."])
  checkDifference(
    golden: choices, run: [Sample.answer(200)],
    ["At +2h, line 2: the golden has \"tick\"; this run has Server → App: 200 issued."])
}
