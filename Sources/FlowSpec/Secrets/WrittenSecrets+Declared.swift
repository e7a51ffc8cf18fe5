import Expressions

extension WrittenSecrets {
  /// Members by which an object declares something that has a value.
  static let declaringValues: Set<String> = ["type", "one of", "rows"]
  /// What says that something is secret, or that it is none; the last may have been meant so.
  private static let marks: Set = ["true", "false", "null", "yes", "no", "on", "off", "1", "0", "none"]

  /// What stands in a declaration with `"secret": true`; a member that is none may be one of its values, misspelt.
  func isValueOfSecret(_ node: LooseText.Node) -> Bool {
    guard let parent = node.parent, let name = text.name(of: node) else { return false }
    guard secrets.contains(parent) else { return name == "example" && isListed(parent) }
    switch name {
    case "type":
      let word = text.text(node.range)
      return node.kind != .string || TypeName.own(word) == nil && nearestName(to: word, among: TypeName.words) == nil
    case "rows", "despite": return node.kind != .object
    case "title", "note": return node.kind != .string
    case "group", "ref": return node.kind != .string && node.kind != .array
    default: return name != "secret" && (node.kind != .other || !Self.isMark(name))
    }
  }

  /// Whether a declaration is of a field that a service lists among its secrets.
  private func isListed(_ declaration: Int) -> Bool {
    declarations.contains(declaration)
      && text.name(of: text.nodes[declaration]).map { names.index(of: $0) != nil } ?? false
  }

  /// What stands where a declaration says whether it is secret, and says neither: the secret may have been written there.
  func isStrangeMark(_ node: LooseText.Node, at index: Int) -> Bool {
    guard let parent = node.parent else { return false }
    let holder = text.nodes[parent]
    // A list that stands in place of the word.
    if holder.kind == .array, text.name(of: holder) == "secret", let around = holder.parent, around > 0 {
      return declarations.contains(around) && !isMarkWord(node)
    }
    guard declarations.contains(parent), let name = text.name(of: node), Self.isMark(name) else { return false }
    switch node.kind {
    case .string, .other: return !isMarkWord(node)
    case .object: return name == "secret" && valued.contains(parent) && !declarations.contains(index)
    case .array: return false
    }
  }

  private func isMarkWord(_ node: LooseText.Node) -> Bool {
    (node.kind == .string || node.kind == .other) && Self.marks.contains(text.text(node.range).lowercased())
  }

  /// The objects that have a member by which an object declares something, and are not data.
  static func declarations(in text: LooseText, by names: Set<String> = declaring) -> Set<Int> {
    var found: Set<Int> = []
    var areData: [Bool] = []
    for node in text.nodes {
      let isInData = node.parent.map { areData[$0] } ?? false
      let name = text.name(of: node)
      areData.append(isInData || name.map(data.contains) ?? false)
      guard !isInData, let name, let parent = node.parent else { continue }
      if names.contains(name) { found.insert(parent) }
    }
    return found
  }

  /// What has fields that are secret, as tables and capabilities do.
  static func holders(of secrets: Set<Int>, in text: LooseText) -> Set<Int> {
    Set(secrets.compactMap { text.nodes[$0].parent }.compactMap { text.nodes[$0].parent })
  }

  /// The names of tables that have a secret in their rows.
  static func secretTables(in text: LooseText) -> [String] {
    secrets(in: text).compactMap { secret -> String? in
      guard let rows = text.nodes[secret].parent, text.name(of: text.nodes[rows]) == "rows" else { return nil }
      return text.nodes[rows].parent.flatMap { text.name(of: text.nodes[$0]) }
    }
  }

  static func tables(in text: LooseText) -> Set<Int> {
    Set(text.nodes.filter { text.name(of: $0) == "rows" }.compactMap(\.parent))
  }

  static func readable(in text: LooseText) -> Set<String> {
    let lets = text.nodes.firstIndex { $0.parent == 0 && text.name(of: $0) == "let" }
    return Set(Standing.elsewhere.keys).union(["store", "memory", "config", "device", "now"])
      .union(text.nodes.filter { $0.parent != nil && $0.parent == lets }.compactMap(text.name(of:)))
  }

  static func names(in text: LooseText) -> [String] {
    let lists = Set(
      text.nodes.indices.filter { index in
        guard text.nodes[index].kind == .array, let name = text.name(of: text.nodes[index]) else { return false }
        return nearestName(to: name, among: ["secrets"]) != nil
      })
    let listed = text.nodes.filter { $0.kind == .string && $0.parent.map(lists.contains) == true }
    // One that stands there without its brackets.
    let alone = text.nodes.filter { node in
      node.kind == .string && text.name(of: node) == "secrets"
        && (node.parent == 0 || text.names(around: node).dropFirst().first == "participants")
    }
    return secrets(in: text).compactMap { text.name(of: text.nodes[$0]) }
      + (listed + alone).map { SecretName(text.meant($0.range)).name }
  }

  static func secrets(in text: LooseText) -> Set<Int> {
    // What has a type of its own declares nothing in it: an object called "secret" there was meant as the mark.
    let typed = Set(
      text.nodes.compactMap { node in
        node.kind != .object && ["type", "one of"].contains(text.name(of: node)) ? node.parent : nil
      })
    return Set(
      text.nodes.compactMap { node -> Int? in
        guard let name = text.name(of: node) else { return nil }
        if node.kind == .object {
          return name == "secret" && node.parent.map(typed.contains) == true ? node.parent : nil
        }
        let value = text.text(node.range).lowercased()
        // Under another name, or from elsewhere, it may be data.
        let mayBeData = node.kind != .other && (name != "secret" || value.contains("${"))
        let isMarked = mayBeData ? ["true", "yes"].contains(value) : value != "false"
        return isMarked && isMark(name) ? node.parent : nil
      })
  }

  /// A mark that is misspelt was meant all the same.
  static func isMark(_ name: String) -> Bool {
    // Of others the length alone tells that they are not like it.
    (5...9).contains(name.unicodeScalars.count) && name != "secrets" && nearestName(to: name, among: ["secret"]) != nil
  }

  static func members(of kinds: [Kind]) -> Set<String> {
    Set(kinds.flatMap(\.grammar.names))
  }
}
