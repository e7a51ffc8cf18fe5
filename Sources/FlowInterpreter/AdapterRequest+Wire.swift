import Expressions
import FlowEngine
import FlowSpec

extension AdapterRequest {
  /// What stands in a flight, with its real values; throws where that cannot be written down as HTTP.
  init(_ flight: Flight, timeout: Duration, of world: World, in snapshot: Snapshot) throws(AdapterFailure) {
    let request = flight.request
    if let reason = request.whyUnsent { throw AdapterFailure(.unreachable, reason: reason) }
    var headers = request.headers.map { AdapterHeader($0.name.lowercased(), $0.value.asText?.string ?? "") }
    if let bearer = request.bearer { headers.append(AdapterHeader("authorization", "Bearer \(bearer.string)")) }
    if let body = request.body, !headers.contains(where: { $0.name == "content-type" }) {
      headers.append(AdapterHeader("content-type", body.type))
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
