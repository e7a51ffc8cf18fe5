/// A value of the expression language: CEL's values, with strings that know where their secrets and fresh parts stand.
///
/// `Hashable` compares everything, marks and origins included, as snapshots need it. What an author's `==` means is
/// `celEquals(_:)`.
@usableFromInline
package enum Value: Sendable, Hashable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case string(Text)
  // Behind a reference each: both are wider than all others, and rare.
  indirect case timestamp(Timestamp)
  indirect case duration(Duration)
  case list([Value])
  case map(ValueMap)
  /// A CEL optional: `optional.of(…)`, and with `nil` `optional.none()`.
  indirect case optional(Value?)
}

extension Value {
  /// A plain string: no secret, nothing fresh.
  package static func string(_ plain: String) -> Value { .string(Text(plain)) }

  /// The text, when this is a string.
  package var text: Text? {
    if case .string(let text) = self { text } else { nil }
  }

  @inlinable package var isNull: Bool { if case .null = self { true } else { false } }

  var isOptional: Bool { if case .optional = self { true } else { false } }
}
