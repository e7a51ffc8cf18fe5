extension Compiler {
  mutating func binaryTerm(
    _ sign: SyntaxNode.Operator, _ left: SyntaxNode, _ right: SyntaxNode, at range: Range<Int>
  ) -> Term {
    switch sign {
    case .and, .or: logicTerm(sign, left, right, at: range)
    case .equal, .unequal: equalityTerm(sign, left, right, at: range)
    case .isIn: memberTerm(left, right, at: range)
    case .subtract: dashedTerm(right, at: range) ?? timedTerm(sign, left, right, at: range)
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .add, .multiply, .divide, .remainder:
      timedTerm(sign, left, right, at: range)
    }
  }

  private mutating func timedTerm(
    _ sign: SyntaxNode.Operator, _ left: SyntaxNode, _ right: SyntaxNode, at range: Range<Int>
  ) -> Term {
    let (left, right) = (timed { $0.compile(left) }, timed { $0.compile(right) })
    let meeting = meeting(left.reads, right.reads)
    return switch sign {
    case .add, .subtract, .multiply, .divide, .remainder:
      arithmeticTerm(sign, left.term, right.term, meeting, at: range)
    default: orderTerm(sign, left.term, right.term, meeting, at: range)
    }
  }

  /// Stands in for a member whose name has a "-"; `nil` for what is a subtraction.
  private mutating func dashedTerm(_ right: SyntaxNode, at range: Range<Int>) -> Term? {
    dashedName(at: range, right).map { name in
      fail(
        "unknown-name", "\"\(text(range))\" is a subtraction", at: range, label: "\"-\" is minus",
        help: "write \(name)")
    }
  }

  /// How a member is written whose name has a "-", where it follows the dot: `request.headers.?retry-after`; of one that is
  /// no header only where what stands behind the "-" is the name of nothing.
  private func dashedName(at range: Range<Int>, _ right: SyntaxNode) -> String? {
    let text = text(range)
    let base = text.prefix { $0 != "-" }
    guard let dot = base.lastIndex(of: "."), dot > base.startIndex else { return nil }
    let isHeader = text[..<dot].hasSuffix(".headers")
    if !isHeader {
      guard case .name(let name, _) = right.kind, !isKnown(name) else { return nil }
    }
    let member = text[text.index(after: dot)...]
    let name = member.drop { $0 == "?" }
    let mark = name.count < member.count ? "?" : ""
    guard !name.isEmpty, name.utf8.allSatisfy({ $0.isIdentifierPart || $0 == UInt8(ascii: "-") }),
      text[..<dot].utf8.allSatisfy({ $0.isIdentifierPart || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "?") })
    else { return nil }
    return "\(text[..<dot])[\(mark)'\(name)']"
  }

  mutating func expectBool(_ term: Term, _ what: String) {
    noteNullable(term, meets: what)
    if !term.type.isCompatible(with: .bool) {
      mismatch(
        "\(what) needs bool, not \(term.type.title)", at: term.range, label: term.type.title,
        help: Self.optionalHelp(term) ?? ValueType.bool.conversion)
    }
  }

  /// `&&` and `||`, either side of which may decide although the other fails (CEL specification, "Logical Operators").
  private mutating func logicTerm(
    _ sign: SyntaxNode.Operator, _ leftNode: SyntaxNode, _ rightNode: SyntaxNode, at range: Range<Int>
  ) -> Term {
    let (left, right) = (compile(leftNode), compile(rightNode))
    let what = "\"\(sign.rawValue)\""
    expectBool(left, what)
    expectBool(right, what)
    noteContradiction(sign, leftNode, rightNode)
    let decides = sign == .or
    let first = left.truth(what, at: left.range).run
    let second = right.truth(what, at: right.range).run
    return Term(range) { frame throws(EvaluationError) in
      let problem: EvaluationError?
      do throws(EvaluationError) {
        if try first(&frame) == decides { return decides }
        problem = nil
      } catch { problem = error }
      guard let problem else { return try second(&frame) }
      guard (try? second(&frame)) == decides else { throw problem }
      return decides
    }
  }

  private mutating func equalityTerm(
    _ sign: SyntaxNode.Operator, _ leftNode: SyntaxNode, _ rightNode: SyntaxNode, at range: Range<Int>
  ) -> Term {
    let known = facts.used.count
    let (left, right) = (compile(leftNode), compile(rightNode))
    facts.forgetUses(of: left, besideNothing: right, since: known)
    facts.forgetUses(of: right, besideNothing: left, since: known)
    noteComparison(sign, left, right)
    noteWritten(left, right)
    noteNulls(left, right, sign)
    noteEmpty(left, right, sign)
    if right.constant == .null { noteTest(of: left.selection) }
    if left.constant == .null { noteTest(of: right.selection) }
    if !areComparable(left, right) {
      let help =
        left.type == .null || right.type == .null
        ? left.type.isOptional || right.type.isOptional
          ? "what may be absent is never null: ask present(…), or write .orValue(null)" : "this is never null"
        : Self.optionalHelp(left, right) ?? quoteHelp(left, right)
      mismatch(
        "\"\(sign.rawValue)\" compares \(left.type.title) with \(right.type.title)", at: range,
        label: "can never be equal", help: help)
    }
    checkAllowed(left, right.constant, at: right.range)
    checkAllowed(right, left.constant, at: left.range)
    let (first, second) = (left.run, right.run)
    let expected = sign == .equal
    if let constant = right.constant {
      if let test = left.test(equals: constant, expected) { return Term(test, range) }
      return Term(range) { frame throws(EvaluationError) in try first(&frame).celEquals(constant) == expected }
    }
    return Term(range) { frame throws(EvaluationError) in
      let value = try first(&frame)
      var steps = 0
      let areEqual = value.celEquals(try second(&frame), &steps)
      try frame.spend(steps / 8, at: range)
      return areEqual == expected
    }
  }

  /// Notes what is written out beside something that may turn out to be secret, or never to be that.
  mutating func noteWritten(_ left: Term, _ right: Term) {
    noteBesideSecrets(left, right, constants: false)
    for (term, other) in [(left, right), (right, left)] where term.constant == nil {
      guard let value = other.constant, !value.isNull, value != .string(""), value.shape != .bool else { continue }
      facts.written.append(
        Facts.WrittenValue(
          value: value, range: other.range, definition: lets.open.last, other: source(of: term),
          isSecret: term.secret != nil, handedOn: term.handedOn))
    }
  }

  /// How a term is written; one that is nothing but a let, how that is.
  private func source(of term: Term) -> String {
    let written = text(term.range)
    return locals.contains { $0.name == written } ? written : scope.lets[written]?.source ?? written
  }

  private func areComparable(_ left: Term, _ right: Term) -> Bool {
    left.type.isCompatible(with: right.type) || (left.isNullable && right.type == .null)
      || (right.isNullable && left.type == .null)
  }

  /// What helps where a text stands for a value of another type.
  private func quoteHelp(_ left: Term, _ right: Term) -> String? {
    for (term, other) in [(left, right), (right, left)] where term.type == .string {
      let written = text(term.range)
      switch other.type {
      case .int, .double, .bool: return term.constant == nil ? nil : "write it without quotes"
      case .timestamp:
        let constant = term.constant?.text?.string
        guard let constant, Timestamp(text: constant) == nil else {
          return "timestamp(\(written)) makes a timestamp of it"
        }
        let day = constant + "T00:00:00Z"
        return "write timestamp('\(Timestamp(text: day) == nil ? "2026-01-01T00:00:00Z" : day)')"
      case .duration: return durationHelp(term)
      default: continue
      }
    }
    return nil
  }

  /// What helps where a text stands for a duration.
  func durationHelp(_ term: Term) -> String {
    guard let constant = term.constant?.text?.string, Duration(celText: constant) == nil else {
      return "duration(\(text(term.range))) makes a duration of it"
    }
    if let meant = constant.meantDuration, Duration(celText: meant) != nil { return "write duration('\(meant)')" }
    return "write a number and a unit: duration('90s'), duration('10m') or duration('24h')"
  }

  /// A field that can hold only some strings is compared with one of these.
  mutating func checkAllowed(_ field: Term, _ value: Value?, at range: Range<Int>) {
    guard let allowed = field.allowed, let text = value?.text?.string, !allowed.contains(where: text.isSame) else {
      return
    }
    let name = field.selection?.name ?? "it"
    guard field.secret == nil else {
      return report("unknown-value", "\"\(name)\" is never this", at: range, label: "not one of its values")
    }
    report(
      "unknown-value", "\"\(name)\" is never \"\(text)\"", at: range, label: "not one of its values",
      help: choice(for: text, among: allowed))
  }

  private mutating func memberTerm(_ left: SyntaxNode, _ right: SyntaxNode, at range: Range<Int>) -> Term {
    let known = facts.used.count
    let element = compile(left)
    let container = compileContainer(right)
    facts.forgetUses(of: element, besideNothing: container, since: known)
    noteComparison(.isIn, element, container)
    noteWritten(element, container)
    switch container.type {
    case .list(let type), .map(let type, _):
      if !element.type.isCompatible(with: type), !(element.isNullable && type == .null) {
        mismatch(
          "\"in\" looks for \(element.type.title) in \(container.type.title)", at: range, label: "can never be there",
          help: Self.optionalHelp(element))
      }
    case .dyn, .object: break
    default:
      let written = text(container.range)
      mismatch(
        "\"in\" looks into a list or a map, not into \(container.type.title)", at: container.range,
        label: container.type.title,
        help: Self.optionalHelp(container)
          ?? (container.constant == nil ? nil : "a list stands in [ ]: in [\(written)]"))
    }
    if case .list(let values)? = container.constant {
      for value in values { checkAllowed(element, value, at: container.range) }
    }
    return Term(range, test: Self.membership(of: element, in: container, at: range))
  }

  private static func membership(of element: Term, in container: Term, at range: Range<Int>) -> Test.Run {
    let (first, second) = (element.run, container.run)
    guard let slot = container.path?.slot else {
      return { frame throws(EvaluationError) in
        let value = try first(&frame)
        return try frame.contains(second(&frame), value, at: range)
      }
    }
    // A table is not taken out of the frame to be looked into.
    return { frame throws(EvaluationError) in
      let value = try first(&frame)
      if case .map(let map) = frame.roots[slot.root][slot.index], let place = map.indexAtAGlance(of: value) {
        try frame.spend(lookingAt: place, for: nil, at: range)
        return true
      }
      return try frame.contains(frame.roots[slot.root][slot.index], value, at: range)
    }
  }

  private mutating func orderTerm(
    _ sign: SyntaxNode.Operator, _ left: Term, _ right: Term, _ meeting: Meeting?, at range: Range<Int>
  ) -> Term {
    noteComparison(sign, left, right)
    noteBesideSecrets(left, right)
    noteNullable(left, meets: "\"\(sign.rawValue)\"")
    noteLook(left, "\"\(sign.rawValue)\"")
    noteNullable(right, meets: "\"\(sign.rawValue)\"")
    noteLook(right, "\"\(sign.rawValue)\"")
    let ordered: Shape = .scalar
    let isOrdered = !left.type.shape.isDisjoint(with: ordered) && !right.type.shape.isDisjoint(with: ordered)
    if !isOrdered || !(left.type == right.type || left.type == .dyn || right.type == .dyn) {
      let quoteHelp = quoteHelp(left, right)
      mismatch(
        "\"\(sign.rawValue)\" does not compare \(left.type.title) with \(right.type.title)", at: range,
        label: "no order between these", help: Self.optionalHelp(left, right) ?? quoteHelp)
    }
    let (first, second) = (left.run, right.run)
    return Term(range) { frame throws(EvaluationError) in
      let value = try first(&frame)
      let other = try second(&frame)
      if frame.times != nil { meeting?.note(value, other, in: &frame) }
      return try Value.compare(value, other, sign, at: range)
    }
  }
}

extension Value {
  /// The bool that it is.
  static func truth(_ value: Value, _ what: String, at range: Range<Int>) throws(EvaluationError) -> Bool {
    guard case .bool(let bool) = value else { throw .noOverload(what, value, at: range) }
    return bool
  }
}
