import Expressions
import JSONSyntax

extension MachineBuilder {
  /// Named lists stand in one another at most so deep, and sub-flows do.
  static let deepest = 100
  /// With the lists that it names a `do` has at most so many actions.
  private static let most = 1000
  /// What all uses of named lists and of groups come to: each is built where it is used, since names mean other things
  /// there.
  private static let mostParts = 200_000

  /// The actions of a `do`, named lists put in where they are used.
  mutating func actions(_ declaration: Declaration?, standing: Standing) -> [Action] {
    if inlining.isEmpty { actionCount = 0 }
    warnOfReplacedScreens(in: declaration.items)
    var standing = standing
    var actions: [Action] = []
    for item in declaration.items {
      let next = self.actions(of: item, standing: standing)
      standing = standing.behind(next)
      actions += next
    }
    return actions
  }

  /// One action, or those of a named list.
  private mutating func actions(of item: Declaration, standing: Standing) -> [Action] {
    actionCount += 1
    guard actionCount <= Self.most else { return refuseMore(at: item.site) }
    if let name = item.string { return actionList(name, at: item.site, standing: standing) }
    return action(item, standing: standing).map { [$0] } ?? []
  }

  /// Warns of a screen that another of the same list replaces.
  ///
  /// One that a named list shows may be a notice, which the app puts over the other.
  private mutating func warnOfReplacedScreens(in items: [Declaration]) {
    for screen in items.compactMap({ $0["show"]?.entries.first }).dropLast() {
      compilation.findings.warning(
        "unused-screen", "nobody sees the screen \"\(screen.name)\": another replaces it at the same instant",
        at: screen.nameSite, "another follows at once", help: "show it where the app waits, or leave it out")
    }
  }

  private mutating func refuseMore(at site: Site) -> [Action] {
    if actionCount == Self.most + 1 {
      compilation.findings.error(
        "too-many-actions", "a \"do\" has more than \(Self.most) actions, with those of the lists that it names",
        at: site, "one too many")
    }
    return []
  }

  private mutating func actionList(_ name: String, at site: Site, standing: Standing) -> [Action] {
    compilation.ledger.use(.action, name)
    guard let list = actionLists[name] else {
      compilation.unknown(
        "action", name, at: site, among: actionLists.keys.sorted(), "\"\(name)\" is not declared under \"actions\"")
      return []
    }
    guard !inlining.contains(name) else {
      guard circular.isDisjoint(with: inlining) else { return [] }
      circular.formUnion(inlining)
      compilation.findings.error(
        "action-circle", "the actions \"\(name)\" contain themselves", at: site, "comes back to itself here",
        help: (inlining + [name]).joined(separator: " → "))
      return []
    }
    guard inlining.count < Self.deepest else {
      compilation.findings.error(
        "too-deep", "named actions stand in one another more than \(Self.deepest) levels deep", at: site,
        "one level too many")
      return []
    }
    guard mayBuild(list.items.reduce(0) { $0 + $1.node.partCount }, at: site) else { return [] }
    let known = compilation.findings.diagnostics.count
    inlining.append(name)
    defer { inlining.removeLast() }
    let actions = actions(list, standing: standing.shared)
    // What is wrong in it may be wrong here alone.
    if inlining.count == 1 { compilation.findings.label(from: known, "used here", at: site) }
    return actions
  }

  /// Whether so many parts of a list or a group may be built where it is used; the first too many are told of.
  private mutating func mayBuild(_ parts: Int, at site: Site) -> Bool {
    guard partCount <= Self.mostParts else { return false }
    partCount += parts
    if partCount <= Self.mostParts { return true }
    compilation.findings.error(
      "too-many-actions",
      "the lists under \"actions\" and the groups come to more than \(Self.mostParts) parts where they are used",
      at: site, "too many with this one", help: "name what is long in fewer places, or make it shorter")
    return false
  }

  private mutating func action(_ declaration: Declaration, standing: Standing) -> Action? {
    refuseMisplaced(in: declaration)
    let site = declaration["show"]?.entries.first?.nameSite ?? declaration.site
    return actionKind(declaration, standing: standing).map {
      Action(kind: $0, refs: compilation.refs(of: declaration), site: site)
    }
  }

  private mutating func actionKind(_ declaration: Declaration, standing: Standing) -> Action.Kind? {
    if let set = declaration["set"] {
      let assignments = set.entries.compactMap { assignment($0, standing: standing) }
      refuseSetTwice(assignments)
      return .set(assignments)
    }
    if let clear = declaration["clear"] { return .clear(clear.items.flatMap { places($0, standing: standing) }) }
    if let emit = declaration["emit"] { return emission(emit, standing: standing) }
    if let show = declaration["show"] { return screen(show, standing: standing) }
    if let open = declaration["open"] {
      need(.browser, for: "\"open\"", at: open.site)
      return target(open, at: open.site, standing: standing, own: false).map { .open($0) }
    }
    if let close = declaration["close"] {
      need(.browser, for: "\"close\"", at: close.site)
      return .close
    }
    return declaration["send"].flatMap { mail($0, standing: standing) }.map { .send($0) }
  }

  private mutating func assignment(_ entry: Declaration.Entry, standing: Standing) -> Assignment? {
    guard let found = place(entry.name, at: entry.nameSite, standing: standing) else { return nil }
    // What is set to null is unset.
    let isEmptied = found.place.row == nil && entry.value.node.givesNull
    if !isEmptied { compilation.ledger.written.insert(found.place.declared.name) }
    if found.place.field == nil, found.place.row == nil, case .map(_, .object) = found.place.type {
      compilation.findings.error(
        "wrong-place", "\"\(entry.name)\" is a table: only its rows and their fields can be set", at: entry.nameSite,
        "names no row", help: "write \(entry.name)[…] or \(entry.name)[…].field")
      return nil
    }
    return compilation.value(
      entry.value.node, in: entry.nameSite.document, into: found.destined,
      standing: standing.able(to: .mint).setting(found.place)
    ).map { Assignment(place: found.place, value: $0, site: entry.nameSite) }
  }

  /// The members of an object have no order (RFC 8259 §4), by which one of two values for a field could be the last.
  private mutating func refuseSetTwice(_ assignments: [Assignment]) {
    let inRows = assignments.filter { $0.place.row != nil }
    guard inRows.count > 1 else { return }
    var rows: [SetRow: [Assignment]] = [:]
    for assignment in inRows {
      let place = assignment.place
      guard let name = place.rowName else { continue }
      let row = SetRow(root: place.root, key: place.key, name: name)
      let earlier = rows[row, default: []]
      rows[row, default: []].append(assignment)
      let isMet = { (other: Assignment) in
        other.place.field == place.field || other.place.isWholeRow || place.isWholeRow
      }
      guard let other = earlier.first(where: isMet) else { continue }
      compilation.findings.error(
        "wrong-place", "one \"set\" gives the same field of a row two values", at: assignment.site, "given once more",
        help: "leave one of them out, or give them in two actions, one behind the other",
        related: (other.site, "given here")
      )
    }
  }

  /// What one entry of `clear` names: a key, a row, a field, or all keys of a group.
  private mutating func places(_ declaration: Declaration, standing: Standing) -> [Place] {
    guard let text = declaration.string else { return [] }
    if let group = groups[text] {
      compilation.ledger.use(.group, text)
      guard mayBuild(group.count, at: declaration.site) else { return [] }
      return group.map { place(of: $0.key, in: $0.area, at: declaration.site) }
    }
    return place(text, at: declaration.site, standing: standing).map { [$0.place] } ?? []
  }

  private mutating func emission(_ declaration: Declaration, standing: Standing) -> Action.Kind? {
    guard let entry = single(declaration, of: "emit") else { return nil }
    compilation.ledger.use(.emit, entry.name)
    guard let index = emitIndices[entry.name] else {
      compilation.unknown(
        "emit", entry.name, at: entry.nameSite, among: emits.map(\.title),
        "\"\(entry.name)\" is not declared under \"emits\"")
      return nil
    }
    guard !broken.contains("emits.\(entry.name)") else { return nil }
    return fields(entry, of: emits[index], standing: standing).map { .emit(index, $0) }
  }

  private mutating func screen(_ declaration: Declaration, standing: Standing) -> Action.Kind? {
    guard let entry = single(declaration, of: "show") else { return nil }
    compilation.ledger.use(.screen, entry.name)
    if let screen = screens[entry.name] {
      return fields(entry, of: screen, standing: standing).map { .show(screen: entry.name, $0) }
    }
    guard screens.isEmpty else {
      compilation.unknown(
        "screen", entry.name, at: entry.nameSite, among: screens.keys.sorted(),
        "\"\(entry.name)\" is not declared under \"screens\"")
      return nil
    }
    return .show(screen: entry.name, compilation.values(entry.value, standing: standing))
  }

  mutating func single(_ declaration: Declaration, of name: String) -> Declaration.Entry? {
    if declaration.entries.count == 1 { return declaration.entries.first }
    if !declaration.isDamaged {
      compilation.findings.error(
        "wrong-count", "\"\(name)\" takes exactly one \(name == "send" ? "mail" : "name")", at: declaration.site,
        "has \(declaration.entries.count)",
        help: "use an action for each")
    }
    return nil
  }

  /// Values for declared fields, all of them, in declared order.
  mutating func fields(_ entry: Declaration.Entry, of object: ObjectType, standing: Standing) -> [FieldValue]? {
    let given = compilation.values(of: entry.value.entries, for: object, standing: standing)
    guard !entry.value.isDamaged, given.count == entry.value.entries.count else { return nil }
    let values = object.fields.indices.map { index in given.first { $0.field == index }?.value }
    for (field, value) in zip(object.fields, values) where value == nil {
      compilation.findings.error(
        "missing-field", "\"\(entry.name)\" needs its field \"\(field.name)\"", at: entry.nameSite,
        "not all fields given",
        help: "it takes {\(object.fields.map { "\"\($0.name)\": …" }.listed)}")
    }
    return values.compactMap { $0 }
  }
}

extension JSONNode {
  /// Whether it is `null`, or `${null}`.
  fileprivate var givesNull: Bool {
    switch kind {
    case .null: true
    case .string(let text): text.utf8.lazy.filter { $0 != UInt8(ascii: " ") }.elementsEqual("${null}".utf8)
    default: false
    }
  }

  /// How many values it holds, at least itself; a long text counts for each few bytes, as it may hold many expressions.
  fileprivate var partCount: Int {
    switch kind {
    case .string(let text): 1 + text.utf8.count / 32
    case .array(let elements): max(1, elements.reduce(0) { $0 + $1.partCount })
    case .object(let members): max(1, members.reduce(0) { $0 + $1.value.partCount })
    default: 1
    }
  }
}

/// A row that one `set` gives something to.
private struct SetRow: Hashable {
  let root: Int
  let key: Int
  let name: RowName
}
