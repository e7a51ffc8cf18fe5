import Expressions
import FlowSpec

/// What leads to the app carries what the app's events call secret: it is so on its way already.
extension Step {
  /// An address with the secrets marked that a redirect URI or a link of the app brings.
  func markedForApp(_ location: Location, services: [Int]) -> Location {
    if (try? isRedirectURI(location)) == true {
      let event = flow.app.events.firstIndex { $0.kind == .browserRedirected }
      return marked(location, as: event)
    }
    guard let pattern = flow.links.first(where: { match(location, $0) != nil }) else { return location }
    var location = marked(location, as: pattern.event)
    // The base of a participant may cover the beginning of the pattern.
    let covered = pattern.segments.count - location.path.count
    for (index, segment) in pattern.segments.enumerated() {
      guard let name = segment.variable, location.path.indices.contains(index - covered) else { continue }
      location.path[index - covered] = segment.replacing(in: location.path[index - covered]) { text in
        let field = NamedValue(name: name, value: .string(text))
        return marked(marked(field, part: .path, services: services), as: pattern.event).value.text ?? text
      }
    }
    return location
  }

  private func marked(_ location: Location, as event: Int?) -> Location {
    var location = location
    location.query = location.query.map { marked($0, as: event) }
    return location
  }

  private func marked(_ field: NamedValue, as event: Int?) -> NamedValue {
    guard let event, let declared = flow.app.events[event].fields.fields.first(where: { $0.name == field.name }) else {
      return field
    }
    return NamedValue(name: field.name, value: declared.marked(field.value))
  }
}
