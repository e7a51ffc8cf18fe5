extension Compiler {
  /// Compiles a part whose whole value is used.
  mutating func compile(_ node: SyntaxNode) -> Term {
    let index = facts.readings.count
    var result = term(node)
    settle(&result, isWhole: true, readingAt: index)
    return result
  }

  /// Compiles a part of which only an entry is used: the base of an index, the right side of `in`.
  mutating func compileContainer(_ node: SyntaxNode) -> Term {
    let index = facts.readings.count
    var result = term(node)
    settle(&result, isWhole: false, readingAt: index)
    return result
  }

  /// Notes what a selection reads once it grows no further.
  mutating func settle(_ term: inout Term, isWhole: Bool, readingAt index: Int) {
    if term.root != nil {
      let name = text(term.range)
      term = fail(
        "whole-object", "\"\(name)\" is not read as a whole, only field by field", at: term.range,
        label: "a field is missing behind this", help: "write \"\(name).\" and the name of a field")
    }
    guard let selection = term.selection else { return }
    if selection.isFree {
      addReading(selection.name, of: term, at: index)
      facts.noteUses(of: [selection.name])
    }
    if !facts.references.contains(selection.path) { facts.references.append(selection.path) }
    if isWhole, selection.isAtField, term.type.holdsEntries { facts.traversed.insert(selection.path) }
  }

  mutating func addReading(_ name: String, of term: Term, at index: Int) {
    if facts.readings.contains(where: { $0.name == name }) { return }
    let type = term.type.unwrapped
    let field = ObjectType.Field(name: name, type: type, secret: type.secretInside == nil ? term.secret : nil)
    let reading = Expression.Reading(field, term.held.run)
    // Most stand behind the others, and to append is much faster.
    if index < facts.readings.count {
      facts.readings.insert(reading, at: index)
    } else {
      facts.readings.append(reading)
    }
  }

  /// Compiles a part without noting what it reads.
  mutating func term(_ node: SyntaxNode) -> Term {
    let before = spansAhead.count
    let isInstantAhead = makesInstantAhead(node)
    if isInstantAhead { instantsAhead += 1 }
    let result = plainTerm(node)
    if isInstantAhead { instantsAhead -= 1 }
    let isOver = instantsAhead == 0 && !isInstantAhead && !passesOn(node)
    if isOver, spansAhead.count > before { countSpansAhead(from: before) }
    noteTime(result, node)
    return result
  }

  private mutating func plainTerm(_ node: SyntaxNode) -> Term {
    switch node.kind {
    case .literal(let value):
      noteQuoted(value, at: node.range)
      return Term(constant: value, type: value.type, range: node.range)
    case .name(let name, let isRoot): return nameTerm(name, isRoot: isRoot, at: node.range)
    case .select(let base, let name, let isOptional):
      return selectTerm(base, name, isOptional: isOptional, node: node)
    case .index(let base, let key, let isOptional): return indexTerm(base, key, isOptional: isOptional, node: node)
    case .call(let name, let arguments): return callTerm(name, arguments, at: node.range)
    case .method(let base, let name, let arguments): return methodTerm(base, name, arguments, at: node.range)
    case .list(let elements): return listTerm(elements, at: node.range)
    case .map(let entries): return mapTerm(entries, at: node.range)
    case .not(let operand): return notTerm(operand, at: node.range)
    case .negate(let operand): return negateTerm(operand, at: node.range)
    case .binary(let sign, let left, let right): return binaryTerm(sign, left, right, at: node.range)
    case .conditional(let condition, let first, let second):
      return conditionalTerm(condition, first, second, at: node.range)
    case .outside: preconditionFailure("The parser throws when it meets something outside the profile.")
    }
  }

  private mutating func noteQuoted(_ value: Value, at range: Range<Int>) {
    guard let text = value.text?.string, let meant = meant(inQuotes: text) else { return }
    let problem = ExpressionProblem(
      code: "plain-name", message: "\"\(text)\" is a text here, in quotes", range: range, label: "stays as it is",
      help: text.isEmbedding(meant)
        ? "texts and values are joined by +: '…' + \(meant)"
        : "did you mean \(meant), without quotes\(meant == text ? "" : " and signs")?")
    facts.doubts.append((problem, lets.open.last))
  }

  /// The expression that a text in quotes seems to mean: all of it, with or without what makes one of a text elsewhere, or
  /// what stands in `${ }` in it.
  private func meant(inQuotes text: String) -> String? {
    if text.utf8.contains(UInt8(ascii: "'")) { return nil }
    var inner = text[...]
    if let open = text.firstRange(of: "${") {
      inner = text[open.upperBound...].prefix { $0 != "}" }
    } else if text.utf8.contains(UInt8(ascii: " ")) {
      return nil
    } else if text.hasPrefix("{"), text.hasSuffix("}") {
      inner = text.drop { $0 == "{" }.prefix { $0 != "}" }
    } else if text.hasPrefix("$") {
      inner = text.dropFirst()
    }
    return scope.isMeant(by: String(inner)) ? String(inner) : nil
  }

  private mutating func listTerm(_ nodes: [SyntaxNode], at range: Range<Int>) -> Term {
    let terms = nodes.map { compile($0) }
    let element = joined(terms)
    let makers = terms.map { Maker(run: $0.run) }
    let constants = terms.compactMap(\.constant)
    // What is written out is neither secret nor fresh.
    if constants.count == terms.count {
      return Term(constant: .list(constants), type: .list(element), range: range)
    }
    return Term(.list(element), range, secret: Self.secret(of: terms), freshness: freshness(ofAll: terms)) {
      frame throws(EvaluationError) in
      var elements: [Value] = []
      elements.reserveCapacity(makers.count)
      for index in makers.indices { elements.append(try makers[index].run(&frame)) }
      return .list(elements)
    }
  }

  /// Of what holds them all.
  private func freshness(ofAll terms: [Term]) -> Freshness {
    terms.contains { $0.freshness != .none } ? .part : .none
  }

  private func joined(_ terms: [Term]) -> ValueType {
    guard let first = terms.first else { return .dyn }
    return terms.dropFirst().reduce(first.type) { $0.joined(with: $1.type) }
  }

  private mutating func mapTerm(_ entries: [SyntaxNode.MapEntry], at range: Range<Int>) -> Term {
    let keys = entries.map { compile($0.key) }
    let values = entries.map { compile($0.value) }
    for key in keys where key.type.shape.isDisjoint(with: .key) {
      mismatch(
        "\(key.type.title) cannot be the key of a map", at: key.range, label: Shape.key.title,
        help: Self.optionalHelp(key))
    }
    let constants = keys.compactMap(\.constant)
    for (index, key) in constants.enumerated() where constants.count == keys.count {
      guard constants[..<index].contains(key) else { continue }
      return fail("repeated-key", "a map names the same key twice", at: keys[index].range, label: "stands here again")
    }
    let names = constants.compactMap { $0.text.map { Value.string($0) } }
    let code = names.count == keys.count ? Self.map(names, values) : Self.map(keys, values, at: range)
    var written: [WrittenEntry] = []
    for (key, value) in zip(keys, values) {
      guard let name = key.constant?.text?.string else { continue }
      written.append(WrittenEntry(name: name, type: value.type, range: value.range))
    }
    return Term(
      .map(key: joined(keys), value: joined(values)), range, secret: Self.secret(of: keys + values),
      freshness: freshness(ofAll: keys + values), entries: written, code)
  }

  /// A map whose keys are strings that are written out, each once: their order is known.
  private static func map(_ names: [Value], _ values: [Term]) -> Code {
    let sorted = ValueMap(distinct: names.map { ValueMap.Entry(key: $0, value: .null) }).sortedByKey()
    let places = names.map { sorted.index(of: $0) ?? 0 }
    let makers = values.map { Maker(run: $0.run) }
    // They are evaluated in the order in which they are written, and put where that of their keys has them.
    return { frame throws(EvaluationError) in
      var map = sorted
      for index in makers.indices { map.replaceValue(at: places[index], with: try makers[index].run(&frame)) }
      return .map(map)
    }
  }

  private static func map(_ keys: [Term], _ values: [Term], at range: Range<Int>) -> Code {
    let codes = zip(keys, values).map { (key: $0.run, value: $1.run) }
    return { frame throws(EvaluationError) in
      var map = ValueMap()
      for code in codes {
        let key = try code.key(&frame)
        guard !key.shape.isDisjoint(with: .key) else { throw .noOverload("a map", key, at: range) }
        guard map[key] == nil else {
          throw EvaluationError(code: "repeated-key", message: "a map has the same key twice", range: range)
        }
        map[key] = try code.value(&frame)
      }
      return .map(map.sortedByKey())
    }
  }
}

extension ValueType {
  /// Whether a whole use of it depends on its entries.
  var holdsEntries: Bool {
    if case .optional(let wrapped) = self { return wrapped.isCollection }
    return isCollection
  }
}

extension String {
  /// Whether there is more in it than an expression and the signs around that.
  fileprivate func isEmbedding(_ expression: String) -> Bool {
    utf8.count > expression.utf8.count + 4 || contains(" ") && !expression.contains(" ")
  }
}
