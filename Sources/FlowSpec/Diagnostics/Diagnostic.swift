import Expressions

/// A problem in what an author wrote, or in what a run found about it.
package struct Diagnostic: Sendable, Hashable {
  package enum Severity: String, Sendable, Hashable {
    case error, warning, remark
  }

  package struct Label: Sendable, Hashable {
    package var site: Site
    /// A few words for beside the caret; may be empty.
    package var text: String
    /// Whether what stands there is not shown, and whether the value is not of the member whose name stands there.
    var (isHidden, hidesValue) = (false, false)

    package init(site: Site, text: String) {
      (self.site, self.text) = (site, text)
    }
  }

  /// Kebab-case, stable: `unknown-state`.
  package var code: String
  package var severity: Severity
  /// A sentence that stands alone.
  package var message: String
  /// The first is the place; others explain it.
  ///
  /// Empty when no place can be named.
  package var labels: [Label]
  /// What to do, `nil` when the message says it.
  package var help: String?

  package init(
    code: String, severity: Severity = .error, message: String, labels: [Label] = [], help: String? = nil
  ) {
    (self.code, self.severity, self.message, self.labels, self.help) = (code, severity, message, labels, help)
  }

  /// A problem at one place, with another that explains it; the labels stand beside the carets.
  package init(
    _ code: String, severity: Severity = .error, _ message: String, at site: Site, _ label: String,
    help: String? = nil, related: (site: Site, label: String)? = nil
  ) {
    let others = related.map { [Label(site: $0.site, text: $0.label)] } ?? []
    self.init(
      code: code, severity: severity, message: message, labels: [Label(site: site, text: label)] + others, help: help)
  }
}

extension Diagnostic {
  /// Neither quotes nor shows a name that nobody would have chosen: a secret may have come in its place.
  mutating func hide(_ name: String) {
    if name.mayBeChosen || labels.isEmpty { return }
    message = message.replacing("\"\(name)\"", with: "\"\(hiddenText)\"")
    help = help?.replacing("\"\(name)\"", with: "\"\(hiddenText)\"")
    labels[0].isHidden = true
  }
}

extension String {
  /// Whether somebody may have chosen it as a name: words of letters with a few digits behind them, as tokens have none.
  package var mayBeChosen: Bool {
    var digits = 0
    return utf8.count <= 40
      && utf8.allSatisfy { byte in
        let isBehindDigits = digits > 0
        digits = byte.isDigit ? digits + 1 : 0
        if byte.isDigit || ".-_".utf8.contains(byte) { return digits <= 4 }
        return !isBehindDigits && (byte.isIdentifierPart || byte >= 0x80)
      }
  }
}

/// A place in a document: bytes of the document at `Document.path`.
package struct Site: Sendable, Hashable {
  package var document: Document
  /// UTF-8 offsets.
  package var range: Range<Int>

  package init(document: Document, range: Range<Int>) {
    (self.document, self.range) = (document, range)
  }
}

/// A document as it was read.
///
/// Equal when the path is, byte by byte; one load reads each path once.
package final class Document: Sendable, Hashable {
  /// As it is shown to people: relative to where the command ran.
  package let path: String
  package let bytes: [UInt8]
  /// The documents that belong to it: what they call secret is secret in it too.
  let beside: [[UInt8]]

  package init(path: String, bytes: [UInt8], beside: [[UInt8]] = []) {
    (self.path, self.bytes, self.beside) = (path, bytes, beside)
  }

  package static func == (left: Document, right: Document) -> Bool {
    left === right || left.path.utf8.elementsEqual(right.path.utf8)
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
