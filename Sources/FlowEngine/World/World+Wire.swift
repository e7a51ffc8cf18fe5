import Expressions
import FlowSpec

/// A request as it goes over the wire, with its real values.
package struct WireRequest: Sendable {
  package struct Header: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      (self.name, self.value) = (name, value)
    }
  }
  package var method: String
  /// Absolute, percent-encoded.
  package var url: String
  /// Names in lower case.
  package var headers: [Header]
  package var body: [UInt8]?
}

/// Why a request cannot be written down as HTTP.
package struct NotWritable: Error, Sendable {
  /// Shows no value.
  package var reason: String
}

extension World {
  package func wire(_ request: Request, config: [Value]) throws(NotWritable) -> WireRequest {
    // Percent-encoded they mean the same to many servers, so nothing can be sent that means the text.
    guard !request.path.contains(where: { [".", ".."].contains($0.string) }) else {
      throw NotWritable(
        reason: "a segment of the path is \".\" or \"..\", which would lead elsewhere (RFC 3986, 5.2.4)")
    }
    var wire = WireRequest(
      method: request.method, url: text(of: Location(of: request), config: config).string, headers: [])
    for field in request.headers {
      wire.headers.append(.init(name: field.name.lowercased(), value: field.value.asText?.string ?? ""))
    }
    if let bearer = request.bearer {
      wire.headers.append(.init(name: "authorization", value: "Bearer \(bearer.string)"))
    }
    if !request.cookies.isEmpty {
      let pairs = request.cookies.map { "\($0.name)=\($0.value.asText?.string ?? "")" }
      wire.headers.append(.init(name: "cookie", value: pairs.joined(separator: "; ")))
    }
    if let (type, text) = request.body?.wire {
      wire.body = Array(text.utf8)
      if !wire.headers.contains(where: { $0.name == "content-type" }) {
        wire.headers.append(.init(name: "content-type", value: type))
      }
    }
    for header in wire.headers where !(header.name + header.value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) {
      throw NotWritable(reason: "the value of header \(header.name) holds a control character")
    }
    return wire
  }
}

extension Body {
  /// The text that travels, with the type that it has unless the author says another.
  fileprivate var wire: (type: String, text: String) {
    switch self {
    case .json(let value): ("application/json", value.jsonText.string)
    case .form(let fields): ("application/x-www-form-urlencoded", PercentEncoding.form(fields).string)
    case .text(let text): ("text/plain;charset=utf-8", text.string)
    }
  }
}

extension Response {
  /// A response as it came over the wire; a body that is no UTF-8 is mended with U+FFFD.
  package convenience init(status: Int, headers: [WireRequest.Header], body: [UInt8]) {
    self.init(
      Parts(
        status: status,
        headers: headers.map { NamedValue(name: $0.name.lowercased(), value: .string($0.value)) },
        body: body.isEmpty ? nil : .text(Text(String(decoding: body, as: UTF8.self)))))
  }
}
