import Expressions

/// What the answers of a route have that was made for them.
struct MadeAnew {
  /// What is surely new where each answer is given, as expressions name it.
  private var replies: [ObjectIdentifier: Set<String>] = [:]
  private let good: [Reply]

  init(of route: Route, in model: ServiceModel) {
    good = model.replies(of: route).filter { (200..<300).contains($0.status) }
    var walk = Walk(machine: model.machine)
    walk.take(route.next + model.sometimes, from: nil, with: [])
    walk.goOn()
    replies = walk.replies
  }

  /// The first good answer, where each has a member that is made for it.
  func first(whereAllHave path: MemberPath) -> Reply? {
    // One that lacks it may be the one that is asked for here: another grant.
    good.allSatisfy { has(path, $0) } ? good.first : nil
  }

  /// Whether some good answer has a member that is made for it.
  func mayHave(_ path: MemberPath) -> Bool { good.contains { has(path, $0) } }

  private func has(_ path: MemberPath, _ reply: Reply) -> Bool {
    guard let template = reply.json?.template(at: path) else { return false }
    return template.isNew(among: replies[ObjectIdentifier(reply)] ?? [])
  }

  /// Goes all ways from a route to its answers; what is new on one of two ways that meet is not surely new there.
  private struct Walk {
    let machine: Machine
    private(set) var replies: [ObjectIdentifier: Set<String>] = [:]
    private var entered: [Int: Set<String>] = [:]
    private var pending: [Int] = []

    init(machine: Machine) { self.machine = machine }

    mutating func take(_ transitions: [Transition], from source: Int?, with names: Set<String>) {
      for transition in transitions {
        let names = names.behind(transition.actions)
        switch transition.target {
        case .reply(let reply):
          replies[ObjectIdentifier(reply)] = replies[ObjectIdentifier(reply)]?.intersection(names) ?? names
        case .state(let target): enter(target, from: source, with: names)
        case .stay, .end: break
        }
      }
    }

    private mutating func enter(_ target: Int, from source: Int?, with names: Set<String>) {
      let all = machine.entered(target, from: source)
      let names = names.behind(all.flatMap { machine.states[$0].entry })
      let state = all.last ?? target
      let known = entered[state]
      let common = known?.intersection(names) ?? names
      if common == known { return }
      entered[state] = common
      pending.append(state)
    }

    mutating func goOn() {
      while let state = pending.popLast() {
        take(machine.states[state].next, from: state, with: entered[state] ?? [])
      }
    }
  }
}

extension ValueTemplate {
  /// What stands there, where that is written as a template.
  func template(at path: MemberPath) -> PlacedTemplate? {
    switch (self, path.parts.first) {
    case (.template(let placed), nil): placed
    case (.object(let members), .member(let name)):
      members.first { $0.name == name }?.value.template(at: path.rest)
    default: nil
    }
  }
}

extension PlacedTemplate {
  /// Whether something in it is fresh, or made of what is new.
  fileprivate func isNew(among names: Set<String>) -> Bool {
    template.expressions.contains { expression in
      if expression.freshness != .none { return true }
      // What one of two texts is chosen by is not in it.
      if expression.allowed != nil || expression.type == .bool { return false }
      let read = expression.handedOn.isEmpty ? expression.readings.map(\.name) : expression.handedOn
      return read.contains { names.contains($0.withoutOptionals) }
    }
  }
}

extension Set<String> {
  /// Behind actions: what is new then, as expressions name it.
  fileprivate func behind(_ actions: [Action]) -> Self {
    var names = self
    for action in actions {
      let made = action.assignments.flatMap { $0.made(of: names) }
      for place in action.cleared + action.assignments.map(\.place) { names = names.without(place) }
      names.formUnion(made)
    }
    return names
  }

  /// Without what is another once a place is set: of its table any row may be the one, and a key may name a row.
  private func without(_ place: Place) -> Self {
    let name = "\(place.area.rawValue).\(place.declared.name)"
    return filter { !$0.contains(name) }
  }
}

extension Assignment {
  /// What is new once it is done.
  fileprivate func made(of names: Set<String>) -> [String] {
    guard let name = place.nameInExpressions else { return [] }
    let written =
      place.isWholeRow
      ? members.map { ("\(name).\(place.declared.rowKeepings[$0.field].field.name)", $0.value) }
      : [(name, value)]
    return written.compactMap { name, value in
      if case .template(let placed) = value, placed.isNew(among: names) { name } else { nil }
    }
  }
}

extension Place {
  /// As expressions name it: `store.token`, `store.users[request.path.id].status`; `nil` where scenarios name a row.
  fileprivate var nameInExpressions: String? {
    var name = "\(area.rawValue).\(declared.name)"
    switch row {
    case .expression(let key): name += "[\(key.expression.source.withoutOptionals)]"
    case .template: return nil
    case nil: break
    }
    return field.map { "\(name).\(declared.rowKeepings[$0].field.name)" } ?? name
  }
}
