import Expressions
import FlowSpec

/// A fresh value, by what makes it itself.
private struct FreshName: Hashable {
  var name: String
  var number: Int
}

extension World {
  /// Drops the rows of services' tables whose key is a fresh value that nothing holds any more, where no expression
  /// counts or goes through the table: nobody can ask for them again.
  func dropUnreachableRows(_ snapshot: inout Snapshot) {
    guard snapshot.services.contains(where: { $0.contains { $0.hasRows } }) else { return }
    var held = Holdings()
    held.add(outside: snapshot)
    var waiting: [(service: Int, key: Int, entry: ValueMap.Entry)] = []
    for (service, store) in snapshot.services.enumerated() {
      for (key, value) in store.enumerated() {
        guard case .map(let rows) = value, isDroppable(key, service: service) else {
          held.add(value)
          continue
        }
        waiting += rows.entries.map { (service, key, $0) }
      }
    }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      waiting.removeAll { candidate in
        guard held.reaches(candidate.entry.key) else { return false }
        held.add(candidate.entry.key)
        held.add(candidate.entry.value)
        isGrowing = true
        return true
      }
    }
    for dropped in waiting { snapshot.services[dropped.service][dropped.key].removeRow(dropped.entry.key) }
  }

  private func isDroppable(_ key: Int, service: Int) -> Bool {
    guard let machine = flow.services[service].model?.machine, case .table = machine.store[key].shape else {
      return false
    }
    return !machine.traversed.contains(key)
  }
}

/// The fresh values that something can still use.
private struct Holdings {
  private var names: Set<FreshName> = []

  /// A key can be named by who holds every fresh value in it; one without any can be named by everybody.
  func reaches(_ key: Value) -> Bool {
    var needed = Holdings()
    needed.add(key)
    return needed.names.isSubset(of: names)
  }

  mutating func add(_ values: [Value]) { for value in values { add(value) } }

  mutating func add(_ value: Value) {
    switch value {
    case .string(let text): add(text)
    case .list(let elements): add(elements)
    case .map(let map):
      for entry in map.entries {
        add(entry.key)
        add(entry.value)
      }
    case .optional(let inner?): add(inner)
    case .null, .bool, .int, .double, .timestamp, .duration, .optional(nil): break
    }
  }

  mutating func add(_ text: Text) {
    if !text.isPlain { for origin in text.origins { add(origin) } }
  }

  private mutating func add(_ origin: Origin) {
    switch origin {
    case .fresh(let name, let number, _): names.insert(FreshName(name: name, number: number))
    case .identifier: break
    case .derived(_, let arguments): add(arguments)
    }
  }

  mutating func add(outside snapshot: Snapshot) {
    add(snapshot.app.config)
    add(snapshot.app.store)
    if let run = snapshot.app.run { add(run) }
    for offer in snapshot.app.offers { add(offer.fields) }
    for cookie in snapshot.browser.jar { add(cookie.value) }
    switch snapshot.browser.tab?.content {
    case .page(let page): add(page)
    case .unreachable(let asked):
      add(asked.location)
      add((asked.form ?? []).map(\.value))
    case .outside(let location): add(location)
    case .loading, nil: break
    }
    for mail in snapshot.inbox { add(mail) }
    for flight in snapshot.flights { add(flight) }
    for exchange in snapshot.exchanges {
      add(exchange.request)
      add(exchange.run)
      for mail in exchange.mail { add(mail) }
    }
  }

  private mutating func add(_ run: MachineRun) {
    add(run.memory)
    for level in run.levels {
      add(level.lastResponse ?? [])
      if case .device(let input) = level.waiting { add(input) }
    }
  }

  private mutating func add(_ page: ShownPage) {
    add(page.title)
    if let text = page.text { add(text) }
    for form in page.forms {
      add(form.target)
      add(form.examples.compactMap(\.self))
    }
    for link in page.links { add(link.target) }
  }

  private mutating func add(_ location: Location) {
    for segment in location.path { add(segment) }
    add(location.query.map(\.value))
  }

  private mutating func add(_ mail: Mail) {
    if let to = mail.to { add(to) }
    if let subject = mail.subject { add(subject) }
    for link in mail.links { add(link.location) }
  }

  private mutating func add(_ flight: Flight) {
    let request = flight.request
    for segment in request.path { add(segment) }
    add((request.query + request.headers + request.cookies).map(\.value))
    if let bearer = request.bearer { add(bearer) }
    switch request.body {
    case .json(let value): add(value)
    case .form(let fields): add(fields.map(\.value))
    case .text(let text): add(text)
    case nil: break
    }
    guard case .held(_, .response(let response), _, _) = flight.stage else { return }
    add((response.headers + response.cookies).map(\.value))
    switch response.body {
    case .json(let value): add(value)
    case .form(let fields): add(fields.map(\.value))
    case .text(let text): add(text)
    case .page(let page): add(page)
    case nil: break
    }
    if let location = response.location { add(location) }
  }
}

extension Value {
  fileprivate var hasRows: Bool { if case .map(let rows) = self { !rows.isEmpty } else { false } }

  fileprivate mutating func removeRow(_ key: Value) {
    guard case .map(var rows) = self else { return }
    rows[key] = nil
    self = .map(rows)
  }
}
