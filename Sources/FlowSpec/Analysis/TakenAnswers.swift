import Expressions

/// What may come of a request, as far as conditions on status and failure tell.
struct AskedAnswer {
  let status: Int64
  /// `nil` where an answer came.
  let failure: String?
  /// In a sentence behind "where".
  let title: String
  /// The end of the sub-flow that was called before, null where none was; `nil` where nobody knows.
  var ended: Value?
  /// Whether it surely has neither headers nor a body.
  var isBare = true
  /// What holds for it, whatever it has.
  var known: Condition?
  /// One of those that it may be; `nil` where nobody knows what is in any.
  var example: AnswerExample?

  static let unreachable = AskedAnswer(status: 0, failure: "unreachable", title: "the service cannot be reached")
  static let lost = AskedAnswer(status: 0, failure: "lost", title: "no answer came")
  static let down = AskedAnswer(status: 503, failure: nil, title: "the service is down")
  static let askedTooOften = AskedAnswer(status: 429, failure: nil, title: "the service is asked too often")

  /// Where a sub-flow ends so that was called, by a `retry` behind an answer.
  static func ended(_ end: String, behind status: Int64 = 0, of retry: Retry? = nil) -> AskedAnswer {
    AskedAnswer(
      status: status, failure: nil, title: "the sub-flow ends so", ended: .string(end), isBare: false,
      known: retry?.when, example: retry?.when.flatMap { AnswerExample(where: $0, status: status) })
  }
}

extension [Transition] {
  /// The one that surely takes an answer, where none before it takes what may as well be in that; `nil` where it depends on
  /// more than the answer.
  func surelyTaking(_ answer: AskedAnswer) -> Transition? {
    for transition in self where !transition.isSometimes {
      guard let condition = transition.when else { return transition }
      if condition.surelyExcludes(answer) { continue }
      if let known = answer.known, condition.demand().holds(where: known.demand()) { return transition }
      if condition.surelyLeaves(answer) { continue }
      guard let table = FailureTable(condition, online: true, ended: answer.ended),
        answer.isBare || table.looksAtStatusAlone, (try? table.holds(status: answer.status, answer.failure)) == true
      else { return nil }
      return transition
    }
    return nil
  }

  /// Those that an answer with a status may come to, as what else conditions look at may be anything.
  func mayTake(status: Int64) -> [Transition] { mayTake(AskedAnswer(status: status, failure: nil, title: "")) }

  /// The same of what is known of an answer.
  func mayTake(_ answer: AskedAnswer) -> [Transition] {
    var taking: [Transition] = []
    for transition in self where !transition.isSometimes {
      guard let condition = transition.when else { return taking + [transition] }
      if condition.surelyExcludes(answer) { continue }
      taking.append(transition)
      let table = FailureTable(condition, ended: answer.ended)
      if (try? table?.holds(status: answer.status, answer.failure)) == true { break }
    }
    return taking
  }

  /// Whether the transition there may take an answer with a status whatever is in it: what else conditions look at may be
  /// anything, but for more of the answer.
  func mayTakeAny(status: Int64, at index: Int) -> Bool {
    let leaveIt = self[..<index].allSatisfy { earlier in
      guard let condition = earlier.when else { return earlier.isSometimes }
      return earlier.isSometimes || condition.surelyExcludes(status: status) || !condition.looksAtAnswer
    }
    return leaveIt && self[index].when?.mayHoldForAny(status: status) != false
  }
}

extension State {
  /// What surely takes the lost answer to its request, behind a `retry` too that is for others; `nil` where none is.
  var takingLost: Transition? {
    guard case .request(let request) = activity else { return nil }
    var lost = AskedAnswer.lost
    // What is not tried again has called no sub-flow.
    if request.retry?.when?.surelyExcludes(lost) == true { lost.ended = .null }
    return next.surelyTaking(lost)
  }
}

extension Examined {
  /// What good answers come to: what asks for them, else whatever takes them.
  ///
  /// They are those of the model, where it is known; a sub-flow that was called before has ended well.
  func takenWhereAllWentWell(_ request: RequestSpec, _ next: [Transition]) -> [Transition] {
    takenBy(goodStatuses(of: request) ?? [200, 201, 202, 204], request, next)
  }

  /// The one to which good answers alone come, and all of them; `nil` where several take some, or bad ones come there, too.
  func takenWhereAllSurelyWentWell(_ request: RequestSpec, _ next: [Transition]) -> Transition? {
    let bad = takenBy([400, 409, 500], request, next)
    let taken = takenWhereAllWentWell(request, next).filter { good in !bad.contains { $0 === good } }
    return taken.allSatisfy { $0 === taken.first } ? taken.first : nil
  }

  /// Those of the model; `nil` where none is known.
  private func goodStatuses(of request: RequestSpec) -> [Int64]? {
    let known = surelyAsks(request).map { model, route in
      model.replies(of: route).map { Int64($0.status) }.filter { (200..<300).contains($0) }
    }
    return known.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func takenBy(_ statuses: [Int64], _ request: RequestSpec, _ next: [Transition]) -> [Transition] {
    let called: [Value?]? = request.retry?.call.map {
      [.null, machine.routines[$0].ends.first.map(Value.string) ?? .null]
    }
    let taken = Set(statuses).sorted().flatMap { status in
      (called ?? [nil]).flatMap { next.mayTake(AskedAnswer(status: status, failure: nil, title: "", ended: $0)) }
    }
    let asking = taken.filter { $0.when != nil }
    return asking.isEmpty ? taken : asking
  }
}

extension Condition {
  /// Whether it may hold for an answer with a status whatever is in it; of one that compares the status beside other things
  /// only where it names this one.
  func mayHoldForAny(status: Int64) -> Bool {
    switch self {
    case .all(let parts): return parts.allSatisfy { $0.mayHoldForAny(status: status) }
    case .any(let parts): return parts.contains { $0.mayHoldForAny(status: status) }
    case .expression, .not:
      if let table = FailureTable(self), table.isOfStatus { return (try? table.holds(status: status, nil)) == true }
      if !looksAtAnswer { return true }
      let looks = expressions.flatMap { $0.expression.facts.references.filter { $0.first == "response" } }
      return looks.allSatisfy { $0 == ["response", "status"] } && names(status: status)
    }
  }

  /// Whether one of its comparisons asks for just this status, perhaps among others.
  func names(status: Int64) -> Bool {
    mentions(of: "status").contains {
      $0.comparison.numbers.contains(status) && $0.comparison.holds(for: status)
    }
  }

  fileprivate var looksAtAnswer: Bool {
    expressions.contains { $0.expression.facts.references.contains { $0.first == "response" } }
  }

  /// Whether one of the parts that all have to hold does not.
  func surelyExcludes(_ answer: AskedAnswer) -> Bool {
    switch self {
    case .all(let parts): return parts.contains { $0.surelyExcludes(answer) }
    case .any(let parts): return parts.allSatisfy { $0.surelyExcludes(answer) }
    case .expression, .not:
      if let table = FailureTable(self, ended: answer.ended), table.isOfStatus || answer.failure != nil {
        return (try? table.holds(status: answer.status, answer.failure)) == false
      }
      // Of an answer that came nobody knows what is in it.
      let mentions = mentions(of: "status").map(\.comparison)
      return !mentions.isEmpty && !mentions.contains { $0.holds(for: answer.status) }
    }
  }

  /// Whether it does not hold for the example of an answer.
  fileprivate func surelyLeaves(_ answer: AskedAnswer) -> Bool {
    guard let example = answer.example, let table = FailureTable(self, online: true, ended: answer.ended) else {
      return false
    }
    return (try? table.holds(status: answer.status, answer.failure, having: example)) == false
  }

  func surelyExcludes(status: Int64) -> Bool {
    surelyExcludes(AskedAnswer(status: status, failure: nil, title: ""))
  }
}
