import Expressions

/// For which answers a condition holds; only of one that looks at nothing else than an answer.
struct FailureTable {
  /// What is there in place of an answer that never came.
  static let failures = ["unreachable", "lost"]
  private static let ofStatus = [["response", "status"], ["response", "failure"]]
  private static let (network, end) = (["device", "online"], ["result", "ended"])
  /// One of each hundred, and those around the bounds that are usual.
  static let statuses: [Int64] = [
    100, 199, 200, 201, 299, 300, 302, 399, 400, 401, 404, 429, 499, 500, 503, 599,
  ]

  private let condition: Condition
  /// The end of the sub-flow that was called, null where none was; `nil` where nobody knows.
  private let ended: Value?
  /// Whether it looks at nothing but status and failure, and perhaps the end of a sub-flow.
  let isOfStatus: Bool
  /// The same, and perhaps at the network.
  let looksAtStatusAlone: Bool

  /// `online` as well of one that looks at the network, as long as there is one; with `ended` of one that looks at that.
  init?(_ condition: Condition, online: Bool = false, ended: Value? = nil) {
    let beside = (online ? [Self.network] : []) + (ended == nil ? [] : [Self.end])
    let references = condition.expressions.flatMap { $0.expression.facts.references }
    guard references.allSatisfy({ $0.first == "response" || beside.contains($0) }) else { return nil }
    (self.condition, self.ended) = (condition, ended)
    isOfStatus = references.allSatisfy { Self.ofStatus.contains($0) || $0 == Self.end }
    looksAtStatusAlone = references.allSatisfy { Self.ofStatus.contains($0) || beside.contains($0) }
  }

  func holds(for failure: String) -> Bool { (try? holds(status: 0, failure)) == true }

  /// Whether it surely holds for no answer that never came; an error is something else.
  var asksForAnAnswer: Bool { Self.failures.allSatisfy { (try? holds(status: 0, $0)) == false } }

  /// Whether there is an answer for which it may hold: one whose members it reads may have them.
  var mayHoldForAnAnswer: Bool { Self.statuses.contains { (try? holds(status: $0, nil)) != false } }

  /// Whether it holds without an answer as it does for some, and no status makes it ask for that failure.
  func holdsUnasked(for failure: String) -> Bool {
    guard isOfStatus, holds(for: failure) else { return false }
    func outcomes(_ failure: String?) -> [Bool] {
      ([0] + Self.statuses).map { (try? holds(status: $0, failure)) == true }
    }
    let answered = outcomes(nil)
    return answered == outcomes(failure) && answered.dropFirst().contains(true)
  }

  /// What is known of the device in a question of an answer.
  private static let device: [Value] = [.bool(true), .bool(true), .string("")]

  /// As for an answer without headers and a text, and with no more in it than an example has.
  func holds(
    status: Int64, _ failure: String?, having example: AnswerExample = .bare
  ) throws(EvaluationError) -> Bool {
    let answer: [Value] = [
      .int(status), .map(ValueMap()), example.json, .string(""), example.challenge, .null,
      failure.map(Value.string) ?? .null,
    ]
    var frame = Frame(knowing: answer, of: .response, device: Self.device)
    if let ended { frame.roots[Root.result.rawValue] = [ended] }
    return try Self.holds(condition, &frame)
  }

  /// Whether a condition surely fails where the store is as it begins; of one that looks at nothing but such keys of it.
  static func surelyFails(_ condition: Condition, without keys: Set<String>, of machine: Machine) -> Bool {
    let references = condition.expressions.flatMap { $0.expression.facts.references }
    guard references.allSatisfy({ $0.first == "store" && $0.count > 1 && keys.contains($0[1]) }) else {
      return false
    }
    var frame = Frame(knowing: machine.initialStore, of: .store, device: Self.device)
    return (try? holds(condition, &frame)) == false
  }

  private static func holds(_ condition: Condition, _ frame: inout Frame) throws(EvaluationError) -> Bool {
    switch condition {
    case .expression(let placed): return try placed.expression.isTrue(&frame) == true
    case .all(let parts):
      for part in parts where try !holds(part, &frame) { return false }
      return true
    case .any(let parts):
      for part in parts where try holds(part, &frame) { return true }
      return false
    case .not(let inner): return try !holds(inner, &frame)
    }
  }
}
