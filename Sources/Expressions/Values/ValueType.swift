/// What an expression can be, as far as it is known before anything runs.
package indirect enum ValueType: Sendable, Hashable {
  case null, bool, int, double, string, timestamp, duration
  /// Raw JSON: looked at while running; `.?` on what is no map finds nothing.
  case dyn
  case list(ValueType)
  /// A map; tables are maps from `string` to an object.
  case map(key: ValueType, value: ValueType)
  /// Declared fields; an undeclared one is an error with the nearest name.
  case object(ObjectType)
  case optional(ValueType)
}

/// The declared fields of a root variable, a table's rows, an event.
package struct ObjectType: Sendable, Hashable {
  package struct Field: Sendable, Hashable {
    package var name: String
    package var type: ValueType
    /// May read as `null`: an unset scalar, timestamp or duration.
    ///
    /// `has()` and `.?` then find nothing.
    package var isNullable: Bool
    /// The name its values are marked secret under, `nil` for none.
    package var secret: String?
    /// The only strings it can hold ("one of"), `nil` for any.
    package var allowed: [String]?
    /// What people read instead of the name, `nil` where nobody wrote it.
    package var title: String?

    package init(
      name: String, type: ValueType, isNullable: Bool = true, secret: String? = nil, allowed: [String]? = nil,
      title: String? = nil
    ) {
      (self.name, self.type, self.isNullable, self.secret, self.allowed) = (name, type, isNullable, secret, allowed)
      self.title = title
    }

    /// Whether a text is one that it can hold.
    package func allows(_ text: Text) -> Bool {
      guard let allowed else { return true }
      let string = text.string
      return allowed.contains { $0.isSame(as: string) }
    }
  }

  /// How a message calls it: "store", "a row of users", "event user.registers".
  package let title: String
  package let fields: [Field]
  /// Where each stands; `nil` where they are so few that one is found faster by looking at them.
  private let places: [String: Int]?

  package init(title: String, fields: [Field]) {
    (self.title, self.fields) = (title, fields)
    let isLong = fields.count > 32
    places = isLong ? Dictionary(fields.indices.map { (fields[$0].name, $0) }) { first, _ in first } : nil
  }

  package func index(of name: String) -> Int? {
    if let places { return places[name] }
    return fields.indices.first { fields[$0].name == name }
  }
}
