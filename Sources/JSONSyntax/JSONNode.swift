/// A JSON value with the place where it stands in its document.
package struct JSONNode: Sendable {
  package enum Kind: Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits; `-0` is 0.
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSONNode])
    /// Members in document order; a name may stand twice, see `duplicateMembers()`.
    case object([JSONMember])
    /// A whole number beyond 64 bits, in documents only; in bodies it is a `double`.
    case wholeNumberTooLarge
  }

  package let kind: Kind
  private let place: Place

  /// UTF-8 byte offsets in the document.
  package var range: Range<Int> { place.range }

  package init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    place = Place(range)
  }
}

/// A member of an object.
package struct JSONMember: Sendable {
  package let name: String
  private let place: Place
  package let value: JSONNode

  /// UTF-8 byte offsets of the name, its quotes included.
  package var nameRange: Range<Int> { place.range }

  package init(name: String, nameRange: Range<Int>, value: JSONNode) {
    self.name = name
    place = Place(nameRange)
    self.value = value
  }
}

/// A range in half its size: no text that is read has gigabytes, and trees are made of them.
private struct Place: Sendable {
  private let start: UInt32
  private let end: UInt32

  init(_ range: Range<Int>) {
    start = UInt32(clamping: range.lowerBound)
    end = UInt32(clamping: range.upperBound)
  }

  var range: Range<Int> { Int(start)..<Int(end) }
}

extension JSONNode {
  package var isNull: Bool { if case .null = kind { true } else { false } }
}
