import Expressions

extension Check {
  /// Keys of one group, a secret among them, that two actions of one list set, or that one clears and a later one sets:
  /// whoever kills the app between them leaves it with half of what belongs together, or with nothing.
  ///
  /// What is made of what is stored already can be made once more, and so can what is made at that moment.
  static let splitGroups: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let lists = examined.transitions.map(\.actions) + examined.machine.states.map(\.entry)
    let retried = examined.machine.requests.compactMap(\.retry).map(\.actions)
    return (lists + retried).flatMap(clearedAndSet)
      + lists.flatMap { actions -> [Diagnostic] in
        let sets = actions.map { $0.assignments.filter(\.place.isDurable) }.filter { !$0.isEmpty }
        return zip(sets, sets.dropFirst()).compactMap { before, now in
          for second in now where !second.readsStore {
            let groups = second.place.declared.groups
            for first in before where first.place.key != second.place.key {
              guard let group = groups.first(where: first.place.declared.groups.contains),
                first.place.holdsSecrets || second.place.holdsSecrets
              else { continue }
              return splitGroup(group, first, second)
            }
          }
          return nil
        }
      }
  }

  /// Secrets of a group that come from outside and are set once they are cleared; of each `clear` the first.
  private static func clearedAndSet(_ actions: [Action]) -> [Diagnostic] {
    actions.indices.compactMap { index in
      let cleared = actions[index].cleared.filter { $0.isDurable && !$0.isOfTable }
      let keys = Set(cleared.map(\.key))
      if keys.isEmpty { return nil }
      let set = actions[(index + 1)...].lazy.flatMap(\.assignments).first { assignment in
        assignment.place.isDurable && assignment.place.holdsSecrets && assignment.comesOnce
          && keys.contains(assignment.place.key)
      }
      guard let set, let group = set.place.declared.groups.first else { return nil }
      return Diagnostic(
        "split-group", severity: .warning,
        "\"\(set.place.declared.name)\" of the group \"\(group)\" is cleared before it is set, and a kill between them "
          + "leaves neither what was stored nor what came",
        at: actions[index].site, "is cleared first",
        help: "leave this \"clear\" out: a \"set\" replaces what is there, and \"key\": null in it clears a key",
        related: (set.site, "is set then"))
    }
  }

  private static func splitGroup(_ group: String, _ first: Assignment, _ second: Assignment) -> Diagnostic {
    let names = [first, second].map { "\"\($0.place.declared.name)\"" }
    return Diagnostic(
      "split-group", severity: .warning,
      "\(names[0]) and \(names[1]) of the group \"\(group)\" are set one after the other, and a kill between them leaves "
        + "half of it",
      at: second.site, "is set by itself", help: "set them in one \"set\"", related: (first.site, "is set before"))
  }
}

extension Assignment {
  fileprivate var readsStore: Bool { reads(["store"]) }

  /// Whether it is made of what nobody can ask for again: an answer, an event, or what was kept of them.
  fileprivate var comesOnce: Bool { reads(["response", "event", "result", "memory"]) && !readsStore }

  private func reads(_ roots: Set<String>) -> Bool {
    value.placed.flatMap(\.template.expressions).contains { expression in
      expression.facts.references.contains { $0.first.map(roots.contains) == true }
    }
  }
}
