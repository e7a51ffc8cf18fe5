/// What may stand at a place of a document.
indirect enum Shape: Sendable {
  /// A plain string.
  case text
  /// A string that is not empty: what something is called.
  case label
  /// A string that names something declared elsewhere.
  case name
  /// A string with a CEL expression.
  case expression
  /// A string that may contain `${…}`.
  case template
  /// A string such as `30s`, `1h30m` or `3d`.
  case duration
  case flag
  case whole
  case number
  /// Any JSON; its strings are templates or data, as its place says.
  case value
  case object(Kind)
  /// An object whose member `kind` says what it is.
  case participant
  case list(Shape)
  /// One, or a list of them; read as a list either way.
  case oneOrMore(Shape)
  /// An object whose members are names that the author chooses.
  case map(Shape)
  case textOr(Kind)
  case trueOr(Kind)
  /// One of these words.
  case word([String])
}

extension Shape {
  /// What a message says is expected here.
  var description: String {
    switch self {
    case .text, .template, .label: "a string"
    case .name: "a name (a string)"
    case .expression: "an expression (a string)"
    case .duration: "a duration (a string such as \"30s\")"
    case .flag: "true or false"
    case .whole: "a whole number"
    case .number: "a number"
    case .value: "any value"
    case .object, .participant: "an object"
    case .list: "a list"
    case .oneOrMore(let shape): "\(shape.description), or a list of them"
    case .map: "an object of names"
    case .textOr: "a string or an object"
    case .trueOr: "true or an object"
    case .word(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
    }
  }
}

/// The members of one kind of object; an object itself, because it is looked at for every object of a document.
final class Grammar: Sendable {
  /// How a message calls such an object: "a state".
  let title: String
  /// In the order in which the guide lists them; `note`, `ref`, `title` and `despite` come on top.
  var members: [(name: String, shape: Shape)] {
    var members = own.map { (name: $0.key, shape: $0.value) }
    for common in Self.common where !own.contains(where: { $0.key == common.key }) {
      members.append((name: common.key, shape: common.value))
    }
    return members
  }
  private let own: KeyValuePairs<String, Shape>
  let required: [String]
  /// Groups of members of which exactly one stands there.
  let exactlyOne: [[String]]
  /// Groups of members of which at most one stands there.
  let atMostOne: [[String]]
  /// Both: groups of members that cannot stand together.
  let groups: [[String]]
  /// The same as sets of bits, each member's at its place.
  private let requiredBits: UInt64
  private let groupBits: [UInt64]

  init(
    _ title: String, _ members: KeyValuePairs<String, Shape>, required: [String] = [],
    exactlyOne: [[String]] = [], atMostOne: [[String]] = []
  ) {
    (self.title, own, self.required) = (title, members, required)
    (self.exactlyOne, self.atMostOne) = (exactlyOne, atMostOne)
    groups = exactlyOne + atMostOne
    assert(
      members.count + Self.common.count <= 64
        && (required + groups.joined()).allSatisfy { name in members.contains { $0.key == name } },
      "Each member has a bit, and what is needed or conflicts is a member.")
    func bits(_ names: [String]) -> UInt64 {
      members.enumerated().reduce(0) { names.contains($1.element.key) ? $0 | 1 << UInt64($1.offset) : $0 }
    }
    requiredBits = bits(required)
    groupBits = groups.map(bits)
  }

  /// What may stand on any object that the language defines.
  static let common: KeyValuePairs<String, Shape> = [
    "title": .text, "note": .text, "ref": .oneOrMore(.text), "despite": .map(.text),
  ]

  /// What may stand there as a member of this name, and the member's bit.
  func member(_ name: String) -> (shape: Shape, bit: UInt64)? {
    for index in own.indices where own[index].key == name { return (own[index].value, 1 << UInt64(index)) }
    for index in Self.common.indices where Self.common[index].key == name {
      return (Self.common[index].value, 1 << UInt64(own.count + index))
    }
    return nil
  }

  func shape(of name: String) -> Shape? { member(name)?.shape }

  /// Whether everything that is needed is among the members with these bits.
  func isComplete(_ members: UInt64) -> Bool {
    members & requiredBits == requiredBits && groupBits.prefix(exactlyOne.count).allSatisfy { $0 & members != 0 }
  }

  /// Whether some of the members with these bits cannot stand together.
  func hasConflict(_ members: UInt64) -> Bool { groupBits.contains { ($0 & members).nonzeroBitCount > 1 } }
}

extension Kind {
  /// The members of this kind of object, each kind's made once.
  var grammar: Grammar {
    guard let index = Self.all.firstIndex(of: self) else { preconditionFailure("Every kind of object has a grammar.") }
    return Self.grammars[index]
  }

  private static let all = Kind.allCases
  private static let grammars = all.map(\.definition)

  private var definition: Grammar {
    machineGrammar ?? activityGrammar ?? actionGrammar ?? serviceGrammar ?? scenarioGrammar ?? participantGrammar
  }
}
