import Expressions
import JSONSyntax

/// What a value goes into: a key, a field, a member; for messages and for the types it takes.
struct Destined: Sendable {
  let title: String
  var type: ValueType = .dyn
  var allowed: [String]?
  /// Its values are not for messages.
  var isSecret = false
  /// Whether the title is a name of the document.
  var isName = true

  /// Whether a person types it: no list and no object, and any text where no words are given to choose from.
  var isTyped = false

  /// Whether a text may stand there that its type would not take.
  fileprivate var takesAnyText: Bool { isTyped && allowed == nil }

  /// How a message calls it: `"expiresAt"`.
  var name: String { isName ? "\"\(title)\"" : title }
}

extension Destined {
  init(_ field: ObjectType.Field) {
    self.init(title: field.name, type: field.type, allowed: field.allowed, isSecret: field.secret != nil)
  }
}

extension Destined {
  fileprivate func takes(_ given: ValueType) -> Bool {
    switch given {
    case .list, .map, .object: !isTyped && type.takes(given)
    case .optional(let inner): takes(inner)
    default: type.takes(given) || takesAnyText && ValueType.string.takes(given)
    }
  }
}

extension Compilation {
  /// A JSON value whose strings are templates, held against the type of what it goes into.
  mutating func value(
    _ node: JSONNode, in document: Document, into destined: Destined, standing: Standing
  ) -> ValueTemplate? {
    let site = Site(document: document, range: node.range)
    switch node.kind {
    case .string(let source):
      let mayBeText = destined.takesAnyText || [.string, .dyn].contains(destined.type)
      guard let placed = template(source, at: site, in: standing, mayBeText: mayBeText) else { return nil }
      guard let text = placed.template.literalText else {
        if destined.isSecret, let service = standing.answering {
          for name in placed.template.answered { ledger.secretAnswers.append((service, name)) }
        }
        if destined.isSecret { noteShown(in: placed, into: destined, standing.scope) }
        return checkType(of: placed, into: destined, in: standing.scope) ? .template(placed) : nil
      }
      if destined.takesAnyText { return .literal(.string(text)) }
      return literal(text, at: site, into: destined, in: standing.scope).map { .literal($0) }
    case .array(let elements): return list(elements, at: site, into: destined, standing: standing)
    case .object(let members): return object(members, at: site, into: destined, standing: standing)
    // A key that it is set to becomes what it is to begin with.
    case .null where destined.type.isNeverUnset: return .literal(.null)
    default: return literal(node, in: document, into: destined).map { .literal($0) }
    }
  }

  private mutating func checkType(of placed: PlacedTemplate, into destined: Destined, in scope: Scope) -> Bool {
    let type = placed.template.type
    guard destined.takes(type) else {
      let meant = placed.template.asOneExpression.flatMap { source in
        (try? Expression.compile(source, in: scope)).map { destined.takes($0.type) } == true ? source : nil
      }
      mismatch(
        destined, type.description, at: placed.site,
        help: meant.map { "did you mean \"${\($0)}\"?" } ?? destined.type.conversion)
      return false
    }
    guard let allowed = destined.allowed, let given = placed.template.allowed else { return true }
    let known = Set(allowed.map(ScalarString.init))
    guard let strange = given.first(where: { !known.contains(ScalarString($0)) }) else { return true }
    let hidden = destined.isSecret || placed.template.secret != nil ? "this" : nil
    findings.error(
      "unknown-value", "\(destined.name) cannot be \(hidden ?? "\"\(strange)\"")", at: placed.site,
      "may be \(hidden ?? "\"\(strange)\"")",
      help: destined.isSecret ? "it is secret" : "one of \(allowed.listed)")
    return false
  }

  private mutating func list(_ elements: [JSONNode], at site: Site, into destined: Destined, standing: Standing)
    -> ValueTemplate?
  {
    guard destined.type == .dyn || destined.type == .list(.dyn), !destined.isTyped else {
      mismatch(destined, "a list", at: site)
      return nil
    }
    let element = Destined(title: "an element of \(destined.name)", isSecret: destined.isSecret, isName: false)
    let values = elements.compactMap { value($0, in: site.document, into: element, standing: standing) }
    return values.count == elements.count ? .list(values) : nil
  }

  private mutating func object(_ members: [JSONMember], at site: Site, into destined: Destined, standing: Standing)
    -> ValueTemplate?
  {
    guard destined.type.takesObject, !destined.isTyped else {
      mismatch(destined, "an object", at: site)
      return nil
    }
    var values: [FieldValue] = []
    var isWhole = true
    for member in members {
      let nameSite = Site(document: site.document, range: member.nameRange)
      guard let inner = inside(destined, member.name, at: nameSite),
        let value = value(member.value, in: site.document, into: inner, standing: standing)
      else {
        isWhole = false
        continue
      }
      values.append(FieldValue(name: member.name, value: value))
    }
    return isWhole ? .object(values) : nil
  }

  /// What a member of an object goes into; `nil` when a row has no such field.
  mutating func inside(_ destined: Destined, _ name: String, at site: Site) -> Destined? {
    switch destined.type {
    case .map(_, let value): return Destined(title: name, type: value, isSecret: destined.isSecret)
    case .object(let object): return field(name, of: object, at: site).map { Destined(object.fields[$0]) }
    default: return Destined(title: name, isSecret: destined.isSecret)
    }
  }

  /// The index of a declared field; an unknown one is reported with the nearest.
  mutating func field(_ name: String, of object: ObjectType, at site: @autoclosure () -> Site) -> Int? {
    if let index = object.index(of: name) { return index }
    unknown(
      "field", name, at: site(), among: object.fields.map(\.name), "\(object.title) has no field \"\(name)\"",
      help: object.fields.isEmpty
        ? "it has no fields at all: declare this one first"
        : "its fields: \(object.fields.prefix(12).map(\.name).joined(separator: ", "))",
      // One that is secret may have been meant.
      hidesValue: object.fields.contains { $0.secret != nil })
    return nil
  }

  /// Where a name stands among those that are known; one that does not is reported.
  ///
  /// `entitled` is the name of what has it as its title.
  mutating func index(
    of name: String, _ what: String, at site: Site, among known: [String], _ message: @autoclosure () -> String,
    help: @autoclosure () -> String? = nil, entitled: @autoclosure () -> String? = nil
  ) -> Int? {
    if let index = known.firstIndex(of: name) { return index }
    unknown(what, name, at: site, among: known, message(), help: help(), entitled: entitled())
    return nil
  }

  /// Reports a name that nothing declares.
  mutating func unknown(
    _ what: String, _ name: String, at site: Site, among known: @autoclosure () -> [String], _ message: String,
    _ label: String? = nil, help: String? = nil, entitled: @autoclosure () -> String? = nil, hidesValue: Bool = false
  ) {
    if isBlind || findings.areFull { return }
    let names = known()
    // States of several flows may have one name.
    var few: [String] = []
    for name in names where few.count <= 8 && !few.contains(name) { few.append(name) }
    let listed = few.isEmpty || few.count > 8 ? nil : few.joined(separator: ", ")
    let titled = entitled().map { "that is the title of \"\($0)\"" }
    let near = (suggestion(for: name, among: names) ?? begun(by: name, among: names)).map { near in
      listed.map { few.count > 1 ? "\(near) One of: \($0)" : near } ?? near
    }
    // Whoever thinks of a title writes words, and nothing secret is given where these are named.
    let isInWords = [
      "end", "state", "flow", "participant", "action", "capability", "reply", "failure", "mail", "form", "link",
    ].contains(what)
    let parts = isInWords ? name.split(separator: " ").map(String.init) : [name]
    let isStrange = titled == nil && near == nil && what != "route" && !parts.allSatisfy(\.mayBeChosen)
    findings.error(
      "unknown-\(what)", message, at: site, label ?? "no \(what == "flow" ? "sub-flow" : what) has this name",
      help: titled ?? near ?? help ?? listed.map { "there is \($0)" }, strange: isStrange ? name : nil,
      hidesValue: hidesValue)
  }

  /// The help for who wrote no more than the beginning of a name.
  private func begun(by name: String, among names: [String]) -> String? {
    guard name.utf8.count > 2, name.count > 2 else { return nil }
    return names.first { $0.hasPrefix(name) }.map { "did you mean \"\($0)\"?" }
  }

  mutating func mismatch(_ destined: Destined, _ given: String, at site: Site, help: String? = nil) {
    let type = destined.isTyped && destined.type == .dyn ? .string : destined.type
    findings.error(
      "type-mismatch", "\(destined.name) takes \(type.description), not \(given)", at: site, "this is \(given)",
      help: help ?? type.spelling)
  }
}

extension [String] {
  /// What help says behind the advice to declare one more.
  var nowThere: String { isEmpty ? "" : "; now there is \(listed)" }
}

extension ValueType {
  /// Whether a value of another type may go into what has this type; what is only known while running may.
  func takes(_ given: ValueType) -> Bool {
    switch (self, given) {
    case (.dyn, _), (_, .dyn), (_, .null): true
    case (_, .optional(let inner)): takes(inner)
    case (.list(let wanted), .list(let given)): wanted.takes(given)
    case (.map(_, let wanted), .map(_, let given)): wanted.takes(given)
    case (.map, .object), (.object, .map): true
    case (.object(let wanted), .object(let given)): wanted.fields == given.fields
    default: self == given
    }
  }

  /// Whether a key of it always holds something: a bool, a list, a map.
  fileprivate var isNeverUnset: Bool {
    switch self {
    case .bool, .list, .map(_, .dyn): true
    default: false
    }
  }

  fileprivate var takesObject: Bool {
    switch self {
    case .dyn, .map, .object: true
    default: false
    }
  }

  /// What a message calls a value of this type.
  var description: String {
    switch self {
    case .null: "null"
    case .bool, .int, .double, .string, .timestamp, .duration: title.withArticle
    case .dyn: "any value"
    case .list: "a list"
    case .map: "a map"
    case .object(let object): object.title
    case .optional(let inner): inner.description
    }
  }
}

extension Compilation {
  /// Fields of an event or of a capability's result that are not secret, where what they go into is: a trace shows what
  /// was typed before it is kept.
  private mutating func noteShown(in placed: PlacedTemplate, into destined: Destined, _ scope: Scope) {
    for root in ["event", "result"] {
      guard case .object(let type)? = scope.variables.first(where: { $0.name == root })?.type else { continue }
      for reading in placed.template.expressions.flatMap(\.handedOn) {
        guard case .member(let name)? = MemberPath(reading, below: root)?.parts.first,
          let field = type.fields.first(where: { $0.name == name }), field.secret == nil, field.type == .string
        else { continue }
        // The variables of a link need not be declared.
        let link = type.title.split(separator: " ").last.flatMap { $0.hasPrefix("link.") ? $0 : nil }
        let fields = "\"fields\": {\"\(name)\": {\"type\": \"string\", \"secret\": true}}"
        findings.add(
          Diagnostic(
            "secret-shown", severity: .remark,
            "\(reading) is not secret, and \(destined.name), which it goes into, is", at: placed.site,
            "is shown in traces",
            help: link.map { "in \"events\" let \"\($0)\" have \(fields)" }
              ?? "add \"secret\": true to the field \"\(name)\""))
      }
    }
  }
}
