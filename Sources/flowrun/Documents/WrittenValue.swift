import Expressions
import FlowEngine
import FlowInterpreter
import JSONSyntax

extension ObjectType.Field {
  /// A value as people write it: text as it is, anything else as JSON has it; `nil` when it does not fit.
  func value(written text: String) -> Value? {
    var value = Value.string(text)
    if ![.string, .timestamp, .duration].contains(type) {
      guard let node = try? JSONParser.parse(Array(text.utf8), as: .document), node.duplicateMembers().isEmpty else {
        return nil
      }
      value = Value(body: node)
    }
    return given(value)
  }
}

extension ValueType {
  /// How a value of it is written, `nil` for text.
  var hint: String? {
    switch self {
    case .timestamp: "write it like 2026-01-01T09:00:00Z"
    case .duration: "write a number and a unit, such as 30s, 10m or 1h30m"
    case .bool: "true or false"
    case .int: "a whole number"
    case .double: "a number"
    case .string: nil
    case .list: "a list in [ ], as JSON has it"
    case .map, .object: "an object in { }, as JSON has it"
    default: "write it as JSON"
    }
  }
}
