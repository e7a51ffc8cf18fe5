import Expressions

extension Check {
  /// Expressions that look into a field that holds nothing but fresh values.
  static let looksIntoFresh: @Sendable (Examined) -> [Diagnostic] = { examined in
    let fresh = examined.freshFields
    return examined.expressions.flatMap { noted in
      noted.expression.looks.filter { fresh.contains($0.path) }.map { look in
        let range = look.problem.range
        let site = noted.site.inside((range.lowerBound + noted.offset)..<(range.upperBound + noted.offset))
        return Diagnostic(
          code: look.problem.code,
          message: "\"\(look.path.joined(separator: "."))\" holds a fresh value, and \(look.what) looks into it",
          labels: [Diagnostic.Label(site: site, text: "is different in every run")],
          help: "a fresh value can be passed on, compared for equality and hashed, not taken apart")
      }
    }
  }
}

/// An expression that was compiled, in the string that holds it: ranges count from its start.
struct NotedExpression: Sendable {
  let expression: Expression
  let site: Site
  let offset: Int
}

extension Examined {
  /// Keys and fields of rows that are set to nothing but what `fresh` or `newId` made, directly or by way of others.
  fileprivate var freshFields: Set<[String]> {
    let written = writes
    var fresh: Set<[String]> = []
    while true {
      let found = written.filter { path, writes in
        !fresh.contains(path) && !writes.isEmpty && writes.allSatisfy { $0.isFresh(given: fresh) }
      }
      if found.isEmpty { return fresh }
      fresh.formUnion(found.keys)
    }
  }

  /// What is written to each field; of one that starts with a value, that too.
  private var writes: [[String]: [Write]] {
    var found: [[String]: [Write]] = [:]
    for (area, keys) in [("store", machine.store), ("memory", machine.memory)] {
      for key in keys {
        for path in key.filledAtFirst { found[[area] + path, default: []].append(.other) }
      }
    }
    for action in actions {
      guard case .set(let assignments) = action.kind else { continue }
      for assignment in assignments {
        for (path, write) in self.writes(of: assignment) { found[path, default: []].append(write) }
      }
    }
    return found
  }

  private func writes(of assignment: Assignment) -> [([String], Write)] {
    let place = assignment.place
    let isStore = place.area == .store
    let key = (isStore ? machine.store : machine.memory)[place.key]
    let path = [isStore ? "store" : "memory", key.name]
    guard case .table(let row) = key.shape else { return [(path, Write(assignment.value))] }
    if let field = place.field { return [(path + [row.fields[field].name], Write(assignment.value))] }
    guard place.row != nil, case .object(let members) = assignment.value else {
      return row.fields.map { (path + [$0.name], .other) }
    }
    return members.map { (path + [$0.name], Write($0.value)) }
  }
}

extension Key {
  /// Its own path, or those of its rows' fields, where something stands before anything is set.
  fileprivate var filledAtFirst: [[String]] {
    guard case .table(let row) = shape else { return initial.isNull ? [] : [[name]] }
    let hasRows = initial.isPresent
    return zip(row.fields, rowInitials).filter { hasRows || !$1.isNull }.map { [name, $0.0.name] }
  }
}

/// What a field is set to, as far as it matters here.
private enum Write {
  case fresh
  /// What another field holds.
  case copy([String])
  case other

  init(_ value: ValueTemplate) {
    guard case .template(let placed) = value else {
      self = .other
      return
    }
    if placed.template.freshness == .whole {
      self = .fresh
    } else if placed.template.isAlone, let path = placed.template.expressions.first?.copied {
      self = .copy(path)
    } else {
      self = .other
    }
  }

  func isFresh(given fields: Set<[String]>) -> Bool {
    switch self {
    case .fresh: true
    case .copy(let path): fields.contains(path)
    case .other: false
    }
  }
}
