import Expressions
import JSONSyntax

extension DeclarationReader {
  mutating func wrongType(_ node: JSONNode, expected shape: Shape, named name: String) {
    let isTooLarge =
      switch (shape, node.kind) {
      case (_, .wholeNumberTooLarge): true
      case (.whole, .double(let number)): number.isBeyondWhole
      default: false
      }
    if isTooLarge {
      findings.error(
        "number-too-large", "\(name) is a whole number beyond 64 bits", at: site(node.range), "too large",
        help: Int64.boundsHelp + "; what need not be one is written as a string, or with a fraction")
      return
    }
    findings.error(
      "wrong-type", "\(name) takes \(shape.description), not \(node.description)", at: site(node.range),
      "this is \(node.description)", help: Self.help(for: node, expected: shape, named: name))
  }

  mutating func outOfRange(_ number: Declaration, _ range: ClosedRange<Int64>, named name: String, help: String) {
    let (least, most) = (range.lowerBound, range.upperBound)
    let words = most == .max ? "\(least) or more" : "from \(least) to \(most)"
    findings.error("wrong-number", "\(name) is \(words)", at: number.site, "out of range", help: help)
  }

  /// How what stands there is written where something else is expected.
  private static func help(for node: JSONNode, expected shape: Shape, named name: String) -> String {
    switch (shape, node.kind) {
    case (.template, .int(let number)) where name == "\"wait\"", (.duration, .int(let number)):
      number >= 1000 && number % 1000 == 0
        ? "write it with its unit: \"\(number / 1000)s\" where these are milliseconds, \"\(number)s\" where they are seconds"
        : "write it with its unit: \"\(number)s\""
    case (.flag, .string(let text)) where text == "true" || text == "false": "write \(text) without quotes"
    case (.flag, .string(let text)) where ["yes", "on", "True"].contains(text): "write true, without quotes"
    case (.flag, .string): "write true or false, without quotes"
    case (.whole, .string(let text)) where Int64(text) != nil: "write \(text) without quotes"
    case (.list(.object(.transition)), .object(let members)) where members.contains { $0.name.contains(".") }:
      "events stand in \"on\"; \"next\" lists transitions, of which the first that holds is taken at once, or at an answer"
    case (.map(.oneOrMore(.object(.transition))), .array):
      "write {\"user.does\": {\"goto\": …}}; what waits for no event stands in \"next\""
    case (.map(.object(.field)), .array(let names)):
      "write {\"\(names.lazy.compactMap(\.string).first ?? "name")\": {\"type\": \"string\"}}"
    case (.object(.configKey), .string(let text)) where !TypeName.words.contains(text):
      "write {\"type\": \"string\", \"value\": …} with this in its place"
    case (.object(let kind), .string(let text)) where kind.grammar.shape(of: "type") != nil:
      "write {\"type\": \"\(TypeName.words.contains(text) ? text : "string")\"}"
    case (.object(let kind), .int(let number))
    where (100...599).contains(number) && kind.grammar.shape(of: "status") != nil:
      "write {\"status\": \(number)}"
    case (.object(.request), .string): "write {\"to\": …, \"get\": \"/path\"}"
    case (.object(.step), .string(let text)) where Kind.step.grammar.shape(of: text) != nil: "write {\"\(text)\": true}"
    case (.object(.step), .string(let text)) where text.contains("."): "write {\"event\": …} with this in it"
    case (.list(.object(.timer)), .string): "write [{\"wait\": \"1h30m\", \"goto\": …}]"
    case (.map(.map(.value)), .string(let text)): "write {\"\(text)\": {}}"
    case (.list(.object(.transition)), .string(let text)): "write [{\"goto\": \"\(text.quotable)\"}]"
    case (.object(.transition), .string(let text)) where name.contains("\"sometimes\""):
      "write {\"name\": \"\(text.quotable)\", \"reply\": {\"status\": 503}}"
    case (.object(.transition), .string(let text)): "write {\"goto\": \"\(text.quotable)\"}"
    case (.list(.object(.step)), .object(let members)) where members.contains { $0.name == "script" }:
      "leave out all but the list under \"script\""
    case (.list, .string), (.list, .object): "put it in [ ]"
    case (.trueOr(.relaunch), .string(let text)):
      "write {\"after\": \"\(Duration(celText: text, allowingDays: true) == nil ? "1h30m" : text)\"}"
    case (.textOr(.condition), .bool(true)): "leave it out: without \"when\" it always holds"
    case (.textOr(.condition), .array): "write {\"all\": […]} or {\"any\": […]}"
    case (.oneOrMore, .object): "write one in its place, or some in [ ]"
    case (.word, _): "write one of \(shape.description)"
    default: "write \(shape.description) in its place"
    }
  }

  /// Reports an unknown member; the name that was meant, when that is plain and does not stand there too, so that one
  /// slip is not followed by complaints about what is missing.
  mutating func misspelt(_ member: JSONMember, in members: [JSONMember], of kind: Kind) -> String? {
    if findings.areFull { return nil }
    let grammar = kind.grammar
    let names = placed(grammar.names, of: kind)
    let help =
      Self.foreignHelp(member.name, of: names) ?? Self.eventHelp(member.name, of: grammar)
      ?? Self.fieldHelp(member, of: grammar) ?? Self.capabilityHelp(member, of: grammar)
      ?? Self.innerHelp(member.name, in: members, of: grammar) ?? outerHelp(member.name, of: kind)
    let nearest = help == nil ? nearestName(to: member.name, among: names) : nil
    findings.error(
      "unknown-member", "\(grammar.title) has no member \"\(member.name)\"", at: site(member.nameRange),
      "not a member of \(grammar.title)",
      help: help ?? nearest.map { "did you mean \"\($0)\"?" } ?? Self.nestedHelp(member.name, of: grammar)
        ?? "its members are \(names.joined(separator: ", "))",
      strange: nearest == nil ? member.name : nil)
    return members.contains { $0.name == nearest } ? nil : nearest
  }

  /// Those of these members that may stand in such a document: some are for flows alone, some for services.
  private func placed(_ names: [String], of kind: Kind) -> [String] {
    guard let purpose else { return names }
    let misplaced = MachineBuilder.misplaced(in: kind, of: purpose).members
    return names.filter { !misplaced.contains($0) }
  }

  private static func eventHelp(_ name: String, of grammar: Grammar) -> String? {
    guard name.contains(".") else { return nil }
    if grammar === Kind.step.grammar { return "write {\"event\": \"\(name)\"}" }
    return grammar === Kind.state.grammar ? "events stand in \"on\"" : nil
  }

  /// Where the fields stand of what has some.
  private static func fieldHelp(_ member: JSONMember, of grammar: Grammar) -> String? {
    guard case .object(let inner) = member.value.kind, inner.contains(where: { ["type", "one of"].contains($0.name) }),
      [Kind.event, .screen, .field].contains(where: { $0.grammar === grammar })
    else { return nil }
    return whereFieldsStand
  }

  /// What is given to a capability does not stand under its name, as what is given to a screen does.
  private static func capabilityHelp(_ member: JSONMember, of grammar: Grammar) -> String? {
    guard case .object = member.value.kind, grammar === Kind.perform.grammar else { return nil }
    return "write {\"capability\": \"\(member.name.quotable)\", \"with\": {…}}"
  }

  private static let whereFieldsStand =
    "events and screens have their fields in \"fields\", \"emits\" has them directly under each name"

  /// A member of an object that stands beside it.
  private static func innerHelp(_ name: String, in members: [JSONMember], of grammar: Grammar) -> String? {
    let owner = members.first { member in
      guard case .object = member.value.kind, let shape = grammar.shape(of: member.name) else { return false }
      switch shape {
      case .object(let kind), .textOr(let kind), .trueOr(let kind): return kind.grammar.shape(of: name) != nil
      default: return false
      }
    }
    return owner.map { "\"\(name)\" stands inside \"\($0.name)\"" }
  }

  /// A member of what may stand in such an object.
  private static func nestedHelp(_ name: String, of grammar: Grammar) -> String? {
    let holder = grammar.names.first { grammar.shape(of: $0)?.kind?.grammar.shape(of: name) != nil }
    return holder.map { "\"\(name)\" stands inside \"\($0)\"" }
  }

  /// A member of what may enclose such an object.
  private func outerHelp(_ name: String, of kind: Kind) -> String? {
    // A document is the last that is thought of, and only one that has such a member.
    let documents: [Kind] = purpose == .service ? [.service] : [.flow]
    let inner = Kind.allCases.filter { ![.flow, .subflow, .service].contains($0) }
    for outer in inner + (purpose == .service ? [] : [.subflow]) + documents {
      let grammar = outer.grammar
      guard grammar.shape(of: name) != nil else { continue }
      let holder = grammar.names.first { $0 != name && grammar.shape(of: $0)?.kind == kind }
      if let holder { return "\"\(name)\" stands beside \"\(holder)\", as a member of \(grammar.title)" }
    }
    return nil
  }

  /// What members are called here that other formats know by other names.
  private static func foreignHelp(_ name: String, of names: [String]) -> String? {
    let words: [([String], own: String, help: String)] = [
      (["body", "data", "payload"], "json", "a body is \"json\", \"form\" or \"text\""),
      (["method", "path", "url", "uri"], "post", "a request line is one member: \"get\": \"/path\""),
      (["if", "guard", "condition", "cond"], "when", "did you mean \"when\"?"),
      (["target", "to", "then", "go", "state"], "goto", "did you mean \"goto\"?"),
      (["actions", "action", "entry", "run"], "do", "did you mean \"do\"?"),
      (["times", "max", "attempts", "count"], "most", "did you mean \"most\"?"),
      (["transitions", "always"], "next", "did you mean \"next\"?"),
      (["events", "event"], "on", "did you mean \"on\"?"), (["final"], "end", "did you mean \"end\"?"),
      (["initial"], "start", "did you mean \"start\"?"), (["enum", "oneOf"], "one of", "did you mean \"one of\"?"),
      (["wait", "sleep", "after"], "advance", "did you mean \"advance\"?"),
      (["default", "value"], "initial", "did you mean \"initial\"?"),
      (["description", "comment", "$comment"], "note", "did you mean \"note\"?"),
      (["table", "columns"], "rows", "did you mean \"rows\"?"), (["input", "args"], "with", "did you mean \"with\"?"),
    ]
    return words.first { $0.0.contains(name) && names.contains($0.own) }?.help
  }

  /// Reports what cannot stand together.
  mutating func reportConflicts(_ members: [JSONMember], _ kind: Kind) {
    let grammar = kind.grammar
    for group in grammar.groups {
      guard let first = members.first(where: { group.contains($0.name) }),
        let second = members.first(where: { $0.name != first.name && group.contains($0.name) })
      else { continue }
      findings.error(
        "conflicting-members", "\"\(first.name)\" and \"\(second.name)\" cannot stand together",
        at: site(second.nameRange), "one too many",
        help: "\(grammar.title) has one of \(placed(group, of: kind).joined(separator: ", "))",
        related: (site(first.nameRange), "stands here already"))
    }
  }

  /// A blank too many makes another name of it, and nobody sees that; values may have some.
  mutating func reportBlanks(around name: String, at range: Range<Int>, named title: @autoclosure () -> String = "") {
    guard let first = name.utf8.first, let last = name.utf8.last, first <= 0x20 || last <= 0x20,
      !title().contains("\"one of\"")
    else { return }
    findings.warning(
      "outer-blank", "a name begins or ends with a blank", at: site(range), "a blank too many",
      help: "take it away: it is a part of the name")
  }

  /// A title that nobody could read.
  mutating func reportBlank(title: Declaration) {
    guard let text = title.string, text.utf8.allSatisfy({ $0 <= 0x20 }) else { return }
    findings.warning(
      "empty-title", "a title is blank", at: title.site, "says nothing",
      help: "write what people call it, or leave it out")
  }

  /// What stands twice in a list of words or names; it may be a value of something secret.
  mutating func reportRepeated(_ words: [Declaration]) {
    var firsts = FirstSites()
    for word in words {
      guard let text = word.string, let first = firsts.note(text, at: word.site) else { continue }
      findings.add(
        Diagnostic(
          "repeated-word", severity: .warning, "a word stands twice in the same list", at: word.site, "again",
          help: "remove one of them, or write what was meant", related: (first, "first")))
    }
  }

  /// All that is missing in one message, since it is one object that lacks it.
  ///
  /// An object with a wrong member is let off: the member may be the missing one, misspelt.
  mutating func reportMissing(in object: Declaration, _ kind: Kind, named name: Range<Int>?) {
    guard case .object(_, let entries) = object.content else { return }
    let grammar = kind.grammar
    let lacking = grammar.required.filter { name in !entries.contains { $0.name == name } }
    let needed = grammar.exactlyOne + grammar.atLeastOne
    let groups = needed.filter { group in !entries.contains { group.contains($0.name) } }
    var strangers: [String] = []
    if kind == .fault, object.has("request") { strangers = ScenarioBuilder.ofCapabilities }
    if kind == .fault, object.has("perform") { strangers = ScenarioBuilder.ofRequests }
    let choices = groups.map { group in
      "one of \(placed(group, of: kind).filter { !strangers.contains($0) }.joined(separator: ", "))"
    }
    let names = lacking.map { "\"\($0)\"" } + choices
    guard let last = names.last else { return }
    let list = names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
    let isNamedFields = name.map { document.bytes[$0].elementsEqual("\"fields\"".utf8) } ?? false
    let help: String? =
      switch kind {
      case .kill, .relaunch: "or write true in place of the object"
      case .field where isNamedFields: Self.whereFieldsStand
      default: "add \(list)"
      }
    // The opening brace stands for the object, which may be long.
    findings.error(
      "missing-member", "\(grammar.title) needs \(list)", at: object.site.start, "in this object", help: help)
  }
}

extension String {
  /// Itself, unless nobody would have chosen it as a name.
  fileprivate var quotable: String { mayBeChosen ? self : "…" }
}

extension Int64 {
  /// What to know of a whole number that does not fit.
  static let boundsHelp = "whole numbers go from \(Int64.min) to \(Int64.max)"
}

extension Double {
  /// Whether it has no fraction, and is too large for a whole number.
  var isBeyondWhole: Bool { self == rounded() && Int64(exactly: self) == nil }
}

extension JSONNode {
  fileprivate var string: String? { if case .string(let text) = kind { text } else { nil } }

  /// What a message calls such a value.
  var description: String {
    switch kind {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .int, .wholeNumberTooLarge: "a whole number"
    case .double(let number) where number.isBeyondWhole: "a whole number beyond 64 bits"
    case .double(let number): number == number.rounded() ? "a number" : "a number with a fraction"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
