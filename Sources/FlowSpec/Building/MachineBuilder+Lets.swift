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
    // So few cannot be too deep in one another, in whatever order they are compiled.
    let (ordered, mayCircle) = readable.count > 100 ? Self.ordered(readable) : (readable, true)
    let left = Set(compileForAll(ordered).map(\.name))
    let others = readable.filter { left.contains($0.name) }
    guard !others.isEmpty else { return }
    var alone = anywhere
    alone.scope.lets = base.scope.lets.mapValues { _ in Self.unknown }
    for entry in others where !trial(of: entry, in: alone, counting: { _ in true }) {
      base.scope.lets[entry.name] = Self.unknown
    }
    if mayCircle { for entry in others { refuseCircle(entry) } }
  }

  private mutating func trial(
    of entry: Declaration.Entry, in standing: Standing, counting isCounted: (ExpressionProblem) -> Bool
  ) -> Bool {
    guard let source = entry.definition, let text = source.string else { return true }
    return compilation.trial(text, at: source.site, in: standing, counting: isCounted)
  }

  /// Those that others name before these, so that each is compiled with no more than itself, and whether one may come
  /// back to itself.
  private static func ordered(_ entries: [Declaration.Entry]) -> (entries: [Declaration.Entry], mayCircle: Bool) {
    let places = Dictionary(entries.indices.map { (entries[$0].name, $0) }) { first, _ in first }
    var (ordered, mayCircle): ([Declaration.Entry], Bool) = ([], false)
    // `nil` where it has not been looked at, true where what it names is under way.
    var isOpen: [Bool?] = entries.map { _ in nil }
    var pending = Array(entries.indices.reversed())
    while let index = pending.last {
      if isOpen[index] == nil {
        isOpen[index] = true
        for word in entries[index].definition?.string?.utf8.split(whereSeparator: { !$0.isIdentifierPart }) ?? [] {
          guard let other = places[String(decoding: word, as: UTF8.self)] else { continue }
          if isOpen[other] == nil { pending.append(other) } else if isOpen[other] == true { mayCircle = true }
        }
      } else {
        if isOpen[index] == true { ordered.append(entries[index]) }
        isOpen[pending.removeLast()] = false
      }
    }
    return (ordered, mayCircle)
  }

  /// Compiles those lets that mean the same in every place, which is most, and gives the others; what is too deep is told
  /// there, and not wherever it is used.
  private mutating func compileForAll(_ definitions: [Declaration.Entry]) -> [Declaration.Entry] {
    var standing = base.readingResponse()
    if purpose == .service { standing = standing.reading(requestWithPath: anyPath) }
    // The lets are held by nothing else meanwhile, so that they are not copied for each of them.
    base.scope.lets = [:]
    let others = definitions.filter { entry in
      if let compiled = standing.scope.lets[entry.name]?.compiled(as: entry.name, in: standing.scope) {
        standing.scope.lets[entry.name] = compiled
        return false
      }
      let isRight = trial(of: entry, in: standing) { $0.code == "too-deep" }
      if !isRight { standing.scope.lets[entry.name] = Self.unknown }
      return isRight
    }
    base.scope.lets = standing.scope.lets
    return others
  }

  /// Stands in for a let that is broken: whatever uses it is not to blame.
  private static let unknown = Let("dyn(null)")

  private mutating func isFree(_ entry: Declaration.Entry) -> Bool {
    let name = entry.name
    guard Standing.elsewhere[name] != nil || base.scope.variables.contains(where: { $0.name == name }) else {
      return true
    }
    compilation.findings.error(
      "duplicate-name", "\"\(name)\" has a meaning already", at: entry.nameSite, "cannot be the name of a let",
      help: "call it otherwise: \(Standing.elsewhere[name] ?? "\"\(name)\" is the language's own in every expression")")
    // Whoever uses it means the let.
    base.scope.variables.removeAll { $0.name == name }
    base.scope.lets[name] = Self.unknown
    return false
  }

  private mutating func refuseCircle(_ entry: Declaration.Entry) {
    var standing = anywhere
    standing.scope.lets = base.scope.lets
    let name = entry.name
    guard standing.scope.lets[name] !== Self.unknown else { return }
    let isRight = compilation.trial(name, at: entry.nameSite, in: standing) { $0.code == "let-circle" }
    if !isRight { base.scope.lets[name] = Self.unknown }
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
