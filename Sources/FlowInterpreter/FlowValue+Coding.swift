import Expressions

/// A value as what it is in JSON, and in what else has its kinds of values: who encodes one shows its secrets.
///
/// An instant is written as text by RFC 3339, a duration as documents write it, `90s`; both are read as the text that they
/// are, which the flow takes for an instant or a duration where it has one.
extension FlowValue: Codable {
  /// Takes what stands there: a number without a fraction as an `int` where it is one of 64 bits.
  /// - Throws: `DecodingError` where it is none of JSON's values.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let int = try? container.decode(Int64.self) {
      self = .int(int)
    } else if let double = try? container.decode(Double.self) {
      self = .double(double)
    } else if let string = try? container.decode(String.self) {
      self = .string(string)
    } else if let list = try? container.decode([FlowValue].self) {
      self = .list(list)
    } else {
      self = .map(try container.decode([String: FlowValue].self))
    }
  }

  /// Writes what it is.
  /// - Throws: `EncodingError` where it is an instant outside the years 1 to 9999, or what the encoder cannot write, as
  ///   JSON has no infinite numbers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .int(let value): try container.encode(value)
    case .double(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .instant(let time):
      guard let instant = Timestamp(sinceEpoch: time) else {
        let context = EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: "the instant is outside the years 1 to 9999")
        throw EncodingError.invalidValue(self, context)
      }
      try container.encode(instant.text)
    case .duration(let value): try container.encode(value.text)
    case .list(let elements): try container.encode(elements)
    case .map(let members): try container.encode(members)
    }
  }
}
