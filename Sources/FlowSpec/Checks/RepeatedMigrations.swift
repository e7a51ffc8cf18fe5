import Expressions

extension Check {
  /// Keys that each launch sets anew to what an earlier version of the app has stored, as nothing takes that out of the
  /// store: what was set meanwhile is lost.
  static let repeatedMigrations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    lazy var ways = LaunchWays(machine)
    let written = Set(examined.actions.flatMap(\.writes).compactMap(\.place.nameOfValue))
    return machine.states.indices.filter { machine.states[$0].decides }.flatMap { state in
      machine.states[state].next.flatMap { transition in
        transition.actions.flatMap(\.assignments).compactMap { assignment -> Diagnostic? in
          guard let old = assignment.storedBefore(takenWhere: transition.when), !written.contains(old),
            examined.isSet(besides: assignment), ways.lead(to: state)
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
      let old = value.expressions.first?.selection?.withoutOptionals, old.hasPrefix("store."), old != name,
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
}
