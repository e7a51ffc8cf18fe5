import Expressions
import FlowSpec

extension TraceWriter {
  mutating func shownPath(_ segments: [Text]) -> String {
    if segments.isEmpty { return "/" }
    var path = ""
    for segment in segments { path += "/" + aliases.shownInURL(segment, inPath: true) }
    return path
  }

  /// The address in full, percent-encoded but for the aliases; `isWhole` where it has a path even if that is empty.
  mutating func shown(_ location: Location, isWhole: Bool = false) -> String {
    var address = ""
    address.reserveCapacity(256)
    switch location.base {
    case .elsewhere(let origin): address += aliases.shown(origin)
    case .service(let index):
      let base = location.origin ?? (bases.indices.contains(index) ? bases[index] : nil)
      if let base { address += aliases.shown(base) }
    }
    if isWhole || !location.path.isEmpty || location.base.isService { address += shownPath(location.path) }
    for (index, parameter) in location.query.enumerated() {
      address += index == 0 ? "?" : "&"
      address += Expressions.percentEncoded(parameter.name) + "="
      if let text = parameter.value.asText { address += aliases.shownInURL(text) }
    }
    return address
  }
}

extension Location.Base {
  fileprivate var isService: Bool {
    if case .service = self { true } else { false }
  }
}

extension World {
  /// The address before each service's paths, without a slash at its end.
  func bases(config: [Value]) -> [Text] {
    if let book, book.config == config { return book.texts }
    return flow.services.indices.map { service in
      let address = text(of: Location(base: .service(service), path: [], query: []), config: config)
      let length = address.string.utf8.count
      return address.string.hasSuffix("/") ? address.slice(0..<(length - 1)) ?? address : address
    }
  }
}
