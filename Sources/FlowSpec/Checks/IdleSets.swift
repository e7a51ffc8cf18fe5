import Expressions

extension Check {
  /// Assignments of which nothing comes: a key that is set to itself, and one of the memory that the same list clears before
  /// anything looks at it; one of the store may be there for the next launch, after a kill between them.
  ///
  /// Of tables nobody knows which row is which, and a list with a name may be a part of others.
  static let idleSets: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    let toItself = examined.actions.flatMap(\.assignments).filter(\.isOfItself).map { assignment in
      Diagnostic(
        "idle-set", severity: .warning, "this sets \"\(assignment.place.declared.name)\" to what it is",
        at: assignment.site, "changes nothing", help: "remove it, or set the key to something else")
    }
    let lists = machine.states.map { ($0.extent, $0.entry) } + examined.transitions.map { ($0.site, $0.actions) }
    return toItself + lists.flatMap { extent, actions in examined.clearedUnseen(actions, in: extent) }
  }
}

extension Examined {
  /// What a list sets and clears before something looks at it.
  fileprivate func clearedUnseen(_ actions: [Action], in extent: Site) -> [Diagnostic] {
    actions.indices.dropFirst().flatMap { index in
      actions[index].cleared.filter { $0.area == .memory && !$0.isOfTable && extent.encloses($0.site) }.compactMap {
        cleared -> Diagnostic? in
        let last = actions[..<index].lastIndex { $0.assignments.contains { $0.place.isSameKey(as: cleared) } }
        guard let last, let set = actions[last].assignments.last(where: { $0.place.isSameKey(as: cleared) }),
          extent.encloses(set.site), !set.value.isNothing,
          !actions[(last + 1)...index].contains(where: { looks(at: cleared, in: $0) })
        else { return nil }
        return Diagnostic(
          "idle-set", severity: .warning, "\"\(cleared.declared.name)\" is cleared before anything looks at this",
          at: set.site, "is set in vain", help: "remove it, or clear the key before",
          related: (cleared.site, "is cleared here"))
      }
    }
  }

  /// Whether an expression in an action reads a key.
  private func looks(at place: Place, in action: Action) -> Bool {
    expressions.contains { placed in
      action.site.encloses(placed.site)
        && placed.expression.facts.references.contains { Array($0.prefix(2)) == place.reference }
    }
  }
}

extension Assignment {
  /// Whether a key that is no table is set to the selection of itself, if there is anything.
  fileprivate var isOfItself: Bool {
    guard case .template(let placed) = value, placed.template.isAlone, let name = place.nameOfValue else {
      return false
    }
    return placed.template.expressions.first?.selection?.withoutOptionals == name
  }
}

extension Place {
  fileprivate func isSameKey(as other: Place) -> Bool { area == other.area && key == other.key }
}
