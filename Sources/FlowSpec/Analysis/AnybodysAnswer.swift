import Expressions

/// An answer that anybody may send: a code, beside a `state` that the app has not sent.
struct AnybodysAnswers {
  private let scope: Scope
  /// By what is looked at, the values of the event's fields.
  private let answers: [[Value]]
  /// Names of lets that read the `state`.
  private let lets: Set<String>

  /// Of an event with such fields, for conditions that write these texts out.
  ///
  /// `lets` are the names of those that read a `state`; of very many texts the first are tried.
  init(_ event: Event, _ examined: Examined, lets: Set<String>, writtenOut texts: [Value]) {
    let fields = event.fields.fields.map { (name: $0.name, type: $0.type) }
    scope = examined.scope(of: "event", at: .event, fields)
    let states = [.null, .string(""), .string("somebody's"), .string("code")] + texts.prefix(50)
    answers = [Value.null, .string("other")].flatMap { other in
      states.map { state in
        fields.map { field in
          switch (field.name, field.type) {
          case ("state", _): state
          case ("code", _): .string("code")
          case (_, .string): other
          default: .null
          }
        }
      }
    }
    self.lets = lets
  }

  /// Names of lets that read the `state` of an event.
  static func lets(of machine: Machine) -> Set<String> {
    let words = machine.lets.mapValues { Set($0.source.words) }
    var names = Set(words.filter { $0.value.isSuperset(of: ["event", "state"]) }.keys)
    var before = 0
    while before != names.count {
      before = names.count
      names.formUnion(words.filter { !$0.value.isDisjoint(with: names) }.keys)
    }
    return names
  }

  /// Those of a list of transitions that take the code of one.
  ///
  /// What the app's own keys decide may be either way; what is held against them keeps such answers away.
  func taking(_ transitions: [Transition]) -> [Transition] {
    let conditions = transitions.map { transition in transition.when.map { test($0.demand()) } }
    var taking: Set<Int> = []
    for answer in answers {
      for (index, transition) in transitions.enumerated() where !transition.isSometimes {
        let outcome = conditions[index]?.outcome(for: answer) ?? .holds
        if transition.takes("code"), [.holds, .mayHold].contains(outcome) { taking.insert(index) }
        if [.holds, .isHeld].contains(outcome) { break }
      }
    }
    return taking.sorted().map { transitions[$0] }
  }

  private func test(_ demand: Demand) -> Test {
    switch demand {
    case .all(let parts): return .all(parts.map(test))
    case .any(let parts): return .any(parts.map(test))
    case .test(let tokens):
      let source = tokens.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
      let words = Set(source.words)
      let readsState = words.isSuperset(of: ["event", "state"]) || !words.isDisjoint(with: lets)
      // Unchecked, what is unknown fails when it runs.
      let expression = try? Expression.compile(source, in: scope, expecting: .bool, checked: false)
      return .single(expression, readsState: readsState)
    }
  }

  /// What a condition comes to for an answer.
  private enum Outcome {
    case holds, fails
    /// Something else than the `state` decides, of which nobody knows.
    case mayHold
    /// The `state` is held against what nobody knows.
    case isHeld
  }

  private indirect enum Test {
    case single(Expression?, readsState: Bool)
    case all([Test])
    case any([Test])

    func outcome(for answer: [Value]) -> Outcome {
      switch self {
      case .single(let expression, let readsState):
        var frame = Frame(knowing: answer, of: .event)
        if let holds = try? expression?.isTrue(&frame) { return holds ? .holds : .fails }
        return readsState ? .isHeld : .mayHold
      case .all(let parts): return Self.first([.fails, .isHeld, .mayHold], of: parts, for: answer) ?? .holds
      case .any(let parts): return Self.first([.holds, .isHeld, .mayHold], of: parts, for: answer) ?? .fails
      }
    }

    private static func first(_ order: [Outcome], of parts: [Test], for answer: [Value]) -> Outcome? {
      let outcomes = parts.map { $0.outcome(for: answer) }
      return order.first(where: outcomes.contains)
    }
  }
}

extension String {
  fileprivate var words: [String] {
    Array(utf8).split { !$0.isIdentifierPart }.map { String(decoding: $0, as: UTF8.self) }
  }
}
