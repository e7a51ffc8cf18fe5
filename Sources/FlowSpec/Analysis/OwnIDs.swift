import Expressions

/// Ids of the app's own making that name what a request asks for: a service that is sent the same one again knows the try
/// from something else that is asked for, whatever member it stands in.
///
/// They are of one thing asked for, and of no more: where that went well they are done with. What names the device, or
/// whoever is signed in, lasts, and is none.
struct OwnIDs {
  /// By request, as expressions refer to them.
  private var sent: [ObjectIdentifier: Set<[String]>] = [:]

  /// Keys that nothing sets but to `newId(…)`, to what they hold already, and to null, and that each good answer clears or
  /// sets anew.
  init(of examined: Examined) {
    let given = examined.actions.flatMap(\.assignments).filter { !$0.place.isOfTable && !$0.value.isNothing }
    let others = Set(given.filter { !$0.makesID }.map(\.place.reference))
    let made = Set(given.filter(\.makesID).map(\.place.reference)).subtracting(others)
    if made.isEmpty { return }
    for (index, state) in examined.machine.states.enumerated() {
      guard case .request(let request) = state.activity else { continue }
      let named = made.intersection(
        request.naming.compactMap { $0.template.isAlone ? $0.template.expressions.first?.copied : nil })
      if named.isEmpty { continue }
      let good = examined.takenWhereAllWentWell(request, state.next).map { transition in
        Set(examined.machine.deeds(of: transition, in: index).actions.flatMap(\.writes).map(\.place.keyName))
      }
      sent[ObjectIdentifier(request)] = named.filter { key in good.allSatisfy { $0.contains(key) } }
    }
  }

  /// Those that a request sends as they are, in its path, query or body, or as its `Idempotency-Key`.
  func sent(by request: RequestSpec) -> Set<[String]> { sent[ObjectIdentifier(request)] ?? [] }
}

extension Assignment {
  fileprivate var makesID: Bool {
    guard case .template(let placed) = value, placed.template.expressions.count == 1,
      placed.template.expressions[0].facts.makesID
    else { return false }
    let own = place.reference.joined(separator: ".")
    let made = placed.template.expressions[0]
    return made.freshness != .none || made.handedOn.contains { $0.withoutOptionals == own }
  }
}
