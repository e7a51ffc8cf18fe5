import JSONSyntax

/// Writes diagnostics for people or for editors.
package struct DiagnosticRenderer: Sendable {
  private let style: TextStyle
  package init(style: TextStyle = .plain) {
    self.style = style
  }

  /// All of them with an empty line between, and one at the end; empty when there are none.
  package func text(of diagnostics: [Diagnostic]) -> String { shown(diagnostics).map(\.text).joined() }

  /// What is shown of a diagnostic.
  package struct Shown {
    /// With dots for what it quotes and its places hide.
    package let diagnostic: Diagnostic
    /// Where it is shown to begin; `nil` where it has no place.
    package let position: (line: Int, column: Int)?
    package let text: String
  }

  /// What is shown of each, for whoever tells of them one by one: a document is looked through once for all of them.
  package func shown(_ diagnostics: [Diagnostic]) -> [Shown] {
    let sources = Excerpts.sources(of: diagnostics)
    return diagnostics.map { diagnostic in
      let start = diagnostic.labels.first.flatMap { label in
        sources[label.site.document]?.position(of: label.site.range.lowerBound)
      }
      return Shown(
        diagnostic: diagnostic.hiding(sources), position: start.map { ($0.line, $0.column) },
        text: text(of: diagnostic, sources) + "\n")
    }
  }

  private func text(of diagnostic: Diagnostic, _ sources: [Document: Excerpts]) -> String {
    let severity = diagnostic.severity
    let head = style.styled("\(severity.rawValue)[\(diagnostic.code)]", code: "1;\(severity.colour)")
    let diagnostic = diagnostic.hiding(sources)
    var lines = [head + style.strong(": \(printable(diagnostic.message))")]
    let places = diagnostic.labels.compactMap { label in sources[label.site.document].map { Pointer(label, in: $0) } }
    let margin = places.map { "\($0.line)".count }.max() ?? 0
    for (index, place) in places.enumerated() {
      lines += self.lines(of: place, margin: margin, isFirst: index == 0, severity)
    }
    if let help = diagnostic.help {
      lines.append(
        String(repeating: " ", count: margin) + framed("= ") + style.strong("help:") + " \(printable(help))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(of place: Pointer, margin: Int, isFirst: Bool, _ severity: Diagnostic.Severity) -> [String] {
    let indent = String(repeating: " ", count: margin)
    let number = "\(place.line)"
    let padding = String(repeating: " ", count: margin - number.count)
    let (text, start, width) = place.shown
    let carets = String(repeating: isFirst ? "^" : "-", count: max(1, width))
    let label = place.label.text.isEmpty ? "" : " \(printable(place.label.text))"
    return [
      framed("\(indent)┌─ ") + "\(printable(place.label.site.document.path)):\(place.line):\(place.column)",
      framed("\(indent)│"),
      framed("\(padding)\(number)│") + " \(text)",
      framed("\(indent)│") + String(repeating: " ", count: start + 1)
        + (isFirst ? style.styled(carets + label, code: severity.colour) : framed(carets + label)),
    ]
  }

  private func framed(_ text: String) -> String { style.styled(text, code: "34") }
}

extension Diagnostic.Severity {
  fileprivate var colour: String {
    switch self {
    case .error: "31"
    case .warning: "33"
    case .remark: "36"
    }
  }
}

/// A document whose lines are shown, but for the secrets in it.
struct Excerpts {
  let text: SourceText
  private let secrets: WrittenSecrets
  private var hidden: [Range<Int>]

  init(_ document: Document) {
    text = SourceText(document.bytes)
    secrets = WrittenSecrets(in: document.bytes, beside: document.beside)
    hidden = secrets.places
  }

  /// The documents of these diagnostics; what their labels hide is hidden as well.
  static func sources(of diagnostics: [Diagnostic]) -> [Document: Excerpts] {
    let labels = diagnostics.flatMap(\.labels)
    let documents = Set(labels.map(\.site.document))
    var sources = Dictionary(uniqueKeysWithValues: documents.map { ($0, Excerpts($0)) })
    for site in labels.filter(\.isHidden).map(\.site) {
      let isQuoted = site.document.bytes[site.range].first == UInt8(ascii: "\"")
      let place = isQuoted ? site.range.dropFirst().dropLast() : site.range
      sources[site.document]?.hidden.append(place)
    }
    for site in labels.filter(\.hidesValue).map(\.site) {
      guard let secrets = sources[site.document]?.secrets else { continue }
      let value = secrets.text.value(ofMemberNamedAt: site.range)
      sources[site.document]?.hidden += value.flatMap { node in
        secrets.isData(node) ? [node.range] : secrets.plainParts(of: node.range)
      }
    }
    for document in documents { sources[document]?.hidden.sort { $0.lowerBound < $1.lowerBound } }
    return sources
  }

  /// What is hidden in a line, wherever it stands there; what is shorter may stand elsewhere for something else.
  func hidden(in line: Range<Int>) -> RangeSet<Int> {
    let places = hidden.filter { $0.overlaps(line) }
    let said = Set(places.filter { $0.count > 2 }.map { text.bytes[$0] })
    return RangeSet(places + said.flatMap { text.bytes[line].ranges(of: $0) })
  }

  /// What is hidden in a place, as it is written and as it reads, the longest first.
  func hiddenTexts(in range: Range<Int>) -> [String] {
    var places = hidden.filter { $0.overlaps(range) && $0.count > 2 }
    // A part of it that is told of is quoted by itself.
    if range.count > 2, places.contains(where: { $0.contains(range) }) { places.append(range) }
    let written = places.map { text.text(in: $0) }
    let read = written.compactMap { readString(Array("\"\($0)\"".utf8)) }
    let bare = read.map { $0.drop { !$0.isLetter && !$0.isNumber } }.filter { $0.utf8.count > 2 }.map(String.init)
    return Set(written + read + bare).sorted { ($0.utf8.count, $1) > ($1.utf8.count, $0) }
  }

  /// The place of a byte; behind something hidden, where that begins, since how long it is would be told otherwise.
  func position(of offset: Int) -> SourceText.Position {
    let position = text.position(of: offset)
    let line = text.lineRange(position.line)
    // In a line that nobody reads, what is said once more is not looked for.
    let first = line.count > 2000 ? hidden.first { $0.overlaps(line) } : hidden(in: line).ranges.first
    guard let first, first.lowerBound < offset else { return position }
    return text.position(of: first.lowerBound)
  }

  /// With as many dots for each secret, however long it is.
  func shown(in range: Range<Int>, hiding places: RangeSet<Int>) -> String {
    var result = ""
    var start = range.lowerBound
    for place in places.ranges where place.overlaps(range) {
      let place = place.clamped(to: range)
      result += text.text(in: start..<place.lowerBound) + hiddenText
      start = place.upperBound
    }
    return result + text.text(in: start..<range.upperBound)
  }
}

extension Diagnostic {
  /// The same with dots for what it quotes and its places hide.
  func hiding(_ sources: [Document: Excerpts]) -> Diagnostic {
    let hidden = labels.flatMap { sources[$0.site.document]?.hiddenTexts(in: $0.site.range) ?? [] }
    if hidden.isEmpty { return self }
    var copy = self
    copy.message = message.hidingQuoted(hidden)
    copy.help = help?.hidingQuoted(hidden)
    // A question for what nobody is shown is no help.
    if copy.help == "did you mean \"\(hiddenText)\"?" { copy.help = nil }
    return copy
  }
}

extension String {
  /// With dots for these where they stand in quotation marks: what stands outside are words of our own.
  ///
  /// What is long is none of these, and one that has a quotation mark ends its quotation: they are hidden everywhere.
  fileprivate func hidingQuoted(_ texts: [String]) -> String {
    let (quote, dots) = (UInt8(ascii: "\""), Array(hiddenText.utf8))
    // By bytes: a mark that combines with a letter does so with a quotation mark before it too.
    let (texts, bytes) = (texts.map { Array($0.utf8) }, Array(utf8))
    let isSure = { (text: [UInt8]) in text.count >= 8 || text.contains(quote) }
    let shown = texts.filter(isSure).reduce(bytes) { $0.replacing($1, with: dots) }
    let pieces = shown.split(separator: quote, omittingEmptySubsequences: false).enumerated().map { index, piece in
      index % 2 == 0 ? Array(piece) : texts.reduce(Array(piece)) { $0.replacing($1, with: dots) }
    }
    return String(decoding: Array(pieces.joined(separator: [quote])), as: UTF8.self)
  }
}

/// A label with its line and column.
private struct Pointer {
  let label: Diagnostic.Label
  let source: Excerpts
  let line: Int
  let column: Int

  init(_ label: Diagnostic.Label, in source: Excerpts) {
    (self.label, self.source) = (label, source)
    let position = source.position(of: label.site.range.lowerBound)
    line = position.line
    column = position.column
  }

  private static let longestLine = 2000
  private static let around = 200

  /// The line as it is shown, where the carets begin below it and how wide they are, in terminal cells.
  var shown: (text: String, start: Int, width: Int) {
    let whole = source.text.lineRange(line)
    let place = label.site.range.clamped(to: whole)
    var range = place.lowerBound..<min(place.upperBound, place.lowerBound + Self.longestLine)
    // Of a line that is too long to read, what stands around the place.
    let line =
      whole.count <= Self.longestLine
      ? whole
      : (range.lowerBound - Self.around..<range.upperBound + Self.around).clamped(to: whole)
    let hidden = source.hidden(in: line)
    // Of what is hidden, no part is shown apart.
    for part in hidden.ranges where part.overlaps(range) {
      let part = part.clamped(to: line)
      range = min(range.lowerBound, part.lowerBound)..<max(range.upperBound, part.upperBound)
    }
    func cells(_ range: Range<Int>, from start: Int) -> Cells {
      Cells(source.shown(in: range, hiding: hidden), from: start)
    }
    let before = cells(line.lowerBound..<range.lowerBound, from: 0)
    let marked = cells(range, from: before.width)
    let rest = cells(range.upperBound..<line.upperBound, from: before.width + marked.width)
    return (before.text + marked.text + rest.text, before.width, marked.width)
  }
}

/// A text with its tabs as spaces, and how many terminal cells it takes.
private struct Cells {
  private(set) var text = ""
  private(set) var width = 0
  private static let tabWidth = 4

  init(_ source: String, from start: Int) {
    for character in source {
      if character == "\t" {
        let spaces = Self.tabWidth - (start + width) % Self.tabWidth
        text += String(repeating: " ", count: spaces)
        width += spaces
      } else {
        // They would move the cursor.
        text.append(character.unicodeScalars.contains(where: isControl) ? "\u{FFFD}" : character)
        width += character.cells
      }
    }
  }
}
