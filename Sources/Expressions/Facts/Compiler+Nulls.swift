extension Compiler {
  /// Notes a part that may be null where null is an error.
  mutating func noteNullable(_ term: Term, meets what: @autoclosure () -> String, isOfCall: Bool = false) {
    for choice in term.choices { noteNullable(choice, meets: what(), isOfCall: isOfCall) }
    guard term.isNullable, let selection = term.selection else { return }
    let name = selection.name
    // Of a row something else may tell that its field is set, as of an event or an answer.
    if isOfCall, !["store", "memory"].contains(selection.path.first) || name.utf8.contains(UInt8(ascii: "[")) {
      return
    }
    let initial = ["store.", "memory."].contains(where: name.hasPrefix) ? ", or give it an \"initial\"" : ""
    // To look into a row that is not there is an error, whatever is asked of its field.
    let hasRow = name.utf8.contains(UInt8(ascii: "["))
    let asked = hasRow ? name.replacing("[", with: "[?").replacing("].", with: "].?") : name
    let problem = ExpressionProblem(
      code: "may-be-null", message: "\"\(name)\" may be null where \(what()) needs a value", range: place(term.range),
      label: "may be null",
      help: "test it first, as in present(\(asked)) && … or present(\(asked)) ? … : …\(initial)")
    note(problem, of: name, at: term.range, isOfCall: isOfCall)
  }

  /// Notes what goes wrong only when it runs, unless one of the names is tested; in a let it stands there, and where that is used.
  mutating func note(_ problem: ExpressionProblem, of names: String..., at range: Range<Int>, isOfCall: Bool = false) {
    var problem = problem
    if let definition = lets.open.last {
      problem.cause = ExpressionProblem.Cause(name: definition, range: range, label: problem.label)
      problem.label = "used here"
    }
    facts.nullables.append((names, problem, isOfCall))
  }

  /// Notes what an event brings and what is kept where both may be null, and so be equal: whoever leaves a `state` out
  /// would be taken for whom the app has sent.
  mutating func noteNulls(_ left: Term, _ right: Term, _ sign: SyntaxNode.Operator) {
    guard left.isNullable, right.isNullable, let first = left.selection, let second = right.selection,
      [first, second].count(where: { $0.path.first == "event" }) == 1
    else { return }
    let holds = sign == .equal ? "holds" : "does not hold"
    let problem = ExpressionProblem(
      code: "may-be-null",
      message: "\"\(first.name)\" and \"\(second.name)\" may both be null here, and null equals null",
      range: place(left.range.lowerBound..<right.range.upperBound), label: "\(holds) where neither is there",
      help: "write \(sign == .equal ? "" : "!")same(\(first.name), \(second.name)), for which both have to be there")
    note(problem, of: first.name, second.name, at: left.range)
  }

  /// Notes a test for emptiness of what is null, and no text, as long as nothing is set.
  mutating func noteEmpty(_ left: Term, _ right: Term, _ sign: SyntaxNode.Operator) {
    for (term, other) in [(left, right), (right, left)] where other.constant == .string("") && term.isNullable {
      // A text that did not come is empty.
      guard let name = term.selection?.name, !["request.text", "response.text"].contains(name),
        !name.hasPrefix("response.redirect.")
      else { continue }
      let (holds, help) = sign == .equal ? ("does not hold", "!present(\(name))") : ("holds", "present(\(name))")
      let problem = ExpressionProblem(
        code: "may-be-null", message: "\"\(name)\" may be null here, which is not the empty text",
        range: place(left.range.lowerBound..<right.range.upperBound), label: "\(holds) where nothing is there",
        help: "write \(help)")
      note(problem, of: name, at: term.range)
    }
  }

  /// Notes a question whether something is there that always is: a number or a word that it has from the start.
  mutating func noteSurelyPresent(_ term: Term) {
    guard !term.isNullable, let selection = term.selection, selection.isAtField else { return }
    let hasWords = term.allowed.map { !$0.isEmpty && !$0.contains("") } ?? false
    guard hasWords || [.bool, .int, .double, .timestamp, .duration].contains(term.type) else { return }
    let isKey = ["store", "memory"].contains(selection.path.first)
    let problem = ExpressionProblem(
      code: "constant-condition", message: "\"\(selection.name)\" is always there, whatever it is", range: term.range,
      label: isKey ? "has an \"initial\"" : "is never null",
      help: isKey && term.type != .bool
        ? "ask for its value, or leave out its \"initial\": then it is null until something sets it"
        : "ask for its value")
    facts.doubts.append((problem, lets.open.last))
  }
}
