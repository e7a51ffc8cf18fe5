import Expressions

extension Check {
  /// Requests that are sent again where their answer was lost, though the server may have done what they ask: a refresh
  /// token that is used twice signs people out.
  ///
  /// A POST and a PATCH ask for something anew each time (RFC 9110 §9.2.2), but with a header `Idempotency-Key`.
  static let unsafeRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    retriesAfterLoss(examined) + waysBackAfterLoss(examined)
  }

  private static let retriesAfterLoss: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.requests.compactMap { request in
      guard let retry = request.retry, ["POST", "PATCH"].contains(request.method),
        !request.isToldAgain(by: retry), let when = retry.when,
        let site = when.expressions.first(where: { $0.expression.facts.references.contains { $0[0] == "response" } })?
          .site,
        FailureTable(when, online: true)?.holds(for: "lost") == true
      else { return nil }
      let kept = request.idempotencyKey == nil ? "" : " of its own for each thing asked for, the same for all its tries"
      return Diagnostic(
        "unsafe-retry", severity: .warning,
        "this \(request.method) is sent again where its answer was lost, and the server may have done it already",
        at: site, "holds for response.failure == 'lost'",
        help: "ask for response.failure == 'unreachable', which was not sent, or send an \"Idempotency-Key\"\(kept)")
    }
  }
}

extension Check {
  /// The same by ways that go past a wait: to a state that lets some time pass and asks once more, or by a timer that does so
  /// while the answer is awaited.
  ///
  /// What goes round in no time is told as a circle, and what another request has looked into meanwhile is no blind try.
  private static let waysBackAfterLoss: @Sendable (Examined) -> [Diagnostic] = { examined in
    let states = examined.machine.states
    return states.indices.flatMap { index -> [Diagnostic] in
      guard case .request(let request) = states[index].activity, ["POST", "PATCH"].contains(request.method),
        request.idempotencyKey == nil
      else { return [] }
      var told: [Diagnostic] = []
      if let lost = states[index].next.surelyTaking(.lost), case .state(let target) = lost.target,
        let way = examined.machine.wayBack(to: request, from: target)
      {
        told.append(
          sentAgain(
            request, "where its answer was lost", by: way, at: lost.when?.expressions.first?.site ?? lost.site,
            "is taken where no answer came"))
      }
      for timer in states[index].after {
        guard let target = StateGraph.targets(of: timer.transition).first,
          let way = examined.machine.wayBack(to: request, from: target, hasWaited: true)
        else { continue }
        let site = timer.transition.first?.site ?? request.site
        told.append(sentAgain(request, "while its answer is awaited", by: way, at: site, "leads back to it"))
      }
      return told
    }
  }

  private static func sentAgain(
    _ request: RequestSpec, _ when: String, by way: [String], at site: Site, _ label: String
  ) -> Diagnostic {
    Diagnostic(
      "unsafe-retry", severity: .warning,
      "this \(request.method) is sent again by itself \(when), and the server may have done it already",
      at: site, label,
      help: way.joined(separator: " → ") + ": let the person decide, ask the server first what has become of it, "
        + "or send an \"Idempotency-Key\"")
  }
}

extension Machine {
  /// The names of the states by which a request is sent once more without anybody's doing, some time later; `nil` where that
  /// does not happen.
  fileprivate func wayBack(to request: RequestSpec, from start: Int, hasWaited: Bool = false) -> [String]? {
    var seen: Set<[Int]> = []
    var pending = [(state: start, hasWaited: hasWaited, way: [String]())]
    while let (state, hasWaited, way) = pending.popLast() {
      var leaf = state
      while let start = states[leaf].start { leaf = start }
      guard seen.insert([leaf, hasWaited ? 1 : 0]).inserted else { continue }
      let names = way + [states[leaf].name]
      switch states[leaf].activity {
      case .request(let other): if other === request, hasWaited { return names }
      case .none:
        for next in StateGraph.targets(of: states[leaf].next) { pending.append((next, hasWaited, names)) }
        for timer in enclosing(leaf).flatMap({ states[$0].after }) {
          for next in StateGraph.targets(of: timer.transition) { pending.append((next, true, names)) }
        }
      default: break
      }
    }
    return nil
  }
}

extension Check {
  /// Tries that are made again, as they were, where the server has refused: each is refused alike, and counts for who
  /// locks out guesses.
  static let uselessRetries: @Sendable (Examined) -> [Diagnostic] = { examined in
    examined.machine.requests.compactMap { request in
      guard let retry = request.retry, retry.actions.isEmpty, retry.call == nil, let when = retry.when,
        let table = FailureTable(when, online: true),
        let status = [400, 401, 403, 422].first(where: { (try? table.holds(status: $0, nil)) == true }),
        let site = when.expressions.first?.site
      else { return nil }
      return Diagnostic(
        "useless-retry", severity: .warning, "the same is asked again where the server has refused it", at: site,
        "holds for \(status)",
        help: "ask again where it may help, as for response.status in [429, 503] or response.failure, or let \"do\" or "
          + "\"call\" change something between")
    }
  }
}

extension RequestSpec {
  fileprivate var idempotencyKey: ValueTemplate? { headers.first { $0.name == "idempotency-key" }?.value }

  /// Whether it has a key by which its service knows a further try from something else that is asked for: neither the same
  /// for all nor another for each try.
  fileprivate func isToldAgain(by retry: Retry) -> Bool {
    guard case .template(let placed) = idempotencyKey else { return false }
    let read = placed.template.expressions.flatMap(\.facts.references)
    // Which row and which field of a table is set, only a run knows.
    let isMadeAnew = retry.actions.flatMap(\.assignments).map(\.place).contains { place in
      let area = place.area == .store ? "store" : "memory"
      return !place.isOfTable && read.contains { $0.prefix(2) == [area, place.declared.name] }
    }
    let isOfOne = read.contains { $0.first != "config" && $0.first != "device" }
    return isOfOne && !read.contains(["now"]) && !isMadeAnew
  }
}
