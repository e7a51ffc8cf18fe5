import Expressions
import FlowSpec

/// A place with its brackets evaluated, and what comes there; `nil` restores.
private struct Write {
  var place: Place
  var key: Key
  var row: Value?
  var value: Value?
}

extension Step {
  /// Evaluates all right sides and brackets, then changes every key: one atomic, and for the store durable, write.
  mutating func set(_ assignments: [Assignment], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    let machine = machine(of: actor)
    var writes: [Write] = []
    writes.reserveCapacity(assignments.count)
    for assignment in assignments {
      let place = assignment.place
      let row = try row(of: place)
      guard let value = try build(assignment.value) else { continue }
      let key = machine.key(of: place)
      writes.append(Write(place: place, key: key, row: row, value: try fit(value, to: assignment, key: key)))
    }
    try countWrite(writes.contains { $0.place.area == .store }, as: actor)
    put(writes, refs: refs, as: actor)
  }

  /// Restores keys and fields to their initial value, deletes rows.
  mutating func clear(_ places: [Place], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    let machine = machine(of: actor)
    var writes: [Write] = []
    writes.reserveCapacity(places.count)
    for place in places {
      // There is no row of an empty name, so nothing is to be cleared.
      if case .expression(let placed) = place.row, case .string(let key) = try evaluate(placed).unwrapped, key.isEmpty {
        continue
      }
      writes.append(Write(place: place, key: machine.key(of: place), row: try row(of: place)))
    }
    try countWrite(places.contains { $0.area == .store }, as: actor)
    put(writes, refs: refs, as: actor)
  }

  /// Counts a durable write, or lets the kill strike in its place.
  private mutating func countWrite(_ isDurable: Bool, as actor: Actor) throws(Stop) {
    guard isDurable, actor == .app else { return }
    if let writesKept, durableWrites == writesKept { throw .killed }
    durableWrites += 1
    asksBehindWrites = false
  }

  /// The app is about to ask somebody: a kill that keeps all durable writes before it strikes in its place.
  mutating func askBehindWrites() throws(Stop) {
    guard durableWrites > 0 else { return }
    if let writesKept, durableWrites == writesKept { throw .killed }
    asksBehindWrites = true
  }

  private mutating func put(_ writes: [Write], refs: [String], as actor: Actor) {
    // What the frame holds too would be copied when it changes.
    lookAway()
    guard isRecording else {
      for index in writes.indices { change(writes[index], as: actor) }
      return
    }
    var changes: [Change] = []
    for write in writes {
      let old = current(write, as: actor)
      change(write, as: actor)
      let new = current(write, as: actor)
      if old != new { changes.append(Change(path: .string(write.path), old: old, new: new)) }
    }
    guard !changes.isEmpty || !refs.isEmpty else { return }
    var all = refs
    // A key that is left as it was lends none.
    for ref in writes.flatMap(\.place.refs) where !all.contains(ref) { all.append(ref) }
    record(.set(lane(of: actor), changes), refs: all)
  }

  /// The name of a row, `nil` where the place has none.
  private mutating func row(of place: Place) throws(Stop) -> Value? {
    switch place.row {
    case nil: return nil
    case .expression(let placed):
      let key = try evaluate(placed)
      guard case .string(let text) = key.unwrapped, !text.isEmpty else {
        throw .failed(.rowKeyNeeded(key, site: placed.site))
      }
      return .string(text)
    case .template(let placed):
      guard let text = try text(placed) else { throw .failed(.rowKeyNeeded(.null, site: placed.site)) }
      return .string(text)
    }
  }

  private mutating func change(_ write: Write, as actor: Actor) {
    switch (write.place.area, actor) {
    case (.memory, _): change(actor) { write.change(&$0.memory[write.place.key]) }
    case (.store, .app): write.change(&snapshot.app.store[write.place.key])
    case (.store, .exchange(let flight)):
      write.change(&snapshot.services[service(ofExchange: flight)][write.place.key])
    case (.store, .service(let service)): write.change(&snapshot.services[service][write.place.key])
    }
  }

  /// What stands at a place, for a field of a row that is about to be made what it begins with.
  private func current(_ write: Write, as actor: Actor) -> Value {
    let slot = slot(write.place, as: actor)
    guard let row = write.row else { return slot }
    guard case .map(let rows) = slot else { return .null }
    guard let field = write.place.field else { return rows[row] ?? .null }
    let known = rows[row] ?? (write.value == nil ? .null : .map(write.key.newRow))
    guard case .map(let fields) = known, let index = write.key.index(of: field, in: fields) else { return .null }
    return fields.entries[index].value
  }

  private func slot(_ place: Place, as actor: Actor) -> Value {
    switch (place.area, actor) {
    case (.memory, .app): snapshot.app.run?.memory[place.key] ?? .null
    case (.memory, .exchange(let flight)): exchange(flight).run.memory[place.key]
    case (.memory, .service): .null
    case (.store, .app): snapshot.app.store[place.key]
    case (.store, .exchange(let flight)): snapshot.services[service(ofExchange: flight)][place.key]
    case (.store, .service(let service)): snapshot.services[service][place.key]
    }
  }
}

extension Write {
  /// As a trace shows it: `users[ada].status`.
  var path: Text {
    guard let row = row?.text else { return Text(key.name) }
    var path = Text(key.name + "[")
    path.append(row)
    guard case .table(let type) = key.shape, let field = place.field else { return path + Text("]") }
    return path + Text("].\(type.fields[field].name)")
  }

  func change(_ slot: inout Value) {
    guard let row else {
      slot = value.map { key.restored($0) } ?? key.initial
      return
    }
    slot.changeMap { rows in
      if let field = place.field {
        put(field, of: row, in: &rows)
      } else {
        rows[row] = value.flatMap { $0.isNull ? nil : $0 }
      }
    }
  }

  /// Changes a field of a row, for which it is made when it is missing.
  private func put(_ field: Int, of row: Value, in rows: inout ValueMap) {
    guard key.rowInitials.indices.contains(field) else { return }
    let known = rows.index(of: row)
    if value == nil, known == nil { return }
    let new = value.flatMap { $0.isNull ? nil : $0 } ?? key.rowInitials[field]
    let index = known ?? rows.append(.map(key.newRow), at: row)
    rows.changeValue(at: index) { row in
      row.changeMap { fields in
        if let index = key.index(of: field, in: fields) { fields.replaceValue(at: index, with: new) }
      }
    }
  }
}

extension Key {
  /// A null unsets: what the key is when nothing was set.
  fileprivate func restored(_ value: Value) -> Value {
    if value.isNull { return initial }
    guard case .table = shape, case .map(let rows) = value else { return value }
    return .map(rows.mapValues { completed($0) })
  }

  fileprivate func index(of field: Int, in row: ValueMap) -> Int? {
    guard case .table(let type) = shape else { return nil }
    return row.index(of: type.fields[field].name, near: field)
  }

  /// A row as it is kept: every declared field, in declared order.
  private func completed(_ row: Value) -> Value {
    guard case .table(let type) = shape, case .map(let given) = row else { return row }
    var complete = newRow
    for index in type.fields.indices {
      guard let value = given[type.fields[index].name], !value.isNull else { continue }
      complete.replaceValue(at: index, with: type.fields[index].marked(value))
    }
    return .map(complete)
  }
}

extension Machine {
  func key(of place: Place) -> Key { place.area == .store ? store[place.key] : memory[place.key] }
}

extension Value {
  /// Changes a map where it stands: it has one holder while it changes.
  fileprivate mutating func changeMap(_ body: (inout ValueMap) -> Void) {
    guard case .map(var map) = self else { return }
    self = .null
    body(&map)
    self = .map(map)
  }
}
