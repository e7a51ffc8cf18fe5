import Expressions
import FlowEngine
import FlowSpec

/// The values that come with something that a flow tells, by name, and which of them are secret.
///
/// They are the real ones. `description` hides those that are secret, so that who logs all that comes with a screen
/// leaks none; a value that is taken out of them hides nothing.
public struct FlowFields: Sendable, ExpressibleByDictionaryLiteral {
  /// All of them by name.
  public let values: [String: FlowValue]
  /// The names of those that the flow declares as secret, and of those in which some text is.
  ///
  /// A text is where the flow says so of what it was made from: a key, a field, a member of an answer. Numbers and bools are
  /// secret only in what is declared so, and where they still stand under a name that is secret in JSON.
  public let secrets: Set<String>

  /// Values of which none is secret, to hold others against; of what stands under one name twice it has the last.
  public init(dictionaryLiteral members: (String, FlowValue)...) {
    (values, secrets) = (Dictionary(members, uniquingKeysWith: { $1 }), [])
  }

  /// Values as a session tells them, and the names of those that are secret: for previews, and to test what shows them.
  public init(_ values: [String: FlowValue], secrets: Set<String> = []) {
    (self.values, self.secrets) = (values, secrets)
  }

  /// `declared` is what the flow says of them, `nil` where it says nothing; `names` are those that are secret in JSON.
  init(_ fields: [NamedValue], declared: [FlowField]?, secretUnder names: Names) {
    values = Dictionary(fields.map { ($0.name, FlowValue($0.value)) }, uniquingKeysWith: { $1 })
    let hidden = Set((declared ?? []).filter(\.holdsSecrets).map(\.name))
    let secret = fields.filter {
      hidden.contains($0.name) || $0.value.holdsSecret
        || Expressions.Value.map(ValueMap(distinct: [$0])).hasScalar(under: names)
    }
    secrets = Set(secret.map(\.name))
  }

  /// The value of this name, `nil` where none is given.
  public subscript(name: String) -> FlowValue? { values[name] }
}

extension FlowFields: Hashable {
  /// Whether the values are equal: which are secret does not count.
  public static func == (one: FlowFields, other: FlowFields) -> Bool { one.values == other.values }

  /// The values alone.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

extension FlowFields: CustomStringConvertible, CustomReflectable {
  /// The values by name, with `••••••••` for those that are secret.
  public var description: String {
    let fields = values.sorted { $0.key < $1.key }
    return "[\(fields.map { "\($0): \(secrets.contains($0) ? hiddenText : "\($1)")" }.joined(separator: ", "))]"
  }

  /// Nothing but its `description`.
  public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
