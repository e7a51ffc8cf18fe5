import Expressions

extension Check {
  /// What an app asks by where the answer to something that it sent was lost, and that it does not keep: the memory alone
  /// does, and an app that is killed while it awaits the answer never asks, or it is cleared where no answer came.
  static let forgottenRequests: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    return examined.lostByKill + examined.clearedWhereLost
  }
}

extension Examined {
  /// What a GET asks by, by itself behind a lost answer, that was sent and that the memory alone keeps.
  fileprivate var lostByKill: [Diagnostic] {
    let onward = Onward(machine, pastAnswers: false)
    var left = Self.mostLooks
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

  /// Ids that the app has made for what it asks for, cleared or made anew where no answer came, and put nowhere else.
  fileprivate var clearedWhereLost: [Diagnostic] {
    let ids = OwnIDs(of: self)
    return machine.states.enumerated().compactMap { index, state in
      guard case .request(let request) = state.activity, request.asksAnew, let lost = state.takingLost else {
        return nil
      }
      let behind = machine.deeds(of: lost, in: index).actions
      let kept = Set(behind.flatMap(\.assignments).flatMap(\.value.expressions).flatMap(\.handedOn))
      let names = ids.sent(by: request).map { $0.joined(separator: ".") }.sorted()
      guard let name = names.first(where: { behind.write($0) && !kept.contains($0) }) else { return nil }
      return Diagnostic(
        "forgotten-request", severity: .warning,
        "where the answer to this \(request.method) was lost, the app forgets \"\(name)\", and with it what it asked for",
        at: lost.siteOfChoice, "is taken where no answer came",
        help: "keep it, and ask by it what has become of that, or send the same once more: the server may have done it",
        related: (request.site, "sends it"))
    }
  }
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
