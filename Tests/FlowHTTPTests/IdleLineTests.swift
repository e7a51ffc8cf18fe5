import FlowInterpreter
import Testing

@testable import FlowHTTP

@Suite(.ownThreads) struct IdleLineTests {
  @Test func aLineThatIsNotInUseHoldsNoAnswer() async throws {
    let peer = Peer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    // Loads libcurl.
    _ = try HTTPAdapter.forTests()
    let request = AdapterRequest(
      service: "server", method: "GET", url: peer.url + "/", headers: [], body: nil, timeout: .seconds(30))
    let (lines, destination) = (Lines(HTTPOptions()), try Destination(of: request))
    let line = lines.take(to: destination)
    line.start(request, headers: [])
    await line.finish()
    #expect(AnswerHead(of: line.outcome)?.status == 200)
    lines.keep(line)
    #expect(lines.take(to: destination) === line && AnswerHead(of: line.outcome) == nil)
  }
}
