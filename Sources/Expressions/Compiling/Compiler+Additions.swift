extension Compiler {
  /// `fresh('name')` and `newId('name')`.
  mutating func mintTerm(_ name: SyntaxNode.Name, _ nodes: [SyntaxNode], at range: Range<Int>) -> Term {
    guard scope.abilities.contains(.mint) else {
      if scope.isInBrackets {
        // One `set` reads all its brackets before it sets a key.
        return fail(
          "not-allowed-here", "\(name.text)() cannot stand in brackets", at: name.range, label: "not in brackets",
          help: "set a key to it in a \"set\" before this one, and name that key in the brackets: [memory.token]")
      }
      return fail(
        "not-allowed-here", "\(name.text)() is for \"set\" and replies only", at: name.range, label: "not allowed here",
        help: "set a key to it, and read that here")
    }
    guard let call = Mint.Call(name, nodes) else {
      return fail(
        "wrong-arguments", "\"\(name.text)\" takes a name in quotes", at: range, label: "\(name.text)('name')")
    }
    // What is made may stand in a header.
    if case .literal(let value) = nodes[0].kind, let text = value.text?.string,
      text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
    {
      return fail(
        "wrong-arguments", "the name that \"\(name.text)\" takes has a control character in it", at: nodes[0].range,
        label: "no name", help: "letters, digits and hyphens make one")
    }
    boundUses += 1
    facts.makesAnew = true
    facts.makesID = facts.makesID || Function.Form(rawValue: name.text) == .newId
    return Term(.string, range, freshness: .whole) { frame in .string(frame.mint.make(call)) }
  }

  private mutating func noteNegativeGrace(at range: Range<Int>) {
    let problem = ExpressionProblem(
      code: "negative-grace", message: "with a grace below zero \"expired\" holds only some time behind the instant",
      range: range, label: "counts what is over as good",
      help: "leave the minus away for what holds so long before; what may be late is expired(t + duration('30s'))")
    facts.doubts.append((problem, lets.open.last))
  }

  /// `expired(t, '60s')`: no `t`, or `now` is within the grace of it.
  mutating func expiredTerm(_ nodes: [SyntaxNode], at range: Range<Int>) -> Term {
    guard (1...2).contains(nodes.count) else {
      return fail(
        "wrong-arguments", "\"expired\" takes a timestamp and a grace", at: range, label: "expired(t, '60s')")
    }
    let (instant, reads) = timed { $0.compile(nodes[0]) }
    noteTest(of: instant.selection)
    if instant.type.unwrapped.shape.isDisjoint(with: [.timestamp, .null]) {
      mismatch("\"expired\" takes a timestamp, not \(instant.type.title)", at: instant.range, label: instant.type.title)
    }
    var grace = Term(constant: .duration(.zero), type: .duration, range: range)
    if nodes.count == 2 {
      let known = facts.spans.count
      let given = compile(nodes[1])
      if isChecked, given.type.shape.isDisjoint(with: [.duration, .string]) {
        mismatch(
          "\"expired\" takes a duration as its grace, not \(given.type.title)", at: given.range,
          label: given.type.title, help: "write it with its unit: '60s', '10m' or seconds(60)")
      } else {
        let name = SyntaxNode.Name(text: Function.duration.name, range: given.range)
        grace = call(.duration, [given], name, at: given.range)
      }
      if case .duration(let length)? = grace.constant {
        // It is looked for before the instant only.
        facts.countGrace(length, since: known)
        if length < .zero { noteNegativeGrace(at: given.range) }
      }
    }
    let now = compile(SyntaxNode(.name("now", isRoot: true), range))
    let (time, slack, clock) = (instant.run, grace.run, now.run)
    let meeting = meeting(.now, reads)
    return Term(range) { frame throws(EvaluationError) in
      let value = try time(&frame).unwrapped
      if value.isNull { return true }
      guard case .timestamp(let time) = value, case .duration(let grace) = try slack(&frame),
        case .timestamp(let now) = try clock(&frame)
      else { throw .noOverload("expired", value, at: range) }
      if frame.times != nil {
        frame.times?.note(.zero - grace)
        meeting?.note(.timestamp(now), value, in: &frame)
      }
      return time.since(now) <= grace
    }
  }

  /// `orValue` and `hasValue`.
  mutating func optionalTerm(
    _ baseNode: SyntaxNode, _ name: SyntaxNode.Name, _ nodes: [SyntaxNode], at range: Range<Int>
  ) -> Term {
    let known = facts.used.count
    let base = compile(baseNode, isHandedOn: true)
    if name.text == "hasValue" { facts.forgetUses(of: base, since: known) }
    let wrapped: ValueType
    switch base.type {
    case .optional(let type): wrapped = type
    case .dyn where !isRead(baseNode): wrapped = .dyn
    default:
      wrapped = .dyn
      let (isOpen, help) = (base.type == .dyn, optionalHelp(baseNode))
      mismatch(
        "\"\(name.text)\" works on an optional, " + (isOpen ? "and this is none" : "not on \(base.type.title)"),
        at: base.range, label: isOpen ? "is no optional" : base.type.title, help: help)
    }
    guard nodes.count == (name.text == "orValue" ? 1 : 0) else {
      return fail(
        "wrong-arguments", "\"\(name.text)\" is called with \(nodes.count) values", at: range,
        label: name.text == "orValue" ? "takes 1 value" : "takes no value")
    }
    facts.testsPresence = true
    if name.text == "orValue" { return orValueTerm(base, wrapped, nodes[0], at: range) }
    noteTest(of: base.selection)
    let run = base.run
    return Term(.bool, range) { frame throws(EvaluationError) in
      let value = try run(&frame)
      guard case .optional(let held) = value else { throw .noOptional("hasValue", value, at: range) }
      return .bool(held != nil)
    }
  }

  private mutating func orValueTerm(
    _ base: Term, _ wrapped: ValueType, _ node: SyntaxNode, at range: Range<Int>
  ) -> Term {
    let other = compile(node, isHandedOn: true)
    if !wrapped.isCompatible(with: other.type) {
      mismatch(
        "\"orValue\" gives \(wrapped.title) or else \(other.type.title)", at: other.range, label: other.type.title)
    }
    let type = wrapped.joined(with: other.type)
    var found: (path: Path, otherwise: Value)?
    if base.find != nil, let path = base.path, let otherwise = other.constant { found = (path, otherwise) }
    return Term(
      type, range, found: found, secret: type.carriesText ? base.secret ?? other.secret : nil,
      passingOn: Self.handedOn(base, other), Self.orValue(base, other, at: range))
  }

  private static func orValue(_ base: Term, _ other: Term, at range: Range<Int>) -> Code {
    let (run, otherwise) = (base.run, other.run)
    guard let find = base.find?.run else {
      return { frame throws(EvaluationError) in
        let value = try run(&frame)
        guard case .optional(let held) = value else { throw .noOptional("orValue", value, at: range) }
        if let held { return held }
        return try otherwise(&frame)
      }
    }
    return { frame throws(EvaluationError) in
      if let value = try find(&frame) { return value }
      return try otherwise(&frame)
    }
  }
}

extension Mint.Call {
  /// `nil` for what is no such call.
  convenience init?(_ function: SyntaxNode.Name, _ nodes: [SyntaxNode]) {
    guard let form = Function.Form(rawValue: function.text), form.makesAnew, nodes.count == 1,
      case .literal(.string(let label)) = nodes[0].kind, !label.isEmpty
    else { return nil }
    self.init(label.string, isFresh: form == .fresh)
  }
}

extension Mint {
  /// The names of what makes another value each time.
  package static let functions = Function.Form.allCases.filter(\.makesAnew).map(\.rawValue)
}
