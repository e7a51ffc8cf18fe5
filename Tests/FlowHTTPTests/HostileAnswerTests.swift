import FlowHTTP
import FlowInterpreter
import Foundation
import Synchronization
import Testing

private let head = "HTTP/1.1 200 OK\r\n"

/// Holds what an answer gives, and that it was asked for once.
private func checkAnswer(
  _ status: Int, _ body: String, to question: Question = Question(), sourceLocation: SourceLocation = #_sourceLocation,
  serve: @escaping @Sendable (Caller) -> Void
) async throws -> AdapterResponse {
  let (response, peer) = try await answer(to: question, serve: serve)
  #expect(response.status == status, sourceLocation: sourceLocation)
  #expect(String(decoding: response.body, as: UTF8.self) == body, sourceLocation: sourceLocation)
  #expect(peer.requests.count == 1, sourceLocation: sourceLocation)
  return response
}

@Suite(.ownThreads) struct HostileAnswerTests {
  @Test func slowHeadersAreCutOffAtTheTimeout() async throws {
    try await checkFailure(.lost, "no whole answer of PEER in time", to: Question(timeout: .milliseconds(800))) {
      caller in
      _ = caller.request()
      for byte in (head + "x: 1\r\n").utf8 where caller.send([byte]) { Thread.sleep(forTimeInterval: 0.05) }
    }
  }

  @Test func silenceIsCutOffAtTheTimeout() async throws {
    let (closed, closing) = AsyncStream.makeStream(of: Bool.self)
    try await checkFailure(.lost, "no whole answer of PEER in time", to: Question(timeout: .seconds(1))) {
      caller in
      _ = caller.request()
      closing.yield(caller.isClosedByCaller())
    }
    var seen = closed.makeAsyncIterator()
    #expect(await seen.next() == true)
  }

  @Test func aTimeoutIsExact() async throws {
    let start = ContinuousClock.now
    try await checkFailure(.lost, "no whole answer of PEER in time", to: Question(timeout: .milliseconds(834))) {
      caller in
      _ = caller.request()
      _ = caller.isClosedByCaller()
    }
    #expect(.now - start >= .milliseconds(834))
  }

  @Test func aResetInTheMiddleIsALoss() async throws {
    try await checkFailure(.lost, "the connection to PEER broke") { caller in
      _ = caller.request()
      caller.send(head + "Content-Length: 100\r\n\r\ncanary")
      Thread.sleep(forTimeInterval: 0.05)
      caller.reset()
    }
    try await checkFailure(.lost, "the connection to PEER broke") { caller in
      _ = caller.request()
      caller.reset()
    }
  }

  @Test func aBodyWithoutEndStopsAtTheCap() async throws {
    let mebibyte = [UInt8](repeating: 0x61, count: 1 << 20)
    for start in ["Content-Length: 1073741824\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n40000000\r\n", "\r\n"] {
      let sent = Mutex(0)
      try await checkFailure(.lost, "what PEER answered is larger than 8388608 bytes") { caller in
        _ = caller.request()
        caller.send(head + start)
        while sent.withLock(\.self) < 1024, caller.send(mebibyte) { sent.withLock { $0 += 1 } }
      }
      // What the system buffers on the way comes on top.
      #expect(sent.withLock(\.self) < 32, "MiB")
    }
  }

  @Test func aGzipBombStopsAtTheCap() async throws {
    let bomb = Deflate.zeros(256 << 20)
    #expect(bomb.count < 2 << 20)
    try await checkFailure(.lost, "what PEER answered is larger than 8388608 bytes") { caller in
      _ = caller.request()
      caller.send(head + "Content-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
      caller.send(bomb)
    }
  }

  @Test func gzipIsUndone() async throws {
    let text = Deflate.gzip("told in few words")
    let response = try await checkAnswer(200, "told in few words") { caller in
      _ = caller.request()
      caller.send(head + "Content-Encoding: gzip\r\nContent-Length: \(text.count)\r\n\r\n")
      caller.send(text)
    }
    #expect(response.headers.contains(AdapterHeader("Content-Encoding", "gzip")))
    try await checkFailure(.lost, "what PEER answered cannot be decoded") { caller in
      _ = caller.request()
      caller.send(head + "Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\nno gzip!!")
    }
  }

  @Test func gzipMoreThanTwiceIsALoss() async throws {
    func answer(_ times: Int) -> @Sendable (Caller) -> Void {
      let body = Deflate.gzip("told", times: times)
      let codings = String(repeating: "gzip, ", count: times)
      return { caller in
        _ = caller.request()
        caller.send(head + "Content-Encoding: \(codings)\r\nContent-Length: \(body.count)\r\n\r\n")
        caller.send(body)
      }
    }
    _ = try await checkAnswer(200, "told", serve: answer(2))
    try await checkFailure(.lost, "what PEER answered cannot be decoded", serve: answer(3))
  }

  @Test func gzipThatIsCutOffIsALoss() async throws {
    let text = Deflate.gzip("told in few words")
    for count in [1, 5, 9, 12, 20, text.count - 9, text.count - 8, text.count - 4, text.count - 1] {
      try await checkFailure(.lost, "what PEER answered is cut off") { caller in
        _ = caller.request()
        caller.send(head + "Content-Encoding: gzip\r\nContent-Length: \(count)\r\n\r\n")
        caller.send(Array(text[..<count]))
      }
    }
    // Closed by the peer, it has no other end.
    try await checkFailure(.lost, "what PEER answered is cut off") { caller in
      _ = caller.request()
      caller.send(head + "Content-Encoding: gzip\r\n\r\n")
      caller.send(Array(text.dropLast(8)))
    }
  }

  @Test func gzipThatIsDamagedIsALoss() async throws {
    var text = Deflate.gzip("told in few words")
    text[text.count - 1] ^= 1
    for body in [text, Deflate.gzip("told in few words") + [1, 2]] {
      try await checkFailure(.lost, "what PEER answered cannot be decoded") { caller in
        _ = caller.request()
        caller.send(head + "Content-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
        caller.send(body)
      }
    }
  }

  @Test func anEncodingThatWasNotAskedForIsALoss() async throws {
    for encoding in ["br", "deflate", "gzip, gzip", "gzip\r\nContent-Encoding: gzip"] {
      try await checkFailure(.lost, "what PEER answered cannot be decoded") { caller in
        _ = caller.request()
        caller.send(head + "Content-Encoding: \(encoding)\r\nContent-Length: 6\r\n\r\ncanary")
      }
    }
  }

  @Test func twoPlacesToGoToAreALoss() async throws {
    try await checkFailure(.lost, "what PEER answered leads to two places") { caller in
      _ = caller.request()
      caller.send("HTTP/1.1 302 Go\r\nLocation: /a\r\nlocation: /canary\r\nContent-Length: 0\r\n\r\n")
    }
    let response = try await checkAnswer(302, "") { caller in
      _ = caller.request()
      caller.send("HTTP/1.1 302 Go\r\nLocation: /a\r\nlocation: /a\r\nContent-Length: 0\r\n\r\n")
    }
    #expect(response.headers.first == AdapterHeader("Location", "/a"))
  }

  @Test func aBodyShorterThanItsLengthIsALoss() async throws {
    try await checkFailure(.lost, "what PEER answered is cut off") { caller in
      _ = caller.request()
      caller.send(head + "Content-Length: 100\r\n\r\ncanary")
    }
    try await checkFailure(.lost, "what PEER answered is cut off") { caller in
      _ = caller.request()
      caller.send(head + "Transfer-Encoding: chunked\r\n\r\n20\r\ncanary")
    }
  }

  @Test func aBodyLongerThanItsLengthEndsThere() async throws {
    _ = try await checkAnswer(200, "short") { caller in
      _ = caller.request()
      caller.send(head + "Content-Length: 5\r\n\r\nshort and more")
    }
  }

  @Test func aLengthThatIsNoNumberIsALoss() async throws {
    for length in ["5canary", "99999999999999999999999"] {
      try await checkFailure(.lost, "what PEER answered has no one length") { caller in
        _ = caller.request()
        caller.send(head + "Content-Length: \(length)\r\n\r\nshort")
      }
    }
  }

  @Test func aTransferCodingThatNobodyAskedForIsALoss() async throws {
    for coding in ["gzip, chunked", "foo, chunked", "chunked, chunked", "gzip", "foo"] {
      try await checkFailure(.lost, "what PEER answered cannot be decoded") { caller in
        _ = caller.request()
        caller.send(head + "Transfer-Encoding: \(coding)\r\n\r\n2\r\nok\r\n0\r\n\r\n")
      }
    }
    _ = try await checkAnswer(200, "ok") { caller in
      _ = caller.request()
      caller.send(head + "Transfer-Encoding: identity\r\n\r\nok")
    }
  }

  @Test func twoLengthsAreALoss() async throws {
    try await checkFailure(.lost, "what PEER answered has no one length") { caller in
      _ = caller.request()
      caller.send(head + "Content-Length: 5\r\nContent-Length: 2\r\n\r\nab cd")
    }
  }

  @Test func headersWithoutEndStopAtTheCap() async throws {
    try await checkFailure(.lost, "the headers that PEER answered are too large") { caller in
      _ = caller.request()
      caller.send(head)
      while caller.send("x-filler: \(String(repeating: "a", count: 500))\r\n") {}
    }
    try await checkFailure(.lost, "the headers that PEER answered are too large") { caller in
      _ = caller.request()
      while caller.send("HTTP/1.1 100 Continue\r\nx: 1\r\n\r\n") {}
    }
  }

  @Test func oneHeaderWithoutEndIsALoss() async throws {
    try await checkFailure(.lost, "the headers that PEER answered are too large") { caller in
      _ = caller.request()
      caller.send(head + "x-filler: ")
      while caller.send(String(repeating: "a", count: 50_000)) {}
    }
  }

  @Test func whatIsNoHTTPIsALoss() async throws {
    try await checkFailure(.lost, "what PEER answered is not HTTP") { caller in
      _ = caller.request()
      caller.send("canary: this is HTTP/0.9, or nothing at all\n")
    }
    try await checkFailure(.lost, "PEER closed the connection without an answer") { caller in _ = caller.request() }
  }

  @Test func interimAnswersAreNoAnswer() async throws {
    let response = try await checkAnswer(201, "made") { caller in
      _ = caller.request()
      caller.send("HTTP/1.1 100 Continue\r\nx-interim: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n")
      caller.send("HTTP/1.1 201 Created\r\nX-Final: 1\r\nContent-Length: 4\r\n\r\nmade")
    }
    #expect(response.headers == [AdapterHeader("X-Final", "1"), AdapterHeader("Content-Length", "4")])
  }

  @Test func headersKeepTheirOrderAndRepeats() async throws {
    let lines = "Set-Cookie: a=1\r\nX-Odd:  spaced \t\r\nset-cookie: b=2\r\nX-Empty:\r\nContent-Length: 0\r\n\r\n"
    let response = try await checkAnswer(200, "") { caller in
      _ = caller.request()
      caller.send(head + lines)
    }
    #expect(
      response.headers == [
        AdapterHeader("Set-Cookie", "a=1"), AdapterHeader("X-Odd", "spaced"), AdapterHeader("set-cookie", "b=2"),
        AdapterHeader("X-Empty", ""), AdapterHeader("Content-Length", "0"),
      ])
  }

  @Test func trailersAreNoHeaders() async throws {
    let response = try await checkAnswer(200, "ok") { caller in
      _ = caller.request()
      caller.send(head + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx-trailer: 1\r\nHTTP/1.1 500: X\r\n\r\n")
    }
    #expect(response.headers == [AdapterHeader("Transfer-Encoding", "chunked")])
  }

  @Test func anErrorStatusIsAnAnswer() async throws {
    for challenge in ["Basic realm=\"x\"", "Basic", "Negotiate", "Bearer error=\"", ",,,=\"\\", "NTLM TlRMTVNTUAA="] {
      let response = try await checkAnswer(401, "no") { caller in
        while caller.request() != nil {
          caller.send("HTTP/1.1 401 No\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 2\r\n\r\nno")
        }
      }
      #expect(response.headers.first == AdapterHeader("WWW-Authenticate", challenge))
    }
  }

  @Test func aRedirectIsAnAnswer() async throws {
    let elsewhere = Peer(answering: head + "Content-Length: 0\r\n\r\n")
    for status in [301, 302, 303, 307, 308] {
      _ = try await checkAnswer(status, "") { caller in
        while caller.request() != nil {
          caller.send("HTTP/1.1 \(status) Go\r\nLocation: \(elsewhere.url)/\r\nContent-Length: 0\r\n\r\n")
        }
      }
    }
    #expect(elsewhere.connections == 0)
  }
}
