import Expressions
import FlowSpec

/// What leads to the app carries what the app's events call secret: it is so on its way already.
extension Step {
  /// Marks in an address the secrets that a redirect URI or a link of the app brings.
  mutating func markForApp(_ location: inout Location, secrets: SecretNames) {
    if isRedirectURI(location) { return mark(&location.query, as: flow.app.redirected) }
    guard !flow.links.isEmpty, let pattern = flow.links.first(where: { match(location, $0) != nil }) else { return }
    mark(&location.query, as: pattern.event)
    let words = words(of: location)
    for (place, segment) in pattern.variables(in: location) where !words.contains(place) {
      guard let name = segment.variable else { continue }
      location.path[place] = segment.replacing(in: location.path[place]) { text in
        var fields = [NamedValue(name: name, value: .string(text))]
        fields.mark(under: secrets.path)
        mark(&fields, as: pattern.event)
        return fields[0].value.text ?? text
      }
    }
  }

  /// Where a page of the model's own has a word in its path: `/welcome/help` matches `/welcome/{token}` and has no token.
  private mutating func words(of location: Location) -> Set<Int> {
    guard case .service(let service) = location.base, let model = flow.services[service].model,
      let page = model.routes.first(where: { $0.takes("GET", location.path) })
    else { return [] }
    return Set(page.path.segments.indices.filter { page.path.segments[$0].variable == nil })
  }

  /// By the name that the event declares, however an address composes it.
  private mutating func mark(_ fields: inout [NamedValue], as event: Int?) {
    guard let event else { return }
    let names = flow.app.events[event].secretNames
    for index in fields.indices where !fields[index].value.isWhollySecret {
      guard let declared = names.index(of: fields[index].name) else { continue }
      fields[index].value.mark(secret: names.all[declared])
    }
  }
}

extension LinkPattern {
  /// The variables that stand in the path of an address that matches, each with its place there.
  func variables(in location: Location) -> [(place: Int, segment: PathPattern.Segment)] {
    // The base of a participant may cover the beginning of the pattern.
    let covered = segments.count - location.path.count
    return segments.enumerated().compactMap { index, segment in
      let place = index - covered
      return segment.variable != nil && location.path.indices.contains(place) ? (place, segment) : nil
    }
  }
}
