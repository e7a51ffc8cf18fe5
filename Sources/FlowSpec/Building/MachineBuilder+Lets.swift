import Expressions

/// The named expressions of a machine.
extension MachineBuilder {
  /// Lets are compiled wherever they are used; here each is looked at by itself, so that what is wrong in one is said
  /// once and where it stands.
  mutating func readLets() {
    var definitions: [(entry: Declaration.Entry, source: Declaration)] = []
    for entry in document["let"].entries where compilation.checkName(entry) && isFree(entry) {
      compilation.ledger.declare(.definition, entry.name, at: entry.nameSite)
      let isObject = entry.value.kind == .definition
      compilation.letRefs[entry.name] = isObject ? compilation.refs(of: entry.value) : []
      base.scope.lets[entry.name] = Self.unknown
      guard let source = isObject ? entry.value["is"] : entry.value, source.string != nil else { continue }
      definitions.append((entry, source))
      base.scope.lets[entry.name] = source.string
      self.definitions.append(ConditionLine(source: source.string ?? "", site: source.site))
    }
    var uses: [String: Set<String>] = [:]
    for (entry, source) in definitions {
      uses[entry.name] = compiledAlone(source)?.lets
      if uses[entry.name] == nil { base.scope.lets[entry.name] = Self.unknown }
    }
    if Self.hasCircle(uses) { for (entry, _) in definitions { refuseCircle(entry) } }
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
  private static let unknown = "dyn(null)"

  private mutating func isFree(_ entry: Declaration.Entry) -> Bool {
    let variables = base.scope.variables.map(\.name) + Array(Standing.elsewhere.keys)
    guard variables.contains(entry.name) else { return true }
    compilation.findings.error(
      "duplicate-name", "\"\(entry.name)\" has a meaning already", at: entry.nameSite, "cannot be the name of a let")
    return false
  }

  /// A let as far as it is known without where it is used; `nil` when it is wrong already.
  private mutating func compiledAlone(_ source: Declaration) -> Expression? {
    var standing = anywhere
    standing.scope.lets = base.scope.lets.mapValues { _ in Self.unknown }
    return compilation.trial(source.string ?? "", at: source.site, in: standing) { _ in true }.expression
  }

  private mutating func refuseCircle(_ entry: Declaration.Entry) {
    var standing = anywhere
    standing.scope.lets = base.scope.lets
    let name = entry.name
    guard standing.scope.lets[name] != Self.unknown else { return }
    let trial = compilation.trial(name, at: entry.nameSite, in: standing) { $0.code == "let-circle" }
    if !trial.isRight { base.scope.lets[name] = Self.unknown }
  }

  /// Everything that is in scope in some place of this machine.
  private var anywhere: Standing {
    var standing = base.readingResponse().reading("result", .dyn, .result).able(to: [.mint, .epochSeconds])
    if purpose == .app { standing = standing.reading("event", .dyn, .event) }
    return purpose == .app ? standing : standing.reading(requestWithPath: .dyn)
  }
}
