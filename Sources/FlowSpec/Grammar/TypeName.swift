import Expressions

/// The types that documents name.
enum TypeName {
  static let words = types.map(\.key)

  private static let types: KeyValuePairs<String, ValueType> = [
    "string": .string, "bool": .bool, "int": .int, "double": .double, "timestamp": .timestamp, "duration": .duration,
    "json": .dyn, "list": .list(.dyn), "map": .map(key: .string, value: .dyn),
  ]

  /// What a type is called here that other languages know by another name.
  static func own(_ word: String) -> String? {
    switch word.lowercased() {
    case "boolean", "flag": "bool"
    case "integer", "int32", "int64", "long": "int"
    case "number", "float", "decimal": "double"
    case "date", "datetime", "date-time", "time", "instant": "timestamp"
    case "text", "str", "uri", "uuid": "string"
    case "array": "list"
    case "object", "dict", "dictionary": "map"
    case "any", "dyn": "json"
    default: nil
    }
  }

  static func type(_ declaration: Declaration?) -> ValueType? {
    declaration?.string.flatMap { word in types.first { $0.key == word }?.value }
  }
}
