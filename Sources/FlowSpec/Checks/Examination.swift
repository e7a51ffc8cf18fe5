/// A machine that is held against the checks: what may be an error is looked for at once, the rest for who reads about it.
struct Examination: Sendable {
  private let examined: Examined
  /// Those for which enough of the machine is understood, and what each has found; `nil` where it has not looked.
  private let checks: [(check: Check, found: [Diagnostic]?)]

  /// Adds to `findings` what may be an error.
  init(_ examined: Examined, _ findings: inout Findings) {
    var examined = examined
    let errors = findings.errors(in: examined.document.site.document)
    let hidesStates = examined.document.hidesNames || errors.contains { Self.hidesStates($0, examined.document) }
    if !hidesStates { examined.findPaths() }
    let hasErrors = findings.hasErrors
    let checks = Check.all.filter { check in
      switch check.ground {
      case .nothing: true
      case .states: !hidesStates
      case .uses: errors.isEmpty
      case .usesEverywhere: !hasErrors
      }
    }
    self.checks = checks.map { ($0, $0.mayRefuse ? $0.find(examined) : nil) }
    self.examined = examined
    for diagnostic in self.checks.compactMap(\.found).joined() { findings.add(diagnostic) }
  }

  /// Adds everything that the checks find, to findings that had nothing of it.
  func report(to findings: inout Findings) {
    for (check, found) in checks {
      for diagnostic in found ?? check.find(examined) { findings.add(diagnostic) }
    }
  }

  /// Whether an error lies where the states are and is of a kind that leaves a transition unread.
  private static func hidesStates(_ error: Diagnostic, _ document: Declaration) -> Bool {
    let harmless: Set<String> = [
      "type-mismatch", "unknown-value", "unknown-key", "unknown-field", "unknown-name", "unknown-ref", "missing-field",
      "wrong-number", "wrong-place", "wrong-path", "unknown-action", "unknown-emit", "unknown-participant",
      "unknown-capability", "not-allowed-here", "outside-profile", "expression-syntax", "forbidden-header",
      "unknown-check", "missing-participant", "action-circle", "wrong-count",
    ]
    guard let site = error.labels.first?.site, !harmless.contains(error.code) else { return false }
    // What is heard in states and is no event was told where it is declared.
    if error.code == "unknown-event" { return true }
    let places = ["states", "flows", "routes", "on", "after", "sometimes", "start"]
    let grammar = document.kind?.grammar
    return places.contains { grammar?.shape(of: $0) != nil && document[$0]?.site.encloses(site) == true }
      || site.range.isEmpty || site == document.site.start
  }
}
