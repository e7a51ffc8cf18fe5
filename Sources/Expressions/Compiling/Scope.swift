/// What names mean where an expression stands.
///
/// Names are resolved to slots of a `Frame` when compiling.
package struct Scope: Sendable {
  package struct Variable: Sendable {
    final class Identity: Sendable {}

    package let name: String
    /// An object's fields are the slots of its root; any other type is slot 0.
    package let type: ValueType
    /// Index into `Frame.roots`.
    package let root: Int
    /// Tells without a look into the type that two are copies of one.
    let identity = Identity()

    package init(name: String, type: ValueType, root: Int) {
      (self.name, self.type, self.root) = (name, type, root)
    }
  }

  /// Functions that only some places allow.
  package struct Abilities: OptionSet, Sendable, Hashable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// `fresh` and `newId`: in `set` and replies.
    package static let mint = Abilities(rawValue: 1)
    /// `jwt`: in services.
    package static let jwt = Abilities(rawValue: 2)
    /// `int(timestamp)`: in replies.
    package static let epochSeconds = Abilities(rawValue: 4)
    /// Both that replies have, which a service's own `jwt` comes on top of.
    package static let ofReplies = Abilities(rawValue: 5)
    static let all: Abilities = [.ofReplies, .jwt]
  }

  package var variables: [Variable]
  /// Named expressions.
  package var lets: [String: Let]
  /// Names that exist elsewhere, with the sentence that says where: `event` → "only in the transitions of an event".
  package var elsewhere: [String: String]
  package var abilities: Abilities
  /// In the brackets of what a `set` or `clear` names.
  package var isInBrackets = false

  /// Whether a text, all of it, is an expression of something here: a member or a call, not a name or a value alone, nor
  /// sums that nobody would leave to an expression, `int(3)`.
  func isMeant(by text: String) -> Bool {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "(") }),
      names(somethingIn: Array(text.utf8))
    else { return false }
    var scope = self
    scope.abilities = .all
    guard let meant = try? Expression.compile(text, in: scope) else { return false }
    return !meant.isConstant || text.contains { $0 == "'" || $0 == "\"" }
  }

  /// Told at a glance: a name that is known here stands before a dot or a bracket.
  private func names(somethingIn bytes: [UInt8]) -> Bool {
    bytes.indices.contains { end in
      guard bytes[end] == UInt8(ascii: ".") || bytes[end] == UInt8(ascii: "("), end > 0,
        bytes[end - 1].isIdentifierPart
      else { return false }
      let start = bytes[..<end].lastIndex { !$0.isIdentifierPart }.map { $0 + 1 } ?? 0
      let name = String(decoding: bytes[start..<end], as: UTF8.self)
      if bytes[end] == UInt8(ascii: "(") { return Function.called.contains(name) }
      return variables.contains { $0.name == name } || lets[name] != nil
    }
  }

  package init(
    variables: [Variable], lets: [String: Let] = [:], elsewhere: [String: String] = [:], abilities: Abilities = []
  ) {
    (self.variables, self.lets, self.elsewhere, self.abilities) = (variables, lets, elsewhere, abilities)
  }
}
