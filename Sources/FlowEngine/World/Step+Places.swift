import Expressions
import FlowSpec

/// A place with its brackets evaluated, and what comes there; `nil` restores.
private struct Write {
  var place: Place
  var row: Value?
  var value: Value?
}

extension Step {
  /// Evaluates all right sides and brackets, then changes every key: one atomic, and for the store durable, write.
  mutating func set(_ assignments: [Assignment], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    var writes: [Write] = []
    writes.reserveCapacity(assignments.count)
    for assignment in assignments {
      let row = try row(of: assignment.place)
      guard let value = try build(assignment.value) else { continue }
      writes.append(
        Write(place: assignment.place, row: row, value: try fit(value, to: assignment, as: actor)))
    }
    try countWrite(writes.contains { $0.place.area == .store }, as: actor)
    put(writes, refs: refs, as: actor)
  }

  /// Restores keys and fields to their initial value, deletes rows.
  mutating func clear(_ places: [Place], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    var writes: [Write] = []
    for place in places {
      // There is no row of an empty name, so nothing is to be cleared.
      if case .expression(let placed) = place.row, case .string(let key) = try evaluate(placed).unwrapped, key.isEmpty {
        continue
      }
      writes.append(Write(place: place, row: try row(of: place)))
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
    var changes: [Change] = []
    for write in writes {
      let (old, new) = put(write, as: actor)
      guard isRecording, old != new else { continue }
      changes.append(Change(path: .string(path(of: write, as: actor)), old: old, new: new))
    }
    guard isRecording, !changes.isEmpty || !refs.isEmpty else { return }
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

  /// Says what stood there before, and what does now.
  private mutating func put(_ write: Write, as actor: Actor) -> (old: Value, new: Value) {
    let key = key(of: write.place, as: actor)
    var change = (old: Value.null, new: Value.null)
    changeSlot(write.place, as: actor) { slot in
      guard let row = write.row else {
        change.old = slot
        slot = write.value.map { key.restored($0) } ?? key.initial
        change.new = slot
        return
      }
      guard case .map(var rows) = slot else { return }
      // The rows have one holder while they change.
      slot = .null
      change = key.put(write.value, field: write.place.field, row: row, rows: &rows)
      slot = .map(rows)
    }
    return change
  }

  /// As a trace shows it: `users[ada].status`.
  private func path(of write: Write, as actor: Actor) -> Text {
    let key = key(of: write.place, as: actor)
    var path = Text(key.name)
    guard let row = write.row?.text else { return path }
    path.append(Text("["))
    path.append(row)
    path.append(Text("]"))
    if case .table(let type) = key.shape, let field = write.place.field {
      path.append(Text(".\(type.fields[field].name)"))
    }
    return path
  }

  private mutating func changeSlot(_ place: Place, as actor: Actor, _ body: (inout Value) -> Void) {
    switch (place.area, actor) {
    case (.memory, _): change(actor) { body(&$0.memory[place.key]) }
    case (.store, .app): body(&snapshot.app.store[place.key])
    case (.store, .exchange(let flight)): body(&snapshot.services[service(ofExchange: flight)][place.key])
    case (.store, .service(let service)): body(&snapshot.services[service][place.key])
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

  /// A row as it is kept: every declared field, in declared order.
  fileprivate func completed(_ row: Value) -> Value {
    guard case .table(let type) = shape, case .map(let given) = row else { return row }
    var complete: [ValueMap.Entry] = []
    complete.reserveCapacity(type.fields.count)
    for index in type.fields.indices {
      let value = given[type.fields[index].name].flatMap { $0.isNull ? nil : $0 } ?? rowInitials[index]
      complete.append(
        ValueMap.Entry(key: .string(type.fields[index].name), value: type.fields[index].marked(value)))
    }
    return .map(ValueMap(distinct: complete))
  }

  /// Changes one row, or one field of it, for which it is made when it is missing; says what it was and is.
  fileprivate func put(
    _ value: Value?, field: Int?, row: Value, rows: inout ValueMap
  ) -> (old: Value, new: Value) {
    guard let field else {
      let old = rows[row] ?? .null
      let new = value.flatMap { $0.isNull ? nil : completed($0) }
      rows[row] = new
      return (old, new ?? .null)
    }
    guard case .table(let type) = shape, type.fields.indices.contains(field) else { return (.null, .null) }
    let known = rows[row]
    if value == nil, known == nil { return (.null, .null) }
    var fields: ValueMap
    if case .map(let existing)? = known { fields = existing } else { fields = ValueMap() }
    if fields.isEmpty, case .map(let made) = completed(.map(ValueMap())) { fields = made }
    let name = type.fields[field].name
    let old = fields[name] ?? .null
    let new = value.flatMap { $0.isNull ? nil : $0 } ?? rowInitials[field]
    fields[name] = new
    rows[row] = .map(fields)
    return (old, new)
  }
}
