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
}

extension Explorer {
  private static let mostCompared = 2_000

  /// The keys with the most different values among the first snapshots that wait and are kept, five at most, the most
  /// first.
  func varieties() -> [Variety] {
    let flow = world.flow
    var all = flow.app.store.map { Variety(key: $0, isMemory: false, owner: flow.participants[world.lanes.app].name) }
    all += flow.app.memory.map { Variety(key: $0, isMemory: true, owner: flow.participants[world.lanes.app].name) }
    for service in flow.services {
      let owner = flow.participants[service.participant].name
      all += (service.model?.machine.store ?? []).map { Variety(key: $0, isMemory: false, owner: owner) }
    }
    var seen = Array(repeating: Set<Fingerprint>(), count: all.count)
    var encoding = CanonicalEncoding(of: flow)
    var before: (now: Timestamp, stores: [[Value]])?
    for snapshot in next.lazy.compactMap({ $0.snapshot?.snapshot }).prefix(Self.mostCompared) {
      encoding.turn(to: snapshot.now)
      var first = 0
      let stores = [snapshot.app.store, snapshot.app.run?.memory ?? flow.app.initialMemory] + snapshot.services
      for (place, values) in stores.enumerated() {
        // Most are as they were in the one that waits before it.
        let same = before?.now == snapshot.now ? before?.stores[place] : nil
        for index in values.indices where same?[index].isIdentical(to: values[index]) != true {
          seen[first + index].insert(encoding.fingerprint(of: values[index]))
        }
        first += values.count
      }
      before = (snapshot.now, stores)
    }
    for index in all.indices { all[index].values = seen[index].count }
    return Array(all.filter { $0.values > 1 }.sorted { $0.values > $1.values }.prefix(5))
  }
}

extension CanonicalEncoding {
  /// By what a value is known by itself, seen from now.
  fileprivate mutating func fingerprint(of value: Value) -> Fingerprint {
    part.empty()
    add(value)
    swap(&part, &whole.all)
    whole.addInstants(seenFrom: now, isRounding: isRounding)
    return fingerprint
  }
}
