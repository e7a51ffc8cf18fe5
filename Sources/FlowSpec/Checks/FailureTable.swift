import Expressions

/// An answer as a condition sees it that looks at nothing but its status and its failure.
struct AnswerMade {
  static let failures = ["unreachable", "lost"]

  let status: Int64
  let failure: String?
}

/// For which answers a condition holds; only of one that looks at nothing else.
struct FailureTable {
  private let condition: Condition
  private static let looked = [["response", "status"], ["response", "failure"]]
  /// One of each hundred, and those around the bounds that are usual.
  private static let statuses: [Int64] = [200, 201, 299, 300, 302, 399, 400, 401, 404, 429, 499, 500, 503, 599]

  init?(_ condition: Condition) {
    let references = condition.expressions.flatMap { $0.expression.facts.references }
    guard references.allSatisfy(Self.looked.contains) else { return nil }
    self.condition = condition
  }

  func holds(for failure: String) -> Bool { holds(AnswerMade(status: 0, failure: failure)) }

  /// Whether it holds without an answer as it does for some, and no status makes it ask for that failure.
  func holdsUnasked(for failure: String) -> Bool {
    guard holds(for: failure) else { return false }
    let answered = ([0] + Self.statuses).map { holds(AnswerMade(status: $0, failure: nil)) }
    let failed = ([0] + Self.statuses).map { holds(AnswerMade(status: $0, failure: failure)) }
    return answered == failed && answered.dropFirst().contains(true)
  }

  private func holds(_ answer: AnswerMade) -> Bool {
    // Whoever looks at the clock is none of these.
    guard let now = Timestamp(text: "1970-01-01T00:00:00Z") else { return false }
    // What takes longer is no question of an answer.
    var frame = Frame(roots: Root.slots(device: [], now: now), budget: 1_000)
    let (nothing, failure) = (Value.map(ValueMap()), answer.failure.map(Value.string) ?? .null)
    frame.roots[Root.response.rawValue] = [
      .int(answer.status), nothing, nothing, .string(""), nothing, .null, failure,
    ]
    return holds(condition, &frame)
  }

  private func holds(_ condition: Condition, _ frame: inout Frame) -> Bool {
    switch condition {
    case .expression(let placed): return (try? placed.expression.isTrue(&frame)) == true
    case .all(let parts):
      for part in parts where !holds(part, &frame) { return false }
      return true
    case .any(let parts):
      for part in parts where holds(part, &frame) { return true }
      return false
    case .not(let inner): return !holds(inner, &frame)
    }
  }
}
