import Expressions
import FlowSpec

extension World {
  /// The app installed and not running, with a network and without; or where a scenario has ended.
  var starts: [Snapshot] {
    if let startingPoint { return [startingPoint.snapshot.withoutWhatIsOver] }
    let online = initial(now: .start)
    var offline = online
    offline.device.online = false
    return [online, offline]
  }

  /// By what an exploration knows a snapshot.
  func fingerprint(of snapshot: Snapshot) -> Fingerprint {
    CanonicalEncoding(snapshot, of: flow, times: times).fingerprint
  }

  /// The name of the app's innermost state; `nil` between two states, and while it is not running.
  func named(_ snapshot: Snapshot) -> String? {
    name(ofState: snapshot.leaf).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// As it is written, empty between two states; `nil` for none.
  func name(ofState index: Int?) -> String? { index.map { flow.app.states[$0].name } }

  func isGoal(_ snapshot: Snapshot) -> Bool {
    snapshot.app.ended != nil || snapshot.activeGoal(of: flow) != nil
  }

  /// Whether a run would stop here, and nobody would leave the app here.
  func isStop(_ snapshot: Snapshot) -> Bool {
    guard snapshot.app.isRunning, snapshot.indexOfSentFlight == nil, !isGoal(snapshot),
      asked(in: snapshot) == nil, nextDue(in: snapshot, timers: false) == nil
    else { return false }
    return snapshot.firstActive(of: flow, where: \.isRest) == nil
  }
}

extension Snapshot {
  /// As how many it counts while it waits to be gone on from.
  var share: Int { services.share + app.store.rows / 64 }

  /// The app's innermost state, `nil` while it is not running.
  var leaf: Int? { app.run?.levels.last?.leaf }

  /// Without what there could be ever more of: answers that nobody waits for, which are dropped when they come, and
  /// mails behind a newer one of that name, which nobody opens any more.
  ///
  /// In which order mails came makes no difference to an exploration.
  var withoutWhatIsOver: Snapshot {
    var copy = self
    copy.dropWhatIsOver()
    return copy
  }

  mutating func dropWhatIsOver() {
    if flights.contains(where: \.isDead) { flights.removeAll(where: \.isDead) }
    let isSorted = inbox.indices.dropFirst().allSatisfy { inbox[$0 - 1].name < inbox[$0].name }
    if isSorted { return }
    inbox = inbox.newestOfEachName.sorted { $0.name < $1.name }
  }
}

extension [Mail] {
  /// Those that a script means by their names alone.
  fileprivate var newestOfEachName: [Mail] {
    // Few are compared sooner than looked up.
    if count <= 16 {
      return indices.filter { index in !self[(index + 1)...].contains { $0.name == self[index].name } }.map { self[$0] }
    }
    var names: Set<String> = []
    return reversed().filter { names.insert($0.name).inserted }
  }
}

extension Flight {
  fileprivate var isDead: Bool { caller == .nobody && isServed }
}

extension [[Value]] {
  /// As how many stores of services these count where many are kept: a table with many rows takes as much as several.
  var share: Int { 1 + reduce(0) { $0 + $1.rows } / 64 }
}

extension [Value] {
  fileprivate var rows: Int { indices.reduce(0) { $0 + self[$1].entryCount } }
}
