import Expressions
import FlowSpec

/// A place with its brackets evaluated, and what comes there; `nil` restores.
private struct Write {
  var place: Place
  var key: Key
  var row: Value?
  var value: Value?
  /// Whether there never was a value: no row is made for it.
  let isClearing: Bool
  /// Whether the value is so large that its table has to be weighed.
  var isHeavy = false
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
      writes.append(
        Write(
          place: place, key: key, row: row, value: try fit(value, to: assignment, key: key), isClearing: false,
          isHeavy: key.isTable && value.weighs(more: Bounds.heavyValue)))
    }
    if actor == .app { try countWrite(writes.has(.store)) }
    put(&writes, refs: refs, as: actor)
    for write in writes where write.key.isTable {
      try bound(slot(write.place, as: actor), at: write.place.site, isHeavy: write.isHeavy)
    }
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
      let row = try row(of: place)
      writes.append(Write(place: place, key: machine.key(of: place), row: row, value: nil, isClearing: true))
    }
    if actor == .app { try countWrite(places.contains { $0.area == .store }) }
    put(&writes, refs: refs, as: actor)
  }

  /// Counts a durable write, or lets the kill strike in its place.
  private mutating func countWrite(_ isDurable: Bool) throws(Stop) {
    guard isDurable else { return }
    if let writesKept, durableWrites == writesKept { throw .killed }
    if cuts != nil { keepCut() }
    durableWrites += 1
    asksBehindWrites = false
  }

  /// The app is about to ask somebody: a kill that keeps all durable writes before it strikes in its place.
  mutating func askBehindWrites() throws(Stop) {
    guard durableWrites > 0 else { return }
    if let writesKept, durableWrites == writesKept { throw .killed }
    if cuts != nil { keepCut() }
    asksBehindWrites = true
  }

  /// Without a trace each write goes where it belongs as it is, and is not copied.
  private mutating func put(_ writes: inout [Write], refs: [String], as actor: Actor) {
    // What the frame holds too would be copied when it changes.
    let (hasStore, hasMemory) = (writes.has(.store), writes.has(.memory))
    if hasStore { lookAway(from: .store) }
    if hasMemory { lookAway(from: .memory) }
    defer {
      if hasStore { look(at: .store, as: actor) }
      if hasMemory { look(at: .memory, as: actor) }
    }
    guard isRecording else {
      for index in writes.indices { change(&writes[index], as: actor) }
      return
    }
    var changes: [Change] = []
    changes.reserveCapacity(writes.count)
    for index in writes.indices {
      let old = current(writes[index], as: actor)
      change(&writes[index], as: actor)
      let new = current(writes[index], as: actor)
      if old != new { changes.append(Change(path: writes[index].path, old: old, new: new)) }
    }
    guard !changes.isEmpty || !refs.isEmpty else { return }
    var all = refs
    // A key that is left as it was lends none.
    for write in writes { for ref in write.place.refs where !all.contains(ref) { all.append(ref) } }
    record(.set(lane(of: actor), changes), refs: all)
  }

  /// The name of a row, `nil` where the place has none.
  private mutating func row(of place: Place) throws(Stop) -> Value? {
    switch place.row {
    case nil: return nil
    case .expression(let placed):
      let key = try evaluate(placed)
      if key.isTooLarge { throw .failed(.valueTooLarge(site: placed.site)) }
      guard case .string(let text) = key.unwrapped, !text.isEmpty else {
        throw .failed(.rowKeyNeeded(key, site: placed.site))
      }
      return .string(text)
    case .template(let placed):
      guard let text = try text(placed) else { throw .failed(.rowKeyNeeded(.null, site: placed.site)) }
      return .string(text)
    }
  }

  private mutating func change(_ write: inout Write, as actor: Actor) {
    let key = write.place.key
    switch (write.place.area, actor) {
    case (.memory, _): change(actor) { write.change(&$0.memory[key]) }
    case (.store, .app): write.change(&snapshot.app.store[key])
    case (.store, .exchange(let flight)): write.change(&snapshot.services[service(ofExchange: flight)][key])
    case (.store, .service(let service)): write.change(&snapshot.services[service][key])
    }
  }

  /// What stands at a place, for a field of a row that is about to be made what it begins with.
  private func current(_ write: Write, as actor: Actor) -> Value {
    let slot = slot(write.place, as: actor)
    guard let row = write.row else { return slot }
    guard case .map(let rows) = slot else { return .null }
    guard let field = write.place.field else { return rows[row] ?? .null }
    let known = rows[row] ?? (write.isClearing ? .null : .map(write.key.newRow))
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

extension [Write] {
  fileprivate func has(_ area: Place.Area) -> Bool {
    for index in indices where self[index].place.area == area { return true }
    return false
  }
}

extension Write {
  /// As a trace shows it: `users[ada].status`.
  var path: Change.Path {
    var field: String?
    if case .table(let type) = key.shape, let index = place.field { field = type.fields[index].name }
    return Change.Path(key: key.name, row: row?.text, field: field)
  }

  /// Puts the value where it belongs; it is gone from here then.
  mutating func change(_ slot: inout Value) {
    let new = value.take() ?? .null
    guard let row else {
      // A null unsets: the key is what it is when nothing was set.
      slot = new.isNull ? key.initial : key.completed(new)
      return
    }
    slot.changeMap { rows in
      if let field = place.field {
        put(new, field: field, of: row, in: &rows)
      } else {
        rows[row] = new.isNull ? nil : new
      }
    }
  }

  /// Changes a field of a row, for which it is made when it is missing.
  private func put(_ value: Value, field: Int, of row: Value, in rows: inout ValueMap) {
    guard key.rowInitials.indices.contains(field) else { return }
    let known = rows.index(of: row)
    if isClearing, known == nil { return }
    let new = value.isNull ? key.rowInitials[field] : value
    let index = known ?? rows.append(.map(key.newRow), at: row)
    rows.changeValue(at: index) { row in
      row.changeMap { fields in
        if let index = key.index(of: field, in: fields) { fields.replaceValue(at: index, with: new) }
      }
    }
  }
}

extension Key {
  fileprivate var isTable: Bool { if case .table = shape { true } else { false } }

  /// A value as the key keeps it: the rows of a table with all their fields.
  fileprivate func completed(_ value: Value) -> Value {
    guard case .table = shape, case .map(let rows) = value else { return value }
    return .map(rows.mapValues { completed(row: $0) })
  }

  fileprivate func index(of field: Int, in row: ValueMap) -> Int? {
    guard case .table(let type) = shape else { return nil }
    return row.index(of: type.fields[field].name, near: field)
  }

  /// A row as it is kept: every declared field, in declared order.
  private func completed(row: Value) -> Value {
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
