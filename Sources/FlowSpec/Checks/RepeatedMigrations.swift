import Expressions

extension Check {
  /// Keys that each launch sets anew to what an earlier version of the app has stored, as nothing takes that out of the
  /// store: what was set meanwhile is lost.
  static let repeatedMigrations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    lazy var ways = LaunchWays(machine)
    let written = Set(examined.actions.flatMap(\.writes).compactMap(\.place.nameOfValue))
    let first = machine.leaf(of: machine.routines[0].root)
    return machine.states.indices.filter { machine.states[$0].decides }.flatMap { state in
      machine.states[state].next.enumerated().flatMap { index, transition in
        transition.actions.flatMap(\.assignments).compactMap { assignment -> Diagnostic? in
          let earlier = machine.states[state].next[..<index].compactMap(\.when)
          // Who asks for the new key first takes it over once.
          guard let old = assignment.storedBefore(takenWhere: transition.when), !written.contains(old),
            !earlier.contains(where: { $0.keys.contains(assignment.place.reference) }),
            examined.isSet(besides: assignment), ways.lead(to: state),
            state == first || !examined.isAskedFor(assignment.place, atLaunchBefore: state, ways)
          else { return nil }
          return Diagnostic(
            "repeated-migration", severity: .warning,
            "each launch sets \"\(assignment.place.declared.name)\" to \(old) again, which nothing takes out of the store",
            at: assignment.site, "what was set meanwhile is lost", help: "clear the old key in the same list")
        }
      }
    }
  }
}

extension Assignment {
  /// The key of the store to which it sets another, as expressions name it, where a condition asks for that alone.
  fileprivate func storedBefore(takenWhere when: Condition?) -> String? {
    guard let when, place.isDurable, let name = place.nameOfValue,
      let old = value.expressions.first?.handedOn.first?.withoutOptionals, old.hasPrefix("store."), old != name,
      when.keys == [old.split(separator: ".").map(String.init)]
    else { return nil }
    return old
  }
}

extension Examined {
  /// Whether something else gives the same key a value.
  fileprivate func isSet(besides assignment: Assignment) -> Bool {
    actions.flatMap(\.assignments).contains {
      $0 !== assignment && $0.place.nameOfValue == assignment.place.nameOfValue && !$0.value.isNothing
    }
  }

  /// Whether another decision to which a launch leads asks for a key.
  fileprivate func isAskedFor(_ place: Place, atLaunchBefore state: Int, _ ways: LaunchWays) -> Bool {
    machine.states.indices.contains { other in
      other != state && machine.states[other].decides && ways.lead(to: other)
        && machine.states[other].next.compactMap(\.when).contains { $0.keys.contains(place.reference) }
    }
  }
}
