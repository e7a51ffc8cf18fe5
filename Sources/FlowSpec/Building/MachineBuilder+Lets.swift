import Expressions

/// The named expressions of a machine.
extension MachineBuilder {
  /// Lets are compiled here or, those that mean different things in different places, wherever they are used.
  mutating func readLets() {
    let entries = document["let"].entries
    base.scope.lets.reserveCapacity(entries.count)
    var readable: [Declaration.Entry] = []
    for entry in entries {
      guard compilation.checkName(entry, isField: false) else {
        compilation.refuse(letNamed: entry.name)
        continue
      }
      guard isFree(entry) else { continue }
      compilation.ledger.declare(.definition, entry.name, at: entry.nameSite)
      if entry.value.kind == .definition { compilation.letRefs[entry.name] = compilation.refs(of: entry.value) }
      base.scope.lets[entry.name] = entry.definition?.string.map { Let($0) } ?? Self.unknown
      guard let source = entry.definition, source.string != nil else { continue }
      readable.append(entry)
      compilation.definitions[entry.name] = source.site
    }
    let lets = base.scope.lets
    // Where nothing is wrong with them the order makes no difference, and so few cannot be too deep in one another.
    if readable.count <= 100, compileLets(readable, isTrial: true) { return }
    base.scope.lets = lets
    _ = compileLets(Self.ordered(readable), isTrial: false)
  }

  /// Those that others name before these, so that each is compiled with no more than itself.
  private static func ordered(_ entries: [Declaration.Entry]) -> [Declaration.Entry] {
    let places = Dictionary(entries.indices.map { (entries[$0].name, $0) }) { first, _ in first }
    var ordered: [Declaration.Entry] = []
    // `nil` where it has not been looked at, true where what it names is under way.
    var isOpen: [Bool?] = entries.map { _ in nil }
    var pending = Array(entries.indices.reversed())
    while let index = pending.last {
      if isOpen[index] == nil {
        isOpen[index] = true
        for word in entries[index].definition?.string?.utf8.split(whereSeparator: { !$0.isIdentifierPart }) ?? [] {
          if let other = places[String(decoding: word, as: UTF8.self)], isOpen[other] == nil { pending.append(other) }
        }
      } else {
        if isOpen[index] == true { ordered.append(entries[index]) }
        isOpen[pending.removeLast()] = false
      }
    }
    return ordered
  }

  /// Those that do not mean the same in every place are looked at by themselves where everything is in scope, so that what
  /// is wrong in one is said once and where it stands; a trial ends there, and is false.
  private mutating func compileLets(_ entries: [Declaration.Entry], isTrial: Bool) -> Bool {
    var standing = base.readingResponse()
    if purpose == .service { standing = standing.reading(requestWithPath: anyPath) }
    var anywhere = anywhere
    // The lets are held by nothing else meanwhile, so that they are not copied for each of them.
    (base.scope.lets, anywhere.scope.lets) = ([:], [:])
    for entry in entries {
      guard let source = entry.definition, let definition = standing.scope.lets[entry.name] else { continue }
      if let compiled = try? definition.compiled(as: entry.name, in: standing.scope) {
        standing.scope.lets[entry.name] = compiled
        continue
      }
      swap(&standing.scope.lets, &anywhere.scope.lets)
      do { _ = try definition.compiled(as: entry.name, in: anywhere.scope) } catch {
        if isTrial { return false }
        compilation.report(error, in: definition.source, at: source.site)
        anywhere.scope.lets[entry.name] = Self.unknown
      }
      swap(&standing.scope.lets, &anywhere.scope.lets)
    }
    base.scope.lets = standing.scope.lets
    return true
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

  /// Everything that is in scope in some place of this machine.
  private var anywhere: Standing {
    var standing = base.readingResponse().reading("result", .dyn, .result).able(to: .ofReplies)
    if purpose == .app { standing = standing.reading("event", .dyn, .event) }
    return purpose == .app ? standing : standing.reading(requestWithPath: .dyn)
  }
}

extension Declaration.Entry {
  /// What a let stands for, written by itself or as the member of an object; `nil` where that is missing.
  var definition: Declaration? { value.kind == .definition ? value["is"] : value }
}
