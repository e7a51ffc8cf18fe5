import Expressions

extension Check {
  /// Instants that are kept and that nothing looks at: what ends then is taken for good, by an app that stores when its
  /// token expires as by a service whose model passes for one that expires.
  ///
  /// A row that is read as a whole is looked at, for all anybody knows.
  static let unreadInstants: @Sendable (Examined) -> [Diagnostic] = { examined in
    let (machine, entries) = (examined.machine, examined.document["store"].entries)
    if entries.isEmpty { return [] }
    let numbers = Dictionary(machine.store.enumerated().map { ($1.name, $0) }) { first, _ in first }
    let read = Set(examined.expressions.flatMap(\.expression.facts.references))
    let assignments = examined.actions.flatMap(\.assignments).filter { $0.place.isDurable && !$0.value.isNothing }
    let (set, readAsRows) = (Dictionary(grouping: assignments, by: \.place.key), examined.tablesReadAsRows)
    return entries.flatMap { entry -> [Diagnostic] in
      guard let number = numbers[entry.name] else { return [] }
      let key = machine.store[number]
      guard key.isTable else {
        // What goes with nothing else may be for people, and so may when something was.
        let isRead = read.contains(["store", key.name]) || key.groups.isEmpty
        guard key.field.type == .timestamp, !isRead, let values = set[number], !values.allSatisfy(\.value.isNow) else {
          return []
        }
        return [unreadInstant(key.name, "store.\(key.name)", at: entry.nameSite)]
      }
      if examined.model == nil || readAsRows.contains(key.name) { return [] }
      return key.rowKeepings.enumerated().compactMap { field, keeping in
        let name = keeping.field.name
        guard keeping.field.type == .timestamp, !read.contains(["store", key.name, name]),
          set[number]?.contains(where: { $0.sets(field) }) == true
        else { return nil }
        let site = entry.value["rows"].entries.first { $0.name == name }?.nameSite
        return unreadInstant("\(key.name)[…].\(name)", "store.\(key.name)[…].\(name)", at: site ?? entry.nameSite)
      }
    }
  }

  private static func unreadInstant(_ title: String, _ name: String, at site: Site) -> Diagnostic {
    Diagnostic(
      "unread-key", severity: .warning, "nothing looks at the instant \"\(title)\": what ends then is taken for good",
      at: site, "declared here", help: "ask for expired(\(name)) where it counts, or remove it")
  }
}

extension Examined {
  /// The tables of the store of which an expression reads rows as a whole.
  fileprivate var tablesReadAsRows: Set<String> {
    let names = expressions.flatMap(\.expression.readings).map(\.name).filter { $0.hasSuffix("]") }
    return Set(
      names.filter { $0.hasPrefix("store.") }.map { String($0.dropFirst("store.".count).prefix { $0 != "[" }) })
  }
}

extension ValueTemplate {
  /// Whether it is the time as it is: what was then has ended already.
  fileprivate var isNow: Bool {
    if case .template(let placed) = self { placed.template.source == "${now}" } else { false }
  }
}

extension Assignment {
  /// Whether it gives a field of a row something but the time.
  fileprivate func sets(_ field: Int) -> Bool {
    let given = place.field == field ? value : members.first { $0.field == field }?.value
    return given.map { !$0.isNothing && !$0.isNow } ?? false
  }
}
