extension KeptWrites {
  /// So much is gone through of what may be known; then all circles count.
  private static let mostKnown = 2_000

  /// Of passages that lead to one another those of circles that can be gone round: on its own way each circle writes what
  /// its conditions then look at.
  ///
  /// They lead from what is known in a state to what is known in the next; in each of the lists they lead to one another.
  mutating func goingRound(_ passages: [Passage]) -> [[Passage]] {
    let places = placesLookedAt(by: passages)
    if places.isEmpty { return [passages] }
    var walk = KnowingWalk(passages, places, &self)
    guard walk.goAllWays(&self, most: Self.mostKnown) else { return [passages] }
    return CircularPassages(walk.taken).components
  }

  /// The keys that are written in a circle of some passages and that a condition there looks at.
  private func placesLookedAt(by passages: [Passage]) -> [[String]: Place] {
    var places: [[String]: Place] = [:]
    for passage in passages {
      for write in actions(of: passage).flatMap(\.writes) where !write.place.isOfTable && write.value != .unknown {
        places[write.place.keyName] = write.place
      }
    }
    if places.isEmpty { return places }
    let conditions = Set(passages.map(\.state)).flatMap { machine.states[$0].takenAtOnce.joined().compactMap(\.when) }
    let looked = conditions.reduce(into: Set<[String]>()) { $0.formUnion($1.keys) }
    return places.filter { looked.contains($0.key) }
  }

  /// What is done in order when a passage is taken.
  fileprivate func actions(of passage: Passage) -> [Action] {
    machine.deeds(of: passage.transition, in: passage.state).actions
  }
}

/// Goes all ways that some passages lead, and notes of each state what keys surely hold there.
private struct KnowingWalk {
  private struct Node: Hashable {
    let state: Int
    let known: [KeyNumber: KeptValue]
  }
  private struct Look: Hashable {
    let transition: ObjectIdentifier
    let key: KeyNumber
    let value: KeptValue
  }

  /// Those that were taken, from node to node.
  private(set) var taken: [Passage] = []
  private let machine: Machine
  private let places: [[String]: Place]
  private var passages: [ObjectIdentifier: Passage] = [:]
  /// In the order in which they were given.
  private var order: [ObjectIdentifier: Int] = [:]
  private var writes: [ObjectIdentifier: [(key: KeyNumber, value: KeptValue)]] = [:]
  /// By state what may be written there before it is left.
  private var meanwhile: [Int: Set<KeyNumber>] = [:]
  private var looks: [ObjectIdentifier: [Place]] = [:]
  private var answers: [Look: Bool?] = [:]
  private var numbers: [Node: Int] = [:]
  private var nodes: [Node] = []

  init(_ passages: [Passage], _ places: [[String]: Place], _ kept: inout KeptWrites) {
    (machine, self.places) = (kept.machine, places)
    let keys = Set(places.values.map(KeyNumber.init))
    for (index, passage) in passages.enumerated() {
      let id = ObjectIdentifier(passage.transition)
      (self.passages[id], order[id]) = (passage, index)
      writes[id] = kept.actions(of: passage).flatMap(\.writes).map { (KeyNumber($0.place), $0.value) }
        .filter { keys.contains($0.key) }
      if meanwhile[passage.state] == nil { meanwhile[passage.state] = kept.writtenMeanwhile(in: passage.state) }
    }
    // What is known where it begins is anything.
    for passage in passages { _ = number(of: Node(state: passage.state, known: [:])) }
  }

  private mutating func number(of node: Node) -> Int {
    if let number = numbers[node] { return number }
    numbers[node] = nodes.count
    nodes.append(node)
    return nodes.count - 1
  }

  /// Whether that came to an end.
  mutating func goAllWays(_ kept: inout KeptWrites, most: Int) -> Bool {
    let allowed = nodes.count + most
    var number = 0
    while number < nodes.count {
      leave(number, &kept)
      number += 1
      if nodes.count > allowed { return false }
    }
    let order = order
    taken.sort {
      let (left, right) = (ObjectIdentifier($0.transition), ObjectIdentifier($1.transition))
      return (order[left] ?? 0, $0.source) < (order[right] ?? 0, $1.source)
    }
    return true
  }

  private mutating func leave(_ number: Int, _ kept: inout KeptWrites) {
    let (state, all) = (nodes[number].state, nodes[number].known)
    let changed = meanwhile[state] ?? []
    let known = all.filter { !changed.contains($0.key) }
    for list in machine.states[state].takenAtOnce {
      for transition in list {
        let holds = transition.when.map { self.holds($0, of: transition, where: known, &kept) } ?? nil
        if holds == false { continue }
        if let passage = passages[ObjectIdentifier(transition)] { take(passage, from: number, where: known) }
        // None behind it is taken then.
        if holds == true, !transition.isSometimes { break }
      }
    }
  }

  private mutating func take(_ passage: Passage, from number: Int, where known: [KeyNumber: KeptValue]) {
    var known = known
    for (key, value) in writes[ObjectIdentifier(passage.transition)] ?? [] {
      switch value {
      case .oneOf, .something: known[key] = value
      case .more, .unknown: known[key] = nil
      }
    }
    let target = self.number(of: Node(state: passage.target, known: known))
    taken.append(Passage(source: number, target: target, transition: passage.transition, state: passage.state))
  }

  /// Whether a condition holds by what one of the keys is alone; `nil` where nobody knows.
  private mutating func holds(
    _ when: Condition, of transition: Transition, where known: [KeyNumber: KeptValue], _ kept: inout KeptWrites
  ) -> Bool? {
    if known.isEmpty { return nil }
    let id = ObjectIdentifier(transition)
    let looks = looks[id] ?? when.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { places[$0] }
    self.looks[id] = looks
    for place in looks {
      let key = KeyNumber(place)
      guard let value = known[key] else { continue }
      let look = Look(transition: id, key: key, value: value)
      let answer = answers[look] ?? kept.holds(when, KeyCondition.Name(when, place), for: value, of: place)
      answers[look] = .some(answer)
      if let answer { return answer }
    }
    return nil
  }
}
