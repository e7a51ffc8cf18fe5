import Expressions
import Testing

@testable import FlowEngine

private func checkDifference(
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
      "At +2h, the golden took \"refreshed\" in refreshing, this run took \"refused\" in refreshing.",
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

@Test func aRunThatGoesOnOrStopsShortSaysSo() {
  checkDifference(
    golden: [Sample.ended()], run: [Sample.ended(), Sample.request()],
    ["At +2h, line 3: the golden is over, this run goes on: App → Server: POST /token."])
  checkDifference(
    golden: [Sample.ended(), Sample.request()], run: [Sample.ended()],
    ["At +2h, line 3: this run is over, the golden goes on: App → Server: POST /token."])
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
