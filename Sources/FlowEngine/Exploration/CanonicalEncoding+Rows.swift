import Expressions
import FlowSpec

extension CanonicalEncoding {
  /// The stores of the services, last of all.
  ///
  /// A row is left out when its key is a fresh value that nothing holds that was added before it, where no expression
  /// counts or goes through its table: nobody can ask for it again. In such a table the order of the rows says nothing.
  mutating func add(services: [[Value]], of flow: Flow) {
    for service in services.indices {
      for key in services[service].indices where !flow.mayDropRows(of: key, service: service) {
        add(services[service][key])
      }
    }
    var waiting: [Row] = []
    for service in services.indices {
      for key in services[service].indices where flow.mayDropRows(of: key, service: service) {
        guard case .map(let rows) = services[service][key] else { continue }
        for index in rows.entries.indices {
          let row = Row(service: service, key: key, index: index)
          if !addIfHeld(rows, row) { waiting.append(row) }
        }
      }
    }
    var isGrowing = true
    while isGrowing, !waiting.isEmpty {
      var left = 0
      for row in waiting {
        guard case .map(let rows) = services[row.service][row.key] else { continue }
        if addIfHeld(rows, row) { continue }
        waiting[left] = row
        left += 1
      }
      isGrowing = left < waiting.count
      waiting.removeLast(waiting.count - left)
    }
    writer.int(-1)
  }

  /// Where a row stands that may be left out.
  private struct Row {
    var service: Int
    var key: Int
    var index: Int
  }

  /// False for a row that is left out as long as nothing else holds its key.
  private mutating func addIfHeld(_ rows: ValueMap, _ row: Row) -> Bool {
    guard holds(rows.entries[row.index].key) else { return false }
    writer.int(row.service)
    writer.int(row.key)
    add(rows.entries[row.index].key)
    // Its fields are declared, each at its place.
    if case .map(let fields) = rows.entries[row.index].value {
      for index in fields.entries.indices { add(fields.entries[index].value) }
    } else {
      add(rows.entries[row.index].value)
    }
    return true
  }

  /// A key can be named by who holds every fresh value in it; one without any can be named by everybody.
  private func holds(_ value: Value) -> Bool {
    switch value {
    case .string(let text):
      if text.isPlain { return true }
      if let (origin, _) = text.whole { return holds(origin) }
      return text.origins.allSatisfy { holds($0) }
    case .list(let elements): return elements.allSatisfy { holds($0) }
    case .map(let map): return map.entries.allSatisfy { holds($0.key) && holds($0.value) }
    case .optional(let inner?): return holds(inner)
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): return true
    }
  }

  private func holds(_ origin: Origin) -> Bool {
    switch origin {
    case .fresh(let name, let number, _): index(ofMade: name, number, isFresh: true) != nil
    case .identifier: true
    case .derived(_, let arguments): arguments.allSatisfy { holds($0) }
    }
  }
}

extension Flow {
  /// Whether no expression counts or goes through a table of a service.
  func mayDropRows(of key: Int, service: Int) -> Bool {
    services[service].model?.machine.mayDropRows[key] ?? false
  }
}
