import Expressions

extension MachineBuilder {
  /// Resolves what `set` or `clear` names.
  mutating func place(_ text: String, at site: Site, standing: Standing) -> (place: Place, destined: Destined)? {
    guard let path = PathText(text) else {
      compilation.findings.error(
        "wrong-path", "\"\(text)\" is no path", at: site, "not understood",
        help: "write key, table[row] or table[row].field")
      return nil
    }
    let name = text.slice(path.key)
    if keyIndices[name] == nil, let group = groups[name] {
      let keys = group.map { place(of: $0.key, in: $0.area, at: site).declared.name }
      compilation.findings.error(
        "wrong-place", "\"\(name)\" is a group, and groups are for \"clear\" alone", at: site, "not a key",
        help: "its keys are \(keys.listed)")
      return nil
    }
    guard let index = keyIndices[name] else {
      compilation.unknownKey(
        text, name, path, at: site, names: (store + memory).map(\.name) + groups.keys.sorted())
      return nil
    }
    let (area, number): (Place.Area, Int) = index < store.count ? (.store, index) : (.memory, index - store.count)
    let key = area == .store ? store[number] : memory[number]
    return compilation.place(text, path, of: key, number, in: area, at: site, standing) {
      (store + memory).filter { $0.rowType != nil }.map(\.name)
    }
  }

  func place(of index: Int, in area: Place.Area, at site: Site) -> Place {
    let key = area == .store ? store[index] : memory[index]
    return Place(key, area: area, key: index, row: nil, field: nil, site: site)
  }
}

extension Compilation {
  fileprivate mutating func place(
    _ text: String, _ path: PathText, of key: Key, _ index: Int, in area: Place.Area, at site: Site,
    _ standing: Standing, tables: () -> [String]
  ) -> (place: Place, destined: Destined)? {
    ledger.use(.key, key.name)
    guard let part = part(of: key, text, path, at: site, standing, tables: tables) else { return nil }
    let place = Place(key, area: area, key: index, row: part.row, field: part.field, site: site)
    let field = place.keeping.field
    return (
      place, Destined(title: text, type: place.type, allowed: field.allowed, isSecret: field.secret != nil)
    )
  }

  /// The row and field that a path names in a key, held against the key's shape.
  private mutating func part(
    of key: Key, _ text: String, _ path: PathText, at site: Site, _ standing: Standing, tables: () -> [String]
  ) -> (row: Place.RowKey?, field: Int?)? {
    guard let row = key.rowType else {
      if path.row == nil, path.field == nil { return (nil, nil) }
      if brokenKeys.contains(key.name) { return nil }
      let meant = nearestName(to: key.name, among: tables()).map { "did you mean the table \"\($0)\"? If not, " } ?? ""
      findings.error(
        "wrong-place", "\"\(key.name)\" is no table: it has no rows and fields", at: site, "not a table",
        help: "\(meant)write \"\(key.name)\"")
      return nil
    }
    guard let bracket = path.row else {
      if path.field == nil { return (nil, nil) }
      findings.error(
        "wrong-place", "\"\(key.name)\" is a table: name the row before the field", at: site, "names no row",
        help: "write \(key.name)[…].\(text.slice(path.field ?? path.key))")
      return nil
    }
    var standing = standing
    standing.scope.isInBrackets = true
    guard
      let placed = expression(
        text.slice(bracket), at: site, offset: bracket.lowerBound, in: standing, expecting: .string)
    else { return nil }
    if placed.expression.isConstant, placed.expression.allowed == [""] {
      findings.error(
        "row-key", "a row is named by a string that is not empty", at: site.inside(bracket), "names no row",
        help: "write the key by which the row is found")
    }
    guard let name = path.field.map({ text.slice($0) }) else { return (.expression(placed), nil) }
    guard let field = field(name, of: row, at: site.inside(path.field ?? bracket)) else { return nil }
    return (.expression(placed), field)
  }

  fileprivate mutating func unknownKey(
    _ text: String, _ name: String, _ path: PathText, at site: Site, names: @autoclosure () -> [String]
  ) {
    if name == "store" || name == "memory", let field = path.field {
      unknown(
        "key", name, at: site, among: [], "\"\(text)\" names no key of store or memory",
        help: "paths are bare here: write \"\(text.slice(field))\"")
    } else {
      unknown("key", name, at: site, among: names(), "\"\(name)\" names no key or group of store or memory")
    }
  }
}

extension String {
  func slice(_ range: Range<Int>) -> String {
    var text = self
    return text.withUTF8 { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
  }
}
