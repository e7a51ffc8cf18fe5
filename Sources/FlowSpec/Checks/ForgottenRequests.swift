import Expressions

extension Check {
  /// What an app asks by where the answer to something that it sent was lost, and that the memory alone keeps: killed while
  /// it awaits the answer, the app never asks what has become of it.
  static let forgottenRequests: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let onward = Onward(machine, pastAnswers: false)
    var left = mostLooks
    return machine.states.indices.compactMap { index in
      guard case .request(let request) = machine.states[index].activity, request.asksAnew,
        let lost = machine.states[index].takingLost
      else { return nil }
      let sent = request.memorySent
      if sent.isEmpty || left <= 0 { return nil }
      left -= 1
      for state in onward.states(behind: [(lost, index)]) {
        guard case .request(let asked) = machine.states[state].activity, asked.method == "GET" else { continue }
        let keys = asked.memoryInAddress.intersection(sent)
        guard let name = keys.min(by: { $0[1] < $1[1] })?[1] else { continue }
        return Diagnostic(
          "forgotten-request", severity: .warning,
          "what became of this \(request.method) is asked by \"\(name)\", which is lost where the app is killed meanwhile",
          at: asked.site, "asks by it",
          help:
            "keep \"\(name)\" in \"store\" before it is sent, ask by it at a launch, and clear it once the answer is "
            + "there",
          related: (request.site, "sends it"))
      }
      return nil
    }
  }

  /// Each goes through all that follows.
  private static let mostLooks = 200
}

extension RequestSpec {
  /// The keys of the memory that it sends, as expressions refer to them.
  fileprivate var memorySent: Set<[String]> { Self.memory(in: asked) }

  /// Those in its path and query.
  fileprivate var memoryInAddress: Set<[String]> {
    let visit = Visit(self)
    return Self.memory(in: (visit.templates + query.flatMap(\.value.placed)).flatMap(\.template.expressions))
  }

  private static func memory(in expressions: [Expression]) -> Set<[String]> {
    Set(
      expressions.flatMap(\.facts.references).filter { $0.count > 1 && $0[0] == "memory" }.map { Array($0.prefix(2)) })
  }
}
