import Expressions
import JSONSyntax

/// Everything found while loading, each thing once, and what the author overrules.
struct Findings: Sendable {
  /// A `despite` of an object: it covers the object and all inside it.
  struct Overrule: Sendable {
    let code: String
    let reason: String
    let scope: Site
    /// Where the code stands.
    let site: Site
    var isUsed = false
  }

  /// As many as anyone will read; a document of megabytes may be wrong everywhere.
  static let most = 1000
  private static let overflow = "too-many-findings"

  private(set) var diagnostics: [Diagnostic] = []
  private(set) var overrules: [Overrule] = []
  /// Codes with their places.
  private var seen: Set<ScalarString> = []

  /// Whether not even another error is told.
  private(set) var areFull = false

  var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  func errors(in document: Document) -> [Diagnostic] {
    diagnostics.filter { $0.severity == .error && $0.labels.first?.site.document == document }
  }

  /// By document and position; what has no place comes first.
  var sorted: [Diagnostic] {
    func key(_ diagnostic: Diagnostic) -> (String, Int, Int) {
      guard let site = diagnostic.labels.first?.site else { return ("", 0, 0) }
      return (site.document.path, site.range.lowerBound, site.range.upperBound)
    }
    return diagnostics.sorted { key($0) < key($1) }
  }

  /// Adds a diagnostic unless the same was found at the same place: a named action is read wherever it is used.
  mutating func add(_ diagnostic: Diagnostic) {
    var place = diagnostic.code
    if let site = diagnostic.labels.first?.site {
      place += " \(site.range.lowerBound) \(site.range.upperBound) \(site.document.path)"
    }
    guard seen.insert(ScalarString(place)).inserted else { return }
    // What is not told need not be judged: many may overrule it.
    if areFull || diagnostics.count >= Self.most && diagnostic.severity != .error { return }
    let diagnostic = judged(diagnostic)
    guard diagnostics.count >= Self.most - 1 else { return diagnostics.append(diagnostic) }
    if diagnostics.count == Self.most - 1 {
      diagnostics.append(
        Diagnostic(
          code: Self.overflow, severity: .remark,
          message: "more than \(Self.most - 1) things were found, and the rest is left out", labels: diagnostic.labels,
          help: "put right what stands first, and look again"))
    }
    // An error is told in place of something that is none.
    guard diagnostic.severity == .error, !areFull else { return }
    let last = diagnostics.lastIndex { $0.severity != .error && $0.code != Self.overflow }
    if let last { diagnostics[last] = diagnostic } else { areFull = true }
  }

  /// `strange` is a name that is like none that is known.
  mutating func error(
    _ code: String, _ message: String, at site: Site, _ label: String, help: String? = nil,
    related: (site: Site, label: String)? = nil, strange name: String? = nil, hidesValue: Bool = false
  ) {
    var found = Diagnostic(code, message, at: site, label, help: help, related: related)
    if let name { found.hide(name) }
    found.labels[0].hidesValue = hidesValue
    add(found)
  }

  /// Shows another place that errors have to do with: those that were found behind the first so many.
  mutating func label(from first: Int, _ text: String, at site: Site) {
    for index in diagnostics.indices.dropFirst(first) where diagnostics[index].severity == .error {
      diagnostics[index].labels.append(Diagnostic.Label(site: site, text: text))
    }
  }

  mutating func warning(_ code: String, _ message: String, at site: Site, _ label: String, help: String? = nil) {
    add(Diagnostic(code, severity: .warning, message, at: site, label, help: help))
  }

  /// Takes note of what an object's `despite` overrules.
  mutating func overrule(_ object: Declaration, in scope: Site) {
    for entry in object["despite"].entries {
      guard Judgement.codes.contains(entry.name) else {
        unknownJudgement(entry)
        continue
      }
      if entry.value.string?.allSatisfy(\.isWhitespace) == true {
        error(
          "missing-reason", "\"despite\" needs the reason why \"\(entry.name)\" does not count here",
          at: entry.value.site, "is empty", help: "write why, for whoever reads the document next")
      }
      overrules.append(
        Overrule(code: entry.name, reason: entry.value.string ?? "", scope: scope, site: entry.nameSite))
    }
  }

  /// A finding that is a judgement and that its author overrules becomes a remark that quotes the reason.
  private mutating func judged(_ diagnostic: Diagnostic) -> Diagnostic {
    guard Judgement.codes.contains(diagnostic.code), let site = diagnostic.labels.first?.site else { return diagnostic }
    let covering = overrules.indices.filter { overrules[$0].covers(diagnostic.code, at: site) }
    guard let innermost = covering.min(by: { overrules[$0].scope.range.count < overrules[$1].scope.range.count })
    else { return diagnostic }
    overrules[innermost].isUsed = true
    var remark = diagnostic
    remark.severity = .remark
    remark.help = "overruled: \(overrules[innermost].reason)"
    return remark
  }

  private mutating func unknownJudgement(_ entry: Declaration.Entry) {
    let codes = Judgement.codes.sorted()
    error(
      "unknown-check", "\"despite\" names \"\(entry.name)\", which is no check that can be overruled",
      at: entry.nameSite, "no such check",
      help: suggestion(for: entry.name, among: codes) ?? "one of \(codes.joined(separator: ", "))")
  }
}

extension Findings.Overrule {
  func covers(_ code: String, at site: Site) -> Bool { scope.encloses(site) && self.code == code }
}

extension Site {
  func encloses(_ other: Site) -> Bool {
    range.lowerBound <= other.range.lowerBound && other.range.upperBound <= range.upperBound
      && document == other.document
  }
}

/// The checks that are judgements: an author may overrule them with `despite` and a reason.
enum Judgement {
  static let codes: Set<String> = [
    "secret-in-url", "secret-over-http", "unanswered-request", "unreachable-state", "unreachable-transition",
    "no-way-to-goal", "no-way-out", "loop-without-wait", "status-without-failure", "may-be-null", "plain-name",
    "strange-status", "constant-condition", "idle-timer", "idle-event", "unused-participant", "near-miss",
    "unanswered-member", "unsent-member", "unread-body", "strange-message", "unsafe-retry", "unused-key",
    "unused-group", "unused-config", "unused-event", "unused-emit", "unused-screen", "unused-let", "unused-action",
    "unset-key", "unread-key", "growing-table", "unhandled-failure", "unused-capability", "unused-link", "unused-flow",
    "unused-end", "unused-secret", "unread-variable", "unread-field", "secret-shown", "secret-in-plain-key",
    "secret-number", "useless-retry", "cleared-on-failure", "dropped-rotation", "negative-grace", "split-group",
    "weak-grant", "kept-password", "lasting-secret", "idle-set", "long-wait", "unset-word",
    "strange-expiry", "late-clear", "repeated-migration", "strange-poll", "unheard-link", "refused-secret",
    "forgotten-request", "reusable-code", "shifted-row",
  ]
}
