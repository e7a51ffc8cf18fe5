import FlowEngine
import FlowSpec

/// Tells how each test went, accepts what is to be accepted, and counts.
struct TestReport {
  private enum Word: String {
    case ok, missing, changed, orphan, failed, invalid, accepted, removed, untested
  }

  /// Of a difference so many lines are shown, of such a width; the rest is counted, and `--json` has it all.
  private static let mostLines = 80
  private static let width = 90

  let console: Console
  let isAccepting: Bool
  /// Only the object at the end is printed.
  let isJSON: Bool
  private(set) var results = TestResults()
  private var isInvalid = false

  init(console: Console, isAccepting: Bool, isJSON: Bool) {
    (self.console, self.isAccepting, self.isJSON) = (console, isAccepting, isJSON)
  }

  var isEmpty: Bool { results.flows.isEmpty }

  mutating func add(_ test: GoldenTest, of flow: String, _ result: GoldenTest.Result) throws(Failure) {
    switch result {
    case .passed: try note(.ok, test.path, of: flow)
    case .missing(let trace):
      if isAccepting { return try accept(trace, of: test, flow: flow, "new: \(test.golden)") }
      try note(
        .missing, test.path, of: flow, sentences: ["There is no golden \(test.golden).", acceptance(test.path)])
    case .changed(let difference, let trace):
      if isAccepting { return try accept(trace, of: test, flow: flow, "changed: \(test.golden)", difference) }
      let diff = difference.diff.joined(separator: "\n")
      try note(.changed, test.path, of: flow, sentences: difference.sentences, more: diff)
      try show(difference.diff(within: Self.width))
      try detail([acceptance(test.path)])
    case .failed(let problems):
      let words = isAccepting ? ["A run that fails is not accepted."] : []
      try note(.failed, test.path, of: flow, sentences: words, more: DiagnosticRenderer().text(of: problems))
      try show(problems)
    case .invalid(let diagnostics): try invalid(test.path, of: flow, diagnostics)
    }
  }

  mutating func invalid(_ path: String, of flow: String, _ diagnostics: [Diagnostic]) throws(Failure) {
    isInvalid = true
    try note(.invalid, path, of: flow, more: DiagnosticRenderer().text(of: diagnostics))
    try show(diagnostics)
  }

  /// What no golden of a flow reaches; nothing is said when they reach everything.
  mutating func add(_ uncovered: Coverage.Uncovered, of flow: String) throws(Failure) {
    results.add(uncovered, of: flow)
    guard !uncovered.isEmpty else { return }
    try line(.untested, "\(flow): no golden reaches")
    for (kind, items) in uncovered.kinds where !items.isEmpty {
      try detail(["\(kind):"] + items.map { "  \($0)" })
    }
  }

  mutating func orphan(_ golden: String, flow: String) throws(Failure) {
    if isAccepting {
      try Files.remove(golden)
      return try line(.removed, "\(golden), which belonged to no scenario")
    }
    let words = [
      "No scenario of \(flow) has this golden: delete it.",
      "What else has changed is accepted too by: flowrun test \(quoted(flow)) --accept",
    ]
    try note(.orphan, golden, of: flow, sentences: words)
  }

  mutating func stranger(_ path: String) throws(Failure) {
    isInvalid = true
    let words = "It is neither a flow nor a service nor a scenario: flowrun check \(quoted(path)) says more."
    try note(.invalid, path, of: path, sentences: [words])
  }

  mutating func stray(_ path: String) throws(Failure) {
    isInvalid = true
    let flow = ScenarioFolder.flow(ofScenarioAt: path)
    try note(.invalid, path, of: flow, sentences: ["There is no flow \(flow) for this scenario."])
  }

  func finish() throws(Failure) -> ExitCode {
    let new = results.count(of: Word.missing.rawValue)
    let unseen = new > 0 ? ", \(new) without a golden" : ""
    try console.write(
      isJSON ? results.json : "\(results.passed) passed, \(results.failed - new) failed\(unseen)\n")
    return isInvalid ? .invalidDocument : results.failed == 0 ? .done : .failed
  }

  private mutating func accept(
    _ trace: [UInt8], of test: GoldenTest, flow: String, _ words: String, _ difference: GoldenDifference? = nil
  ) throws(Failure) {
    try Files.makeFolder(Paths.folder(of: test.golden))
    try Files.write(trace, to: test.golden)
    results.add(TestResults.Test(path: test.path, word: Word.accepted.rawValue, isGood: true), of: flow)
    try line(.accepted, words)
    try detail(difference?.sentences ?? [])
  }

  private func acceptance(_ path: String) -> String { "Accept it with: flowrun test \(quoted(path)) --accept" }

  /// Notes how a test went and says it; what goes with `more` is shown by the caller in its own colours.
  private mutating func note(
    _ word: Word, _ path: String, of flow: String, sentences: [String] = [], more: String = ""
  ) throws(Failure) {
    let details = (sentences + [more]).filter { !$0.isEmpty }.joined(separator: "\n")
    results.add(TestResults.Test(path: path, word: word.rawValue, isGood: word == .ok, details: details), of: flow)
    try line(word, path)
    try detail(sentences)
  }

  private func line(_ word: Word, _ text: String) throws(Failure) {
    guard !isJSON else { return }
    let style = console.style(.out)
    let label = word.rawValue + String(repeating: " ", count: 8 - word.rawValue.count)
    let isGood = word == .ok || word == .accepted
    try console.write("\(isGood ? style.good(label) : style.bad(label))  \(printable(text))\n")
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

/// As a shell reads it back.
private func quoted(_ path: String) -> String {
  let isPlain = path.unicodeScalars.allSatisfy {
    $0.properties.isAlphabetic || "0123456789-_./".unicodeScalars.contains($0)
  }
  if isPlain { return path }
  return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
