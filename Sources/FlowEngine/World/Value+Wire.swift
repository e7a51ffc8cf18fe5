import Expressions
import FlowSpec
import JSONSyntax

extension Value {
  /// A text of an address as a declared field reads it; null when it is none of its type.
  package func read(as type: ValueType) -> Value {
    switch type {
    case .bool: read { ["true": .bool(true), "false": .bool(false)][$0] }
    case .int, .double: read { Value.number($0, as: type) }
    case .timestamp: read { Timestamp(text: $0).map { .timestamp($0) } }
    case .duration: read { Duration(celText: $0, allowingDays: true).map { .duration($0) } }
    default: self
    }
  }

  private func read(_ parse: (String) -> Value?) -> Value {
    guard let text = text?.string else { return self }
    return parse(text) ?? .null
  }

  /// A number as JSON writes it (RFC 8259, section 6), and finite.
  private static func number(_ text: String, as type: ValueType) -> Value? {
    guard let node = try? JSONParser.parse(Array(text.utf8), as: .body), node.range.count == text.utf8.count else {
      return nil
    }
    var value = Value(body: node)
    if case .double(let number) = value, !number.isFinite { return nil }
    return value.fit(type) ? value : nil
  }
}
