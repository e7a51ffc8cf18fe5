import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  /// As a part of a string.
  mutating func writePath(_ segments: [Text], isRootless: Bool = false, to line: inout JSONLine) {
    if segments.isEmpty, !isRootless { return line.raw("/") }
    for index in segments.indices {
      if index > 0 || !isRootless { line.raw("/") }
      aliases.writePart(segments[index], in: .path, to: &line)
    }
  }

  /// The address in full, percent-encoded but for the aliases; `isWhole` where it has a path even if that is empty.
  mutating func write(_ name: StaticString, _ location: Location, isWhole: Bool = false, to line: inout JSONLine) {
    var isWhole = isWhole
    line.name(name)
    line.raw("\"")
    switch location.base {
    case .elsewhere(let origin):
      aliases.writePart(origin, in: .text, to: &line)
      // Behind a scheme alone a slash makes another address.
      if origin.string.utf8.last == UInt8(ascii: ":") { isWhole = true }
    case .service(let index):
      let base = location.origin ?? (bases.indices.contains(index) ? bases[index] : nil)
      if let base { aliases.writePart(base, in: .text, to: &line) }
      isWhole = true
    }
    if isWhole || !location.path.isEmpty { writePath(location.path, isRootless: location.isRootless, to: &line) }
    for index in location.query.indices {
      line.raw(index == 0 ? "?" : "&")
      if let name = location.query[index].key.text { aliases.writePart(name, in: .query, to: &line) }
      line.raw("=")
      if let text = location.query[index].value.asText { aliases.writePart(text, in: .query, to: &line) }
    }
    if let fragment = location.fragment {
      line.raw("#")
      // What no address has in it is escaped already.
      aliases.writePart(fragment, in: .text, to: &line)
    }
    line.raw("\"")
  }
}
