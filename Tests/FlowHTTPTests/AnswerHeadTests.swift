import FlowInterpreter
import Testing

private func head(_ lines: String, body: String = "ok") -> @Sendable (Caller) -> Void {
  { caller in
    _ = caller.request()
    caller.send("HTTP/1.1 200 OK\r\n" + lines + "\r\n\r\n" + body)
  }
}

private func headers(_ lines: String) async throws -> [AdapterHeader] {
  try await answer(serve: head(lines)).0.headers
}

/// What libcurl reads of a head, and we read once more, must be the same.
@Suite(.ownThreads) struct AnswerHeadTests {
  /// RFC 9112, section 5.1: libcurl does not know such a name, and gives what came up to the end of the connection.
  @Test func aLengthWithABlankBehindItsNameIsALoss() async throws {
    for lines in ["Content-Length : 51", "Content-Length\t: 2", "Transfer-Encoding : chunked"] {
      try await checkFailure(.lost, "what PEER answered has no one length", serve: head(lines))
    }
    #expect(try await headers("X-Other : 1\r\nContent-Length: 2").first == AdapterHeader("X-Other", "1"))
  }

  /// RFC 9112, section 5.2.
  @Test func aLengthInALineOfItsOwnIsALoss() async throws {
    let chunked = head("x: 1\r\nTransfer-Encoding:\r\n chunked")
    try await checkFailure(.lost, "what PEER answered has no one length", serve: chunked)
    let counted = head("x: 1\r\nContent-Length:\r\n\t9")
    try await checkFailure(.lost, "what PEER answered is not HTTP", serve: counted)
  }

  @Test func aValueThatGoesOnIsOneText() async throws {
    let all = try await headers("Content-Length: 2\r\nLocation:\r\n  https://a.example/cb\r\nX: a\r\n \r\nY: b\r\n\tc ")
    #expect(
      all == [
        AdapterHeader("Content-Length", "2"), AdapterHeader("Location", "https://a.example/cb"),
        AdapterHeader("X", "a"), AdapterHeader("Y", "b c"),
      ])
  }

  /// RFC 9110, section 5.5.
  @Test func aReturnInAValueIsASpace() async throws {
    let all = try await headers("Content-Length: 2\r\nLocation: /x\rSet-Cookie: a=b")
    #expect(all.last == AdapterHeader("Location", "/x Set-Cookie: a=b"))
  }

  @Test func aHeadThatIsCutOffIsALoss() async throws {
    for lines in ["Content-Length: 2\r\n", "Content-Length: 2\r\nX-Can", "Content-Ty", "X: 1\r\n\tcanary\r"] {
      try await checkFailure(.lost, "the headers that PEER answered are cut off") { caller in
        _ = caller.request()
        caller.send("HTTP/1.1 200 OK\r\n" + lines)
      }
    }
  }

  @Test func noEncodingIsNone() async throws {
    for name in ["none", "identity", "Identity, none"] {
      let (response, _) = try await answer(serve: head("Content-Encoding: \(name)\r\nContent-Length: 2"))
      #expect(response.body == Array("ok".utf8))
    }
  }
}
