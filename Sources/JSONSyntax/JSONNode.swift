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
  /// UTF-8 byte offsets in the document.
  package let range: Range<Int>

  package init(kind: Kind, range: Range<Int>) {
    self.kind = kind
    self.range = range
  }
}

/// A member of an object.
package struct JSONMember: Sendable {
  package let name: String
  /// UTF-8 byte offsets of the name, its quotes included.
  package let nameRange: Range<Int>
  package let value: JSONNode

  package init(name: String, nameRange: Range<Int>, value: JSONNode) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
  }
}
