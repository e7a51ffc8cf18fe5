import FlowHTTP
import FlowInterpreter
import Testing

private let head = "HTTP/1.1 200 OK\r\n"

/// Answers with lines that are none of HTTP.
@Suite(.ownThreads) struct DamagedAnswerTests {
  @Test func chunkedGarbageIsALoss() async throws {
    for chunks in ["no chunk\r\ncanary\r\n", "2\r\nokcanary\r\n0\r\n\r\n"] {
      try await checkFailure(.lost, "what PEER answered is damaged") { caller in
        _ = caller.request()
        caller.send(head + "Transfer-Encoding: chunked\r\n\r\n" + chunks)
      }
    }
  }

  @Test func aTrailerThatIsNoneIsALoss() async throws {
    for trailer in ["canary", "x\0: canary"] {
      try await checkFailure(.lost, "what PEER answered is damaged") { caller in
        _ = caller.request()
        caller.send(head + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\(trailer)\r\n\r\n")
      }
    }
  }
}
