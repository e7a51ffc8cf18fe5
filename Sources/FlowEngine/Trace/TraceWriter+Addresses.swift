import Expressions
import FlowSpec

extension TraceWriter {
  mutating func shownPath(_ segments: [Text]) -> String {
    if segments.isEmpty { return "/" }
    var path = ""
    for segment in segments { path += "/" + aliases.shown(segment, allowing: .pathSegment) }
    return path
  }

  /// The address in full, percent-encoded but for the aliases.
  mutating func shown(_ location: Location) -> String {
    var address: String
    switch location.base {
    case .elsewhere(let origin): address = origin
    case .service(let index): address = bases.indices.contains(index) ? bases[index] : ""
    }
    if !location.path.isEmpty || location.base.isService { address += shownPath(location.path) }
    for (index, parameter) in location.query.enumerated() {
      address += index == 0 ? "?" : "&"
      address += PercentEncoding.query.encode(parameter.name) + "="
      if let text = parameter.value.text { address += aliases.shown(text, allowing: .query) }
    }
    return address
  }
}

extension Location.Base {
  fileprivate var isService: Bool {
    if case .service = self { true } else { false }
  }
}

extension Flow {
  /// The address of each service as this scenario's `config` makes it; the participant's name where it has none.
  func bases(in scenario: Scenario?) -> [String] {
    var config = app.config.map(\.value)
    for given in scenario?.given.config ?? [] where config.indices.contains(given.key) {
      config[given.key] = given.value
    }
    var frame = Frame(roots: Array(repeating: [], count: Root.allCases.count))
    frame.roots[Root.config.rawValue] = config
    return services.map { service in
      let url = try? service.url?.template.evaluate(&frame)
      let name = participants[service.participant].name
      guard let text = url?.text?.string else { return "\(name):" }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
  }
}
