import Expressions

/// The secrets of the store that transitions clear.
///
/// What comes behind a decision and behind the end of a sub-flow is worked out once for all that leads there.
struct Clearing {
  /// What a caller of a sub-flow does behind an end of it: a transition of a state that clears something.
  struct Consequence {
    let state: Int
    let transition: Transition
    let keys: Set<StoredSecret>
  }
  private struct Decision: Hashable {
    let state, ahead: Int
  }
  private struct Ending: Hashable {
    let end: String
    let routine, ahead: Int
  }
  /// The ends of a sub-flow of which it is one.
  private struct Choice: Hashable {
    let ends: Set<String>
    let routine, ahead: Int
  }
  private static let farthest = 4
  let machine: Machine
  /// The states that call each routine.
  private let callers: [[Int]]
  private var decisions: [Decision: Set<StoredSecret>] = [:]
  private var ends: [Decision: Set<String>] = [:]
  private var endings: [Ending: [Consequence]] = [:]
  private var choices: [Choice: (consequences: [Consequence], keys: Set<StoredSecret>)] = [:]

  init(_ machine: Machine) {
    self.machine = machine
    callers = machine.callers
  }

  /// Those that a transition of a state clears, itself or with what the states do that it leads to, decisions whatever they
  /// come to.
  mutating func keys(by transition: Transition, in source: Int, ahead: Int = farthest) -> Set<StoredSecret> {
    let (actions, leaf) = machine.deeds(of: transition, in: source)
    let cleared = Set(actions.secretsEmptied)
    guard ahead > 0, let leaf, machine.states[leaf].decides else { return cleared }
    return cleared.union(keys(behind: Decision(state: leaf, ahead: ahead - 1)))
  }

  private mutating func keys(behind decision: Decision) -> Set<StoredSecret> {
    if let known = decisions[decision] { return known }
    let all = machine.states[decision.state].next.map { keys(by: $0, in: decision.state, ahead: decision.ahead) }
    let common = all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
    decisions[decision] = common
    return common
  }

  /// The same with all that callers clear where it ends a sub-flow.
  mutating func allKeys(by transition: Transition, in source: Int) -> Set<StoredSecret> {
    keys(by: transition, in: source).union(behindEnds(of: transition, in: source, ahead: Self.farthest).keys)
  }

  /// Where a transition of a state surely ends its sub-flow, what callers clear then, and theirs in turn.
  mutating func consequences(of transition: Transition, in source: Int) -> [Consequence] {
    behindEnds(of: transition, in: source, ahead: Self.farthest).consequences
  }

  /// What callers clear, and all keys of that, worked out once for all transitions that come to the same ends.
  private mutating func behindEnds(
    of transition: Transition, in source: Int, ahead: Int
  ) -> (consequences: [Consequence], keys: Set<StoredSecret>) {
    let ends = ahead > 0 ? ends(by: transition, in: source, ahead: ahead) : []
    if ends.isEmpty { return ([], []) }
    let choice = Choice(ends: ends, routine: machine.states[source].routine, ahead: ahead - 1)
    if let known = choices[choice] { return known }
    let found = consequences(of: choice)
    let all = (found, found.reduce(into: Set<StoredSecret>()) { $0.formUnion($1.keys) })
    choices[choice] = all
    return all
  }

  /// Which of the ends it is, a decision says: what counts is cleared behind each of them.
  private mutating func consequences(of choice: Choice) -> [Consequence] {
    let all = choice.ends.sorted().map {
      consequences(of: Ending(end: $0, routine: choice.routine, ahead: choice.ahead))
    }
    return all.dropFirst().reduce(all.first ?? []) { found, others in
      let cleared = others.reduce(into: [Int: Set<StoredSecret>]()) { $0[$1.state, default: []].formUnion($1.keys) }
      return found.compactMap { consequence in
        let common = consequence.keys.intersection(cleared[consequence.state] ?? [])
        guard !common.isEmpty else { return nil }
        return Consequence(state: consequence.state, transition: consequence.transition, keys: common)
      }
    }
  }

  private mutating func consequences(of ending: Ending) -> [Consequence] {
    if let known = endings[ending] { return known }
    var (found, further): ([Consequence], [Consequence]) = ([], [])
    var seen: Set<Choice> = []
    for caller in callers[ending.routine] {
      for taken in transitions(behind: ending.end, in: caller) {
        let cleared = keys(by: taken, in: caller)
        if !cleared.isEmpty { found.append(Consequence(state: caller, transition: taken, keys: cleared)) }
        // Many callers may end their own sub-flow alike; of fewer ends more is surely cleared.
        let next = ends(by: taken, in: caller, ahead: ending.ahead)
        let choice = Choice(ends: next, routine: machine.states[caller].routine, ahead: ending.ahead)
        if seen.insert(choice).inserted {
          further += behindEnds(of: taken, in: caller, ahead: ending.ahead).consequences
        }
      }
    }
    endings[ending] = found + further
    return found + further
  }

  /// The ends of which a transition surely comes to one; none where it may lead to something else.
  mutating func ends(by transition: Transition, in source: Int, ahead: Int = farthest) -> Set<String> {
    if case .end(let name) = transition.target { return [name] }
    guard let leaf = machine.deeds(of: transition, in: source).leaf else { return [] }
    if case .end(let name) = machine.states[leaf].activity { return [name] }
    guard ahead > 0, machine.states[leaf].decides else { return [] }
    let decision = Decision(state: leaf, ahead: ahead - 1)
    if let known = ends[decision] { return known }
    let all = machine.states[leaf].next.map { ends(by: $0, in: leaf, ahead: ahead - 1) }
    let found = all.contains(where: \.isEmpty) ? [] : Set(all.joined())
    ends[decision] = found
    return found
  }

  /// The transitions that a caller of a sub-flow surely takes where it ends so: one that is tried again behind some answers
  /// takes them with the last of these.
  private func transitions(behind end: String, in caller: Int) -> [Transition] {
    let state = machine.states[caller]
    guard case .request(let request) = state.activity, let retry = request.retry, let call = retry.call else {
      return state.next.surelyTaking(.ended(end)).map { [$0] } ?? []
    }
    // The first end leads to another try, whose answer may be any.
    if end == machine.routines[call].ends.first { return [] }
    var seen: Set<Int> = []
    return retry.statuses.sorted().compactMap { state.next.surelyTaking(.ended(end, behind: $0, of: retry)) }
      .filter { seen.insert($0.id).inserted }
  }
}

extension Retry {
  /// Those for which its condition may hold, however it says so: those that it names, refusals at its bounds, and the one
  /// that a challenge comes with (RFC 9110 §15.5.2).
  fileprivate var statuses: Set<Int64> {
    guard let when else { return [] }
    let mentions = when.mentions(of: "status").map(\.comparison)
    let around = mentions.flatMap(\.bounds).filter { (400..<500).contains($0) }.flatMap { [$0 - 1, $0, $0 + 1] }
    let refusals: [Int64] = around.filter { (400..<500).contains($0) } + [401]
    return Set(mentions.flatMap(\.numbers) + refusals).filter { !when.surelyExcludes(status: $0) }
  }
}

extension [Action] {
  /// What they clear, or set to nothing.
  var emptied: [Place] {
    flatMap(\.cleared) + flatMap(\.assignments).filter(\.value.isNothing).map(\.place)
  }
}

extension Transition {
  /// Where it says when it is taken.
  var siteOfChoice: Site { when?.expressions.first?.site ?? site }
}

extension State {
  /// Whether it is left at once by one of its transitions.
  var decides: Bool {
    if case .none = activity { !next.isEmpty && on.isEmpty && after.isEmpty } else { false }
  }

  /// Whether nothing goes on in it until somebody does something.
  var waits: Bool { if case .none = activity { next.isEmpty } else { false } }
}
