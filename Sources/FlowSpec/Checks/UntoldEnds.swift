import Expressions

extension Check {
  /// Ends of a sub-flow that no caller tells apart, though it asks how the sub-flow has ended: all of them go the way of
  /// the last transition.
  ///
  /// One may be meant by that, and not a second.
  static let untoldEnds: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    return examined.machine.routines.indices.dropFirst().compactMap { index in
      let routine = examined.machine.routines[index]
      let callers = examined.machine.states.filter { $0.calls(index) }
      // Of a retry the first leads to another try.
      var asked = Set(callers.contains { $0.retries(by: index) } ? routine.ends.prefix(1) : [])
      var isAsked = false
      for facts in callers.flatMap(\.next).flatMap(\.factsOfEnds) {
        let named = facts.written.filter { $0.handedOn.contains(ending) }.flatMap(\.value.words)
        // What is handed on may be told apart where it goes.
        if named.isEmpty { return nil }
        (isAsked, asked) = (true, asked.union(named))
      }
      let untold = routine.ends.filter { !asked.contains($0) }
      let declared = examined.document["flows"].entries.first { $0.name == routine.name }
      let ends = declared?.value["ends"].items ?? []
      guard isAsked, untold.count > 1, let first = ends.first(where: { $0.string == untold.first }),
        let last = ends.first(where: { $0.string == untold.last })
      else { return nil }
      return Diagnostic(
        "unused-end", severity: .remark,
        "no caller of \"\(routine.name)\" tells \"\(untold[untold.count - 1])\" from \"\(untold[0])\"", at: last.site,
        "goes the way of the other",
        help:
          "let a transition of a caller ask for result.ended == '\(untold[untold.count - 1])', or leave one of them out",
        related: (first.site, "this one"))
    }
  }

  private static let ending = "result.ended"
}

extension State {
  fileprivate func calls(_ routine: Int) -> Bool {
    if case .call(let called) = activity { called == routine } else { retries(by: routine) }
  }

  fileprivate func retries(by routine: Int) -> Bool {
    if case .request(let request) = activity { request.retry?.call == routine } else { false }
  }
}

extension Transition {
  /// What is known of its expressions that read how a sub-flow has ended: of what decides, is set, and is told.
  fileprivate var factsOfEnds: [Facts] {
    let given = actions.flatMap { $0.assignments.map(\.value) + $0.told.map(\.value) }
    let values = given.flatMap(\.placed).flatMap(\.template.expressions)
    return ((when?.expressions.map(\.expression) ?? []) + values).map(\.facts).filter {
      $0.references.contains(["result", "ended"])
    }
  }
}

extension Action {
  /// What it tells a screen or the app's listeners.
  fileprivate var told: [FieldValue] {
    switch kind {
    case .emit(_, let fields), .show(_, let fields): fields
    case .set, .clear, .open, .close, .send: []
    }
  }
}
