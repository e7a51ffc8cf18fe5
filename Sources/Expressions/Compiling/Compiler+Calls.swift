extension Compiler {
  mutating func callTerm(_ name: SyntaxNode.Name, _ nodes: [SyntaxNode], at range: Range<Int>) -> Term {
    switch Function.Form(rawValue: name.text) {
    case .has?: return hasTerm(nodes, at: range)
    case .fresh?, .newId?: return mintTerm(name, nodes, at: range)
    case .expired?: return expiredTerm(nodes, at: range)
    case nil: break
    }
    guard let function = Function.global[name.text] else {
      let failure = unknownFunction(name, at: range)
      return lookingOn(nodes, failure)
    }
    guard scope.abilities.isSuperset(of: function.traits.needs) else {
      return fail("not-allowed-here", "\(name.text)() is for services only", at: name.range, label: "not allowed here")
    }
    let known = facts.used.count
    let terms = nodes.map { compile($0) }
    if function.traits.asksOnly { terms.first.map { facts.forgetUses(of: $0, since: known) } }
    return call(function, terms, name, at: range)
  }

  mutating func methodTerm(
    _ baseNode: SyntaxNode, _ name: SyntaxNode.Name, _ nodes: [SyntaxNode], at range: Range<Int>
  ) -> Term {
    if case .name(let namespace, _) = baseNode.kind, OutsideNames.namespaces.contains(namespace), !isKnown(namespace) {
      return failOutside("\"\(namespace).\(name.text)\"", at: range)
    }
    if let macro = Macro(rawValue: name.text) { return macroTerm(macro, baseNode, nodes, at: range) }
    if name.text == "orValue" || name.text == "hasValue" { return optionalTerm(baseNode, name, nodes, at: range) }
    guard let function = Function.methods[name.text] else {
      let failure = unknownMethod(name, at: range)
      // Of a misspelt macro the first argument is a name of its own.
      if nodes.count > 1, case .name(let variable, _) = nodes[0].kind, !isKnown(variable) {
        return lookingOn([baseNode], failure)
      }
      return lookingOn([baseNode] + nodes, failure)
    }
    if function.traits.takesTimeZone, nodes.count == 1 {
      return failOutside("the time zone of \"\(name.text)\"", at: nodes[0].range, help: "times are read in UTC")
    }
    let known = facts.used.count
    let terms = ([baseNode] + nodes).map { compile($0) }
    if function.traits.asksOnly { facts.forgetUses(of: terms[0], since: known) }
    return call(function, terms, name, at: range)
  }

  /// Finds what is wrong in the arguments of a call that is wrong itself.
  private mutating func lookingOn(_ nodes: [SyntaxNode], _ failure: Term) -> Term {
    for node in nodes { _ = compile(node) }
    return failure
  }

  private mutating func unknownFunction(_ name: SyntaxNode.Name, at range: Range<Int>) -> Term {
    if OutsideNames.functions.contains(name.text) {
      return failOutside("the function \"\(name.text)\"", at: range, help: ForeignWords.help(forFunction: name.text))
    }
    if Function.methods[name.text] != nil {
      return fail(
        "unknown-function", "\"\(name.text)\" is called on a value", at: name.range, label: "not called like this",
        help: "write x.\(name.text)(…)")
    }
    let valueHelp = valueHelp(name.text)
    return fail(
      "unknown-function", "there is no function \"\(name.text)\"", at: name.range, label: "unknown function",
      help: valueHelp ?? ForeignWords.help(forFunction: name.text)
        ?? suggestion(for: name.text, among: Function.called.sorted()))
  }

  /// What is called as a function, and is none.
  private func valueHelp(_ name: String) -> String? {
    let isValue =
      scope.lets[name] != nil || locals.contains { $0.name == name } || scope.variables.contains { $0.name == name }
    return isValue && name != "now" ? "\"\(name)\" is a value: it is read without brackets" : nil
  }

  private mutating func unknownMethod(_ name: SyntaxNode.Name, at range: Range<Int>) -> Term {
    if OutsideNames.methods.contains(name.text) {
      return failOutside("\"\(name.text)\"", at: name.range, help: ForeignWords.help(forFunction: name.text))
    }
    if Function.global[name.text] != nil {
      return fail(
        "unknown-function", "\"\(name.text)\" is not called on a value", at: name.range, label: "not called like this",
        help: "write \(name.text)(x)")
    }
    return fail(
      "unknown-function", "values have no function \"\(name.text)\"", at: name.range, label: "unknown function",
      help: ForeignWords.help(forFunction: name.text) ?? suggestion(for: name.text, among: Self.methods))
  }

  private static var methods: [String] {
    Function.methods.keys.sorted() + Macro.allCases.map(\.rawValue) + ["orValue", "hasValue"]
  }

  mutating func call(
    _ function: Function, _ terms: [Term], _ name: SyntaxNode.Name, at range: Range<Int>
  ) -> Term {
    guard (function.required...function.parameters.count).contains(terms.count) else {
      return fail(
        "wrong-arguments", "\"\(name.text)\" is called with \(terms.count) values, and takes \(function.counts)",
        at: range, label: "takes \(function.counts)")
    }
    for (term, shape) in zip(terms, function.parameters) where term.type.shape.isDisjoint(with: shape) {
      mismatch(
        "\"\(name.text)\" takes \(shape.title), not \(term.type.title)", at: term.range, label: term.type.title,
        help: Self.optionalHelp(term) ?? function.traits.help)
    }
    for (term, shape) in zip(terms, function.parameters) where !function.asks && !shape.contains(.null) {
      noteNullable(term, meets: "\"\(name.text)\"", isOfCall: true)
    }
    if !function.traits.needsForInstants.isEmpty { asksForAbilities = true }
    if terms[0].type == .timestamp, !scope.abilities.isSuperset(of: function.traits.needsForInstants) {
      return fail(
        "not-allowed-here", "\(name.text)() of a timestamp is for replies only", at: range, label: "not allowed here",
        help: "compare timestamps with each other, or keep them as they are")
    }
    if let secret = terms[0].secret, terms[0].type.unwrapped == .string, function.traits.showsText {
      return fail(
        "secret-without-text",
        "\(name.text)() would show the secret \"\(secret)\": only strings carry the mark of a secret",
        at: terms[0].range, label: "is secret", help: "keep it as text, and compare it with text")
    }
    noteTests(function, terms)
    noteLooks(function, terms)
    if function.traits.compares { noteBesideSecrets(terms[0], terms[1]) }
    if function.traits.isHash { facts.hashed.addMissing(terms[0].handedOn) }
    if function.traits.isHash, terms[0].secret != nil, lets.open.isEmpty { digests.append(range) }
    if function.traits.makesToken { checkInstants(of: terms[0]) }
    if function.traits.opensToken { reads.insert(.kept) }
    switch function.work {
    case .make(let body): return made(by: body, function, terms, at: range)
    case .askPresence: return presence(of: terms[0], at: range)
    case .askSameness: return sameness(of: terms[0], terms[1], at: range)
    case .askConversion(let convert): return Self.test(of: convert, terms[0], at: range)
    }
  }

  private mutating func made(
    by body: @escaping Function.Body, _ function: Function, _ terms: [Term], at range: Range<Int>
  ) -> Term {
    if let constant = constant(function, body, terms, at: range) { return constant }
    return Term(
      function.result, range,
      token: function.traits.opensToken ? Maker(run: Self.token(terms[0].run, function.name, at: range)) : nil,
      secret: function.keepsSecrets ? Self.secret(of: terms) : nil, freshness: freshness(of: function, terms),
      passingOn: function.traits.handsOn ? terms[0].handedOn : [], code(function, body, terms, at: range))
  }

  /// The first that may stand in one of them.
  static func secret(of terms: [Term]) -> String? {
    for term in terms { if let secret = term.secret { return secret } }
    return nil
  }

  /// What is handed on where one of two is.
  static func handedOn(_ first: Term, _ second: Term) -> [String] {
    var names = first.handedOn
    names.addMissing(second.handedOn)
    return names
  }

  private mutating func noteTests(_ function: Function, _ terms: [Term]) {
    guard function.asks else { return }
    for term in terms { noteTest(of: term.selection) }
    if case .askPresence = function.work { noteSurelyPresent(terms[0]) }
    guard case .askSameness = function.work else { return }
    noteWritten(terms[0], terms[1])
    checkAllowed(terms[0], terms[1].constant, at: terms[1].range)
    checkAllowed(terms[1], terms[0].constant, at: terms[0].range)
    if !terms[0].type.unwrapped.isCompatible(with: terms[1].type.unwrapped) {
      mismatch(
        "\"\(function.name)\" compares \(terms[0].type.title) with \(terms[1].type.title)", at: terms[1].range,
        label: "can never be equal")
    }
  }

  /// What guards ask most is answered without taking values out of the frame.
  private func presence(of term: Term, at range: Range<Int>) -> Term {
    if let path = term.path { return Term(path.test(.isPresent, otherwise: false), range) }
    let find = term.held.run
    return Term(range) { frame throws(EvaluationError) in try find(&frame)?.isPresent ?? false }
  }

  private func sameness(of one: Term, _ other: Term, at range: Range<Int>) -> Term {
    let (first, second) = (one.held.run, other.held.run)
    return Term(range) { frame throws(EvaluationError) in
      let left = try first(&frame)
      guard let right = try second(&frame), let left else { return false }
      var steps = 0
      let areSame = left.isSame(as: right, &steps)
      try frame.spend(steps / 8, at: range)
      return areSame
    }
  }

  /// Whether a conversion gives something of what a term is or holds.
  private static func test(of convert: @escaping Function.Body, _ term: Term, at range: Range<Int>) -> Term {
    if let find = term.find?.run {
      return Term(range) { frame throws(EvaluationError) in
        try Function.gives(something: convert, of: find(&frame)?.unwrapped ?? .null, at: range)
      }
    }
    let run = term.run
    return Term(range) { frame throws(EvaluationError) in
      let value = try run(&frame)
      try frame.spend(on: value, at: range)
      return try Function.gives(something: convert, of: value.unwrapped, at: range)
    }
  }

  private func code(
    _ function: Function, _ body: @escaping Function.Body, _ terms: [Term], at range: Range<Int>
  ) -> Code {
    // `int()` of a dynamic value must not let an instant slip through where it is not granted.
    let refusesInstants = !scope.abilities.isSuperset(of: function.traits.needsForInstants)
    let name = function.name
    let makesMuch = function.result.carriesText
    let first = terms[0].run
    if terms.count == 1 {
      return { frame throws(EvaluationError) in
        let value = try first(&frame)
        try frame.spend(on: value, at: range)
        if refusesInstants, case .timestamp = value { throw .noOverload(name, value, at: range) }
        let made = try body(Arguments(value), range)
        if makesMuch { try frame.spend(making: made, at: range) }
        return made
      }
    }
    let others = terms.dropFirst().map { Maker(run: $0.run) }
    return { frame throws(EvaluationError) in
      let value = try first(&frame)
      try frame.spend(on: value, at: range)
      var values: [Value] = []
      values.reserveCapacity(others.count)
      for index in others.indices {
        let value = try others[index].run(&frame)
        try frame.spend(on: value, at: range)
        values.append(value)
      }
      let made = try body(Arguments(value, values), range)
      if makesMuch { try frame.spend(making: made, at: range) }
      return made
    }
  }

  /// What `claims` takes: a text or null.
  private static func token(_ code: @escaping Code, _ name: String, at range: Range<Int>) -> Code {
    { frame throws(EvaluationError) in
      let value = try code(&frame)
      try frame.spend(on: value, at: range)
      let token = value.unwrapped
      guard token.text != nil || token.isNull else { throw .noOverload(name, value, at: range) }
      return token
    }
  }

  /// Instants and durations that are written out are read once, and a mistake in one is found here.
  private mutating func constant(
    _ function: Function, _ body: Function.Body, _ terms: [Term], at range: Range<Int>
  ) -> Term? {
    guard function.traits.readsWritten, let argument = terms[0].constant,
      !argument.shape.isDisjoint(with: function.parameters[0])
    else { return nil }
    guard let value = try? body(Arguments(argument), range) else {
      return fail(
        "invalid-\(function.result.title)", "\(text(terms[0].range)) is no \(function.result.title)",
        at: terms[0].range,
        label: "no \(function.result.title)",
        help: function.result == .timestamp
          ? "timestamps are written '2026-01-01T09:00:00Z'"
          : argument.text?.string.meantDuration.flatMap { Duration(celText: $0) == nil ? nil : "write '\($0)'" }
            ?? "durations are written '90s', '10m', '1h30m'; a day is '24h'")
    }
    if case .duration(let duration) = value { noteDuration(duration) }
    return Term(constant: value, type: function.result, range: range)
  }
}

extension Function {
  /// "1 value", "2 or 3 values".
  var counts: String {
    let most = parameters.count
    if required == most { return most == 1 ? "1 value" : "\(most) values" }
    return "\(required) or \(most) values"
  }
}

extension ValueType {
  var unwrapped: ValueType {
    if case .optional(let wrapped) = self { return wrapped.unwrapped }
    return self
  }
}
