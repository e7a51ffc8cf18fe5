import Expressions

extension WrittenSecrets {
  /// Members of a machine that are objects of values: a text in their place may be one of these.
  private static let ofValues: Set = ["with", "headers", "query", "form", "cookies", "set"]
  private static let holdingHeaders: Set = ["headers", "request", "reply"]

  /// Whether what has these names around it stands in an action, not in data that looks like one.
  func isAction(in around: [String?]) -> Bool {
    let isListed =
      around.count > 2 && around[1] == nil && (around[2] == "do" || around.dropFirst(3) == ["actions", nil])
    return isListed && around.dropFirst().allSatisfy { $0.map(Self.data.contains) != true }
  }

  /// A store that was kept, and is taken for a document, is hidden as a whole.
  var isKeptStore: Bool { Loading.isKeptStore(text.nodes.filter { $0.parent == 0 }.compactMap(text.name(of:))) }

  /// Whether it looks as a session writes a store, in one line: broken at its head, it has no members that could be told.
  var isDamagedStore: Bool {
    guard text.has(#"","store":{"#) || text.has(#"{"format":1,"flow":""#) else { return false }
    return !text.has(#""states""#) && !text.has(#""routes""#) && !text.has(#""given""#) && !text.has(#""participants""#)
  }

  /// Whether a machine has an object of values there, or rows of a table, as one of which such a text may be meant.
  func isOutOfPlace(_ node: LooseText.Node, _ name: String) -> Bool {
    if node.kind == .object { return false }
    let isInData = text.names(around: node).contains { $0.map(Self.data.contains) ?? false }
    if Self.ofValues.contains(name) { return node.kind != .array || !isInData }
    guard let parent = node.parent else { return false }
    // One brace too many, and it stands behind what it is the value of.
    let isValue = ["value", "initial", "example"].contains(name)
    if isValue, node.kind == .string, text.nodes[parent].kind == .object, !declarations.contains(parent) {
      return text.names(around: node).dropFirst().first != "capabilities" && !isInData
    }
    if name == "initial" { return tables.contains(parent) }
    let holder = text.nodes[parent]
    return text.name(of: holder) == "initial" && holder.parent.map(tables.contains) == true
  }

  /// Whether something else stands in a machine for a row, a table or an example that has secrets in it.
  func standsForObject(_ node: LooseText.Node, _ name: String, in around: [String?]) -> Bool {
    guard node.kind != .object, text.text(node.range) != "null" else { return false }
    if around.prefix(2) == ["set", nil] { return secretTables.contains(name) }
    return name == "example" && node.parent.map(holders.contains) == true
  }

  /// Whether a scenario gives something else for a service, a table or a row that has secrets in it.
  func standsForGiven(_ node: LooseText.Node, _ name: String, in around: [String?]) -> Bool {
    guard node.kind != .object, text.text(node.range) != "null", let given = around.firstIndex(of: "given"),
      given > 0, ["store", "services"].contains(around[given - 1])
    else { return false }
    switch around[given - 1] == "store" ? given : given - 1 {
    case 0: return true
    case 1: return secretTables.contains(name)
    case 2: return around.first.flatMap { $0 }.map(secretTables.contains) == true
    default: return false
    }
  }

  /// Whether something is declared by a name; of what has no value, nothing can be given.
  func isDeclared(_ name: String, in around: [String?]) -> Bool {
    takesValues(around) ? valuedNames.contains(name) : declared.contains(name)
  }

  /// Whether the members of an object are the values of keys, settings and fields.
  func takesValues(_ around: [String?]) -> Bool {
    if isMachine { return around.first == "with" || around.prefix(2) == ["set", nil] }
    if ["with", "result"].contains(around.first) { return true }
    guard let given = around.firstIndex(of: "given"), given > 0 else { return false }
    return ["store", "config"].contains(around[given - 1]) || around[given - 1] == "services" && given > 1
  }

  /// Whether a duration was meant: whoever forgets its last unit has to see that, and so few digits are no secret there.
  func isMeantAsDuration(_ node: LooseText.Node) -> Bool {
    let written = text.text(node.range)
    let meant = [written] + (written.utf8.count <= 6 ? [written + "s"] : [])
    return meant.contains { Duration(celText: $0, allowingDays: true) != nil || $0.meantDuration != nil }
  }

  /// What follows the name of a header or a cookie in that name, where its value may have been written; all of what
  /// nobody would have chosen as a name.
  func valueInName(of node: LooseText.Node) -> Range<Int>? {
    guard let name = node.name, let parent = node.parent,
      ["headers", "cookies"].contains(text.name(of: text.nodes[parent]))
    else { return nil }
    let end = text.bytes[name].firstIndex { "=: \t\\".utf8.contains($0) } ?? name.upperBound
    if !text.text(name.lowerBound..<end).mayBeChosen { return name }
    return end < name.upperBound ? end..<name.upperBound : nil
  }

  /// Whether a member of a message, or a header, may be meant as one that is always secret.
  func isMisspelt(_ name: String, in around: [String?]) -> Bool {
    guard let holder = around.first ?? nil, Self.holdingHeaders.contains(holder) else { return false }
    return nearestName(to: name.lowercased(), among: Self.everywhere) != nil
  }
}
