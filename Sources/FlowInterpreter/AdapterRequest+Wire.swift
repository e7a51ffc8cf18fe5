import Expressions
import FlowEngine
import FlowSpec

extension AdapterRequest {
  /// What stands in a flight, with its real values; throws where that cannot be written down as HTTP.
  init(_ flight: Flight, timeout: Duration, of world: World, in snapshot: Snapshot) throws(AdapterFailure) {
    let request = flight.request
    var headers = request.headers.map { AdapterHeader($0.name.lowercased(), $0.value.asText?.string ?? "") }
    if let bearer = request.bearer { headers.append(AdapterHeader("authorization", "Bearer \(bearer.string)")) }
    if !request.cookies.isEmpty {
      let pairs = request.cookies.map { "\($0.name)=\($0.value.asText?.string ?? "")" }
      headers.append(AdapterHeader("cookie", pairs.joined(separator: "; ")))
    }
    if let body = request.body, !headers.contains(where: { $0.name == "content-type" }) {
      headers.append(AdapterHeader("content-type", body.type))
    }
    for header in headers where !(header.name + header.value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) {
      throw AdapterFailure(.unreachable, reason: "the value of header \(header.name) holds a control character")
    }
    self.init(
      service: world.flow.participants[world.flow.services[request.service].participant].name, method: request.method,
      url: world.text(of: Location(of: request), config: snapshot.app.config).string, headers: headers,
      body: request.body.map { Array($0.wire.utf8) }, timeout: timeout)
  }
}

extension Body {
  /// The text that travels.
  fileprivate var wire: String {
    switch self {
    case .json(let value): value.jsonText.string
    case .form(let fields): PercentEncoding.form(fields).string
    case .text(let text): text.string
    }
  }
}
