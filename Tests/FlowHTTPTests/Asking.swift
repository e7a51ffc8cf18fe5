import FlowHTTP
import FlowInterpreter
import Testing

/// What a test asks of a peer; secrets stand everywhere, to be found where they should not be.
struct Question {
  var method = "POST"
  var path = "/token?code=canary-query"
  var headers = [AdapterHeader("authorization", "Bearer canary-header"), AdapterHeader("x-first", "1")]
  var body: [UInt8]? = Array("canary-body".utf8)
  var timeout = Duration.seconds(30)

  static let get = Question(method: "GET", body: nil)

  func ask(_ url: String, by adapter: HTTPAdapter) async throws(AdapterFailure) -> AdapterResponse {
    try await adapter.answer(
      to: AdapterRequest(
        service: "server", method: method, url: url + path, headers: headers, body: body, timeout: timeout))
  }
}

extension HTTPAdapter {
  /// Small limits keep the tests quick.
  static func forTests(_ change: (inout HTTPOptions) -> Void = { _ in }) throws -> HTTPAdapter {
    var options = HTTPOptions()
    options.connectTimeout = .seconds(30)
    change(&options)
    return try HTTPAdapter(options)
  }
}

/// Asks a peer that serves so, and holds the failure against what it should be: `PEER` stands for host and port.
func checkFailure(
  _ kind: AdapterFailure.Kind, _ reason: String, to question: Question = Question(),
  within limit: Duration = .seconds(60),
  sourceLocation: SourceLocation = #_sourceLocation, serve: @escaping @Sendable (Caller) -> Void
) async throws {
  let peer = Peer(serve)
  try await checkFailure(kind, reason, of: peer.url, to: question, within: limit, sourceLocation: sourceLocation)
}

func checkFailure(
  _ kind: AdapterFailure.Kind, _ reason: String, of url: String, to question: Question = Question(),
  within limit: Duration = .seconds(60), by adapter: HTTPAdapter? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let adapter = try adapter ?? HTTPAdapter.forTests()
  let start = ContinuousClock.now
  let failure = await #expect(throws: AdapterFailure.self, sourceLocation: sourceLocation) {
    try await question.ask(url, by: adapter)
  }
  let authority = url.split(separator: "/").last ?? ""
  let expected = AdapterFailure(kind, reason: reason.replacing("PEER", with: authority))
  #expect(failure == expected, sourceLocation: sourceLocation)
  #expect(failure?.reason.contains("canary") == false, sourceLocation: sourceLocation)
  #expect(.now - start < limit, sourceLocation: sourceLocation)
}

/// Asks a peer that serves so; gives the answer, and the peer for what it has seen.
func answer(
  to question: Question = Question(), serve: @escaping @Sendable (Caller) -> Void
) async throws -> (AdapterResponse, Peer) {
  let peer = Peer(serve)
  return (try await question.ask(peer.url, by: .forTests()), peer)
}
