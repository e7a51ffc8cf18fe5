import Expressions
import FlowSpec

/// A place with its brackets evaluated.
private struct ResolvedPlace {
  var place: Place
  var row: Value?
}

extension Step {
  /// Evaluates all right sides and brackets, then changes every key: one atomic, and for the store durable, write.
  mutating func set(_ assignments: [Assignment], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    var writes: [(ResolvedPlace, Value)] = []
    for assignment in assignments {
      let place = try resolve(assignment.place)
      guard let value = try build(assignment.value) else { continue }
      writes.append((place, try fit(value, to: assignment, as: actor)))
    }
    try write(places: writes.map(\.0.place), as: actor)
    var changes: [Change] = []
    for (place, value) in writes {
      let change = put(value, at: place, as: actor)
      if change.old != change.new { changes.append(change) }
    }
    recordChanges(changes, places: assignments.map(\.place), as: actor, refs: refs)
  }

  /// Restores keys and fields to their initial value, deletes rows.
  mutating func clear(_ places: [Place], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    var resolved: [ResolvedPlace] = []
    for place in places { if let place = try resolveForClearing(place) { resolved.append(place) } }
    try write(places: places, as: actor)
    var changes: [Change] = []
    for place in resolved {
      let change = put(nil, at: place, as: actor)
      if change.old != change.new { changes.append(change) }
    }
    recordChanges(changes, places: places, as: actor, refs: refs)
  }

  /// Counts a durable write, or lets the kill strike in its place.
  private mutating func write(places: [Place], as actor: Actor) throws(Stop) {
    guard actor == .app, places.contains(where: { $0.area == .store }) else { return }
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

  private mutating func recordChanges(_ changes: [Change], places: [Place], as actor: Actor, refs: [String]) {
    guard isRecording, !changes.isEmpty || !refs.isEmpty else { return }
    var all = refs
    for ref in places.flatMap(\.refs) where !all.contains(ref) { all.append(ref) }
    record(.set(lane(of: actor), changes), refs: all)
  }

  /// `nil` for the row of an empty name: there is none, so nothing is to be cleared.
  private mutating func resolveForClearing(_ place: Place) throws(Stop) -> ResolvedPlace? {
    if case .expression(let placed) = place.row, case .string(let key) = try evaluate(placed).unwrapped, key.isEmpty {
      return nil
    }
    return try resolve(place)
  }

  private mutating func resolve(_ place: Place) throws(Stop) -> ResolvedPlace {
    switch place.row {
    case nil: return ResolvedPlace(place: place, row: nil)
    case .expression(let placed):
      let key = try evaluate(placed)
      guard case .string(let text) = key.unwrapped, !text.isEmpty else {
        throw .failed(.rowKeyNeeded(key, site: placed.site))
      }
      return ResolvedPlace(place: place, row: .string(text))
    case .template(let placed):
      guard let text = try text(placed) else { throw .failed(.rowKeyNeeded(.null, site: placed.site)) }
      return ResolvedPlace(place: place, row: .string(text))
    }
  }

  /// `nil` restores; says what changed.
  private mutating func put(_ value: Value?, at place: ResolvedPlace, as actor: Actor) -> Change {
    let machine = machine(of: actor)
    let key = place.place.area == .store ? machine.store[place.place.key] : machine.memory[place.place.key]
    var path = Text(key.name)
    var old = Value.null
    var new = Value.null
    changeSlot(place.place, as: actor) { slot in
      guard let row = place.row else {
        old = slot
        slot = value.map { key.restored($0) } ?? key.initial
        new = slot
        return
      }
      guard case .map(var rows) = slot else { return }
      path.append(Text("["))
      path.append(row.text ?? Text(""))
      path.append(Text("]"))
      if let field = place.place.field {
        (old, new) = key.put(value, field: field, row: row, rows: &rows, path: &path)
      } else {
        old = rows[row] ?? .null
        rows[row] = value.flatMap { $0.isNull ? nil : key.completed($0) }
        new = rows[row] ?? .null
      }
      slot = .map(rows)
    }
    return Change(path: .string(path), old: old, new: new)
  }

  private mutating func changeSlot(_ place: Place, as actor: Actor, _ body: (inout Value) -> Void) {
    switch (place.area, actor) {
    case (.memory, _): change(actor) { body(&$0.memory[place.key]) }
    case (.store, .app): body(&snapshot.app.store[place.key])
    case (.store, .exchange(let flight)): body(&snapshot.services[exchange(flight).service][place.key])
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
    var complete = ValueMap()
    for (field, initial) in zip(type.fields, rowInitials) {
      let value = given[field.name].flatMap { $0.isNull ? nil : $0 } ?? initial
      complete[field.name] = field.marked(value)
    }
    return .map(complete)
  }

  /// Changes one field of one row, which is made when it is missing; says what it was and is.
  fileprivate func put(
    _ value: Value?, field: Int, row: Value, rows: inout ValueMap, path: inout Text
  ) -> (old: Value, new: Value) {
    guard case .table(let type) = shape, type.fields.indices.contains(field) else { return (.null, .null) }
    let name = type.fields[field].name
    path.append(Text(".\(name)"))
    if value == nil, rows[row] == nil { return (.null, .null) }
    var fields: ValueMap
    if case .map(let existing)? = rows[row] { fields = existing } else { fields = ValueMap() }
    if fields.isEmpty, case .map(let made) = completed(.map(ValueMap())) { fields = made }
    let old = fields[name] ?? .null
    let new = value.flatMap { $0.isNull ? nil : $0 } ?? rowInitials[field]
    fields[name] = new
    rows[row] = .map(fields)
    return (old, new)
  }
}
