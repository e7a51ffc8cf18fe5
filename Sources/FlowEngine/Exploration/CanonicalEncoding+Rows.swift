import Expressions
import FlowSpec

extension CanonicalEncoding {
  /// The stores of the services, last of all.
  ///
  /// A row is left out when its key is a fresh value that nothing holds that was added before it, where no expression
  /// counts or goes through its table: nobody can ask for it again. In such a table the order of the rows says nothing.
  mutating func add(services: [[Value]], of flow: Flow) {
    var waiting: [(service: Int, key: Int, entry: ValueMap.Entry)] = []
    for (service, store) in services.enumerated() {
      for (key, value) in store.enumerated() {
        guard case .map(let rows) = value, flow.mayDropRows(of: key, service: service) else {
          add(value)
          continue
        }
        for entry in rows.entries { waiting.append((service, key, entry)) }
      }
    }
    var isGrowing = true
    while isGrowing, !waiting.isEmpty {
      var left: [(service: Int, key: Int, entry: ValueMap.Entry)] = []
      for row in waiting {
        guard holds(row.entry.key) else {
          left.append(row)
          continue
        }
        writer.int(row.service)
        writer.int(row.key)
        add(row.entry.key)
        add(row.entry.value)
      }
      isGrowing = left.count < waiting.count
      waiting = left
    }
    writer.int(-1)
  }

  /// A key can be named by who holds every fresh value in it; one without any can be named by everybody.
  private func holds(_ value: Value) -> Bool {
    switch value {
    case .string(let text):
      text.isPlain || text.origins.allSatisfy(holds)
    case .list(let elements): elements.allSatisfy(holds)
    case .map(let map): map.entries.allSatisfy { holds($0.key) && holds($0.value) }
    case .optional(let inner?): holds(inner)
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): true
    }
  }

  private func holds(_ origin: Origin) -> Bool {
    switch origin {
    case .fresh(let name, let number, _): index(ofMade: name, number, isFresh: true) != nil
    case .identifier: true
    case .derived(_, let arguments): arguments.allSatisfy(holds)
    }
  }
}

extension Flow {
  /// Whether no expression counts or goes through a table of a service.
  func mayDropRows(of key: Int, service: Int) -> Bool {
    guard let machine = services[service].model?.machine, case .table = machine.store[key].shape else { return false }
    return !machine.traversed.contains(key)
  }
}
