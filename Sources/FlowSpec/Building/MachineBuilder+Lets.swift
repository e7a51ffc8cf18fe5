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
    for (entry, source) in definitions where !compilesAlone(source) { base.scope.lets[entry.name] = Self.unknown }
    for (entry, _) in definitions { refuseCircle(entry) }
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

  /// Whether a let is right as far as that shows without knowing where it is used.
  private mutating func compilesAlone(_ source: Declaration) -> Bool {
    var standing = anywhere
    standing.scope.lets = base.scope.lets.mapValues { _ in Self.unknown }
    return compilation.trial(source.string ?? "", at: source.site, in: standing) { _ in true }
  }

  private mutating func refuseCircle(_ entry: Declaration.Entry) {
    var standing = anywhere
    standing.scope.lets = base.scope.lets
    let name = entry.name
    guard standing.scope.lets[name] != Self.unknown else { return }
    let isRight = compilation.trial(name, at: entry.nameSite, in: standing) { $0.code == "let-circle" }
    if !isRight { base.scope.lets[name] = Self.unknown }
  }

  /// Everything that is in scope in some place of this machine.
  private var anywhere: Standing {
    var standing = base.readingResponse().reading("result", .dyn, .result).able(to: [.mint, .epochSeconds])
    if purpose == .app { standing = standing.reading("event", .dyn, .event) }
    return purpose == .app ? standing : standing.reading(requestWithPath: .dyn)
  }
}
