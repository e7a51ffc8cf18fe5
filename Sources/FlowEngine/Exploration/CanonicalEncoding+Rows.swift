import Expressions
import FlowSpec

/// Which keys of a service's store are tables whose rows may be left out, as no expression counts or goes through them.
struct ServiceTables {
  let keysKept: [Int]
  let keysOfRows: [Int]

  init(_ service: Service) {
    let mayDropRows = service.model?.machine.mayDropRows ?? []
    keysKept = mayDropRows.indices.filter { !mayDropRows[$0] }
    keysOfRows = mayDropRows.indices.filter { mayDropRows[$0] }
  }
}

extension CanonicalEncoding {
  /// The stores of the services, last of all.
  ///
  /// A row is left out when its key is a fresh value that nothing holds that was added before it, where no expression
  /// counts or goes through its table: nobody can ask for it again. In such a table the order of the rows says nothing.
  mutating func add(services: [[Value]], after base: EncodedSnapshot?) {
    waiting.removeAll(keepingCapacity: true)
    let isSame = encode(services, after: base)
    let counted = (made: scope.made.count, instants: scope.instants.count, stored: scope.stored.count)
    if isSame, let base, base.countSection(in: &scope) {
      section = base.section
    } else {
      var outer = FingerprintWriter()
      swap(&outer, &scope.writer)
      for service in services.indices { addKept(service) }
      for service in services.indices { addRows(service) }
      addWaiting()
      swap(&outer, &scope.writer)
      section = ServiceSection(
        fingerprint: outer.fingerprint, made: counted.made, instants: counted.instants, stored: counted.stored)
    }
    writer.word(section.fingerprint.first)
    writer.word(section.fingerprint.second)
  }

  private mutating func addKept(_ service: Int) {
    let encoded = parts.services[service]
    for index in tables[service].keysKept.indices { add(encoded[index]) }
  }

  private mutating func addRows(_ service: Int) {
    let encoded = parts.services[service]
    var row = tables[service].keysKept.count
    while row < encoded.count {
      if !addIfHeld(encoded[row], of: service) { waiting.append((service, row)) }
      row += 1
    }
  }

  /// What is held by a row that was added late may be added too.
  private mutating func addWaiting() {
    var isGrowing = true
    while isGrowing, !waiting.isEmpty {
      var left = 0
      for index in waiting.indices {
        let (service, row) = waiting[index]
        if addIfHeld(parts.services[service][row], of: service) { continue }
        waiting[left] = (service, row)
        left += 1
      }
      isGrowing = left < waiting.count
      waiting.removeLast(waiting.count - left)
    }
  }

  /// Drops the rows of the snapshot that was encoded just now that were left out: what goes on from it need not carry them.
  mutating func dropRowsLeftOut(from snapshot: inout Snapshot) {
    for (service, row) in waiting.reversed() {
      let key = parts.services[service].remove(at: row).key
      let earlier = parts.services[service][tables[service].keysKept.count..<row]
      let index = earlier.count { $0.key == key }
      snapshot.services[service][key].removeRow(at: index)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// False for a row that is left out as long as nothing else holds its key.
  ///
  /// A key can be named by who holds every fresh value in it; one without any can be named by everybody.
  private mutating func addIfHeld(_ row: EncodedPart, of service: Int) -> Bool {
    for index in 0..<row.madeInKey where row.made[index].isFresh && !scope.made.contains(row.made[index]) {
      return false
    }
    writer.int(service)
    writer.int(row.key)
    add(row)
    return true
  }

  /// True when all is as it was.
  private mutating func encode(_ services: [[Value]], after base: EncodedSnapshot?) -> Bool {
    guard let base else {
      parts.services = services.indices.map { encode(services[$0], of: $0, after: nil, []) }
      return false
    }
    if base.past == past, base.snapshot.services.isIdentical(to: services) {
      parts.services = base.parts.services
      return true
    }
    var all = base.parts.services
    for service in services.indices {
      let old = base.snapshot.services[service]
      if old.isIdentical(to: services[service]), holds(all[service]) { continue }
      all[service] = encode(services[service], of: service, after: old, all[service])
    }
    parts.services = all
    return false
  }

  private func holds(_ parts: some Sequence<EncodedPart>) -> Bool {
    for part in parts where !part.holds(past: past) { return false }
    return true
  }

  /// The parts of a service's store, taken over from those before it as far as they are the same.
  private mutating func encode(
    _ store: [Value], of service: Int, after old: [Value]?, _ known: [EncodedPart]
  ) -> [EncodedPart] {
    var parts: [EncodedPart] = []
    parts.reserveCapacity(known.count + 4)
    for (index, key) in tables[service].keysKept.enumerated() {
      if let old, known[index].holds(past: past), old[key].isIdentical(to: store[key]) {
        parts.append(known[index])
      } else {
        parts.append(
          part {
            $0.add(store[key])
            return 0
          })
      }
    }
    var start = old == nil ? 0 : parts.count
    for key in tables[service].keysOfRows {
      let before = old?[key].rows ?? ValueMap()
      let rows = store[key].rows
      let end = start + before.count
      if rows.isIdentical(to: before), holds(known[start..<end]) {
        parts += known[start..<end]
      } else {
        encode(rows, of: key, after: before, known[start..<end], to: &parts)
      }
      start = end
    }
    return parts
  }

  /// The rows of a table; most are there already, and stand where they stood or further ahead.
  private mutating func encode(
    _ rows: ValueMap, of key: Int, after old: ValueMap, _ known: ArraySlice<EncodedPart>, to parts: inout [EncodedPart]
  ) {
    var next = 0
    for index in rows.entries.indices {
      var place = next
      while place < old.count, !old.entries[place].isIdentical(to: rows.entries[index]) { place += 1 }
      if place < old.count { next = place + 1 }
      if place < old.count, known[known.startIndex + place].holds(past: past) {
        parts.append(known[known.startIndex + place])
      } else {
        parts.append(encode(rows.entries[index], of: key))
      }
    }
  }

  private mutating func encode(_ row: ValueMap.Entry, of key: Int) -> EncodedPart {
    part(ofKey: key) { encoding in
      encoding.add(row.key)
      let madeInKey = encoding.scope.made.count
      // Its fields are declared, each at its place.
      if case .map(let fields) = row.value {
        for index in fields.entries.indices { encoding.add(fields.entries[index].value) }
      } else {
        encoding.add(row.value)
      }
      return madeInKey
    }
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
