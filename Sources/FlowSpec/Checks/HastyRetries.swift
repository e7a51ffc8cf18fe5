import Expressions

extension Check {
  /// Tries that are made one after the other without a wait, where the server is down or cannot be reached: each comes
  /// to the same, and all of them come at once.
  ///
  /// A few do no harm: a connection that was closed is opened anew. What a sub-flow waits for between is a wait, too.
  static let hastyRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    var subflows = HastySubflows(examined)
    return examined.machine.requests.compactMap { request in
      guard let retry = request.retry, retry.wait == .zero, retry.most > Retry.mostAtOnce, let when = retry.when,
        let site = when.expressions.first?.site, let table = FailureTable(when, online: true),
        let reason = table.reasonToWait, retry.call.map({ subflows.passAtOnce($0) }) ?? true
      else { return nil }
      return Diagnostic(
        "loop-without-wait", severity: .warning,
        "this request is sent again up to \(retry.most) times without a wait", at: site, "holds for \(reason)",
        help: "add a \"wait\", such as \"wait\": \"1s\", \"factor\": 2, or let \"most\" be \(Retry.mostAtOnce) or less")
    }
  }
}

extension Retry {
  /// So often who tries again at once may be lucky.
  static let mostAtOnce = 3
}

extension FailureTable {
  /// A failure, or an answer by which a server is busy or down, for which it holds: the next try hardly comes to
  /// another at once; an answer that is lost takes its time.
  fileprivate var reasonToWait: String? {
    if holds(for: "unreachable") { return "response.failure == 'unreachable'" }
    return [429, 500, 502, 503, 504].first { (try? holds(status: $0, nil)) == true }.map { "\($0)" }
  }
}

/// Sub-flows that wait nowhere, for time, for an event or for the device; each is gone through once.
private struct HastySubflows {
  private let graph: StateGraph
  private var known: [Int: Bool] = [:]

  init(_ examined: Examined) { graph = examined.paths?.graph ?? StateGraph(examined.machine) }

  mutating func passAtOnce(_ routine: Int) -> Bool {
    if let known = known[routine] { return known }
    let entered = graph.active(from: [graph.machine.routines[routine].root])
    let passes = entered.allSatisfy { graph.machine.states[$0].waitsForNothing }
    known[routine] = passes
    return passes
  }
}

extension State {
  /// Whether nothing is waited for in it.
  fileprivate var waitsForNothing: Bool {
    switch activity {
    case .request(let request): request.retry.map { $0.wait == .zero } ?? true
    case .call, .compound, .end: true
    case .none: on.isEmpty && after.isEmpty
    case .perform: false
    }
  }
}
