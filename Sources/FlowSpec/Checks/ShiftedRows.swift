import Expressions

extension Check {
  /// Rows into which an answer is put and that are named by a key which somebody may change while the answer is awaited:
  /// what one person was given stands with another then.
  static let shiftedRows: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    let machine = examined.machine
    let walk = UnattendedWalk(machine, waits: false)
    let changes = machine.changesWhileWaiting
    if changes.isEmpty { return [] }
    return machine.states.indices.compactMap { index in
      guard case .request(let request) = machine.states[index].activity else { return nil }
      let rows = machine.states[index].next.flatMap(\.actions).flatMap(\.assignments).filter(\.takesAnswer)
      for row in rows {
        for key in row.place.keysOfRow.sorted(by: { $0[1] < $1[1] }) {
          guard
            let change = changes[key]?.first(where: { change in
              // What else the app knows may keep it from that.
              change.asked.isSubset(of: [key, row.place.keyName])
                && walk.hears(change.event, in: index, by: change.state)
            })
          else { continue }
          let event = machine.events[change.event].name
          return Diagnostic(
            "shifted-row", severity: .warning,
            "while the answer is awaited, \"\(event)\" may change \"\(key[1])\", and the answer is put into another row",
            at: row.site, "goes into the row that is named then",
            help: "put the name aside in another key before the \(request.method) is sent, and name the row by that",
            related: (change.transition.siteOfChoice, "changes it"))
        }
      }
      return nil
    }
  }
}

/// What changes a key by an event and leaves no state.
private struct Change {
  let state, event: Int
  let transition: Transition
  /// The keys that conditions look at which let it come to that, as `Condition.keys` has them.
  let asked: Set<[String]>
}

extension Machine {
  /// By key, as `Condition.keys` has it.
  fileprivate var changesWhileWaiting: [[String]: [Change]] {
    var found: [[String]: [Change]] = [:]
    for (index, state) in states.enumerated() {
      for handler in state.on {
        var asked: Set<[String]> = []
        for transition in handler.transitions {
          asked.formUnion(transition.when?.ownKeys ?? [])
          guard transition.target.isStay else { continue }
          let change = Change(state: index, event: handler.event, transition: transition, asked: asked)
          for key in Set(transition.actions.flatMap(\.writes).map(\.place.keyName)) {
            found[key, default: []].append(change)
          }
        }
      }
    }
    return found
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
