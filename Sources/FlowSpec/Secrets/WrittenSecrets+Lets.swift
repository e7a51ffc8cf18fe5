import Expressions

extension WrittenSecrets {
  /// The names of lets whose values are made of a secret, and of those that some part of an expression holds against one:
  /// what these write out may be that secret.
  struct Lets {
    var ofSecrets: Set<String> = []
    var besideSecrets: Set<String> = []
  }

  /// Those of the document; a let may read another.
  var letsOfSecrets: Lets {
    let definitions = text.nodes.filter { $0.kind == .string }.compactMap { node in
      nameOfLet(node).map { (name: $0, words: text.words(node.range), isCondition: isComparison(node.range)) }
    }
    if definitions.isEmpty { return Lets() }
    let names = Set(definitions.map(\.name))
    var (read, readers): ([String: [String]], [String: [String]]) = ([:], [:])
    for one in definitions {
      let others = names.intersection(one.words)
      read[one.name, default: []] += others
      if !one.isCondition { for other in others { readers[other, default: []].append(one.name) } }
    }
    let first = definitions.filter { !$0.isCondition && isOfSecret($0.words) }.map(\.name)
    var found = self
    found.lets.ofSecrets = Self.all(from: first, by: readers)
    var beside: Set<String> = []
    for node in text.nodes where node.kind == .string {
      let expressions = isOfCondition(node) ? [node.range] : templates(in: node.range)
      for words in expressions.flatMap(parts(ofCondition:)).map(text.words) {
        let held = Set(words).intersection(names)
        if held.isEmpty { continue }
        let secrets = found.secrets(among: words)
        beside.formUnion(held.filter { secrets.count > 1 || secrets.first ?? $0 != $0 })
      }
    }
    return Lets(ofSecrets: found.lets.ofSecrets, besideSecrets: Self.all(from: Array(beside), by: read))
  }

  /// What these lead to, themselves included.
  private static func all(from first: [String], by next: [String: [String]]) -> Set<String> {
    var (all, pending) = (Set(first), first)
    while let name = pending.popLast() {
      for other in next[name] ?? [] where all.insert(other).inserted { pending.append(other) }
    }
    return all
  }

  /// Whether it gives true or false.
  private func isComparison(_ range: Range<Int>) -> Bool {
    text.bytes[range].contains { "=<>&|!".utf8.contains($0) }
  }

  /// What the expression of a let writes out that is called like a secret, as what it reads is none, or held against one;
  /// `nil` for what is no such expression.
  func literals(ofLet node: LooseText.Node) -> [Range<Int>]? {
    guard node.kind == .string, let name = nameOfLet(node) else { return nil }
    if lets.besideSecrets.contains(name) { return literals(ofExpressionIn: node.range, shortest: 1) }
    guard
      names.index(of: name) ?? names.index(of: name.lowercased()) != nil,
      text.words(node.range).contains(where: readable.contains)
    else { return nil }
    // A backslash is that of a quotation mark.
    return text.bytes[node.range].contains(UInt8(ascii: "\\"))
      ? plainParts(of: node.range) : literals(ofExpressionsIn: node.range)
  }

  /// The name of the let whose expression it is, which one that is an object has under "is"; `nil` for no let.
  func nameOfLet(_ node: LooseText.Node) -> String? {
    guard isMachine, let name = text.name(of: node) else { return nil }
    let around = text.names(around: node, most: 4)
    return around == ["let", nil] ? name : name == "is" && around.dropFirst() == ["let", nil] ? around[0] : nil
  }
}
