/// A string whose spans remember two things apart: that they are secret, and that they come from a fresh value.
///
/// Equality of authors' strings is equality of `string` by Unicode scalars; `Hashable` here compares spans too.
@usableFromInline
package struct Text: Sendable, Hashable {
  package struct Span: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// Never shown; `name` is what the alias is made from: the key, field or member that marked it.
      case secret(name: String)
      /// Not known before the run; the text of the span is always what `origin` gives.
      case origin(Origin)
      /// Made by `s256` of a secret: none itself, but not shown, since a short code could be found out from it.
      case digest(of: Text)
      /// Was fresh in an earlier session, as `name`: no secret, but not shown, since nobody could guess it.
      case kept(name: String)
    }

    /// UTF-8 offsets into `string`.
    package var range: Range<Int>
    package var kind: Kind

    package init(range: Range<Int>, kind: Kind) {
      (self.range, self.kind) = (range, kind)
    }

    /// The same so many bytes further on.
    package func moved(by offset: Int) -> Span {
      Span(range: range.lowerBound + offset..<range.upperBound + offset, kind: kind)
    }

    fileprivate var place: (Int, Int, Int) {
      let rank = if case .secret = kind { 0 } else { 1 }
      return (range.lowerBound, range.upperBound, rank)
    }
  }

  /// What is fresh from end to end is kept without its string, which few ever look at; each text has one form only.
  @usableFromInline
  enum Form: Sendable {
    case plain(Plain)
    case whole(Whole)
    /// There are spans, and they are more than a whole origin and a whole secret.
    case mixed(Mixed)
  }

  /// Kept apart, so that a text is one reference: it is copied far more often than it is looked into.
  @usableFromInline
  final class Plain: Sendable {
    @usableFromInline let string: String
    /// In bytes of UTF-8.
    let length: Int
    /// Whether something may stand under a name in it: see `NamedPlaces`.
    let mayName: Bool
    let endsInBracket: Bool
    static let empty = Plain("")

    @usableFromInline
    init(_ string: String) {
      self.string = string
      length = string.utf8.count
      mayName = NamedPlaces.mayStand(in: string)
      endsInBracket = string.endsInBracket
    }

    /// What is cut out of another: where nothing may stand under a name, nothing may in a piece of it.
    init(_ piece: String, of other: Plain) {
      string = piece
      length = piece.utf8.count
      mayName = other.mayName && NamedPlaces.mayStand(in: piece)
      endsInBracket = piece.endsInBracket
    }

    @inline(__always)
    func isSame(as other: Plain) -> Bool {
      self === other || (length == other.length && string.isSame(as: other.string))
    }
  }

  @usableFromInline
  final class Whole: Sendable {
    let origin: Origin
    let secret: String?
    /// Of the origin, worked out once: it is looked for often, and weighed with all that holds it.
    @usableFromInline let digest: Int
    let burden: Burden

    init(_ origin: Origin, secret: String?) {
      (self.origin, self.secret) = (origin, secret)
      digest = origin.digest
      burden = Burden(of: origin, isSecret: secret != nil)
    }

    /// The same text under another mark.
    init(_ other: Whole, secret: String?) {
      origin = other.origin
      self.secret = secret
      digest = other.digest
      burden = other.burden.marked(from: other.secret != nil, to: secret != nil) ?? Burden(of: origin, isSecret: false)
    }
  }

  @usableFromInline
  final class Mixed: Sendable {
    let string: String
    let spans: [Span]
    let burden: Burden

    init(_ string: String, _ spans: [Span]) {
      (self.string, self.spans) = (string, spans)
      burden = Burden(of: string, spans)
    }
  }

  @usableFromInline private(set) var form: Form

  package init(_ plain: String) { form = Self.form(plain) }

  package init(string: String, spans: [Span]) {
    let sorted = spans.count < 2 ? spans : spans.sorted { $0.place < $1.place }
    form = Self.form(string, sorted)
  }

  /// A piece of a plain text.
  init(_ piece: String, of plain: Plain) { form = .plain(piece.isEmpty ? .empty : Plain(piece, of: plain)) }

  /// A text that is one origin from end to end.
  package init(origin: Origin, secret: String? = nil) { form = .whole(Whole(origin, secret: secret)) }

  init(_ whole: Whole) { form = .whole(whole) }

  /// Of a plain string; the empty one is made once.
  private static func form(_ plain: String) -> Form { .plain(plain.isEmpty ? .empty : Plain(plain)) }

  private static func form(_ string: String, _ spans: [Span]) -> Form {
    guard let last = spans.last else { return form(string) }
    let whole = 0..<string.utf8.count
    if last.range == whole, case .origin(let origin) = last.kind {
      if spans.count == 1 { return .whole(Whole(origin, secret: nil)) }
      if spans.count == 2, spans[0].range == whole, case .secret(let name) = spans[0].kind {
        return .whole(Whole(origin, secret: name))
      }
    }
    return .mixed(Mixed(string, spans))
  }

  package var string: String {
    switch form {
    case .plain(let plain): plain.string
    case .whole(let whole): whole.origin.string
    case .mixed(let mixed): mixed.string
    }
  }

  /// In order of their start, a secret before an origin at the same place.
  ///
  /// Secret spans do not overlap one another, nor do origin spans; a secret span and an
  /// origin span may.
  package var spans: [Span] {
    switch form {
    case .plain: return []
    case .whole(let whole):
      let range = 0..<whole.origin.string.utf8.count
      let origin = Span(range: range, kind: .origin(whole.origin))
      return whole.secret.map { [Span(range: range, kind: .secret(name: $0)), origin] } ?? [origin]
    case .mixed(let mixed): return mixed.spans
    }
  }

  package mutating func append(_ other: Text) {
    if isEmpty {
      self = other
    } else if other.isEmpty {
      return
    } else if case .plain(let left) = form, case .plain(let right) = other.form {
      form = .plain(Plain(left.string + right.string))
    } else {
      let left = string
      let offset = left.utf8.count
      form = .mixed(Mixed(left + other.string, spans + other.spans.map { $0.moved(by: offset) }))
    }
  }

  package static func + (left: Text, right: Text) -> Text {
    var sum = left
    sum.append(right)
    return sum
  }

  /// The piece between two UTF-8 offsets with its marks; `nil` when an end lies strictly inside an origin span,
  /// since what stands there is not known.
  package func slice(_ range: Range<Int>) -> Text? { slice(range, of: spans) }

  /// The same for pieces in order that do not overlap, in one pass over the spans.
  func slices(_ ranges: [Range<Int>]) -> [Text?] {
    let spans = spans
    var (open, next) = ([Span](), 0)
    return ranges.map { range in
      open.removeAll { $0.range.upperBound <= range.lowerBound }
      while next < spans.count, spans[next].range.lowerBound < range.upperBound {
        open.append(spans[next])
        next += 1
      }
      return slice(range, of: open)
    }
  }

  /// Where no other span lies in it.
  private func slice(_ range: Range<Int>, of spans: [Span]) -> Text? {
    var kept: [Span] = []
    for span in spans where span.range.overlaps(range) {
      let clamped = span.range.clamped(to: range)
      if case .origin = span.kind, clamped != span.range { return nil }
      let moved = (clamped.lowerBound - range.lowerBound)..<(clamped.upperBound - range.lowerBound)
      kept.append(Span(range: moved, kind: span.kind))
    }
    let string = string
    let utf8 = string.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    let end = utf8.index(start, offsetBy: range.count)
    return Text(string: String(string[start..<end]), spans: kept)
  }
}
