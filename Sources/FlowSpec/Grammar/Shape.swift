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
  /// A whole number of these; what to do about another.
  case wholeIn(ClosedRange<Int64>, help: String)
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
  /// Whether names of such things are those of the flow: of data and of fields there may be any.
  var declares: Bool {
    switch self {
    case .value, .text, .template, .object(.field): false
    default: true
    }
  }

  /// Whether all that finds such things is that they have a name: what expressions read, and events, have names that are
  /// looked at where these are declared.
  var isFoundByName: Bool {
    switch self {
    case .participant, .list: true
    case .object(let kind): [.state, .subflow, .screen, .capability, .form, .pageLink, .mail].contains(kind)
    default: false
    }
  }

  /// The objects in it; `nil` where there are none.
  var kind: Kind? {
    switch self {
    case .object(let kind), .textOr(let kind), .trueOr(let kind): kind
    case .list(let shape), .oneOrMore(let shape), .map(let shape): shape.kind
    default: nil
    }
  }

  /// What a message says is expected here.
  var description: String {
    switch self {
    case .text, .template, .label: "a string"
    case .name: "a name (a string)"
    case .expression: "an expression (a string)"
    case .duration: "a duration (a string such as \"30s\")"
    case .flag: "true or false"
    case .whole, .wholeIn: "a whole number"
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
  /// Its members, in the order in which the guide lists them; `note`, `ref`, `title` and `despite` come on top.
  var names: [String] {
    let names = own.map(\.key)
    return names + Self.common.map(\.key).filter { !names.contains($0) }
  }
  private let own: KeyValuePairs<String, Shape>
  let required: [String]
  /// Groups of members of which exactly one stands there.
  let exactlyOne: [[String]]
  /// Groups of members of which one or more stand there.
  let atLeastOne: [[String]]
  /// Groups of members that cannot stand together, those among them.
  let groups: [[String]]
  /// The same as bits, since nearly every object is as it should be.
  private let requiredBits: UInt64
  private let neededBits: [UInt64]
  private let groupBits: [UInt64]

  init(
    _ title: String, _ members: KeyValuePairs<String, Shape>, required: [String] = [],
    exactlyOne: [[String]] = [], atLeastOne: [[String]] = [], atMostOne: [[String]] = []
  ) {
    (self.title, own, self.required) = (title, members, required)
    (self.exactlyOne, self.atLeastOne, groups) = (exactlyOne, atLeastOne, exactlyOne + atMostOne)
    func bits(_ names: [String]) -> UInt64 {
      names.reduce(0) { bits, name in bits | (members.firstIndex { $0.key == name }.map { 1 << UInt64($0) } ?? 0) }
    }
    requiredBits = bits(required)
    neededBits = (exactlyOne + atLeastOne).map(bits)
    groupBits = groups.map(bits)
    assert(members.count + Self.common.count <= 64, "There is a bit for each member.")
    assert(
      (required + (atLeastOne + groups).joined()).allSatisfy { name in members.contains { $0.key == name } },
      "What is needed or conflicts is a member.")
  }

  /// What may stand on any object that the language defines.
  static let common: KeyValuePairs<String, Shape> = [
    "title": .text, "note": .text, "ref": .oneOrMore(.text), "despite": .map(.text),
  ]

  /// What may stand there as a member of this name.
  func shape(of name: String) -> Shape? { member(name)?.shape }

  /// The same, with the bit of this member.
  func member(_ name: String) -> (shape: Shape, bit: UInt64)? {
    for index in own.indices where own[index].key == name { return (own[index].value, 1 << UInt64(index)) }
    let common = Self.common
    for index in common.indices where common[index].key == name {
      return (common[index].value, 1 << UInt64(own.count + index))
    }
    return nil
  }

  /// Whether an object with these members lacks one that it needs.
  func needsMore(than members: UInt64) -> Bool {
    members & requiredBits != requiredBits || neededBits.contains { members & $0 == 0 }
  }

  /// Whether some of these members cannot stand together.
  func hasConflict(among members: UInt64) -> Bool {
    groupBits.contains { (members & $0).nonzeroBitCount > 1 }
  }
}

extension Kind {
  /// The members of this kind of object; it is asked for more often than a dictionary would take lightly.
  var grammar: Grammar {
    guard let index = Self.all.firstIndex(of: self), let grammar = Self.inOrder[index] else {
      preconditionFailure("Every kind of object has a grammar.")
    }
    return grammar
  }

  private static let all = allCases
  private static let inOrder = all.map { kind in grammars.first { $0.key == kind }?.value }
}
