import JSONSyntax

/// A piece of a document as its author wrote it, of the shape that its place asks for, and with that place.
///
/// An object, because much copying is done with few of them.
final class Declaration: Sendable {
  enum Content: Sendable {
    case string(String)
    case flag(Bool)
    case whole(Int64)
    case number(Double)
    case duration(Duration)
    case list([Declaration])
    /// An object of this kind; only members that are right stand here.
    case object(Kind, [Entry])
    /// Names that the author chose.
    case map([Entry])
    /// Any JSON: `node` is it.
    case value
    /// Of the wrong shape, and reported; it stands here so that its name is known.
    case broken
  }

  struct Entry: Sendable {
    let name: String
    let nameSite: Site
    let value: Declaration
  }

  let node: JSONNode
  let site: Site
  let content: Content
  /// Whether something that stood directly here was wrong and has been left out: what is missing may be a consequence.
  let isDamaged: Bool

  init(node: JSONNode, site: Site, content: Content, isDamaged: Bool) {
    (self.node, self.site, self.content, self.isDamaged) = (node, site, content, isDamaged)
  }

  /// The member of an object, `nil` when it does not stand there.
  subscript(name: String) -> Declaration? { entry(name)?.value }

  func entry(_ name: String) -> Entry? {
    guard case .object(let kind, let entries) = content else { return nil }
    // Debug builds alone look: it is asked for every member of every object.
    assert(
      kind.grammar.shape(of: name) != nil, "\"\(name)\" is asked of \(kind.grammar.title), which has no such member.")
    guard let index = entries.indices.first(where: { entries[$0].name == name }) else { return nil }
    return entries[index]
  }

  func has(_ name: String) -> Bool { self[name] != nil }

  /// Whether an object has a member of this name, though what stands there be wrong.
  func isWritten(_ name: String) -> Bool { has(name) || isDamaged && writtenNames.contains(name) }

  /// Names of members that such an object does not have.
  var strangers: [String] {
    guard isDamaged, let kind else { return [] }
    return writtenNames.filter { kind.grammar.shape(of: $0) == nil }
  }

  private var writtenNames: [String] {
    if case .object(let members) = node.kind { members.map(\.name) } else { [] }
  }

  var kind: Kind? {
    if case .object(let kind, _) = content { kind } else { nil }
  }

  var string: String? {
    if case .string(let string) = content { string } else { nil }
  }

  var flag: Bool? {
    if case .flag(let flag) = content { flag } else { nil }
  }

  var whole: Int64? {
    if case .whole(let whole) = content { whole } else { nil }
  }

  var number: Double? {
    switch content {
    case .whole(let whole): Double(whole)
    case .number(let number): number
    default: nil
    }
  }

  var duration: Duration? {
    if case .duration(let duration) = content { duration } else { nil }
  }

  /// The elements of a list; of one that stands alone where a list may, itself.
  var items: [Declaration] {
    if case .list(let items) = content { items } else { [self] }
  }

  /// The members of a map of names.
  var entries: [Entry] {
    if case .map(let entries) = content { entries } else { [] }
  }
}

extension Declaration {
  /// Whether something is wrong in this or directly in its members: what it declares is not all known.
  var isDeeplyDamaged: Bool {
    switch content {
    case .object(_, let entries), .map(let entries): isDamaged || entries.contains { $0.value.isDeeplyDamaged }
    case .list(let items): isDamaged || items.contains(where: \.isDeeplyDamaged)
    default: isDamaged
    }
  }

  /// Whether something is left out of a document that may have declared what other parts name.
  var hidesNames: Bool {
    // What stands alone in a list declares no names.
    if case .list = content { return false }
    guard case .object(let kind, let entries) = content else { return true }
    if isDamaged { return true }
    guard kind == .flow else { return false }
    let participants = entries.first { $0.name == "participants" }?.value.entries ?? []
    return participants.contains { $0.value.isDamaged }
  }
}

extension Declaration? {
  var items: [Declaration] { self?.items ?? [] }
  var entries: [Declaration.Entry] { self?.entries ?? [] }
}
