import Expressions

/// The types that documents name.
enum TypeName {
  static let words = types.map(\.key)

  private static let types: KeyValuePairs<String, ValueType> = [
    "string": .string, "bool": .bool, "int": .int, "double": .double, "timestamp": .timestamp, "duration": .duration,
    "json": .dyn, "list": .list(.dyn), "map": .map(key: .string, value: .dyn),
  ]

  static func type(_ declaration: Declaration?) -> ValueType? {
    declaration?.string.flatMap { word in types.first { $0.key == word }?.value }
  }
}
