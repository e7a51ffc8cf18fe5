import Expressions

/// What is written to keys while some passages are taken, again and again.
struct KeptWrites {
  /// What a key is set to; `nil` where only a run knows.
  private struct Write {
    let place: Place
    let value: Value?
  }

  private let writes: [Write]
  private let lets: [String: Let]

  /// By the transitions of a circle, and by the states between them, with what they call.
  init(of passages: [Passage], in examined: Examined) {
    let machine = examined.machine
    let entered = Set(passages.flatMap { machine.enclosing($0.source) })
    let called = entered.flatMap { machine.states[$0].calls }.map { machine.routines[$0].root }
    let isCalled = StateGraph(machine).reachable(from: called)
    let within = machine.states.indices.filter { isCalled[$0] }.map { machine.states[$0] }
    let around = entered.map { machine.states[$0] }
    // What they hear without leaving may come on the way as well.
    let heard = around.flatMap { $0.on.flatMap(\.transitions) + $0.after.flatMap(\.transition) }.filter {
      if case .stay = $0.target { true } else { false }
    }
    let transitions = passages.map(\.transition) + heard + within.flatMap(\.transitions)
    let retries = (around + within).compactMap { state -> Retry? in
      if case .request(let request) = state.activity { request.retry } else { nil }
    }
    let actions =
      transitions.flatMap(\.actions) + (around + within).flatMap(\.entry) + retries.flatMap(\.actions)
    writes = actions.flatMap(\.writes).map { Write(place: $0.place, value: $0.value) }
    lets = examined.document["let"].entries.reduce(into: [:]) { lets, entry in
      if let source = entry.definition?.string { lets[entry.name] = lets[entry.name] ?? Let(source) }
    }
  }

  /// Whether a transition surely is not taken again once it was: it writes to a key something for which its condition
  /// fails, and so does whatever else writes to that.
  func bounds(_ transition: Transition) -> Bool {
    guard let when = transition.when else { return false }
    return transition.actions.flatMap(\.writes).contains { own in
      guard !own.place.isOfTable else { return false }
      return writes.filter { $0.place.isSameKey(as: own.place) }.allSatisfy { write in
        write.value.map { surelyFails(when, where: own.place, is: $0) } ?? false
      }
    }
  }

  /// Whether a condition fails while a key has a value, whatever else is so.
  private func surelyFails(_ condition: Condition, where place: Place, is value: Value) -> Bool {
    guard let epoch = Timestamp(seconds: 0) else { return false }
    let area = ObjectType(title: place.area.rawValue, fields: [place.declared.field])
    let variable = Scope.Variable(name: place.area.rawValue, type: .object(area), root: place.root)
    var frame = Frame(roots: Root.slots(device: [], now: epoch), budget: 1_000)
    frame.roots[place.root] = [value]
    return PartialCondition(condition, in: Scope(variables: [variable], lets: lets)).holds(in: frame) == false
  }
}

extension Transition {
  var writesKeys: Bool { actions.contains { !$0.writes.isEmpty } }
}

extension Action {
  /// The keys that it sets or clears, with what they hold then; `nil` where only a run knows.
  fileprivate var writes: [(place: Place, value: Value?)] {
    assignments.map { ($0.place, $0.literal) } + cleared.map { ($0, $0.isOfTable ? nil : $0.declared.initial) }
  }
}

extension Assignment {
  /// What is written out, where the key holds just that.
  fileprivate var literal: Value? {
    switch value {
    case .literal(let literal): literal
    case .template(let placed): place.type == .string ? placed.template.literalText.map(Value.string) : nil
    case .list, .object: nil
    }
  }
}

extension Place {
  fileprivate func isSameKey(as other: Place) -> Bool { area == other.area && key == other.key }
}
