import Expressions
import FlowSpec

/// A key that has different values in the snapshots that wait when an exploration ends before its end.
package struct Variety: Sendable {
  package var key: Key
  /// Whether it belongs to the memory, which is gone when the app is killed, and not to the store.
  package var isMemory: Bool
  /// The participant that has it.
  package var owner: String
  /// How many different values it has.
  package var values = 0
  /// How many are left where only instants tell them apart.
  package var timeless = 0
  /// What `newId` calls its rows by, where those that `fresh` calls would go away once nobody can name them.
  package var identifiers: [String] = []
  /// As how many rows it was seen.
  private var rowCounts: Set<Int> = []
  /// Whether rows that nobody can name go away from it, as no expression counts them or goes through them.
  package fileprivate(set) var mayDropRows = false
  /// The largest number that it is compared with, and the largest that it was seen to be.
  private var (largestCompared, largestSeen): (Bound?, Int64?) = (nil, nil)
  /// How far ahead its last instant lies, where the snapshots that wait do not differ: time alone passes to it.
  package var ahead: Duration?
}

extension Explorer {
  private static let mostCompared = 2_000

  /// On a way a key may well come from nothing to one value, and to another.
  private static let (fewestOnTheWay, mostOnTheWay) = (4, 500)

  /// The keys whose rows only become more, then those with the most different values, the most first, five at most; among
  /// the first snapshots that wait and are kept, and on the way to the last that waits.
  func varieties() -> [Variety] {
    var all = keys
    var seen = Array(repeating: (values: Set<Fingerprint>(), timeless: Set<Fingerprint>()), count: all.count)
    var lasts: [Duration?] = Array(repeating: nil, count: all.count)
    var encoding = CanonicalEncoding(of: world.flow, times: world.times)
    var before: (now: Timestamp, stores: [[Value]])?
    for snapshot in next.lazy.compactMap({ $0.snapshot?.snapshot }).prefix(Self.mostCompared) {
      encoding.turn(to: snapshot.now)
      var first = 0
      let stores = snapshot.stores(of: world.flow)
      for (place, values) in stores.enumerated() {
        // Most are as they were in the one that waits before it.
        let same = before?.now == snapshot.now ? before?.stores[place] : nil
        for index in values.indices where same?[index].isIdentical(to: values[index]) != true {
          let (value, timeless) = encoding.fingerprints(of: values[index])
          seen[first + index].values.insert(value)
          seen[first + index].timeless.insert(timeless)
          all[first + index].note(values[index])
          if before == nil { lasts[first + index] = values[index].lastInstant?.since(snapshot.now) }
        }
        first += values.count
      }
      before = (snapshot.now, stores)
    }
    // What waits has come about as far: of a count that only grows it has nearly one value.
    for (index, values) in valuesOnTheWay(&encoding).enumerated() where values.count >= Self.fewestOnTheWay {
      seen[index].values.formUnion(values.values)
      seen[index].timeless.formUnion(values.keys)
    }
    for index in all.indices { (all[index].values, all[index].timeless) = (seen[index].0.count, seen[index].1.count) }
    let various = Self.mostVarious(of: all)
    return various.isEmpty ? Self.farthest(of: all, lasts) : various
  }

  /// Of each key the values that it has in the first snapshots on the way to the last that waits, by what they are where
  /// instants do not matter.
  private func valuesOnTheWay(_ encoding: inout CanonicalEncoding) -> [[Fingerprint: Fingerprint]] {
    var found = Array(repeating: [Fingerprint: Fingerprint](), count: keys.count)
    for snapshot in onTheWay() {
      encoding.turn(to: snapshot.now)
      for (index, value) in snapshot.stores(of: world.flow).joined().enumerated() {
        let (value, timeless) = encoding.fingerprints(of: value)
        found[index][timeless] = value
      }
    }
    return found
  }

  private func onTheWay() -> [Snapshot] {
    var way: [Int] = []
    var node = next.last?.node
    while let place = node {
      way.append(place)
      node = nodes[place].parent
    }
    var trail = Trail()
    return way.reversed().prefix(Self.mostOnTheWay).map { trail.snapshot(of: $0, among: nodes, in: world, sometimes) }
  }

  /// Those of the app, then those of the services' models, as snapshots have their values.
  private var keys: [Variety] {
    let flow = world.flow
    let app = flow.participants[world.lanes.app].name
    var all = keys(of: flow.app, owner: app)
    all += flow.app.memory.map { key in
      Variety(key: key, isMemory: true, owner: app, largestCompared: flow.app.bounds["memory.\(key.name)"])
    }
    for service in flow.services {
      guard let machine = service.model?.machine else { continue }
      all += keys(of: machine, owner: flow.participants[service.participant].name)
    }
    return all
  }

  private func keys(of machine: Machine, owner: String) -> [Variety] {
    zip(machine.store, machine.mayDropRows).map { key, mayDropRows in
      var variety = Variety(
        key: key, isMemory: false, owner: owner, largestCompared: machine.bounds["store.\(key.name)"])
      variety.mayDropRows = mayDropRows
      return variety
    }
  }

  private static func mostVarious(of all: [Variety]) -> [Variety] {
    func order(_ index: Int) -> (Int, Int, Int) { (all[index].isGrowing ? 1 : 0, all[index].values, -index) }
    let various = all.indices.filter { all[$0].values > 1 || all[$0].isGrowing }
    return various.sorted { order($0) > order($1) }.prefix(5).map { all[$0] }
  }

  /// The one whose last instant lies farthest ahead; none where none lies ahead.
  private static func farthest(of all: [Variety], _ lasts: [Duration?]) -> [Variety] {
    var farthest: Variety?
    for (variety, last) in zip(all, lasts) {
      guard let last, last > farthest?.ahead ?? .zero else { continue }
      farthest = variety
      farthest?.ahead = last
    }
    return farthest.map { [$0] } ?? []
  }
}

extension Variety {
  fileprivate init(key: Key, isMemory: Bool, owner: String, largestCompared: Bound?) {
    (self.key, self.isMemory, self.owner) = (key, isMemory, owner)
    self.largestCompared = largestCompared
  }

  /// What it is compared with, where it was not seen to grow beyond the step behind that.
  package var bound: Bound? {
    guard let largestCompared, let largestSeen else { return nil }
    let number = largestCompared.number
    return largestSeen <= number || largestSeen - 1 == number ? largestCompared : nil
  }

  /// Whether it has more and more rows by such names.
  package var isGrowing: Bool { !identifiers.isEmpty && rowCounts.count > 3 }

  fileprivate mutating func note(_ value: Value) {
    if case .int(let number) = value { largestSeen = max(largestSeen ?? number, number) }
    guard mayDropRows, case .map(let map) = value else { return }
    rowCounts.insert(map.count)
    for entry in map.entries {
      guard case .identifier(let name, _, _)? = entry.key.text?.wholeOrigin, !identifiers.contains(name)
      else { continue }
      identifiers.append(name)
    }
  }
}

extension Snapshot {
  /// What the app stores, its memory, and what each service stores.
  fileprivate func stores(of flow: Flow) -> [[Value]] {
    [app.store, app.run?.memory ?? flow.app.initialMemory] + services
  }
}

extension Value {
  /// The last instant in it; `nil` where there is none.
  fileprivate var lastInstant: Timestamp? {
    switch self {
    case .timestamp(let instant): instant
    case .list(let elements): elements.compactMap(\.lastInstant).max()
    case .map(let map): map.entries.compactMap(\.value.lastInstant).max()
    default: nil
    }
  }
}

extension CanonicalEncoding {
  /// By what a value is known by itself, seen from now, and by what where it does not matter when its instants are.
  fileprivate mutating func fingerprints(of value: Value) -> (Fingerprint, timeless: Fingerprint) {
    part.empty()
    add(value)
    swap(&part, &whole.all)
    let timeless = whole.all.writer.fingerprint
    whole.addInstants(seenFrom: now, isRounding: isRounding)
    return (fingerprint, timeless)
  }
}
