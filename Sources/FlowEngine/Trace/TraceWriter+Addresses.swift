import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  /// As a part of a string.
  mutating func writePath(_ segments: [Text]) {
    if segments.isEmpty { return line.part("/") }
    for segment in segments {
      line.part("/")
      aliases.writePart(segment, as: .path, to: &line)
    }
  }

  /// The address in full, percent-encoded but for the aliases; `isWhole` where it has a path even if that is empty.
  mutating func write(_ name: StaticString, _ location: Location, isWhole: Bool = false) {
    line.name(name)
    line.beginString()
    switch location.base {
    case .elsewhere(let origin): aliases.writePart(origin, as: .text, to: &line)
    case .service(let index):
      let base = location.origin ?? (bases.indices.contains(index) ? bases[index] : nil)
      if let base { aliases.writePart(base, as: .text, to: &line) }
    }
    if isWhole || !location.path.isEmpty || location.base.isService { writePath(location.path) }
    var separator = "?"
    for index in location.query.indices {
      line.part(separator)
      line.part(Expressions.percentEncoded(location.query[index].name))
      line.part("=")
      if let text = location.query[index].value.asText { aliases.writePart(text, as: .query, to: &line) }
      separator = "&"
    }
    line.endString()
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
