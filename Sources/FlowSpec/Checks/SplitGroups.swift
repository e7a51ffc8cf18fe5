import Expressions

extension Check {
  /// Keys of one group, a secret among them, that two actions of one list set: whoever kills the app between them leaves it
  /// with half of what belongs together.
  ///
  /// What is made of what is stored already can be made once more.
  static let splitGroups: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let lists = examined.transitions.map(\.actions) + examined.machine.states.map(\.entry)
    return lists.flatMap { actions -> [Diagnostic] in
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
  fileprivate var readsStore: Bool {
    value.placed.flatMap(\.template.expressions).contains { expression in
      expression.facts.references.contains { $0.first == "store" }
    }
  }
}
