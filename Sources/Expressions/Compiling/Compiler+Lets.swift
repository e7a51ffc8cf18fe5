/// The lets that an expression uses.
struct OpenLets: Sendable {
  /// Levels of nodes in the lets that nest on the stack, when compiling and when running.
  static let mostDepth = 2 * Parser.deepest

  /// Those that were compiled here; `spans`, `reads` and `uses` are what using one again adds to `Compiler.spansAhead`,
  /// `reads` and `Facts.used`.
  var known: [String: (term: Term, spans: [Duration], reads: TimeReads, uses: [String])] = [:]
  /// Those being compiled, outermost first.
  var open: [String] = []
  /// Levels of nodes in those being compiled.
  var depth = 0
  /// The most that `depth` came to.
  var deepest = 0
  /// Where the outermost of them is used.
  var place: Range<Int>?
}

extension Compiler {
  /// The term of a let, compiled once and without the macro variables around its use.
  mutating func letTerm(_ name: String, _ definition: Let, at range: Range<Int>) -> Term {
    let isNew = !facts.lets.contains(name)
    if let compiled = definition.compiled, isChecked, lets.depth + compiled.depth <= OpenLets.mostDepth,
      compiled.fits(scope)
    {
      if isNew { take(compiled, at: place(range)) }
      // Where it was used before, it may only have been asked about.
      facts.noteUses(of: compiled.facts.used)
      spansAhead += compiled.spansAhead
      reads.formUnion(compiled.reads)
      return used(name, compiled.term, at: range)
    }
    if isNew { facts.lets.append(name) }
    if let known = lets.known[name] {
      spansAhead += known.spans
      reads.formUnion(known.reads)
      facts.noteUses(of: known.uses)
      return used(name, known.term, at: range)
    }
    if lets.open.contains(name) {
      let circle = (lets.open.drop { $0 != name } + [name]).map { "\"\($0)\"" }.joined(separator: " → ")
      return fail(
        "let-circle", "the let \"\(name)\" needs itself: \(circle)", at: range, label: "comes back to itself",
        help: "write out one of them in terms of what it is to be known by")
    }
    let (before, spans, comparisons) = (problems.count, spansAhead.count, facts.comparisons.count)
    let others = facts.takeUses()
    let (term, reads) = timed { $0.compileLet(name, definition, at: range) }
    facts.leaveLet(from: comparisons)
    lets.known[name] = (term, spansAhead[spans...].eachOnce, reads, facts.used)
    facts.noteUses(before: others)
    if problems.count > before {
      var first = problems[before]
      problems.removeSubrange(before...)
      first.cause = first.cause ?? ExpressionProblem.Cause(name: name, range: first.range, label: first.label)
      (first.message, first.range, first.label) = (Self.message(for: first, in: name), range, "used here")
      problems.append(first)
    }
    return used(name, term, at: range)
  }

  /// Of lets that need each other the first and the one with the cause are told.
  private static func message(for problem: ExpressionProblem, in name: String) -> String {
    if problem.code == "let-circle" { return problem.message }
    let works = "does not work here: "
    var cause = Substring(problem.message)
    if let end = cause.firstRange(of: works)?.upperBound, cause[end...].contains(works) { cause = cause[end...] }
    return "the let \"\(name)\" \(works)\(cause)"
  }

  private mutating func compileLet(_ name: String, _ definition: Let, at range: Range<Int>) -> Term {
    let outer = (source: source, locals: locals, place: lets.place)
    source = definition.bytes
    locals = []
    lets.place = lets.place ?? range
    lets.open.append(name)
    defer {
      lets.open.removeLast()
      (source, locals, lets.place) = outer
    }
    do {
      let node = try definition.node.get()
      lets.depth += node.depth
      lets.deepest = max(lets.deepest, lets.depth)
      defer { lets.depth -= node.depth }
      guard lets.depth <= OpenLets.mostDepth else {
        return fail(
          "too-deep", "lets stand in one another too deep", at: 0..<source.count, label: "one level too many")
      }
      return term(node)
    } catch {
      guard let first = error.all.first else { preconditionFailure("Problems are never empty.") }
      return fail(first.code, first.message, at: first.range, label: first.label, help: first.help)
    }
  }

  /// The term of a let by itself, not yet as it is used somewhere.
  mutating func compileForAll(_ name: String, _ definition: Let) -> Term {
    facts.lets.append(name)
    return compileLet(name, definition, at: 0..<0)
  }

  /// Adds what is known of a let that was compiled before, as if it were compiled where it is used.
  private mutating func take(_ compiled: CompiledLet, at place: Range<Int>) {
    let known = compiled.facts
    lets.deepest = max(lets.deepest, lets.depth + compiled.depth)
    facts.add(known, at: place)
    note(compiled.slots)
    boundUses += compiled.boundUses
  }

  /// Runs a let's code apart from the macros around it; its errors stand where it is used.
  private func used(_ name: String, _ term: Term, at range: Range<Int>) -> Term {
    term.used(LetUse(name: name, cost: Frame.cost(ofSource: term.range.count), range: range), at: range)
  }
}

extension Facts {
  /// The comparisons from there on are those of a let that ends.
  fileprivate mutating func leaveLet(from first: Int) {
    for index in first..<comparisons.count { comparisons[index].leaveLet() }
  }

  /// What using a let adds: where nothing is known yet its lists are shared, since many expressions may use it.
  func ofLet() -> Facts {
    var facts = self
    facts.leaveLet(from: 0)
    facts.sortNames()
    return facts
  }

  /// Adds those of a let that is used there.
  fileprivate mutating func add(_ known: Facts, at place: Range<Int>) {
    readings.addMissing(known.readings) { $0.name }
    references.addMissing(known.references)
    if !known.looks.isEmpty {
      var seen = Set(looks)
      let moved = known.looks.map { Look(path: $0.path, what: $0.what, problem: $0.problem.moved(to: place)) }
      looks += moved.filter { seen.insert($0).inserted }
    }
    for known in known.nullables { nullables.append((known.names, known.problem.moved(to: place), known.isOfCall)) }
    comparisons.add(known.comparisons)
    doubts.add(known.doubts)
    written.add(known.written)
    lets.addMissing(known.lets)
    if !known.traversed.isEmpty { traversed.formUnion(known.traversed) }
    countSpans(of: known)
    tested.addMissing(known.tested)
    testsPresence = testsPresence || known.testsPresence
    makesAnew = makesAnew || known.makesAnew
    makesID = makesID || known.makesID
    hashed.addMissing(known.hashed)
    settled.addMissing(known.settled)
  }
}

extension Array {
  /// Adds others, without a copy of them where there are none yet.
  fileprivate mutating func add(_ others: [Element]) { if isEmpty { self = others } else { self += others } }

  /// Adds those of a list without repetitions that are not there yet; of many a set tells which are.
  ///
  /// Where that is not specialized, the path of a key would be made anew each time: names come from closures.
  @usableFromInline
  mutating func addMissing<Name: Hashable>(_ others: [Element], by name: (Element) -> Name) {
    if isEmpty {
      self = others
    } else if others.count <= 8 {
      for other in others {
        let sought = name(other)
        if !contains(where: { name($0) == sought }) { append(other) }
      }
    } else {
      var known = Set(map(name))
      for other in others where known.insert(name(other)).inserted { append(other) }
    }
  }
}

extension Collection where Element: Hashable {
  /// Without what is repeated, in the order in which each comes first.
  var eachOnce: [Element] {
    if count < 2 { return Array(self) }
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension Array where Element: Hashable {
  /// Adds those of a list without repetitions that are not there yet.
  @inlinable
  package mutating func addMissing(_ others: [Element]) { addMissing(others) { $0 } }
}

extension ExpressionProblem {
  fileprivate func moved(to range: Range<Int>) -> ExpressionProblem {
    var copy = self
    copy.range = range
    return copy
  }
}
