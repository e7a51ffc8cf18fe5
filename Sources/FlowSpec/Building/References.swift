import Expressions

/// The steps of the source document that a `ref` may name, and which were named.
struct References: Sendable {
  /// The flow being loaded; `nil` when a service is checked alone, and no ref can be judged.
  let flow: String?
  /// Ids of the flow's `source`; `nil` when it could not be read.
  let known: [String]?
  fileprivate let ids: Set<String>
  /// Whether refs are written `flow#id`, since the document serves several flows.
  let isShared: Bool
  fileprivate(set) var carried: Set<String> = []
  /// Where each was named first, be it on something that no trace shows.
  fileprivate(set) var named: [String: Site] = [:]
  /// Those that name another flow, as they are written.
  fileprivate(set) var others: [(flow: String, text: String, site: Site)] = []

  init(flow: String?, known: [String]?, isShared: Bool) {
    (self.flow, self.known, self.isShared) = (flow, known, isShared)
    ids = Set(known ?? [])
  }
}

extension Compilation {
  /// The refs of an object that concern the flow being loaded, without the flow's name.
  mutating func refs(of declaration: Declaration) -> [String] {
    let refs = namedRefs(of: declaration)
    references.carried.formUnion(refs)
    return refs
  }

  private mutating func namedRefs(of declaration: Declaration) -> [String] {
    declaration["ref"].items.compactMap { item in item.string.flatMap { ref($0, at: item.site) } }
  }

  /// Looks at the refs of every object of a document, those included that no trace will show.
  mutating func checkRefs(of declaration: Declaration) {
    switch declaration.content {
    case .object(_, let entries):
      for index in entries.indices {
        if entries[index].name == "ref" { _ = namedRefs(of: declaration) } else { checkRefs(of: entries[index].value) }
      }
    case .map(let entries): for index in entries.indices { checkRefs(of: entries[index].value) }
    case .list(let items): for item in items { checkRefs(of: item) }
    default: break
    }
  }

  private mutating func ref(_ text: String, at site: Site) -> String? {
    guard references.isShared else { return known(text, at: site) }
    guard let hash = text.firstIndex(of: "#"), hash > text.startIndex else {
      findings.error(
        "unqualified-ref", "a ref of a service names its flow", at: site, "no flow is named here",
        help: "write \"\(references.flow ?? "flow")#\(text.drop { $0 == "#" })\": services are shared by flows")
      return nil
    }
    let (flow, id) = (String(text[..<hash]), String(text[text.index(after: hash)...]))
    if flow == references.flow { return known(id, at: site) }
    references.others.append((flow, text, site))
    // It may be another flow's, or this one's misspelt: who misses the step is told.
    if references.flow.flatMap({ nearestName(to: flow, among: [$0]) }) != nil, references.ids.contains(id) {
      references.named[id] = references.named[id] ?? site
    }
    return nil
  }

  private mutating func known(_ id: String, at site: Site) -> String? {
    guard let known = references.known else { return nil }
    guard references.ids.contains(id) else {
      findings.error(
        "unknown-ref", "\"ref\" names \"\(id)\", which the flow's \"source\" does not list", at: site,
        "no such step", help: suggestion(for: id, among: known) ?? "add it to \"refs\" of \"source\"")
      return nil
    }
    references.named[id] = references.named[id] ?? site
    return id
  }
}
