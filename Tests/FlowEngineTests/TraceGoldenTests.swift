import Expressions
import Testing

@testable import FlowEngine

func checkDifference(
  golden: [Happening.Fact], run: [Happening.Fact], _ expected: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let old = Sample.bytes(golden.map { Sample.happening($0, at: 7_200_000) })
  let new = Sample.bytes(run.map { Sample.happening($0, at: 7_200_000) })
  guard case .changed(let difference) = GoldenComparison.compare(golden: old, run: new) else {
    Issue.record("the traces do not differ", sourceLocation: sourceLocation)
    return
  }
  #expect(difference.sentences == expected, sourceLocation: sourceLocation)
}

@Test func missingAndMatchingAreToldApart() {
  let bytes = Sample.bytes([Sample.happening(Sample.ended())])
  #expect(GoldenComparison.compare(golden: nil, run: bytes) == .missing)
  #expect(GoldenComparison.compare(golden: bytes, run: bytes) == .matches)
}

@Test func anotherDecisionIsToldInWords() {
  checkDifference(
    golden: [Sample.state("refreshing"), Sample.transition("refreshed")],
    run: [Sample.state("refreshing"), Sample.transition("refused", to: "signIn", reading: .int(401))],
    [
      "At +2h, App in refreshing, line 3: the golden took \"refreshed\", "
        + "this run took \"refused\" (response.status: 200 in the golden, 401 now)."
    ])
}

@Test func theDecisionBehindAnotherAnswerIsToldToo() {
  checkDifference(
    golden: [Sample.answer(), Sample.transition("refreshed")],
    run: [Sample.answer(401, reply: "revoked"), Sample.transition("refused")],
    [
      "At +2h, line 2: the golden has Server → App: 200 issued; this run has Server → App: 401 revoked.",
      "At +2h, App in refreshing, the golden took \"refreshed\", this run took \"refused\".",
    ])
}

@Test func theMemberThatDiffersIsNamed() {
  let body = { (name: String) in
    Sample.request { $0.form = [Sample.named("grant", .string(name))] }
  }
  checkDifference(
    golden: [body("code")], run: [body("refresh")],
    ["At +2h, line 2: the golden has form.grant \"code\" in \"POST /token\", this run has \"refresh\"."])
}

@Test func whatIsDoneOtherwiseBehindAnotherNameIsToldToo() {
  let happenings = { (name: String, target: String, end: Ended.How) in
    [
      Sample.state("refreshing"), Sample.transition(name), Sample.state("ready", title: name),
      Sample.transition("shown", from: "ready", to: target), Sample.ended(end),
    ]
  }
  checkDifference(
    golden: happenings("refreshed", "home", .goal(state: "home")),
    run: happenings("renewed", "lobby", .rest(state: "lobby")),
    [
      "At +2h, App in refreshing, line 3: the golden took \"refreshed\", this run took \"renewed\".",
      "At +2h, App in ready, line 5: the golden took \"shown\" to \"home\", this run took \"shown\" to \"lobby\".",
      "The golden: Stopped at +2h in \"home\": that is the goal. This run: Stopped at +2h in \"lobby\", where the person "
        + "may leave the app for a while.",
    ])
}

@Test func aDecisionThatIsOnlyCalledOtherwiseHidesNoOther() {
  let happenings = { (status: Int, name: String, target: String) in
    [Sample.answer(status), Sample.transition(name), Sample.transition("shown", from: "ready", to: target)]
  }
  checkDifference(
    golden: happenings(200, "refreshed", "home"), run: happenings(201, "renewed", "lobby"),
    [
      "At +2h, line 2: the golden has Server → App: 200 issued; this run has Server → App: 201 issued.",
      "At +2h, App in ready, the golden took \"shown\" to \"home\", this run took \"shown\" to \"lobby\".",
    ])
}

@Test func whatTheHeaderSaysOtherwiseHidesNothing() {
  let bytes = { (title: String, kind: String, target: String) in
    let text = String(decoding: Sample.bytes([Sample.happening(Sample.transition("shown", to: target))]), as: UTF8.self)
    return Array(
      text.replacing("A sample", with: title).replacing("\"kind\":\"browser\"", with: "\"kind\":\"\(kind)\"").utf8)
  }
  let verdict = GoldenComparison.compare(golden: bytes("One", "browser", "home"), run: bytes("Two", "inbox", "lobby"))
  #expect(
    sentences(of: verdict) == [
      "The first line: the golden's title is \"One\", this run's \"Two\".",
      "The first line: the golden's participant browser is \"Browser (browser)\", this run's \"Browser (inbox)\".",
      "At +0s, App in refreshing, line 2: the golden took \"shown\" to \"home\", this run took \"shown\" to \"lobby\".",
    ])
}

@Test func whatWasChosenIsToldByWhatComesOfIt() {
  let event = Happening.Fact.event(
    EventHappening(from: Sample.person, to: Sample.app, name: "user.begins", fields: [], outcome: .taken))
  checkDifference(
    golden: [.choice("tick"), .clock(.seconds(2))], run: [.choice("event user.begins"), event],
    ["At +2h, line 3: the golden has \"time passes: 2s\"; this run has User → App: The person begins."])
  checkDifference(
    golden: [Sample.state("ready"), Sample.state("home")],
    run: [Sample.state("ready"), .choice("tick"), .clock(.seconds(2))],
    ["At +2h, App in ready, line 3: the golden has App: is in: home; this run has \"time passes: 2s\"."])
}

@Test func aRefThatComesOrGoesIsNoEmptyName() {
  let bytes = { (refs: [String]) in Sample.bytes([Sample.happening(Sample.state("ready"), refs: refs)]) }
  #expect(
    sentences(of: GoldenComparison.compare(golden: bytes([]), run: bytes(["1.2"]))) == [
      "At +0s, line 2: the golden has no ref in \"is in: ready\", this run has \"1.2\".",
      "What is done is the same: only what is said of it differs.",
    ])
  #expect(
    sentences(of: GoldenComparison.compare(golden: bytes(["1.2"]), run: bytes([]))) == [
      "At +0s, line 2: the golden has ref \"1.2\" in \"is in: ready\", this run has none.",
      "What is done is the same: only what is said of it differs.",
    ])
}

@Test func aStateOfAnotherNameIsToldToBeThat() {
  let happenings = { (names: [String], status: Int) in
    [
      Sample.state(names[0]), Sample.transition("refreshed", from: names[0], to: names[1]), Sample.state(names[1]),
      Sample.answer(status), Sample.ended(.goal(state: names[1])),
    ]
  }
  let old = happenings(["asking", "home"], 200)
  checkDifference(
    golden: old, run: happenings(["renewing", "ready"], 200),
    [
      "App is in \"renewing\" where the golden has \"asking\", App is in \"ready\" where the golden has \"home\"; "
        + "nothing else differs."
    ])
  // Two states that have become one, one that has become two, and what differs besides.
  for run in [happenings(["home", "home"], 200), happenings(["asking", "ready"], 201)] {
    let verdict = GoldenComparison.compare(
      golden: Sample.bytes(old.map { Sample.happening($0) }), run: Sample.bytes(run.map { Sample.happening($0) }))
    #expect(sentences(of: verdict).first?.hasPrefix("At +0s") == true)
  }
}

@Test func linesOfAGoldenMayEndWithReturnsToo() {
  let bytes = { (name: String) in
    Sample.bytes([Sample.happening(Sample.state(name)), Sample.happening(Sample.ended())])
  }
  let golden = Array(String(decoding: bytes("ready"), as: UTF8.self).replacing("\n", with: "\r\n").utf8)
  #expect(GoldenComparison.compare(golden: golden, run: bytes("ready")) == .matches)
  #expect(
    GoldenComparison.compare(golden: golden, run: bytes("home"))
      == GoldenComparison.compare(golden: bytes("ready"), run: bytes("home")))
}

@Test func whatIsOnlyWrittenOtherwiseHasItsPlace() {
  let run = Sample.bytes([Sample.happening(Sample.state("ready")), Sample.happening(Sample.ended())])
  let text = String(decoding: run, as: UTF8.self)
  for (golden, sentence) in [
    (
      text.replacing("\"n\":2", with: "\"n\":9"),
      "Line 3 of the golden tells the same as this run's and is written otherwise."
    ),
    (String(text.dropLast()), "The last line of the golden has no line end."),
  ] {
    guard case .changed(let difference) = GoldenComparison.compare(golden: Array(golden.utf8), run: run) else {
      Issue.record("not a change")
      return
    }
    #expect(difference.sentences == [sentence])
    #expect(difference.diff.contains { $0.hasPrefix("-") })
  }
}

func sentences(of verdict: GoldenVerdict) -> [String] {
  if case .changed(let difference) = verdict { difference.sentences } else { [] }
}

@Test func aRunThatGoesOnOrStopsShortSaysSo() {
  checkDifference(
    golden: [Sample.ended()], run: [Sample.ended(), Sample.request()],
    ["At +2h, line 3: the golden is over, this run goes on: App → Server: POST /token."])
  checkDifference(
    golden: [Sample.ended(), Sample.request()], run: [Sample.ended()],
    ["At +2h, line 3: this run is over, the golden goes on: App → Server: POST /token."])
}

@Test func aFirstLineIsShownWhereItDiffers() {
  let run = Sample.bytes([Sample.happening(Sample.ended())])
  let golden = Array(String(decoding: run, as: UTF8.self).replacing("A sample", with: "One sample").utf8)
  guard case .changed(let difference) = GoldenComparison.compare(golden: golden, run: run) else {
    Issue.record("not a change")
    return
  }
  let lines = difference.diff(within: 90)
  #expect(lines.contains { $0.hasPrefix("-{") && $0.contains("One sample") }, "\(lines)")
  #expect(lines.contains { $0.hasPrefix("+{") && $0.contains("A sample") }, "\(lines)")
}

@Test func aGoldenThatIsNoTraceIsAChange() {
  let verdict = GoldenComparison.compare(golden: Array("oops\n".utf8), run: Sample.bytes([]))
  guard case .changed(let difference) = verdict else {
    Issue.record("not a change")
    return
  }
  #expect(difference.sentences.first?.hasPrefix("The golden is no trace: line 1: ") == true)
  #expect(difference.diff.first == "@@ -1 +1 @@")
}

@Test func aLaterLineDoesNotMakeThoseBehindItDiffer() {
  let lines = { (milliseconds: Int64) in
    [Sample.happening(Sample.state("a"), at: 0)]
      + ["b", "c", "d"].map { Sample.happening(Sample.state($0), at: milliseconds) }
  }
  guard
    case .changed(let difference) = GoldenComparison.compare(
      golden: Sample.bytes(lines(5)), run: Sample.bytes(lines(9)))
  else {
    Issue.record("not a change")
    return
  }
  #expect(difference.diff.filter { $0.hasPrefix("+") || $0.hasPrefix("-") }.count == 2)
}

@Test func aNewLineDoesNotMakeThoseBehindItDiffer() {
  let state = { (name: String) in Sample.happening(Sample.state(name)) }
  let old = Sample.bytes(["a", "b", "c", "d", "e", "f"].map(state))
  let new = Sample.bytes(["a", "x", "b", "c", "d", "e", "f"].map(state))
  guard case .changed(let difference) = GoldenComparison.compare(golden: old, run: new) else {
    Issue.record("not a change")
    return
  }
  #expect(difference.diff.filter { $0.hasPrefix("+") || $0.hasPrefix("-") }.count == 1)
  #expect(difference.diff.first == "@@ -1,5 +1,6 @@")
}

/// Applies the edits and holds the result against the new lines.
private func checkEdits(
  _ old: String, _ new: String, edits count: Int, sourceLocation: SourceLocation = #_sourceLocation
) {
  let (old, new) = (old.map { String($0) }, new.map { String($0) })
  let edits = LineDiff.edits(from: old, to: new)
  var made: [String] = []
  var used: [String] = []
  for edit in edits {
    switch edit {
    case .keep(let before, let now):
      used.append(old[before])
      made.append(new[now])
    case .remove(let index): used.append(old[index])
    case .insert(let index): made.append(new[index])
    }
  }
  #expect(made == new && used == old, sourceLocation: sourceLocation)
  #expect(edits.filter { !$0.isKeep }.count == count, sourceLocation: sourceLocation)
}

@Test func aDifferenceIsTheShortest() {
  checkEdits("", "", edits: 0)
  checkEdits("", "abc", edits: 3)
  checkEdits("abc", "", edits: 3)
  checkEdits("abcabba", "cbabac", edits: 5)
  checkEdits("abcdef", "abXdef", edits: 2)
  checkEdits("xabc", "abcy", edits: 2)
  checkEdits("kitten", "sitting", edits: 5)
}

@Test func twoVeryDifferentTracesEndQuickly() {
  let old = (0..<3000).map { "a\($0)" }
  let new = (0..<3000).map { "b\($0)" }
  #expect(LineDiff.edits(from: old, to: new).count == 6000)
}

@Test func twoChangesFarApartInALongTraceAreToldAlone() {
  let old = (0..<3000).map { "a\($0)" }
  let new = ["x"] + old[1..<2999] + ["y"]
  #expect(
    LineDiff.edits(from: old, to: new).filter { !$0.isKeep } == [.remove(0), .insert(0), .remove(2999), .insert(2999)])
  // In another order they differ as much, and each stands on both sides.
  let reversed = LineDiff.edits(from: Array(old + new), to: (old + new).reversed())
  #expect(reversed.filter { !$0.isKeep }.count == 12_000)
}
