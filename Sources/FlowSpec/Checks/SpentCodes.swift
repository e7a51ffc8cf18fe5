import Expressions

extension Check {
  /// Codes of an authorization that a person may have sent once more where the answer was lost: the server may have taken
  /// them, and revokes what it gave for one that comes twice (RFC 6749, section 4.1.2).
  static let spentCodes: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    var left = mostLooks
    let callers = machine.callers
    return machine.states.indices.compactMap { index in
      guard case .request(let request) = machine.states[index].activity, let code = request.sentCode,
        let lost = machine.states[index].takingLost, !lost.actions.write(code), left > 0
      else { return nil }
      left -= 1
      func keeps(entering target: Int) -> Bool {
        !([target] + machine.starts(in: target)).contains { machine.states[$0].entry.write(code) }
      }
      let graph = StateGraph(machine) { transition in
        if transition.actions.write(code) || transition.when?.asksOnlyFor(code) == false { return false }
        return if case .state(let target) = transition.target { keeps(entering: target) } else { true }
      }
      let starts: [Int] =
        switch lost.target {
        case .state(let target): keeps(entering: target) ? [target] : []
        case .end: callers[machine.states[index].routine]
        case .stay, .reply: []
        }
      guard graph.reachable(from: starts)[index] else { return nil }
      return Diagnostic(
        "unsafe-retry", severity: .warning,
        "this code may be sent once more where its answer was lost: the server may have taken it, and revokes what it "
          + "gave for a code that comes twice",
        at: lost.siteOfChoice, "is taken where no answer came",
        help: "clear \"\(code)\" here, and have the person sign in anew (RFC 6749, section 4.1.2)",
        related: (request.site, "sends it"))
    }
  }

  /// Each goes through all of the flow.
  private static let mostLooks = 50
}

extension RequestSpec {
  /// The key of the code that it redeems, as expressions name it.
  var sentCode: String? {
    guard grants("authorization_code") else { return nil }
    let code = bodyFields.first { $0.name == "code" }?.value.expressions.first?.handedOn.first?.withoutOptionals
    return code.flatMap { name in
      ["store.", "memory."].contains(where: name.hasPrefix) && !name.contains("[") ? name : nil
    }
  }
}

extension Condition {
  /// Whether it reads no key of the app but one, as expressions name it: any other may keep the app from that.
  fileprivate func asksOnlyFor(_ name: String) -> Bool {
    ownKeys.allSatisfy { $0.joined(separator: ".") == name }
  }
}
