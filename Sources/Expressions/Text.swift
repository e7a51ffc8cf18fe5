/// A string whose spans remember two things apart: that they are secret, and that they come from a fresh value.
///
/// Equality of authors' strings is equality of `string` by Unicode scalars; `Hashable` here compares spans too.
package struct Text: Sendable, Hashable {
  package struct Span: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// Never shown; `name` is what the alias is made from: the key, field or member that marked it.
      case secret(name: String)
      /// Not known before the run; the text of the span is always what `origin` gives.
      case origin(Origin)
    }

    /// UTF-8 offsets into `string`.
    package var range: Range<Int>
    package var kind: Kind

    package init(range: Range<Int>, kind: Kind) {
      self.range = range
      self.kind = kind
    }

    fileprivate var place: (Int, Int, Int) {
      let rank = if case .secret = kind { 0 } else { 1 }
      return (range.lowerBound, range.upperBound, rank)
    }
  }

  package private(set) var string: String
  /// In order of their start, a secret before an origin at the same place.
  ///
  /// Secret spans do not overlap one another, nor do origin spans; a secret span and an
  /// origin span may.
  package private(set) var spans: [Span]

  package init(_ plain: String) {
    string = plain
    spans = []
  }

  package init(string: String, spans: [Span]) {
    self.string = string
    self.spans = spans.sorted { $0.place < $1.place }
  }

  /// A text that is one origin from end to end.
  package init(origin: Origin) {
    string = origin.string
    spans = [Span(range: 0..<string.utf8.count, kind: .origin(origin))]
  }

  package var isEmpty: Bool { string.isEmpty }
  package var isPlain: Bool { spans.isEmpty }

  package var isSecret: Bool {
    spans.contains { if case .secret = $0.kind { true } else { false } }
  }

  package var isFresh: Bool {
    spans.contains { if case .origin = $0.kind { true } else { false } }
  }

  /// The origin, when one covers the whole text.
  package var wholeOrigin: Origin? {
    for span in spans where span.range == 0..<string.utf8.count {
      if case .origin(let origin) = span.kind { return origin }
    }
    return nil
  }

  package mutating func append(_ other: Text) {
    let offset = string.utf8.count
    string += other.string
    for span in other.spans {
      let range = (span.range.lowerBound + offset)..<(span.range.upperBound + offset)
      spans.append(Span(range: range, kind: span.kind))
    }
  }

  package static func + (left: Text, right: Text) -> Text {
    var sum = left
    sum.append(right)
    return sum
  }

  /// The piece between two UTF-8 offsets with its marks; `nil` when an end lies strictly inside an origin span,
  /// since what stands there is not known.
  package func slice(_ range: Range<Int>) -> Text? {
    var kept: [Span] = []
    for span in spans where span.range.overlaps(range) {
      let clamped = span.range.clamped(to: range)
      if case .origin = span.kind, clamped != span.range { return nil }
      let moved = (clamped.lowerBound - range.lowerBound)..<(clamped.upperBound - range.lowerBound)
      kept.append(Span(range: moved, kind: span.kind))
    }
    let utf8 = string.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    let end = utf8.index(start, offsetBy: range.count)
    return Text(string: String(string[start..<end]), spans: kept)
  }

  /// The same text, secret from end to end.
  ///
  /// A text that one secret covers already keeps that name; an empty text stays.
  package func marked(secret name: String) -> Text {
    let whole = 0..<string.utf8.count
    guard !whole.isEmpty else { return self }
    var origins: [Span] = []
    for span in spans {
      switch span.kind {
      case .secret where span.range == whole: return self
      case .secret: break
      case .origin: origins.append(span)
      }
    }
    return Text(string: string, spans: [Span(range: whole, kind: .secret(name: name))] + origins)
  }

  /// The same text without secret marks; origins stay.
  ///
  /// Only for what ends secrecy by definition, like `s256`.
  package func unmarked() -> Text {
    Text(string: string, spans: spans.filter { if case .origin = $0.kind { true } else { false } })
  }
}
