import Expressions
import FlowSpec

/// What brings a person back into a goal where the app asks who it is when it is opened.
extension Explorer {
  /// With so many things that a person does an app is unlocked.
  private static let mostUnlocking = 2

  /// What comes of the fewest things by which a person is in a goal again, as by a PIN; `nil` where nothing leads there
  /// but a new sign-in.
  ///
  /// That is one which is done where the app comes to before any goal with nothing secret stored, too, or behind which a
  /// key of the store has a secret that had none.
  func unlock(
    _ locked: Snapshot, behind ways: [Way], _ bare: Set<Int?>
  ) -> (snapshot: Snapshot, ways: [Way])? {
    let stored = Set(storedSecrets(in: locked).map(\.key))
    if stored.isEmpty { return nil }
    var waiting = [(snapshot: locked, ways: ways)]
    for _ in 0..<Self.mostUnlocking {
      var next: [(snapshot: Snapshot, ways: [Way])] = []
      for (snapshot, ways) in waiting where !bare.contains(snapshot.leaf) {
        for choice in moves(in: snapshot) where choice.isEvent {
          var (behind, taken) = (snapshot, ways)
          guard make(choice, in: &behind, &taken) else { continue }
          if !world.isGoal(behind) {
            next.append((behind, taken))
          } else if stored.isSuperset(of: storedSecrets(in: behind).map(\.key)) {
            return (behind, taken)
          }
        }
      }
      waiting = next
    }
    return nil
  }

  /// What the app has stored as a secret, in keys and in rows of tables.
  func secrets(in snapshot: Snapshot) -> [Value] { storedSecrets(in: snapshot).flatMap(\.values) }

  /// The same by the number of the key.
  func storedSecrets(in snapshot: Snapshot) -> [(key: Int, values: [Value])] {
    zip(world.flow.app.store, snapshot.app.store).enumerated().compactMap { number, kept in
      let values = secrets(in: kept.1, of: kept.0).filter { $0 != .null }
      return values.isEmpty ? nil : (number, values)
    }
  }

  private func secrets(in value: Value, of key: Key) -> [Value] {
    if key.field.secret != nil { return [value] }
    guard case .map(let rows) = value, let fields = key.rowType?.fields.filter({ $0.secret != nil }) else { return [] }
    return rows.entries.flatMap { row -> [Value] in
      guard case .map(let row) = row.value else { return [] }
      return fields.compactMap { row[$0.name] }
    }
  }

  /// Whether the app has stored nothing secret.
  func isBare(_ snapshot: borrowing Snapshot) -> Bool {
    !zip(world.flow.app.store, snapshot.app.store).contains { key, value in
      if key.field.secret == nil, !key.isTable { return false }
      return secrets(in: value, of: key).contains { $0 != .null }
    }
  }
}
