import Expressions

extension Check {
  /// Expressions that look into a field that holds nothing but fresh values.
  static let looksIntoFresh: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.expressions.contains(where: { !$0.expression.facts.looks.isEmpty }) else { return [] }
    let fresh = examined.freshFields
    if fresh.isEmpty { return [] }
    return examined.expressions.flatMap { noted in
      noted.expression.facts.looks.filter { examined.field(at: $0.path).map(fresh.contains) == true }.map { look in
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

extension Examined {
  /// Keys and fields of rows that are set to nothing but what `fresh` or `newId` made, directly or by way of others.
  fileprivate var freshFields: Set<Field> {
    let written = writes
    var fresh: Set<Field> = []
    while true {
      let found = written.filter { field, writes in
        !fresh.contains(field) && !writes.isEmpty && writes.allSatisfy { $0.isFresh(given: fresh) }
      }
      if found.isEmpty { return fresh }
      fresh.formUnion(found.keys)
    }
  }

  private func keys(in area: Place.Area) -> [Key] { area == .store ? machine.store : machine.memory }

  /// What the declared names of a selection stand for; `nil` for what is no key.
  fileprivate func field(at path: [String]) -> Field? {
    guard path.count > 1, path[0] == "store" || path[0] == "memory" else { return nil }
    let area = path[0] == "store" ? Place.Area.store : .memory
    let keys = keys(in: area)
    guard let key = keys.firstIndex(where: { $0.name == path[1] }) else { return nil }
    guard path.count > 2 else { return Field(area: area, key: key, field: nil) }
    guard path.count == 3, let row = keys[key].rowType, let field = row.index(of: path[2]) else {
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
    for (field, write) in actions.flatMap(\.assignments).flatMap({ writes(of: $0) }) {
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

  func isFresh(given fields: Set<Field>) -> Bool {
    switch self {
    case .fresh: true
    case .copy(let field): fields.contains(field)
    case .other: false
    }
  }
}
