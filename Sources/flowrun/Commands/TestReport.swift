import FlowEngine
import FlowSpec

/// Tells how each test went, accepts what is to be accepted, and counts.
struct TestReport {
  private enum Word: String {
    case ok, missing, changed, orphan, failed, invalid, accepted, removed
  }

  /// Of a difference so many lines are shown; the rest is counted.
  private static let mostLines = 80

  let console: Console
  let isAccepting: Bool
  private var passed = 0
  private var failed = 0
  private var isInvalid = false

  init(console: Console, isAccepting: Bool) {
    self.console = console
    self.isAccepting = isAccepting
  }

  var isEmpty: Bool { passed + failed == 0 }

  mutating func add(_ test: GoldenTest, _ result: GoldenTest.Result) throws(Failure) {
    switch result {
    case .passed:
      passed += 1
      try line(.ok, test.path)
    case .missing(let trace):
      if isAccepting { return try accept(trace, of: test, "new: \(test.golden)") }
      failed += 1
      try line(.missing, test.path)
      try detail(["There is no golden \(test.golden).", acceptance(test.path)])
    case .changed(let difference, let trace):
      if isAccepting { return try accept(trace, of: test, "changed: \(test.golden)", difference) }
      failed += 1
      try line(.changed, test.path)
      try detail(difference.sentences)
      try show(difference.diff)
      try detail([acceptance(test.path)])
    case .failed(let problems):
      failed += 1
      try line(.failed, test.path)
      if isAccepting { try detail(["A run that fails is not accepted."]) }
      try console.write("\n" + console.renderer(.out).text(of: problems))
    case .invalid(let diagnostics): try invalid(test.path, diagnostics)
    }
  }

  mutating func invalid(_ path: String, _ diagnostics: [Diagnostic]) throws(Failure) {
    failed += 1
    isInvalid = true
    try line(.invalid, path)
    try console.write("\n" + console.renderer(.out).text(of: diagnostics))
  }

  mutating func orphan(_ golden: String, flow: String) throws(Failure) {
    if isAccepting {
      try Files.remove(golden)
      return try line(.removed, "\(golden), which belonged to no scenario")
    }
    failed += 1
    try line(.orphan, golden)
    try detail(["No scenario of \(flow) has this golden. Remove it with: flowrun test \(quoted(flow)) --accept"])
  }

  mutating func stranger(_ path: String) throws(Failure) {
    failed += 1
    isInvalid = true
    try line(.invalid, path)
    try detail(["It is neither a flow nor a service nor a scenario: flowrun check \(quoted(path)) says more."])
  }

  mutating func stray(_ path: String) throws(Failure) {
    failed += 1
    isInvalid = true
    try line(.invalid, path)
    try detail(["There is no flow \(ScenarioFolder.flow(ofScenarioAt: path)) for this scenario."])
  }

  func finish() throws(Failure) -> ExitCode {
    try console.write("\(passed) passed, \(failed) failed\n")
    return isInvalid ? .invalidDocument : failed == 0 ? .done : .failed
  }

  private mutating func accept(
    _ trace: [UInt8], of test: GoldenTest, _ words: String, _ difference: GoldenDifference? = nil
  ) throws(Failure) {
    try Files.makeFolder(Paths.folder(of: test.golden))
    try Files.write(trace, to: test.golden)
    passed += 1
    try line(.accepted, words)
    try detail(difference?.sentences ?? [])
  }

  private func acceptance(_ path: String) -> String { "Accept it with: flowrun test \(quoted(path)) --accept" }

  private func line(_ word: Word, _ text: String) throws(Failure) {
    let style = console.style(.out)
    let label = word.rawValue + String(repeating: " ", count: 8 - word.rawValue.count)
    let isGood = word == .ok || word == .accepted
    try console.write("\(isGood ? style.good(label) : style.bad(label))  \(text)\n")
  }

  private func detail(_ sentences: [String]) throws(Failure) {
    try console.write(sentences.map { "          \($0)\n" }.joined())
  }

  private func show(_ diff: [String]) throws(Failure) {
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
