extension Compiler {
  enum Macro: String, CaseIterable {
    case all
    case exists
    case existsOne = "exists_one"
    case filter
    case map
  }

  /// `has(a.b)`.
  mutating func hasTerm(_ arguments: [SyntaxNode], at range: Range<Int>) -> Term {
    guard arguments.count == 1, case .select(let baseNode, let name, let isOptional)? = arguments.first?.kind else {
      return fail(
        "invalid-macro", "\"has\" takes one selection of a field", at: range, label: "has(a.b)",
        help: "present(x) works on any value")
    }
    if isOptional {
      return fail(
        "invalid-macro", "\"has\" takes a selection with \".\", since it asks whether something is there", at: range,
        label: "has(a.b)", help: "write \".\(name.text)\", or present(x), which works on any value")
    }
    let (index, known) = (facts.readings.count, facts.used.count)
    let base = term(baseNode)
    let member = member(name, of: base, isOptional: false)
    var whole = finish(member, of: base, isOptional: false, step: "." + name.text, arguments[0])
    settle(&whole, isWhole: false, readingAt: index)
    noteTest(of: whole.selection)
    facts.forgetUses(of: whole, since: known)
    return Term(
      member.path(from: base, isOptional: true, isAsked: true, at: arguments[0].range)
        .test(.isThere, otherwise: false), range)
  }

  /// `list.all(x, …)` and its like, over the elements of a list or the keys of a map.
  mutating func macroTerm(
    _ macro: Macro, _ baseNode: SyntaxNode, _ arguments: [SyntaxNode], at range: Range<Int>
  ) -> Term {
    let base = compile(baseNode)
    guard arguments.count == 2 || (macro == .map && arguments.count == 3) else {
      if arguments.count == 3 { return failOutside("\"\(macro.rawValue)\" with two variables", at: range) }
      return fail(
        "invalid-macro", "\"\(macro.rawValue)\" takes a variable and an expression", at: range,
        label: "\(macro.rawValue)(x, …)")
    }
    guard case .name(let name, isRoot: false) = arguments[0].kind else {
      if case .method = arguments[0].kind { return term(arguments[0]) }
      return fail(
        "invalid-macro", "the first argument of \"\(macro.rawValue)\" names a variable", at: arguments[0].range,
        label: "a name belongs here")
    }
    let element = elementType(of: base, macro)
    let secret = element.carriesText ? element.secretInside ?? secretElement(of: base) : nil
    locals.append(
      Local(
        name: name, type: element, secret: secret, isRead: isRead(baseNode), writtenOut: writtenOut(in: base)))
    let bodies = arguments.dropFirst().map { compile($0) }
    locals.removeLast()
    if macro != .map || bodies.count == 2 { expectBool(bodies[0], "\"\(macro.rawValue)\"") }
    return loopTerm(macro, over: base, element, bodies, at: range)
  }

  private mutating func elementType(of base: Term, _ macro: Macro) -> ValueType {
    switch base.type {
    case .list(let element): return element
    case .map(let key, _): return key
    case .object: return .string
    case .dyn: return .dyn
    default:
      mismatch(
        "\"\(macro.rawValue)\" goes through a list or a map, not \(base.type.title)", at: base.range,
        label: base.type.title)
      return .dyn
    }
  }

  private func loopTerm(
    _ macro: Macro, over base: Term, _ element: ValueType, _ bodies: [Term], at range: Range<Int>
  ) -> Term {
    let cost = bodies.reduce(0) { $0 + Frame.cost(ofSource: $1.range.count) }
    let what = "\"\(macro.rawValue)\""
    let loop = Loop(base: base.run, isTable: base.type.isTable, range: range, what: what, cost: cost)
    let first = bodies[0].truth(what, at: range)
    let second = Maker(run: bodies[bodies.count - 1].run)
    switch macro {
    case .all, .exists:
      let decides = macro == .exists
      return Term(range) { frame throws(EvaluationError) in try loop.decide(decides, first.run, &frame) }
    case .existsOne:
      return Term(range) { frame throws(EvaluationError) in try loop.collect(first, second, &frame).count == 1 }
    case .filter:
      return Term(.list(element), range, secret: element.carriesText ? secretElement(of: base) : nil) {
        frame throws(EvaluationError) in
        .list(try loop.collect(first, nil, &frame))
      }
    case .map:
      let result = bodies[bodies.count - 1]
      let filter = bodies.count == 2 ? first : nil
      return Term(.list(result.type), range, secret: result.secret) { frame throws(EvaluationError) in
        .list(try loop.collect(filter, second, &frame))
      }
    }
  }
}

extension ValueType {
  fileprivate var isTable: Bool { if case .map(_, .object) = self { true } else { false } }
}

/// Goes through the elements of a list or the keys of a map.
struct Loop: Sendable {
  let base: Code
  /// Rows are gone through in the order of their making, other maps in key order, which no fresh key has.
  let isTable: Bool
  let range: Range<Int>
  let what: String
  /// Of the body, for each element.
  let cost: Int

  /// `all` and `exists`: an element that decides outweighs others that fail.
  func decide(_ decides: Bool, _ body: Test.Run, _ frame: inout Frame) throws(EvaluationError) -> Bool {
    let elements = try elements(&frame)
    frame.locals.append(.null)
    defer { frame.locals.removeLast() }
    var problem: EvaluationError?
    for index in elements.indices {
      try frame.spend(cost, at: range)
      frame.locals[frame.locals.count - 1] = elements[index]
      do throws(EvaluationError) {
        if try body(&frame) == decides { return decides }
      } catch {
        problem = problem ?? error
      }
    }
    if let problem { throw problem }
    return !decides
  }

  /// The results for the elements that the filter lets pass; without `body` the elements themselves.
  func collect(_ filter: Test?, _ body: Maker?, _ frame: inout Frame) throws(EvaluationError) -> [Value] {
    let elements = try elements(&frame)
    frame.locals.append(.null)
    defer { frame.locals.removeLast() }
    var results: [Value] = []
    for element in elements {
      try frame.spend(cost, at: range)
      frame.locals[frame.locals.count - 1] = element
      if let filter, try !filter.run(&frame) { continue }
      results.append(try body?.run(&frame) ?? element)
    }
    return results
  }

  private func elements(_ frame: inout Frame) throws(EvaluationError) -> [Value] {
    let value = try base(&frame)
    switch value {
    case .list(let elements): return elements
    case .map(let map):
      try frame.spend(on: value, at: range)
      let isKept = isTable || map.entries.contains { $0.key.text?.hasOrigin == true }
      return (isKept ? map : map.sortedByKey()).entries.map(\.key)
    default: throw .noOverload(what, value, at: range)
    }
  }
}

extension Compiler {
  /// What is secret in what a macro goes through: of a table that is none of its names, whatever its rows hold.
  private func secretElement(of base: Term) -> String? {
    if case .map = base.type.unwrapped, base.type.secretInside != nil { return nil }
    return base.secret
  }
}
