import Expressions
import FlowEngine

/// A value that goes into a flow or comes out of it.
///
/// It is the real one: what a flow calls secret is hidden in traces only.
public enum FlowValue: Sendable, Hashable {
  /// Nothing is set or given.
  case null
  /// True or false.
  case bool(Bool)
  /// A whole number; taken for a `double` too.
  case int(Int64)
  /// A finite number that may have a fraction; none that has one is taken for an `int`.
  case double(Double)
  /// A text; taken for an instant too (RFC 3339), and for a duration as documents write it: `90s`, `3d`.
  case string(String)
  /// An instant, as the time since 1970-01-01T00:00:00Z.
  case instant(Duration)
  /// A span of time, of 292 years at most.
  case duration(Duration)
  /// Values in order.
  case list([FlowValue])
  /// Members by name.
  ///
  /// A flow tells names apart by their scalars, `String` only where these are not canonically equivalent: "é" in one scalar
  /// and "é" in two are one name here. Of two such members of a flow's map only one comes out.
  case map([String: FlowValue])
}

/// What it is, for who knows what to expect.
extension FlowValue {
  /// The text, `nil` where it is no `string`.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// Whether it is true, `nil` where it is no `bool`.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The whole number, `nil` where it is no `int`: a `double` without a fraction is none.
  public var int: Int64? { if case .int(let value) = self { value } else { nil } }
  /// The number, `nil` where it is no `double`: an `int` is none.
  public var double: Double? { if case .double(let value) = self { value } else { nil } }
  /// The time since 1970-01-01T00:00:00Z, `nil` where it is no `instant`.
  public var instant: Duration? { if case .instant(let value) = self { value } else { nil } }
  /// The span of time, `nil` where it is no `duration`.
  public var duration: Duration? { if case .duration(let value) = self { value } else { nil } }
  /// The values in order, `nil` where it is no `list`.
  public var list: [FlowValue]? { if case .list(let value) = self { value } else { nil } }
  /// The members by name, `nil` where it is no `map`.
  public var map: [String: FlowValue]? { if case .map(let value) = self { value } else { nil } }
}

extension FlowValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// True or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A number with a fraction.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Null.
  public init(nilLiteral: ()) { self = .null }
  /// A list.
  public init(arrayLiteral elements: FlowValue...) { self = .list(elements) }
  /// A map; of what stands under one name twice it has the last.
  public init(dictionaryLiteral members: (String, FlowValue)...) {
    self = .map(Dictionary(members, uniquingKeysWith: { $1 }))
  }
}

extension FlowValue {
  package init(_ value: Expressions.Value) {
    self =
      switch value {
      case .null, .optional(nil): .null
      case .bool(let value): .bool(value)
      case .int(let value): .int(value)
      case .double(let value): .double(value)
      case .string(let text): .string(text.string)
      case .timestamp(let instant): .instant(instant.sinceEpoch)
      case .duration(let duration): .duration(duration)
      case .optional(let value?): FlowValue(value)
      case .list(let elements): .list(elements.map(FlowValue.init))
      case .map(let map):
        .map(
          Dictionary(map.entries.map { ($0.key.scalarText ?? "", FlowValue($0.value)) }, uniquingKeysWith: { $1 }))
      }
  }

  /// `nil` for what is no finite number, an instant outside the years 1 to 9999, a duration of more than 292 years, and what is
  /// deeper than a value may be.
  var value: Expressions.Value? { value(within: Expressions.Value.mostDepth) }

  private func value(within levels: Int) -> Expressions.Value? {
    if levels < 0 { return nil }
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .int(let value): return .int(value)
    // Requests and stores are JSON, which has no others.
    case .double(let value): return value.isFinite ? .double(value) : nil
    case .string(let value): return .string(value)
    case .instant(let time): return Timestamp(sinceEpoch: time).map { .timestamp($0) }
    case .duration(let value): return value.isInRange ? .duration(value) : nil
    case .list(let elements):
      let values = elements.compactMap { $0.value(within: levels - 1) }
      return values.count == elements.count ? .list(values) : nil
    case .map(let members):
      var map = ValueMap()
      // Maps iterate in key order.
      for (name, member) in members.sorted(by: {
        $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
      }) {
        guard let value = member.value(within: levels - 1) else { return nil }
        map[name] = value
      }
      return .map(map)
    }
  }
}

extension Timestamp {
  /// `nil` outside the years 1 to 9999.
  package init?(sinceEpoch time: Duration) {
    guard let instant = Timestamp.epoch.advanced(by: time) else { return nil }
    self = instant
  }

  package var sinceEpoch: Duration { since(.epoch) }
}
