import Expressions

/// Keys that are surely null as they were cleared, by the names that expressions have for them, and where that was.
struct EmptiedKeys: Sendable {
  private(set) var sites: [String: Site] = [:]

  /// Behind an action: what it clears is not there until something sets it.
  func behind(_ action: Action) -> EmptiedKeys {
    var copy = sites.isEmpty ? self : without(action.assignments.map(\.place))
    for place in action.cleared { copy.note(place) }
    for assignment in action.assignments where assignment.value.isNothing { copy.note(assignment.place) }
    return copy
  }

  private mutating func note(_ place: Place) {
    if let name = place.nameOfValue, place.declared.initial.isNull { sites[name] = place.site }
  }

  func behind(_ actions: [Action]) -> EmptiedKeys { actions.reduce(self) { $0.behind($1) } }

  func without(_ places: [Place]) -> EmptiedKeys { without(names: places.compactMap(\.nameOfValue)) }

  /// Without those that expressions name so.
  func without(names: some Sequence<String>) -> EmptiedKeys {
    if sites.isEmpty { return self }
    var copy = self
    for name in names { copy.sites[name] = nil }
    return copy
  }

  /// Where a condition holds that looks whether some of them are there, nobody takes these for null.
  func testing(_ condition: Condition?) -> EmptiedKeys {
    guard let condition, !sites.isEmpty else { return self }
    var copy = self
    for name in condition.expressions.flatMap(\.expression.facts.tested) { copy.sites[name.withoutOptionals] = nil }
    return copy
  }

  /// Those of two ways that meet.
  func common(with other: EmptiedKeys) -> EmptiedKeys {
    var copy = self
    copy.sites = sites.filter { other.sites[$0.key] != nil }
    return copy
  }

  /// What an expression reads of them, and where that was cleared.
  ///
  /// Who tests it for null, or has a value for that, knows; what only a let reads may be guarded there.
  func first(in expression: Expression) -> (name: String, site: Site)? {
    if sites.isEmpty { return nil }
    let known = Set(expression.facts.tested.map(\.withoutOptionals))
    let source = expression.source.withoutOptionals
    for reading in expression.readings {
      // Of what is there beside others only a part may be read: `store.profile.name`.
      var dots = 0
      let name = reading.name.withoutOptionals.prefix {
        if $0 == "." { dots += 1 }
        return dots < 2 && $0 != "["
      }
      guard let site = sites[String(name)], !known.contains(String(name)) else { continue }
      if source.contains(name), !source.contains(name + ".orValue(") { return (String(name), site) }
    }
    return nil
  }
}
