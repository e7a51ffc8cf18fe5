import Expressions

extension WrittenSecrets {
  /// The objects that have a member by which an object declares something, and are not data.
  static func declarations(in text: LooseText, or other: String? = nil) -> Set<Int> {
    var found: Set<Int> = []
    var areData: [Bool] = []
    for node in text.nodes {
      let isInData = node.parent.map { areData[$0] } ?? false
      let name = text.name(of: node)
      areData.append(isInData || name.map(data.contains) ?? false)
      guard !isInData, let name, let parent = node.parent else { continue }
      if declaring.contains(name) || name == other { found.insert(parent) }
    }
    return found
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
    return secrets(in: text).compactMap { text.name(of: text.nodes[$0]) }
      + listed.map { SecretName(text.text($0.range)).name }
  }

  static func secrets(in text: LooseText) -> Set<Int> {
    Set(
      text.nodes.compactMap { node -> Int? in
        guard node.kind != .object, let name = text.name(of: node) else { return nil }
        let value = text.text(node.range).lowercased()
        // Under another name, or from elsewhere, it may be data.
        let mayBeData = node.kind != .other && (name != "secret" || value.contains("${"))
        let isMarked = mayBeData ? ["true", "yes"].contains(value) : value != "false"
        return isMarked && isMark(name) ? node.parent : nil
      })
  }

  /// A mark that is misspelt was meant all the same.
  static func isMark(_ name: String) -> Bool {
    name != "secrets" && nearestName(to: name, among: ["secret"]) != nil
  }

  static func members(of kinds: [Kind]) -> Set<String> {
    Set(kinds.flatMap(\.grammar.names))
  }
}
