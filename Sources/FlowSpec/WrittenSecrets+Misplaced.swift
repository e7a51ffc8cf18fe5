import Expressions

extension WrittenSecrets {
  /// Members of a machine that are objects of values: a text in their place may be one of these.
  private static let ofValues: Set = ["with", "headers", "query", "form", "cookies", "set"]
  private static let holdingHeaders: Set = ["headers", "request", "reply"]

  /// Whether a machine has an object of values there, or rows of a table, as one of which such a text may be meant.
  func isOutOfPlace(_ node: LooseText.Node, _ name: String) -> Bool {
    if Self.ofValues.contains(name) { return true }
    guard let parent = node.parent else { return false }
    if name == "initial" { return tables.contains(parent) }
    let holder = text.nodes[parent]
    return text.name(of: holder) == "initial" && holder.parent.map(tables.contains) == true
  }

  /// Whether a member of a message, or a header, may be meant as one that is always secret.
  func isMisspelt(_ name: String, in around: [String?]) -> Bool {
    guard let holder = around.first ?? nil, Self.holdingHeaders.contains(holder) else { return false }
    return nearestName(to: name.lowercased(), among: Self.everywhere) != nil
  }
}
