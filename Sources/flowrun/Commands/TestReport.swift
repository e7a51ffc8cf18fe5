import FlowEngine
import FlowSpec

/// Tells how each test went, accepts what is to be accepted, and counts.
struct TestReport {
  private typealias Word = TestResults.Word

  /// Of a difference so many lines are shown, of such a width; the rest is counted, and `--json` has it all.
  private static let mostLines = 80
  private static let width = 90

  let console: Console
  let isAccepting: Bool
  /// Only the object at the end is printed.
  let isJSON: Bool
  private(set) var results = TestResults()
  /// In which test the lines that changed were shown.
  private var shown: [[String]: String] = [:]
  /// How many tests that changed do the same as before.
  private var changedInWordsAlone = 0
  /// The gravest of what is wrong beside the tests that failed.
  private var code = ExitCode.done
  /// Where CI servers find the results; `nil` when nothing is to be written.
  private var junit: String?

  init(console: Console, isAccepting: Bool, isJSON: Bool) {
    (self.console, self.isAccepting, self.isJSON) = (console, isAccepting, isJSON)
  }

  var isEmpty: Bool { results.flows.isEmpty }

  mutating func add(_ test: GoldenTest, of flow: String, _ result: GoldenTest.Result) throws(Failure) {
    results.addScenario(of: flow)
    switch result {
    case .passed: try note(.ok, test.path, of: flow)
    case .missing(let trace):
      if isAccepting { return try accept(trace, of: test, flow: flow, "new: \(test.golden)") }
      try note(
        .missing, test.path, of: flow, sentences: ["There is no golden \(test.golden).", acceptance(test.path)])
    case .changed(let difference, let trace):
      if isAccepting { return try accept(trace, of: test, flow: flow, "changed: \(test.golden)", difference) }
      try changed(test, of: flow, difference)
    case .failed(let problems, let departure):
      let words = (isAccepting ? ["A run that fails is not accepted."] : []) + (departure.map { [$0] } ?? [])
      try note(.failed, test.path, of: flow, sentences: words, problems: problems)
    case .invalid(let diagnostics): try invalid(test.path, of: flow, diagnostics)
    case .behindInvalid(let path):
      rise(to: .invalidDocument)
      let words = "It goes on after \(path), which has errors: flowrun check \(quoted(path)) tells them."
      try note(.invalid, test.path, of: flow, sentences: [words])
    case .behindFailed(let path):
      let words = "It goes on after \(path), which does not succeed: flowrun test \(quoted(path)) tells why."
      try note(.failed, test.path, of: flow, sentences: [words])
    case .displaced(let folder):
      let right = ScenarioFolder(flow: flow).path
      let words = "Its scenarios likely lie in \(folder): rename that to \(right). Until then nothing is accepted here."
      try note(.missing, test.path, of: flow, sentences: ["There is no golden \(test.golden).", words])
    case .stuck(let failure): try stuck(test.path, of: flow, failure)
    }
  }

  /// What has been shown of another test is not shown once more: it has one cause.
  private mutating func changed(
    _ test: GoldenTest, of flow: String, _ difference: GoldenDifference
  ) throws(Failure) {
    let diff = difference.diff.joined(separator: "\n")
    if difference.isInWordsAlone { changedInWordsAlone += 1 }
    try note(.changed, test.path, of: flow, sentences: difference.sentences, more: diff)
    if let other = shown[difference.changes] { return try detail(["The same lines change as in \(other)."]) }
    if !difference.changes.isEmpty { shown[difference.changes] = test.path }
    try show(difference.diff(within: Self.width))
    try detail([acceptance(test.path)])
  }

  /// A flow with so many scenarios that has errors: none of them ran.
  mutating func invalid(_ flow: Workspace.Flow, _ diagnostics: [Diagnostic]) throws(Failure) {
    for _ in flow.scenarios { results.addScenario(of: flow.path) }
    try invalid(flow.path, of: flow.path, diagnostics)
  }

  mutating func invalid(_ path: String, of flow: String, _ diagnostics: [Diagnostic]) throws(Failure) {
    rise(to: .invalidDocument)
    try note(.invalid, path, of: flow, problems: diagnostics)
  }

  /// What cannot be read, or not be written; `nil` for the flow that it stands with, if there is one.
  mutating func stuck(_ path: String, of flow: String?, _ failure: Failure) throws(Failure) {
    rise(to: failure.code)
    let sentences = [failure.message, failure.help].compactMap { $0 }
    try note(.failed, path, of: flow ?? owner(of: path), sentences: sentences)
  }

  /// What no golden of a flow reaches; nothing is said when they reach everything.
  mutating func add(_ uncovered: Coverage.Uncovered, of flow: String) throws(Failure) {
    results.add(uncovered, of: flow)
    guard !uncovered.isEmpty else { return }
    let tests = results.flows.first { $0.path.utf8.elementsEqual(flow.utf8) }?.tests ?? []
    let failed = tests.count { [.failed, .invalid].contains($0.word) }
    let reasons = [(failed, "failed"), (tests.count { $0.word == .missing }, "without a golden")].filter { $0.0 > 0 }
    let words = reasons.map { "\(counted($0, "scenario")) \($1)" }.joined(separator: ", ")
    let rest = reasons.isEmpty ? "" : " (\(words): what they reach does not count)"
    let changed = tests.contains { $0.word == .changed } ? ", with what has changed as it runs now" : ""
    guard tests.contains(where: { $0.word.isGood || $0.word == .changed }) else {
      return try line(.untested, "\(flow): no golden reaches any of it\(failed == 0 ? "" : rest)")
    }
    try line(.untested, "\(flow): no golden reaches\(changed)\(rest)")
    for (kind, items) in uncovered.kinds where !items.isEmpty {
      try detail(["\(kind):"] + items.map { "  \($0)" })
    }
  }

  /// What is no trace of the flow may be anybody's.
  mutating func orphan(
    _ orphan: GoldenTest.Orphan, flow: String, isOurs: Bool, mayRemove: Bool
  ) throws(Failure) {
    let golden = orphan.golden
    if let advice = orphan.advice {
      let sentences = ["No scenario of \(flow) has this golden.", advice, "--accept leaves it alone."]
      return try note(.orphan, golden, of: flow, sentences: sentences)
    }
    if isAccepting, isOurs, mayRemove {
      do throws(Failure) {
        try expectInside(Paths.folder(of: golden), golden, of: flow)
        try Files.remove(golden)
      } catch { return try stuck(golden, of: flow, error) }
      return try line(.removed, "\(golden), which belonged to no scenario")
    }
    let more =
      if !mayRemove {
        "It is left alone as long as a scenario beside it has errors, and may be its own."
      } else if isOurs {
        "Removed, and all else that has changed accepted, by: flowrun test \(quoted(flow)) --accept"
      } else {
        "It is no trace of this flow, and --accept leaves it alone."
      }
    let words = "No scenario of \(flow) has this golden" + (mayRemove && isOurs ? ": delete it." : ".")
    try note(.orphan, golden, of: flow, sentences: [words, more])
  }

  /// What is none of our documents, or no JSON.
  mutating func stranger(_ path: String, _ diagnostics: [Diagnostic]) throws(Failure) {
    try invalid(path, of: owner(of: path), diagnostics)
  }

  mutating func stray(_ orphan: GoldenTest.Orphan) throws(Failure) {
    let flow = ScenarioFolder.flow(ofScenarioAt: orphan.golden)
    let words = "There is no flow \(flow) for this golden"
    let sentences = orphan.advice.map { ["\(words).", $0] } ?? ["\(words): delete it."]
    try note(.orphan, orphan.golden, of: flow, sentences: sentences)
  }

  /// Scenarios of a folder beside which there is no flow.
  mutating func strays(
    _ paths: [String], of flow: String, _ words: (message: String, help: String)
  ) throws(Failure) {
    rise(to: .invalidDocument)
    for _ in paths { results.addScenario(of: flow) }
    try note(
      .invalid, paths.count == 1 ? paths[0] : Paths.folder(of: paths[0]), of: flow,
      sentences: ["\(words.message): \(words.help)."])
  }

  /// Says where the results are written for CI servers, and that there are none so far: the report of an earlier run
  /// would pass for that of one that is killed.
  mutating func keep(in file: String) throws(Failure) {
    try Files.expectWritable(file)
    junit = file
    guard Files.kind(of: file) != .other, Files.descriptor(of: file) == nil else { return }
    var none = TestResults()
    let words = "the test has not come to its end"
    none.add(TestResults.Test(path: "flowrun test", word: .failed, message: words, details: words), of: "flowrun test")
    try Files.write(Array(none.junit.utf8), to: file)
  }

  func writeJUnit() throws(Failure) {
    if let junit { try Files.write(Array(results.junit.utf8), to: junit) }
  }

  /// Tells machines what stopped the test as one more failure; people are told it as by every command.
  mutating func stop(_ failure: Failure, at path: String) {
    let details = [failure.message, failure.help].compactMap { $0 }.joined(separator: "\n")
    results.add(TestResults.Test(path: path, word: .failed, message: failure.message, details: details), of: path)
    // What cannot be written either is not what stopped it.
    try? writeJUnit()
    if isJSON { try? console.write(results.json) }
  }

  func finish() throws(Failure) -> ExitCode {
    let new = results.count(of: .missing)
    let inWords = changedInWordsAlone > 0 ? " (\(changedInWordsAlone) in words alone)" : ""
    let unseen = new > 0 ? ", \(new) without a golden" : ""
    try console.write(
      isJSON ? results.json : "\(results.passed) passed, \(results.failed - new) failed\(inWords)\(unseen)\n")
    return code != .done ? code : results.failed == 0 ? .done : .failed
  }

  private mutating func rise(to code: ExitCode) {
    if code.rawValue > self.code.rawValue { self.code = code }
  }

  /// The flow in whose folder something stands; without one it is told by itself.
  private func owner(of path: String) -> String {
    ScenarioFolder.hasFlow(path) ? ScenarioFolder.flow(ofScenarioAt: path) : path
  }

  private mutating func accept(
    _ trace: [UInt8], of test: GoldenTest, flow: String, _ words: String, _ difference: GoldenDifference? = nil
  ) throws(Failure) {
    do throws(Failure) {
      try Files.makeFolder(Paths.folder(of: test.golden))
      try expectInside(test.golden, test.golden, of: flow)
      try expectGolden(behind: test.golden)
      // What a checkout has made of its line ends is no change.
      let former = Files.isTaken(test.golden) ? try Files.read(test.golden, most: .max) : []
      try Files.write(GoldenComparison.written(trace, inPlaceOf: former), to: test.golden)
    } catch { return try stuck(test.path, of: flow, error) }
    results.add(TestResults.Test(path: test.path, word: .accepted), of: flow)
    try line(.accepted, words)
    guard let difference else { return }
    let counts = ["-", "+"].map { sign in counted(difference.diff.count { $0.hasPrefix(sign) }, "line") }
    try detail(difference.sentences + ["In all: \(counts[0]) removed, \(counts[1]) added."])
  }

  /// A link may come from a stranger whose flows are tried: what it leads to may be anything.
  private func expectInside(_ path: String, _ golden: String, of flow: String) throws(Failure) {
    let (folder, place) = (Files.real(Paths.folder(of: flow)), Files.place(of: path))
    guard !place.hasPrefix(folder == "/" ? folder : folder + "/") else { return }
    throw Failure(
      .noFile, "\(golden) is a link out of the flow's folder, to \(place)", help: "put a file or a folder in its place")
  }

  /// A link within it may lead to a document.
  private func expectGolden(behind golden: String) throws(Failure) {
    let place = Files.place(of: golden)
    guard !ScenarioFolder.isGolden(place) else { return }
    throw Failure(.noFile, "\(golden) is a link to \(place), which is no golden", help: "put a file in its place")
  }

  private func acceptance(_ path: String) -> String { "Accept it with: flowrun test \(quoted(path)) --accept" }

  /// Notes how a test went and says it; what goes with `more` is shown by the caller in its own colours.
  private mutating func note(
    _ word: Word, _ path: String, of flow: String, sentences: [String] = [], more: String = "",
    problems: [Diagnostic] = []
  ) throws(Failure) {
    let renderer = DiagnosticRenderer()
    let details = (sentences + [more, renderer.text(of: problems)]).filter { !$0.isEmpty }.joined(separator: "\n")
    // A warning may stand before it.
    let error = problems.first { $0.severity == .error }.map { renderer.text(of: [$0]) }
    let message = String((error ?? details).prefix { $0 != "\n" })
    results.add(TestResults.Test(path: path, word: word, message: message, details: details), of: flow)
    try line(word, path)
    try detail(sentences)
    if !problems.isEmpty { try show(problems) }
  }

  private func line(_ word: Word, _ text: String) throws(Failure) {
    guard !isJSON else { return }
    let style = console.style(.out)
    let label = word.rawValue + String(repeating: " ", count: 8 - word.rawValue.count)
    try console.write("\(word.isGood ? style.good(label) : style.bad(label))  \(printable(text))\n")
  }

  private func detail(_ sentences: [String]) throws(Failure) {
    guard !isJSON else { return }
    try console.write(sentences.map { "          \(printable($0))\n" }.joined())
  }

  private func show(_ diagnostics: [Diagnostic]) throws(Failure) {
    guard !isJSON else { return }
    try console.write("\n" + console.renderer(.out).text(of: diagnostics))
  }

  private func show(_ diff: [String]) throws(Failure) {
    guard !isJSON else { return }
    let style = console.style(.out)
    var text = ""
    for line in diff.prefix(Self.mostLines) {
      let shown = line.hasPrefix("-") ? style.bad(line) : line.hasPrefix("+") ? style.good(line) : style.faint(line)
      text += "          \(shown)\n"
    }
    let rest = diff.count - Self.mostLines
    if rest > 0 { text += "          … \(counted(rest, "more line")) of difference, not shown\n" }
    try console.write(text)
  }
}
