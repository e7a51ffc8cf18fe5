import Expressions

/// The named expressions of a machine.
extension MachineBuilder {
  /// Lets are compiled here or, those that mean different things in different places, wherever they are used; then each
  /// is looked at by itself too, so that what is wrong in one is said once and where it stands.
  mutating func readLets() {
    let entries = document["let"].entries
    base.scope.lets.reserveCapacity(entries.count)
    var readable: [Declaration.Entry] = []
    for entry in entries where compilation.checkName(entry) && isFree(entry) {
      compilation.ledger.declare(.definition, entry.name, at: entry.nameSite)
      if entry.value.kind == .definition { compilation.letRefs[entry.name] = compilation.refs(of: entry.value) }
      base.scope.lets[entry.name] = entry.definition?.string.map { Let($0) } ?? Self.unknown
      guard let source = entry.definition, source.string != nil else { continue }
      readable.append(entry)
      definitions[entry.name] = source.site
    }
    let others = compileForAll(readable)
    guard !others.isEmpty else { return }
    var uses: [String: Set<String>] = [:]
    var alone = anywhere
    alone.scope.lets = base.scope.lets.mapValues { _ in Self.unknown }
    for entry in others {
      guard let source = entry.definition else { continue }
      uses[entry.name] =
        compilation.trial(source.string ?? "", at: source.site, in: alone) { _ in true }
        .expression.map { Set($0.facts.lets) }
      if uses[entry.name] == nil { base.scope.lets[entry.name] = Self.unknown }
    }
    if Self.hasCircle(uses) { for entry in others { refuseCircle(entry) } }
  }

  /// Compiles those lets that mean the same in every place, which is most, and gives the others.
  private mutating func compileForAll(_ definitions: [Declaration.Entry]) -> [Declaration.Entry] {
    var scope = base.readingResponse().scope
    if purpose == .service { scope = base.readingResponse().reading(requestWithPath: anyPath).scope }
    // The lets are held by nothing else meanwhile, so that they are not copied for each of them.
    base.scope.lets = [:]
    let others = definitions.filter { entry in
      guard let compiled = scope.lets[entry.name]?.compiled(as: entry.name, in: scope) else { return true }
      scope.lets[entry.name] = compiled
      return false
    }
    base.scope.lets = scope.lets
    return others
  }

  /// Whether some name comes back to itself; each is given with those that it uses.
  private static func hasCircle(_ uses: [String: Set<String>]) -> Bool {
    var left = uses
    while !left.isEmpty {
      let names = Set(left.keys)
      let blocked = left.filter { !$0.value.isDisjoint(with: names) }
      if blocked.count == left.count { return true }
      left = blocked
    }
    return false
  }

  /// Stands in for a let that is broken: whatever uses it is not to blame.
  private static let unknown = Let("dyn(null)")

  private mutating func isFree(_ entry: Declaration.Entry) -> Bool {
    let name = entry.name
    guard Standing.elsewhere[name] != nil || base.scope.variables.contains(where: { $0.name == name }) else {
      return true
    }
    compilation.findings.error(
      "duplicate-name", "\"\(entry.name)\" has a meaning already", at: entry.nameSite, "cannot be the name of a let")
    return false
  }

  private mutating func refuseCircle(_ entry: Declaration.Entry) {
    var standing = anywhere
    standing.scope.lets = base.scope.lets
    let name = entry.name
    guard standing.scope.lets[name] !== Self.unknown else { return }
    let trial = compilation.trial(name, at: entry.nameSite, in: standing) { $0.code == "let-circle" }
    if !trial.isRight { base.scope.lets[name] = Self.unknown }
  }

  /// Everything that is in scope in some place of this machine.
  private var anywhere: Standing {
    var standing = base.readingResponse().reading("result", .dyn, .result).able(to: .ofReplies)
    if purpose == .app { standing = standing.reading("event", .dyn, .event) }
    return purpose == .app ? standing : standing.reading(requestWithPath: .dyn)
  }
}

extension Declaration.Entry {
  /// What a let stands for, written by itself or as the member of an object; `nil` where that is missing.
  fileprivate var definition: Declaration? { value.kind == .definition ? value["is"] : value }
}
