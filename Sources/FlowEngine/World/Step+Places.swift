import Expressions
import FlowSpec

extension Step {
  /// Evaluates all right sides and brackets, then changes every key: one atomic, and for the store durable, write.
  mutating func set(_ assignments: [Assignment], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    writes.removeAll(keepingCapacity: true)
    var (isDurable, isOfTable) = (false, false)
    for assignment in assignments {
      let place = assignment.place
      let row = place.row == nil ? nil : try row(of: place)
      guard let (value, isHeavy) = try value(of: assignment) else { continue }
      writes.append(Write(place: place, row: row, value: value, isHeavy: isHeavy))
      if place.isDurable { isDurable = true }
      if place.isOfTable { isOfTable = true }
    }
    if isDurable, actor == .app { try countWrite() }
    put(refs: refs, as: actor)
    if isOfTable { try checkTables() }
  }

  private func checkTables() throws(Stop) {
    for index in writes.indices where writes[index].place.isOfTable {
      let place = writes[index].place
      try Bounds.check(frame.value(at: place), at: place.site, isHeavy: writes[index].isHeavy)
    }
  }

  /// Restores keys and fields to their initial value, deletes rows.
  mutating func clear(_ places: [Place], as actor: Actor, refs: [String]) throws(Stop) {
    look(as: actor)
    writes.removeAll(keepingCapacity: true)
    var isDurable = false
    for place in places {
      if place.isDurable { isDurable = true }
      // There is no row of an empty name, so nothing is to be cleared.
      if case .expression(let placed) = place.row, case .string(let key) = try evaluate(placed).unwrapped, key.isEmpty {
        continue
      }
      let row = place.row == nil ? nil : try row(of: place)
      writes.append(Write(place: place, row: row, value: .null, isClearing: true))
    }
    if isDurable, actor == .app { try countWrite() }
    put(refs: refs, as: actor)
  }

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
    var changes: [Change] = []
    changes.reserveCapacity(writes.count)
    for index in writes.indices {
      let place = writes[index].place
      let old = place.isOfTable ? frame.current(writes[index]) : frame.value(at: place)
      frame.make(&writes[index])
      let new = place.isOfTable ? frame.current(writes[index]) : frame.value(at: place)
      if old == new { continue }
      let path = Change.Path(
        key: world.words.words(of: place.declared), row: writes[index].row?.text, field: place.field)
      changes.append(Change(path: path, old: old, new: new))
    }
    guard !changes.isEmpty || !refs.isEmpty else { return }
    var all = refs
    for index in writes.indices { for ref in writes[index].place.refs where !all.contains(ref) { all.append(ref) } }
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
}

extension Frame {
  /// What stands in the key of a place.
  fileprivate func value(at place: Place) -> Value {
    roots[place.root].indices.contains(place.key) ? roots[place.root][place.key] : .null
  }

  /// Makes a write where it belongs; its value is gone from it then.
  fileprivate mutating func make(_ write: inout Write) {
    let (root, key) = (write.place.root, write.place.key)
    guard roots[root].indices.contains(key) else { return }
    write.make(in: &roots[root][key])
  }

  /// What stands at a place, for a field of a row that is about to be made what it begins with.
  fileprivate func current(_ write: Write) -> Value {
    let slot = value(at: write.place)
    let key = write.place.declared
    guard let row = write.row else { return slot }
    guard case .map(let rows) = slot else { return .null }
    guard let field = write.place.field else { return rows[row] ?? .null }
    let known = rows[row] ?? (write.isClearing ? .null : .map(key.newRow))
    guard case .map(let fields) = known, let index = key.index(of: field, in: fields) else { return .null }
    return fields.entries[index].value
  }
}
