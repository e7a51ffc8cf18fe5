import Expressions
import JSONSyntax

extension Compilation {
  /// A field as a declaration says; `nil` when its type is not known.
  ///
  /// Keys with an initial value are never null; where that is null they have none.
  mutating func field(_ entry: Declaration.Entry, isKey: Bool) -> ObjectType.Field {
    let declaration = entry.value
    let allowed = declaration["one of"].map { $0.items.compactMap(\.string) }
    refuseEmpty(declaration["one of"], "one of", help: "list its values")
    // What has no type that can be read may be anything: that has been said, and whatever uses it is not to blame.
    let type = allowed == nil ? TypeName.type(declaration["type"]) ?? .dyn : .string
    let isSecret = declaration["secret"]?.flag == true
    if isSecret, let site = declaration.entry("secret")?.nameSite { checkSecret(type, at: site) }
    let hasInitial = isKey && (type == .bool || declaration["initial"].map { !$0.node.isNull } ?? false)
    return ObjectType.Field(
      name: entry.name, type: type, isNullable: (type.isScalar || type == .dyn) && !hasInitial,
      secret: isSecret ? entry.name : nil, allowed: allowed, title: declaration["title"]?.string)
  }

  /// Fields of an event, a form, an emit, a capability; what expressions select has names that they can write.
  mutating func fields(_ entries: [Declaration.Entry], title: String, areSelected: Bool = true) -> ObjectType {
    for entry in areSelected ? entries : [] { _ = checkName(entry) }
    return ObjectType(title: title, fields: entries.map { field($0, isKey: false) })
  }

  /// What a query, a path or a form brings is text, and neither a list nor a map.
  mutating func refuseParts(in entries: [Declaration.Entry], of bearer: String, readAs root: String) {
    for entry in entries {
      guard let declared = entry.value["type"], let word = declared.string, ["list", "map"].contains(word) else {
        continue
      }
      // Another name may be what was meant as a value, and secret.
      let (name, read) = entry.name.isIdentifier ? ("\"\(entry.name)\"", "\(root).\(entry.name).") : ("this field", "")
      findings.error(
        "wrong-field", "\(name) cannot be a \(word): all that \(bearer) brings is text", at: declared.site,
        "never comes as a \(word)",
        help: word == "list"
          ? "write \"string\", and take it apart where it is read, as with \(read)split(',')"
          : "write \"string\", or declare a field for each of its members")
    }
  }

  mutating func configKey(_ entry: Declaration.Entry) -> ConfigKey? {
    guard checkName(entry) else { return nil }
    ledger.declare(.config, entry.name, at: entry.nameSite)
    var field = field(entry, isKey: false)
    let node = entry.value["value"]?.node
    if let node { noteTemplate(in: node, of: entry.nameSite.document, "a setting") }
    let value = node.flatMap {
      setting(
        $0, in: entry.nameSite.document, into: Destined(field),
        help: "give one, or the type \"json\", which may be null")
    }
    field.isNullable = false
    return ConfigKey(field: field, value: value.map { field.marked($0) } ?? .null, site: entry.nameSite)
  }

  /// The value of a setting: what reads it relies on that it is there, and only JSON may be null.
  mutating func setting(_ node: JSONNode, in document: Document, into destined: Destined, help: String) -> Value? {
    if case .null = node.kind, destined.type != .dyn {
      let site = Site(document: document, range: node.range)
      mismatch(destined, "null", at: site, help: "a setting always has a value: \(help)")
      return nil
    }
    return literal(node, in: document, into: destined)
  }

  mutating func refuseEmpty(_ list: Declaration?, _ name: String, help: String) {
    guard let list, case .array(let elements) = list.node.kind, elements.isEmpty else { return }
    findings.error("empty-list", "\"\(name)\" lists nothing", at: list.site, "holds nothing", help: help)
  }

  private mutating func checkSecret(_ type: ValueType, at site: Site) {
    switch type {
    case .bool, .int, .double, .timestamp, .duration:
      findings.error(
        "secret-without-text", "only strings carry the mark of a secret, not \(type.description)", at: site,
        "has no effect here", help: "make it a string, or leave \"secret\" out")
    default: break
    }
  }

  /// Names are used in expressions, so they are identifiers; some words can be those of fields alone.
  mutating func checkName(_ entry: Declaration.Entry, isField: Bool = true) -> Bool {
    let isReserved = entry.name.isKeyword || !isField && entry.name.isReservedWord
    if entry.name.isIdentifier, !isReserved { return true }
    findings.error(
      "wrong-name", "\"\(entry.name)\" cannot be used in expressions", at: entry.nameSite,
      "not an identifier",
      help: isReserved
        ? "it has a meaning of its own there: take another name"
        : "use ASCII letters, digits and _, not a digit first", strange: entry.name)
    return false
  }
}

extension String {
  /// Whether this is a name that an expression can select.
  var isIdentifier: Bool {
    guard let first = utf8.first, !first.isDigit else { return false }
    return !isKeyword && utf8.allSatisfy(\.isIdentifierPart)
  }
}
