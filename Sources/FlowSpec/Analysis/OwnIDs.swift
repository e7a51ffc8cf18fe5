import Expressions

/// Keys that hold an id of the app's own making: who is sent the same one again knows the try from something else that is
/// asked for, whatever member it stands in.
struct OwnIDs {
  /// As expressions refer to them.
  private let keys: Set<[String]>

  private init(_ keys: Set<[String]>) { self.keys = keys }

  /// Those that nothing sets but to `newId(…)`, to what they hold already, and to null.
  init(of examined: Examined) {
    let given = examined.actions.flatMap(\.assignments).filter { !$0.place.isOfTable && !$0.value.isNothing }
    let made = given.filter(\.makesID)
    let others = Set(given.filter { !$0.makesID }.map(\.place.reference))
    keys = Set(made.map(\.place.reference)).subtracting(others)
  }

  /// Those that a kill does not take away.
  var stored: Self { Self(keys.filter { $0[0] == "store" }) }

  func contains(_ reference: [String]) -> Bool { keys.contains(Array(reference.prefix(2))) }

  /// Those that a request sends as they are.
  func sent(by request: RequestSpec) -> Set<[String]> {
    if keys.isEmpty { return [] }
    return keys.intersection(
      request.written.compactMap { $0.template.isAlone ? $0.template.expressions.first?.copied : nil })
  }
}

extension Assignment {
  fileprivate var makesID: Bool {
    guard case .template(let placed) = value, placed.template.expressions.count == 1,
      placed.template.expressions[0].source.contains("newId(")
    else { return false }
    let own = place.reference.joined(separator: ".")
    let made = placed.template.expressions[0]
    return made.freshness != .none || made.handedOn.contains { $0.withoutOptionals == own }
  }
}
