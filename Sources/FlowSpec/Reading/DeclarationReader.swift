import Expressions
import JSONSyntax

/// Holds a JSON tree against the grammar: what is right becomes declarations, what is not becomes diagnostics.
struct DeclarationReader {
  let document: Document
  var findings: Findings
  /// Whose machine the document describes; `nil` where it describes none.
  private(set) var purpose: MachineBuilder.Purpose?
  /// The name of the object that is read next: its `despite` covers what is said of the name.
  private var pendingName: Range<Int>?

  init(document: Document, findings: Findings) {
    (self.document, self.findings) = (document, findings)
  }

  /// `nil` when the document's outermost value is not even of its shape.
  mutating func read(document root: JSONNode, as shape: Shape, named name: String) -> Declaration? {
    switch shape {
    case .object(.flow): purpose = .app
    case .object(.service): purpose = .service
    default: purpose = nil
    }
    for duplicate in root.duplicateMembers() {
      findings.error(
        "duplicate-member", "\"\(duplicate.name)\" stands twice in the same object", at: site(duplicate.again), "again",
        help: "keep one of them: JSON readers disagree about which one counts",
        related: (site(duplicate.first), "first"))
    }
    return read(root, as: shape, named: name)
  }

  func site(_ range: Range<Int>) -> Site { Site(document: document, range: range) }

  /// Reads one value; `name` is what a message calls it.
  mutating func read(_ node: JSONNode, as shape: Shape, named name: @autoclosure () -> String) -> Declaration? {
    switch (shape, node.kind) {
    case (.text, .string(let string)), (.name, .string(let string)), (.expression, .string(let string)),
      (.template, .string(let string)), (.textOr, .string(let string)):
      return declaration(node, .string(string))
    case (.label, .string(let string)): return label(string, node, named: name())
    case (.duration, .string(let string)): return duration(string, node, named: name())
    case (.flag, .bool(let flag)), (.trueOr, .bool(let flag)): return declaration(node, .flag(flag))
    case (.whole, .int(let whole)), (.number, .int(let whole)): return declaration(node, .whole(whole))
    case (.number, .double(let number)): return declaration(node, .number(number))
    // As JSON Schema has it, a whole number may be written `200.0` or `2e2`.
    case (.whole, .double(let number)) where Int64(exactly: number) != nil:
      return declaration(node, .whole(Int64(number)))
    case (.wholeIn(let range, let help), _):
      guard let read = read(node, as: .whole, named: name()) else { return nil }
      if let whole = read.whole, !range.contains(whole) { outOfRange(read, range, named: name(), help: help) }
      return read
    case (.value, _):
      // They are looked into when their place is known; only what no place can take is refused here.
      refuseLargeNumbers(in: node, named: name())
      return declaration(node, .value)
    case (.object(let kind), .object), (.textOr(let kind), .object), (.trueOr(let kind), .object):
      return object(node, kind)
    case (.participant, .object(let members)): return object(node, participantKind(members))
    case (.list(let shape), .array(let elements)), (.oneOrMore(let shape), .array(let elements)):
      return list(elements, of: shape, node, named: name())
    case (.oneOrMore(.text), .object), (.oneOrMore(.label), .object):
      wrongType(node, expected: shape, named: name())
      return nil
    case (.oneOrMore(let shape), _): return read(node, as: shape, named: name()).map { declaration(node, .list([$0])) }
    case (.map(let shape), .object(let members)): return map(members, to: shape, node)
    case (.word(let words), .string(let string)): return word(string, of: words, node, named: name())
    default:
      wrongType(node, expected: shape, named: name())
      return nil
    }
  }

  private func declaration(_ node: JSONNode, _ content: Declaration.Content, damaged: Bool = false) -> Declaration {
    Declaration(node: node, site: site(node.range), content: content, isDamaged: damaged)
  }

  private mutating func list(
    _ elements: [JSONNode], of shape: Shape, _ node: JSONNode, named name: @autoclosure () -> String
  ) -> Declaration {
    var read: [Declaration] = []
    read.reserveCapacity(elements.count)
    for element in elements {
      if let element = self.read(element, as: shape, named: "an entry of \(name())") { read.append(element) }
    }
    switch shape {
    case .label, .text: reportRepeated(read)
    default: break
    }
    return declaration(node, .list(read), damaged: read.count < elements.count)
  }

  private mutating func map(_ members: [JSONMember], to shape: Shape, _ node: JSONNode) -> Declaration {
    var entries: [Declaration.Entry] = []
    entries.reserveCapacity(members.count)
    // Where each stands among these; few names are found faster by looking at them.
    var places: [String: Int]? = members.count > 32 ? [:] : nil
    for index in members.indices {
      let name = members[index].name
      let nameRange = members[index].nameRange
      let first = places == nil ? entries.firstIndex { $0.name == name } : places?[name]
      if let first {
        reportAlike(name, at: nameRange, after: entries[first])
        continue
      }
      places?[name] = entries.count
      if shape.declares { reportBlanks(around: name, at: nameRange) }
      if name.isEmpty, shape.isFoundByName {
        findings.error("empty-name", "a name is empty", at: site(nameRange), "names nothing", help: "write a name")
      }
      pendingName = nameRange
      let value = read(members[index].value, as: shape, named: "\"\(name)\"")
      pendingName = nil
      entries.append(
        Declaration.Entry(
          name: name, nameSite: site(nameRange),
          value: value ?? declaration(members[index].value, .broken, damaged: true)))
    }
    return declaration(node, .map(entries))
  }

  /// Names that only their bytes tell apart are one name to the rest: composed and decomposed letters.
  private mutating func reportAlike(_ name: String, at range: Range<Int>, after first: Declaration.Entry) {
    if first.name.utf8.elementsEqual(name.utf8) { return }
    findings.error(
      "duplicate-member", "\"\(name)\" stands twice in the same object, with its accents encoded otherwise",
      at: site(range), "looks and counts the same", help: "call one of them otherwise",
      related: (first.nameSite, "stands first here"))
  }

  private mutating func object(_ node: JSONNode, _ kind: Kind) -> Declaration? {
    guard case .object(let members) = node.kind else { return nil }
    let ownName = pendingName
    let start = ownName?.lowerBound ?? node.range.lowerBound
    pendingName = nil
    let grammar = kind.grammar
    var entries: [Declaration.Entry] = []
    entries.reserveCapacity(members.count)
    // The bits of the members as they are written, and of those that are right.
    var (written, right): (UInt64, UInt64) = (0, 0)
    let isTable = reportForgottenRows(members, of: kind, at: ownName ?? node.range)
    for index in members.indices where !isTable {
      var name = members[index].name
      var member = grammar.member(name)
      if let member {
        written |= member.bit
      } else {
        guard let meant = misspelt(members[index], in: members, of: kind) else { continue }
        (name, member) = (meant, grammar.member(meant))
      }
      guard let member, right & member.bit == 0,
        let value = read(members[index].value, as: member.shape, named: "\"\(name)\"")
      else { continue }
      right |= member.bit
      if name == "title" { reportBlank(title: value) }
      entries.append(Declaration.Entry(name: name, nameSite: site(members[index].nameRange), value: value))
    }
    let result = declaration(node, .object(kind, entries), damaged: entries.count < members.count)
    if !result.isDamaged, grammar.needsMore(than: right) { reportMissing(in: result, kind, named: ownName) }
    if grammar.hasConflict(among: written) { reportConflicts(members, kind) }
    findings.overrule(result, in: site(start..<node.range.upperBound))
    return result
  }

  /// What a participant's `kind` says, and without one its other members.
  private func participantKind(_ members: [JSONMember]) -> Kind {
    for member in members where member.name == "kind" {
      guard case .string(let word) = member.value.kind else { continue }
      let kind = Kind.participantKinds.contains(word) ? word : nearestName(to: word, among: Kind.participantKinds)
      if let kind { return Kind.participant(kind) }
    }
    let kinds: [Kind] = [.peer, .app, .device]
    return kinds.first { kind in
      members.contains { $0.name != "title" && $0.name != "kind" && kind.grammar.shape(of: $0.name) != nil }
    } ?? .person
  }

  private mutating func duration(_ string: String, _ node: JSONNode, named name: @autoclosure () -> String)
    -> Declaration?
  {
    if let duration = Duration(celText: string, allowingDays: true), string.utf8.first != UInt8(ascii: "-") {
      return declaration(node, .duration(duration))
    }
    let spelling = ValueType.duration.spelling ?? ""
    findings.wrongDuration(
      string, named: name(), at: site(node.range),
      help: string.contains("${") ? "no expression can stand here: \(spelling)" : nil)
    return nil
  }

  private mutating func label(_ string: String, _ node: JSONNode, named name: @autoclosure () -> String) -> Declaration?
  {
    if string.isEmpty {
      findings.error("empty-name", "\(name()) is empty", at: site(node.range), "names nothing", help: "write a name")
      return nil
    }
    reportBlanks(around: string, at: node.range, named: name())
    return declaration(node, .string(string))
  }

  private mutating func word(
    _ string: String, of words: [String], _ node: JSONNode, named name: @autoclosure () -> String
  ) -> Declaration? {
    if words.contains(string) { return declaration(node, .string(string)) }
    let isType = words == TypeName.words
    let own = isType ? TypeName.own(string).map { "did you mean \"\($0)\"?" } : nil
    let listed = isType && ["oneOf", "one of", "enum"].contains(string) ? "write \"one of\": […] in place of it" : nil
    let table = isType && ["table", "rows"].contains(string) ? Self.tableHelp : nil
    findings.error(
      "unknown-word", "\(name()) cannot be \"\(string)\"", at: site(node.range), "not one of its words",
      help: own ?? listed ?? table ?? choice(for: string, among: words))
    return nil
  }

  private mutating func refuseLargeNumbers(in node: JSONNode, named name: @autoclosure () -> String) {
    switch node.kind {
    case .wholeNumberTooLarge: wrongType(node, expected: .whole, named: name())
    case .array(let elements): for element in elements { refuseLargeNumbers(in: element, named: name()) }
    case .object(let members):
      for member in members { refuseLargeNumbers(in: member.value, named: "\"\(member.name)\"") }
    default: break
    }
  }
}
