import Expressions

extension Check {
  /// Conditions that are looked at while the app starts and ask for what a kill has taken away.
  static let emptyMemory: @Sendable (Examined) -> [Diagnostic] = { examined in
    let machine = examined.machine
    guard examined.model == nil, !machine.memory.isEmpty else { return [] }
    let fields = machine.memory.map { (name: $0.field.name, type: $0.field.type) }
    let scope = examined.scope(of: "memory", at: .memory, fields)
    let atLaunch = Frame(knowing: machine.initialMemory, of: .memory)
    return machine.launching.flatMap { machine.states[$0].next }.compactMap { transition in
      guard let when = transition.when, let read = when.expressions.first(where: \.readsMemory),
        let holds = PartialCondition(when, in: scope).holds(in: atLaunch)
      else { return nil }
      return Diagnostic(
        "constant-condition", severity: .warning,
        "this \(holds ? "always" : "never") holds: when the app is opened, its memory is as it begins", at: read.site,
        "is asked then alone", help: "keep in \"store\" what is to count after a kill, or leave the condition out")
    }
  }
}
