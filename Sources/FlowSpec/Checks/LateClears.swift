import Expressions

extension Check {
  /// Secrets of the store that are cleared whatever comes of a request, and only then: who signs out and closes the app
  /// while the answer is awaited stays signed in.
  ///
  /// What no other request sends is the request's own, as the verifier of a code is.
  static let lateClears: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let (clearing, requests) = (Clearing(machine), machine.requests)
    return machine.states.indices.compactMap { index in
      let state = machine.states[index]
      guard case .request(let request) = state.activity, let first = state.next.first else { return nil }
      var cleared = Set(clearing.deeds(of: first, in: index).actions.secretsEmptied)
      for transition in state.next.dropFirst() where !cleared.isEmpty {
        cleared.formIntersection(clearing.deeds(of: transition, in: index).actions.secretsEmptied)
      }
      let sentElsewhere = cleared.sorted().first { secret in
        requests.contains { $0 !== request && $0.reads(machine.path(of: secret)) }
      }
      guard let secret = sentElsewhere, state.next.last?.when == nil else { return nil }
      let name = machine.title(of: secret)
      return Diagnostic(
        "late-clear", severity: .warning,
        "\"\(name)\" is cleared whatever comes of this \(request.method), and only then: who closes the app meanwhile "
          + "stays signed in",
        at: request.site, "is awaited first",
        help: "clear it before, and keep what this sends in a key of its own", related: (first.site, "clears it"))
    }
  }
}
