import Expressions

extension Check {
  /// Rows into which an answer is put and that are named by a key which somebody may change while the answer is awaited:
  /// what one person was given stands with another then.
  static let shiftedRows: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let walk = UnattendedWalk(machine, waits: false)
    return machine.states.indices.compactMap { index in
      guard case .request(let request) = machine.states[index].activity else { return nil }
      let rows = machine.states[index].next.flatMap(\.actions).flatMap(\.assignments).filter(\.takesAnswer)
        .compactMap { assignment in assignment.place.keysOfRow.isEmpty ? nil : assignment }
      if rows.isEmpty { return nil }
      for outer in machine.around([index]).sorted() {
        for handler in machine.states[outer].on where walk.hears(handler.event, in: index, by: outer) {
          for transition in handler.transitions where transition.target.isStay {
            let set = Set(transition.actions.flatMap(\.writes).map(\.place.keyName))
            guard let row = rows.first(where: { !set.isDisjoint(with: $0.place.keysOfRow) }),
              let key = row.place.keysOfRow.first(where: set.contains)
            else { continue }
            return Diagnostic(
              "shifted-row", severity: .warning,
              "while the answer is awaited, \"\(machine.events[handler.event].name)\" may change \"\(key[1])\", and the answer "
                + "is put into another row",
              at: row.site, "goes into the row that is named then",
              help: "put the name aside in another key before the \(request.method) is sent, and name the row by that",
              related: (transition.siteOfChoice, "changes it"))
          }
        }
      }
      return nil
    }
  }
}

extension Assignment {
  /// Whether something of an answer is in it.
  fileprivate var takesAnswer: Bool {
    (members.map(\.value) + [value]).flatMap(\.expressions).contains {
      $0.facts.references.contains { $0[0] == "response" }
    }
  }
}

extension Place {
  /// The keys that name its row, as `Condition.keys` has them.
  fileprivate var keysOfRow: Set<[String]> {
    guard case .expression(let key) = row else { return [] }
    return Set(
      key.expression.facts.references.filter { ["store", "memory"].contains($0[0]) }.map { Array($0.prefix(2)) })
  }
}
