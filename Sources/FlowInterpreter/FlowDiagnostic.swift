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
  /// As a terminal shows it, with its line and a caret.
  public let description: String

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
}
