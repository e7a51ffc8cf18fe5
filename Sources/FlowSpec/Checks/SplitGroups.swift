import Expressions

extension Check {
  /// Keys of one group, a secret among them, that two actions of one list set, or that one clears and a later one sets:
  /// whoever kills the app between them leaves it with half of what belongs together, or with nothing.
  ///
  /// What is made of what is stored already can be made once more, and so can what is made at that moment; but where the
  /// actions before it keep the transition from being taken again. Of a table in a group what belongs together stands in
  /// one row, as far as that is written alike.
  static let splitGroups: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let entries = examined.machine.states.map(\.entry)
    let retried = examined.machine.requests.compactMap(\.retry).map(\.actions)
    return (examined.transitions.map(\.actions) + entries + retried).flatMap(clearedAndSet)
      + examined.transitions.flatMap { splitGroups($0.actions, where: $0.when, examined) }
      + entries.flatMap { splitGroups($0, where: nil, examined) }
  }

  /// In one list of actions, which is taken where a condition holds.
  private static func splitGroups(_ actions: [Action], where when: Condition?, _ examined: Examined) -> [Diagnostic] {
    let setting = actions.indices.filter { actions[$0].assignments.contains(where: \.place.isDurable) }
    return zip(setting, setting.dropFirst()).compactMap { before, now in
      for second in actions[now].assignments where second.place.isDurable {
        let groups = second.place.declared.groups
        for first in actions[before].assignments where first.place.isDurable && first.place.isBeside(second.place) {
          guard let group = groups.first(where: first.place.declared.groups.contains),
            first.place.holdsSecrets || second.place.holdsSecrets,
            !second.readsStore || examined.isLeftOut(second, where: when, behind: actions[..<now])
          else { continue }
          return splitGroup(group, first, second)
        }
      }
      return nil
    }
  }

  /// Secrets of a group that come from outside and are set once they are cleared; of each `clear` the first.
  private static func clearedAndSet(_ actions: [Action]) -> [Diagnostic] {
    actions.indices.compactMap { index in
      let cleared = actions[index].cleared.filter(\.isDurable)
      if cleared.isEmpty { return nil }
      let set = actions[(index + 1)...].lazy.flatMap(\.assignments).first { assignment in
        assignment.place.isDurable && assignment.place.holdsSecrets && assignment.comesOnce
          && cleared.contains { $0.holds(secretsOf: assignment.place) }
      }
      guard let set, let group = set.place.declared.groups.first else { return nil }
      return Diagnostic(
        "split-group", severity: .warning,
        "\"\(set.place.title)\" of the group \"\(group)\" is cleared before it is set, and a kill between them "
          + "leaves neither what was stored nor what came",
        at: actions[index].site, "is cleared first",
        help: "leave this \"clear\" out: a \"set\" replaces what is there, and \"key\": null in it clears a key",
        related: (set.site, "is set then"))
    }
  }

  private static func splitGroup(_ group: String, _ first: Assignment, _ second: Assignment) -> Diagnostic {
    let names = [first, second].map { "\"\($0.place.title)\"" }
    return Diagnostic(
      "split-group", severity: .warning,
      "\(names[0]) and \(names[1]) of the group \"\(group)\" are set one after the other, and a kill between them leaves "
        + "half of it",
      at: second.site, "is set by itself", help: "set them in one \"set\"", related: (first.site, "is set before"))
  }
}

extension Examined {
  /// Whether nothing makes up for an assignment to a key once the actions before it are done: behind them the condition for
  /// which they are does not hold any more, and nothing else sets the key to what is stored.
  fileprivate func isLeftOut(
    _ assignment: Assignment, where when: Condition?, behind earlier: ArraySlice<Action>
  ) -> Bool {
    guard let when, !assignment.place.isOfTable, assignment.place.holdsSecrets else { return false }
    let isMadeElsewhere = actions.flatMap(\.assignments).contains {
      $0 !== assignment && $0.place.nameOfValue == assignment.place.nameOfValue && $0.readsStore
    }
    if isMadeElsewhere { return false }
    var written: [String: (place: Place, value: KeptValue)] = [:]
    for write in earlier.flatMap(\.writes) where write.place.isDurable {
      if let name = write.place.nameOfValue { written[name] = write }
    }
    return written.values.contains { place, value in
      var condition = KeyCondition(when, of: place, machine.lets)
      return condition.holds(for: value) == false
    }
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

extension Place {
  /// Whether the other is another key, or another part of the same row.
  fileprivate func isBeside(_ other: Place) -> Bool { key != other.key || isInRow(of: other) && field != other.field }

  /// Whether a secret of the other stands in it: in the same key, or in the same row.
  fileprivate func holds(secretsOf other: Place) -> Bool {
    key == other.key && (!isOfTable || isInRow(of: other)) && !Set(secrets).isDisjoint(with: other.secrets)
  }

  private func isInRow(of other: Place) -> Bool {
    guard key == other.key, case .expression(let row) = row, case .expression(let otherRow) = other.row else {
      return false
    }
    return row.expression.source == otherRow.expression.source
  }

  /// How it is told of: `refresh`, `profiles[…]`, `profiles[…].refresh`.
  fileprivate var title: String {
    let part = field.map { ".\(declared.rowKeepings[$0].field.name)" } ?? ""
    return declared.name + (row == nil ? "" : "[…]") + part
  }
}
