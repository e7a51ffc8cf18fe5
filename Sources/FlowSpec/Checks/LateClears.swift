import Expressions

extension Check {
  /// Secrets of the store that are cleared whatever comes of a request, and only then: who signs out and closes the app
  /// while the answer is awaited stays signed in.
  ///
  /// Such a secret shows in other requests who asks; one that is sent to be redeemed, as a verifier or a ticket, is not.
  /// A request to which a launch leads by itself is sent again then, and clears it.
  static let lateClears: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let showing = machine.secretsShown
    if showing.isEmpty { return [] }
    var clearing = Clearing(machine)
    lazy var ways = LaunchWays(machine)
    return machine.states.indices.compactMap { index in
      let state = machine.states[index]
      guard case .request(let request) = state.activity, let first = state.next.first,
        state.next.last?.when == nil
      else { return nil }
      var cleared = clearing.keysGone(by: first, in: index)
      for transition in state.next.dropFirst() where !cleared.isEmpty {
        cleared.formIntersection(clearing.keysGone(by: transition, in: index))
      }
      let secret = cleared.sorted().first { showing[$0]?.contains { $0 !== request } == true }
      guard let secret, !ways.lead(to: index) else { return nil }
      let name = machine.title(of: secret)
      return Diagnostic(
        "late-clear", severity: .warning,
        "\"\(name)\" is cleared whatever comes of this \(request.method), and only then: who closes the app meanwhile "
          + "stays signed in",
        at: request.site, "is awaited first",
        help: "clear it before, and keep what this sends in a key of its own", related: (first.site, "comes to that"))
    }
  }
}

extension Machine {
  /// By secret of the store, the requests that show it as what says who asks, or get a new token for it.
  fileprivate var secretsShown: [StoredSecret: [RequestSpec]] {
    let byPath = Dictionary(secrets.map { (path(of: $0), $0) }) { first, _ in first }
    var found: [StoredSecret: [RequestSpec]] = [:]
    for request in requests {
      let headers = request.headers.filter { $0.name != RequestSpec.keyHeader }.flatMap(\.value.placed)
      let refreshing = request.bodyFields.filter { $0.name == "refresh_token" }.flatMap(\.value.placed)
      let shown = (headers + refreshing + [request.bearer].compactMap(\.self)).flatMap(\.template.expressions)
      for path in Set(shown.flatMap(\.facts.references)) {
        if let secret = byPath[path] { found[secret, default: []].append(request) }
      }
    }
    return found
  }
}

extension Clearing {
  /// The secrets that a transition clears, itself or by what it leads to, and does not set again.
  fileprivate mutating func keysGone(by transition: Transition, in state: Int) -> Set<StoredSecret> {
    let set = machine.deeds(of: transition, in: state).actions.secretsSet.filter { !$0.value.isNothing }.map(\.secret)
    return allKeys(by: transition, in: state).subtracting(set)
  }
}
