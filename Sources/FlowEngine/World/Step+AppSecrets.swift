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
    let words = words(of: location)
    for (index, segment) in pattern.segments.enumerated() {
      guard let name = segment.variable, location.path.indices.contains(index - covered),
        !words.contains(index - covered)
      else { continue }
      location.path[index - covered] = segment.replacing(in: location.path[index - covered]) { text in
        let field = NamedValue(name: name, value: .string(text))
        return marked(marked(field, part: .path, services: services), as: pattern.event).value.text ?? text
      }
    }
    return location
  }

  /// Where a page of the model's own has a word in its path: `/welcome/help` matches `/welcome/{token}` and has no token.
  private func words(of location: Location) -> Set<Int> {
    guard case .service(let service) = location.base, let model = flow.services[service].model,
      let page = model.routes.first(where: { $0.method == "GET" && $0.path.segments.matches(location.path) })
    else { return [] }
    return Set(page.path.segments.indices.filter { page.path.segments[$0].isWord })
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

extension PathPattern.Segment {
  fileprivate var isWord: Bool {
    if case .literal = self { true } else { false }
  }
}
