import FlowSpec

/// A finding about a document, with its place and what to do.
public struct FlowDiagnostic: Sendable, Hashable, CustomStringConvertible {
  /// How much a finding matters.
  public enum Severity: String, Sendable, Hashable {
    /// The documents cannot be run.
    case error
    /// Most likely a mistake.
    case warning
    /// Worth knowing: a judgement that the author has overruled.
    case remark
  }

  /// Kebab-case, stable: `unknown-state`.
  public let code: String
  /// Whether it keeps the flow from running.
  public let severity: Severity
  /// A sentence that stands alone; shows no secret.
  public let message: String
  /// The document it is about, `nil` when it is about none.
  public let path: String?
  /// Counted from 1; `nil` where there is no path.
  public let line: Int?
  /// In characters, counted from 1; behind something hidden in its line, where that begins; `nil` where there is no path.
  public let column: Int?
  /// What to do; `nil` where the message says it.
  public let help: String?
  /// As a terminal shows it, with its line and a caret where it has a document.
  public let description: String

  /// A finding as a check or a run tells it: for previews, and to test what shows it.
  public init(
    code: String, severity: Severity = .error, message: String, path: String? = nil, line: Int? = nil,
    column: Int? = nil, help: String? = nil
  ) {
    (self.code, self.severity, self.message, self.help) = (code, severity, message, help)
    (self.path, self.line, self.column) = (path, line, column)
    let diagnostic = Diagnostic(code: code, severity: severity.ofDiagnostic, message: message, help: help)
    description = DiagnosticRenderer().text(of: [diagnostic])
  }

  init(_ shown: DiagnosticRenderer.Shown) {
    let diagnostic = shown.diagnostic
    code = diagnostic.code
    severity = Severity(rawValue: diagnostic.severity.rawValue) ?? .error
    message = diagnostic.message
    help = diagnostic.help
    path = diagnostic.labels.first?.site.document.path
    line = shown.position?.line
    column = shown.position?.column
    description = shown.text
  }

  /// The same without its document, which is known to whoever found it alone.
  var withoutPlace: Diagnostic {
    Diagnostic(code: code, severity: severity.ofDiagnostic, message: message, help: help)
  }
}

extension FlowDiagnostic.Severity {
  fileprivate var ofDiagnostic: Diagnostic.Severity {
    switch self {
    case .error: .error
    case .warning: .warning
    case .remark: .remark
    }
  }
}
