import Expressions
import FlowSpec

extension Step {
  /// Evaluates all right sides and brackets, then changes every key: one atomic, and for the store durable, write.
  ///
  /// The actor must be looked at.
  mutating func set(_ assignments: [Assignment], refs: [String] = [], as actor: Actor) throws(Stop) {
    forgetWrites()
    writes.reserveCapacity(max(assignments.count, 8))
    var isDurable = false
    for assignment in assignments {
      guard let write = try write(of: assignment) else { continue }
      if write.place.isDurable { isDurable = true }
      writes.append(write)
    }
    if isDurable, actor == .app { try countWrite() }
    put(refs: refs, as: actor)
    for index in writes.indices where writes[index].place.isOfTable {
      try check(writes[index].place, isHeavy: writes[index].isHeavy)
    }
    forgetWrites()
  }

  /// Refuses a table that has grown beyond its bounds; `isHeavy` says that something large was set.
  ///
  /// Whether it does depends on nothing but the table and what is set, so that equal snapshots have equal futures.
  private mutating func check(_ place: Place, isHeavy: Bool) throws(Stop) {
    guard frame.roots[place.root].indices.contains(place.key) else { return }
    // None is taken out to be counted.
    let rows = frame.roots[place.root][place.key].entryCount
    if rows > Key.mostRows { throw .failed(.tooManyRows(site: place.site)) }
    guard isHeavy || (rows > 0 && rows.isMultiple(of: Bounds.rowsBetweenLooks)) else { return }
    if frame.roots[place.root][place.key].weighs(more: Bounds.largestTable) {
      throw .failed(.tableTooLarge(site: place.site))
    }
  }

  /// Restores keys and fields to their initial value, deletes rows; the actor must be looked at.
  mutating func clear(_ action: Action, as actor: Actor) throws(Stop) {
    if !action.clearsTables, !isRecording {
      if action.clearsStore, actor == .app { try countWrite() }
      for place in action.cleared { frame.put(.null, at: place) }
      return
    }
    forgetWrites()
    writes.reserveCapacity(max(action.cleared.count, 8))
    for place in action.cleared {
      // There is no row of an empty name, so nothing is to be cleared.
      if case .expression(let placed) = place.row, case .string(let key) = try evaluate(placed).unwrapped, key.isEmpty {
        continue
      }
      let row = place.row == nil ? Value.null : try row(of: place)
      writes.append(Write(place: place, row: row, value: .null, isClearing: true))
    }
    if action.clearsStore, actor == .app { try countWrite() }
    put(refs: action.refs, as: actor)
    forgetWrites()
  }

  /// What is held here would be copied where it changes; an error may have left something, too.
  private mutating func forgetWrites() { while writes.popLast() != nil {} }

  /// Counts a durable write, or lets the kill strike in its place.
  private mutating func countWrite() throws(Stop) {
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

  /// Makes the writes; only a trace needs to know what stood there before.
  private mutating func put(refs: [String], as actor: Actor) {
    guard isRecording else {
      for index in writes.indices { frame.make(&writes[index]) }
      return
    }
    let start = happened.changes.count
    for index in writes.indices { frame.make(&writes[index], telling: &happened.changes) }
    var all = refs
    let changed = start..<happened.changes.count
    guard !changed.isEmpty || !all.isEmpty else { return }
    for index in writes.indices { for ref in writes[index].place.refs where !all.contains(ref) { all.append(ref) } }
    record(.set(lane(of: actor), Stretch(changed)), refs: all)
  }

  /// The name of a row.
  mutating func row(of place: Place) throws(Stop) -> Value {
    switch place.row {
    case nil: return .null
    case .expression(let placed):
      let key = try evaluate(placed)
      if key.isTooLarge { throw .failed(.valueTooLarge(site: placed.site)) }
      if case .string = key, key.isPresent { return key }
      let held = key.unwrapped
      guard case .string = held, held.isPresent else { throw .failed(.rowKeyNeeded(key, site: placed.site)) }
      return held
    case .template(let placed):
      guard let text = try text(placed) else { throw .failed(.rowKeyNeeded(.null, site: placed.site)) }
      return .string(text)
    }
  }
}

extension Frame {
  /// What stands in the key of a place.
  fileprivate func value(at place: Place) -> Value {
    roots[place.root].indices.contains(place.key) ? roots[place.root][place.key] : .null
  }

  /// Makes a key that is no table what is set, or what it is when nothing was set.
  fileprivate mutating func put(_ value: consuming Value, at place: Place) {
    guard roots[place.root].indices.contains(place.key) else { return }
    roots[place.root][place.key] = value.isNull ? place.declared.initial : value
  }

  /// Makes a write where it belongs; its value is gone from it then.
  fileprivate mutating func make(_ write: inout Write) {
    let (root, key) = (write.place.root, write.place.key)
    guard roots[root].indices.contains(key) else { return }
    if times != nil, case .timestamp(let made) = write.value, case .timestamp(let now)? = roots[Root.now.rawValue].first
    {
      times?.note(wait: made.since(now))
    }
    write.make(in: &roots[root][key])
  }

  /// The same; adds what stood there before and what stands there now, unless that is the same and no row was made.
  fileprivate mutating func make(_ write: inout Write, telling changes: inout [Change]) {
    let (root, key) = (write.place.root, write.place.key)
    guard roots[root].indices.contains(key) else { return }
    let new: Value
    let rows = roots[root][key].entryCount
    if write.place.isOfTable {
      guard let old = current(write) else { return }
      new = write.settled
      write.make(in: &roots[root][key])
      write.value = old
    } else {
      write.make(in: &roots[root][key])
      new = roots[root][key]
    }
    // Most are set that were not, which takes no look into them.
    if write.value.isNull == new.isNull, write.value == new, roots[root][key].entryCount <= rows { return }
    let row = write.row.isNull ? nil : write.row.text
    let field = write.place.field == nil ? nil : write.place.keeping.field.name
    let path = Change.Path(key: write.place.declared.name, row: row, field: field)
    var old = Value.null
    swap(&old, &write.value)
    changes.append(Change(path: path, old: write.place.shown(old), new: write.place.shown(new)))
  }

  /// What stands at a place of a table; `nil` where there is no row of which a field could be cleared.
  private func current(_ write: Write) -> Value? {
    let slot = value(at: write.place)
    guard !write.row.isNull else { return slot }
    guard case .map(let rows) = slot else { return nil }
    guard let field = write.place.field else { return rows[write.row] ?? .null }
    guard let row = rows[write.row] else { return write.isClearing ? nil : .null }
    guard case .map(let fields) = row, fields.entries.indices.contains(field) else { return nil }
    return fields.entries[field].value
  }
}

extension Place {
  /// As a trace shows it.
  fileprivate func shown(_ value: Value) -> Value {
    if !holdsSecrets || value.isNull { return value }
    return isWholeRow ? type.shown(value) : keeping.field.shown(value)
  }
}
