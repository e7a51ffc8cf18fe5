import Expressions

/// The types that documents name.
enum TypeName: String, Sendable, CaseIterable {
  case string, bool, int, double, timestamp, duration, json, list, map

  static let words = allCases.map(\.rawValue)

  var type: ValueType {
    switch self {
    case .string: .string
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .timestamp: .timestamp
    case .duration: .duration
    case .json: .dyn
    case .list: .list(.dyn)
    case .map: .map(key: .string, value: .dyn)
    }
  }
}
