extension ValueType {
  /// How a message calls it.
  package var title: String {
    switch self {
    case .null, .bool, .int, .double, .string, .timestamp, .duration: shape.title
    case .dyn: "any value"
    case .list(.dyn): "list"
    case .list(let element): "list of \(element.title)"
    case .map(_, .object(let row)): row.title.replacing("a row of", with: "table")
    case .map(.dyn, .dyn): "map"
    case .map(let key, let value): "map from \(key.title) to \(value.title)"
    case .object(let object): object.title
    case .optional(.dyn): "optional value"
    case .optional(let wrapped): "optional \(wrapped.title)"
    }
  }

  /// Whether a value of both types can exist; `dyn` may be anything.
  func isCompatible(with other: ValueType) -> Bool {
    switch (self, other) {
    case (.dyn, _), (_, .dyn): true
    case (.list(let left), .list(let right)): left.isCompatible(with: right)
    case (.optional(let left), .optional(let right)): left.isCompatible(with: right)
    case (.map(let leftKey, let left), .map(let rightKey, let right)):
      leftKey.isCompatible(with: rightKey) && left.isCompatible(with: right)
    // A row is the map of its fields.
    case (.object, .map(let key, _)), (.map(let key, _), .object): key.isCompatible(with: .string)
    // CEL's timestamps and durations are messages, which null may stand for.
    case (.null, .timestamp), (.null, .duration), (.timestamp, .null), (.duration, .null): true
    default: self == other
    }
  }

  /// The narrowest type that holds both.
  func joined(with other: ValueType) -> ValueType {
    switch (self, other) {
    case (.list(let left), .list(let right)): .list(left.joined(with: right))
    case (.optional(let left), .optional(let right)): .optional(left.joined(with: right))
    case (.map(let leftKey, let left), .map(let rightKey, let right)):
      .map(key: leftKey.joined(with: rightKey), value: left.joined(with: right))
    case (.null, .timestamp), (.null, .duration): other
    case (.timestamp, .null), (.duration, .null): self
    default: self == other ? self : .dyn
    }
  }

  /// Whether a value of this type can hold a string, and with it a secret.
  var carriesText: Bool {
    switch self {
    case .string, .dyn, .list, .map, .object, .optional: true
    case .null, .bool, .int, .double, .timestamp, .duration: false
    }
  }

  var isCollection: Bool {
    switch self {
    case .list, .map, .dyn: true
    default: false
    }
  }

  var shape: Shape {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .string: .string
    case .timestamp: .timestamp
    case .duration: .duration
    case .dyn: .any
    case .list: .list
    case .map, .object: .map
    case .optional: .optional
    }
  }
}

/// A set of kinds of values, as a function takes them.
struct Shape: OptionSet, Sendable {
  let rawValue: Int

  static let null = Shape(rawValue: 1)
  static let bool = Shape(rawValue: 2)
  static let int = Shape(rawValue: 4)
  static let double = Shape(rawValue: 8)
  static let string = Shape(rawValue: 16)
  static let timestamp = Shape(rawValue: 32)
  static let duration = Shape(rawValue: 64)
  static let list = Shape(rawValue: 128)
  static let map = Shape(rawValue: 256)
  static let optional = Shape(rawValue: 512)
  static let any = Shape(rawValue: 1023)
  static let scalar: Shape = [.bool, .int, .double, .string, .timestamp, .duration]
  /// What can be the key of a map.
  static let key: Shape = [.bool, .int, .string]

  private static let titles: [(Shape, String)] = [
    (.null, "null"), (.bool, "bool"), (.int, "int"), (.double, "double"), (.string, "string"),
    (.timestamp, "timestamp"), (.duration, "duration"), (.list, "list"), (.map, "map"), (.optional, "optional"),
  ]

  /// How a message calls it: "string, list or map".
  var title: String {
    let names = Self.titles.filter { contains($0.0) }.map(\.1)
    guard let last = names.last, names.count > 1 else { return names.first ?? "nothing" }
    return names.dropLast().joined(separator: ", ") + " or " + last
  }
}

extension Value {
  /// What it is, for messages: `string`, `list`.
  package var kindName: String { shape.title }

  var shape: Shape { type.shape }

  /// As far as it shows without a look into it.
  var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .string: .string
    case .timestamp: .timestamp
    case .duration: .duration
    case .list: .list(.dyn)
    case .map: .map(key: .dyn, value: .dyn)
    case .optional: .optional(.dyn)
    }
  }
}

extension String {
  /// "an int", "a string", "null".
  package var withArticle: String {
    if self == "null" || hasPrefix("a ") { return self }
    return (first.map { "aeiou".contains($0) } == true ? "an " : "a ") + self
  }
}
