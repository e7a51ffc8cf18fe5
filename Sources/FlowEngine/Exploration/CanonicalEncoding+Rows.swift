import Expressions
import FlowSpec

/// The keys of the services' stores.
struct ServiceTables {
  /// By service, the keys of which all is kept.
  private(set) var kept: [[Int]] = []
  /// Tables whose rows may be left out, as no expression counts or goes through them, one service after the other.
  private(set) var ofRows: [(service: Int, key: Int)] = []
  /// Those of each service.
  private(set) var ranges: [Range<Int>] = []

  init(_ services: [Service]) {
    for service in services.indices {
      let mayDropRows = services[service].model?.machine.mayDropRows ?? []
      let first = ofRows.count
      kept.append(mayDropRows.indices.filter { !mayDropRows[$0] })
      for key in mayDropRows.indices where mayDropRows[key] { ofRows.append((service, key)) }
      ranges.append(first..<ofRows.count)
    }
  }
}

/// Stores of services as they were placed: many moves lead to the very same one.
struct RecentStores {
  private struct Placed {
    let service: Int
    let store: [Value]
    let past: Interval
    let places: [UInt64]
  }

  /// Each where its address leads, unless another has taken that place since.
  private var all: [Placed?] = []

  /// Where its parts begin; `nil` where that is not known.
  func places(of store: [Value], of service: Int, _ past: Interval) -> [UInt64]? {
    guard !all.isEmpty, let placed = all[index(of: store)], placed.service == service, placed.past == past,
      placed.store.isIdentical(to: store)
    else { return nil }
    return placed.places
  }

  mutating func add(_ store: [Value], of service: Int, _ past: Interval, _ places: [UInt64]) {
    if all.isEmpty { all = Array(repeating: nil, count: 1024) }
    all[index(of: store)] = Placed(service: service, store: store, past: past, places: places)
  }

  private func index(of store: [Value]) -> Int {
    let address = store.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    // Storage begins at every 16th byte.
    return Int(address >> 4 & UInt(all.count - 1))
  }
}

extension CanonicalEncoding {
  /// The stores of the services, last of all; those of before as far as they are the same.
  mutating func add(services: [[Value]], after base: EncodedSnapshot?) {
    whole.add(places, in: parts.words)
    let first = places.count
    var number: Int?
    if let base, let same = same(services, in: base) {
      places += base.words[same]
      number = base.services.number
    } else {
      place(services, after: base)
    }
    whole.addServices(number, places, first..<places.count, in: parts.words)
  }

  /// Where the stores are placed in a snapshot before; `nil` where one of them is not the same.
  func same(_ services: [[Value]], in base: EncodedSnapshot) -> Range<Int>? {
    let range = PartIndex.services(of: base.snapshot)..<base.count
    return base.snapshot.services.isIdentical(to: services) && base.holds(range, past, parts) ? range : nil
  }

  private mutating func place(_ services: [[Value]], after base: EncodedSnapshot?) {
    guard let base else {
      for service in services.indices { place(services[service], of: service, after: nil, at: 0) }
      return
    }
    var first = PartIndex.services(of: base.snapshot)
    for service in services.indices {
      let end = base.endOfRows(from: first + tables.kept[service].count, of: tables.ranges[service], parts)
      if base.snapshot.services[service].isIdentical(to: services[service]), base.holds(first..<end, past, parts) {
        places += base.words[first..<end]
      } else if let known = recent.places(of: services[service], of: service, past) {
        places += known
      } else {
        let start = places.count
        place(services[service], of: service, after: base, at: first)
        recent.add(services[service], of: service, past, Array(places[start...]))
      }
      first = end
    }
  }

  /// Drops the rows that were left out.
  mutating func dropRowsLeftOut(from snapshot: inout Snapshot) {
    let services = PartIndex.services(of: snapshot)
    for index in (0..<whole.stores.waiting).reversed() {
      let row = services + whole.stores.waiting(at: index)
      let table = EncodedParts.Layout(places[row], in: parts.words).table
      var first = row
      while first > services, EncodedParts.Layout(places[first - 1], in: parts.words).table == table { first -= 1 }
      let (service, key) = tables.ofRows[table]
      snapshot.services[service][key].removeRow(at: row - first)
      places.remove(at: row)
    }
    if whole.stores.waiting > 0 {
      whole.services.number = whole.stores.number(of: places, services..<places.count, in: parts.words)
    }
  }

  private mutating func place(_ store: [Value], of service: Int, after base: EncodedSnapshot?, at first: Int) {
    var next = first
    for key in tables.kept[service] {
      let isSame = base?.snapshot.services[service][key].isIdentical(to: store[key]) ?? false
      place(next, of: isSame ? base : nil) { $0.add(store[key]) }
      next += 1
    }
    for table in tables.ranges[service] {
      let (end, key) = (base?.endOfRows(from: next, of: table..<table + 1, parts) ?? next, tables.ofRows[table].key)
      if let base, base.snapshot.services[service][key].isIdentical(to: store[key]), base.holds(next..<end, past, parts)
      {
        places += base.words[next..<end]
      } else {
        place(store[key].rows, of: table, after: base, base?.snapshot.services[service][key].rows, at: next)
      }
      next = end
    }
  }

  /// The rows of a table; most are there already, and stand where they stood or further ahead.
  private mutating func place(
    _ rows: ValueMap, of table: Int, after base: EncodedSnapshot?, _ old: ValueMap?, at first: Int
  ) {
    let old = old ?? ValueMap()
    var next = 0
    for index in rows.entries.indices {
      var place = next
      while place < old.count, !old.entries[place].isIdentical(to: rows.entries[index]) { place += 1 }
      if place < old.count { next = place + 1 }
      takeOver(first + place, of: place < old.count ? base : nil) { $0.add(rows.entries[index], of: table) }
    }
  }

  private mutating func add(_ row: ValueMap.Entry, of table: Int) {
    part.empty()
    add(row.key)
    let madeInKey = part.made.count
    // Its fields are declared, each at its place.
    if case .map(let fields) = row.value {
      for index in fields.entries.indices { add(fields.entries[index].value) }
    } else {
      add(row.value)
    }
    places.append(parts.place(of: part, table: table, madeInKey: madeInKey))
  }
}

extension ValueMap.Entry {
  fileprivate func isIdentical(to other: ValueMap.Entry) -> Bool {
    value.isIdentical(to: other.value) && key.isIdentical(to: other.key)
  }
}

extension Value {
  fileprivate var rows: ValueMap { if case .map(let rows) = self { rows } else { ValueMap() } }

  fileprivate mutating func removeRow(at index: Int) {
    var left = rows.entries
    self = .null
    left.remove(at: index)
    self = .map(ValueMap(distinct: left))
  }
}
