import Expressions

extension Check {
  /// Expressions that look into a field that holds nothing but fresh values.
  static let looksIntoFresh: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.expressions.contains(where: { !$0.expression.facts.looks.isEmpty }) else { return [] }
    let fields = Fields(examined)
    let fresh = fields.fresh
    if fresh.isEmpty { return [] }
    return examined.expressions.flatMap { noted in
      noted.expression.facts.looks.filter { fields.field(at: $0.path).map(fresh.contains) == true }.map { look in
        Diagnostic(
          look.problem.code,
          "\"\(look.path.joined(separator: "."))\" holds a fresh value, and \(look.what) looks into it",
          at: noted.site.inside(look.problem.range, from: noted.offset), "is different in every run",
          help: "a fresh value can be passed on, compared for equality and hashed, not taken apart")
      }
    }
  }
}

/// A key, or a field of a table's rows.
private struct Field: Hashable {
  let area: Place.Area
  let key: Int
  let field: Int?
}

/// The fields of a machine, and what is written to them.
private struct Fields {
  let examined: Examined
  /// Where the keys stand, by their names.
  private let places: [Place.Area: [String: Int]]

  init(_ examined: Examined) {
    self.examined = examined
    places = [Place.Area.store: examined.machine.store, .memory: examined.machine.memory].mapValues { keys in
      Dictionary(zip(keys.map(\.name), keys.indices)) { first, _ in first }
    }
  }

  /// Keys and fields of rows that are set to nothing but what `fresh` or `newId` made, directly or by way of others.
  var fresh: Set<Field> {
    // How many writes to each are not known to be fresh, and where each is copied to.
    var (open, copies): ([Field: Int], [Field: [Field]]) = ([:], [:])
    for (field, writes) in writes {
      open[field] = writes.count { !$0.isFresh }
      for case .copy(let source) in writes { copies[source, default: []].append(field) }
    }
    var pending = open.filter { $0.value == 0 }.map(\.key)
    var fresh = Set(pending)
    while let field = pending.popLast() {
      for copy in copies[field] ?? [] {
        open[copy, default: 0] -= 1
        if open[copy] == 0, fresh.insert(copy).inserted { pending.append(copy) }
      }
    }
    return fresh
  }

  private func keys(in area: Place.Area) -> [Key] {
    area == .store ? examined.machine.store : examined.machine.memory
  }

  /// What the declared names of a selection stand for; `nil` for what is no key.
  func field(at path: [String]) -> Field? {
    guard path.count > 1, path[0] == "store" || path[0] == "memory" else { return nil }
    let area = path[0] == "store" ? Place.Area.store : .memory
    guard let key = places[area]?[path[1]] else { return nil }
    guard path.count > 2 else { return Field(area: area, key: key, field: nil) }
    guard path.count == 3, let row = keys(in: area)[key].rowType, let field = row.index(of: path[2]) else {
      return nil
    }
    return Field(area: area, key: key, field: field)
  }

  /// What is written to each field; of one that starts with a value, that too.
  private var writes: [Field: [Write]] {
    var found: [Field: [Write]] = [:]
    for area in [Place.Area.store, .memory] {
      for (index, key) in keys(in: area).enumerated() {
        for field in key.filledAtFirst {
          found[Field(area: area, key: index, field: field), default: []].append(.other)
        }
      }
    }
    for (field, write) in examined.actions.flatMap(\.assignments).flatMap({ writes(of: $0) }) {
      found[field, default: []].append(write)
    }
    return found
  }

  private func writes(of assignment: Assignment) -> [(Field, Write)] {
    let place = assignment.place
    func field(_ index: Int?) -> Field { Field(area: place.area, key: place.key, field: index) }
    guard let row = keys(in: place.area)[place.key].rowType, place.field == nil else {
      return [(field(place.field), write(assignment.value))]
    }
    guard place.row != nil, case .object(let members) = assignment.value else {
      return row.fields.indices.map { (field($0), .other) }
    }
    return members.compactMap { member in row.index(of: member.name).map { (field($0), write(member.value)) } }
  }

  private func write(_ value: ValueTemplate) -> Write {
    guard case .template(let placed) = value else { return .other }
    if placed.template.freshness == .whole { return .fresh }
    guard placed.template.isAlone, let path = placed.template.expressions.first?.copied else { return .other }
    return field(at: path).map { .copy($0) } ?? .other
  }
}

extension Key {
  /// Itself (`nil`), or those of its rows' fields, where something stands before anything is set.
  fileprivate var filledAtFirst: [Int?] {
    guard let row = rowType else { return initial.isNull ? [] : [nil] }
    let hasRows = initial.isPresent
    return row.fields.indices.filter { hasRows || !rowKeepings[$0].initial.value.isNull }
  }
}

/// What a field is set to, as far as it matters here.
private enum Write {
  case fresh
  /// What another field holds.
  case copy(Field)
  case other

  var isFresh: Bool { if case .fresh = self { true } else { false } }
}
