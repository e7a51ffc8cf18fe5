import Expressions
import JSONSyntax

extension Compilation {
  /// A key of `store` or `memory`, `nil` when it cannot be used.
  mutating func key(_ entry: Declaration.Entry) -> Key? {
    guard checkName(entry) else { return nil }
    ledger.declare(.key, entry.name, at: entry.nameSite)
    if entry.value.isDamaged { brokenKeys.insert(entry.name) }
    let groups = entry.value["group"].items.compactMap(\.string)
    if let rows = entry.value["rows"] { return table(entry, rows, groups) }
    let field = field(entry, isKey: true)
    return Key(
      field, initial: initial(of: entry.value, field), refs: refs(of: entry.value), groups: groups, site: entry.nameSite
    )
  }

  private mutating func table(_ entry: Declaration.Entry, _ rows: Declaration, _ groups: [String]) -> Key {
    var fields: [ObjectType.Field] = []
    var initials: [Value] = []
    for row in rows.entries where checkName(row) {
      let field = field(row, isKey: true)
      fields.append(field)
      initials.append(initial(of: row.value, field))
    }
    let row = ObjectType(title: "a row of \(entry.name)", fields: fields)
    let type = ValueType.map(key: .string, value: .object(row))
    if let secret = entry.value.entry("secret"), secret.value.flag == true {
      findings.error(
        "wrong-type", "a table is not secret as a whole", at: secret.nameSite, "stands on a table",
        help: "mark the fields of its rows")
    }
    return Key(
      ObjectType.Field(name: entry.name, type: type, isNullable: false), rowType: row,
      initial: rowsAtStart(entry.value["initial"], row, initials), rowInitials: initials, refs: refs(of: entry.value),
      groups: groups, site: entry.nameSite)
  }

  private mutating func rowsAtStart(_ declaration: Declaration?, _ row: ObjectType, _ initials: [Value]) -> Value {
    guard let declaration else { return .map(ValueMap()) }
    guard case .object(let members) = declaration.node.kind else {
      mismatch(
        Destined(title: "\"initial\" of a table", type: .map(key: .string, value: .dyn), isName: false),
        declaration.node.description,
        at: declaration.site)
      return .map(ValueMap())
    }
    if members.count > Key.mostRows {
      findings.error(
        "too-many-rows", "a table has more than \(Key.mostRows) rows at first",
        at: Site(document: declaration.site.document, range: members[Key.mostRows].nameRange), "one too many")
    }
    for member in members where member.name.isEmpty {
      findings.error(
        "row-key", "a row is named by a string that is not empty",
        at: Site(document: declaration.site.document, range: member.nameRange), "names no row",
        help: "write the key by which the row is found")
    }
    // A name that stands twice has been refused.
    return .map(
      ValueMap(
        distinct: members.prefix(Key.mostRows).map {
          ValueMap.Entry(
            key: .string($0.name), value: rowAtStart($0.value, in: declaration.site.document, row, initials))
        }))
  }

  private mutating func rowAtStart(_ node: JSONNode, in document: Document, _ row: ObjectType, _ initials: [Value])
    -> Value
  {
    var values = initials
    if case .object(let members) = node.kind {
      for member in members {
        let site = Site(document: document, range: member.nameRange)
        guard let index = field(member.name, of: row, at: site) else { continue }
        noteTemplate(in: member.value, of: document, "an \"initial\"")
        let value = literal(member.value, in: document, into: Destined(row.fields[index]))
        // Null makes a field what it is to begin with, as in a `set`.
        if let value, !value.isNull { values[index] = row.fields[index].marked(value) }
      }
    } else {
      mismatch(
        Destined(title: "a row", type: .object(row), isName: false), node.description,
        at: Site(document: document, range: node.range))
    }
    return .map(
      ValueMap(
        distinct: row.fields.indices.map {
          ValueMap.Entry(key: .string(row.fields[$0].name), value: values[$0])
        }))
  }

  private mutating func initial(of declaration: Declaration, _ field: ObjectType.Field) -> Value {
    guard let initial = declaration["initial"] else {
      if field.type == .bool, !declaration.isDamaged {
        findings.error(
          "missing-initial", "a bool needs an \"initial\"", at: declaration.site, "is neither true nor false at first",
          help: "add \"initial\": false")
      }
      return field.type.unset
    }
    noteTemplate(in: initial.node, of: initial.site.document, "an \"initial\"")
    let value = literal(initial.node, in: initial.site.document, into: Destined(field))
    return value.map { field.marked($0) } ?? field.type.unset
  }

  /// What stands here is as it is written: a `${` in it was meant otherwise.
  mutating func noteTemplate(in node: JSONNode, of document: Document, _ what: String) {
    guard case .string(let text) = node.kind, text.hasTemplate else { return }
    findings.warning(
      "plain-name", "\(what) is no template: \"${\" stays as it is", at: Site(document: document, range: node.range),
      "is plain text", help: "a \"set\" and a \"let\" can work it out")
  }
}
