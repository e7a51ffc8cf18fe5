import FlowHTTP
import Testing

/// What is more than a browser sends, or other than it would.
@Suite(.timeLimit(.minutes(20))) struct ListenerLimitTests {
  /// `$` stands for the right `Host`.
  private func check(
    _ request: String, _ status: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let listening = try Listening()
    let host = "Host: 127.0.0.1:\(listening.port)"
    let bytes = request.split(separator: "$", omittingEmptySubsequences: false).joined(separator: host)
    let answer = try listening.answer(to: bytes)
    #expect(checkedStatus(answer, sourceLocation: sourceLocation) == status, sourceLocation: sourceLocation)
    let delivered = try await listening.delivered()
    #expect(delivered.count == (status == "200" ? 1 : 0), sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    "GET /callback HTTP/1.1\n$\n\n", "GET /callback HTTP/1.1\r\n$\n\r\n", "GET /callback HTTP/1.1\r$\r\r",
    "GET  /callback HTTP/1.1\r\n$\r\n\r\n", "GET /callback  HTTP/1.1\r\n$\r\n\r\n", " GET /callback HTTP/1.1\r\n",
    "GET /callback\r\n", "GET\r\n", "\r\nGET /callback HTTP/1.1\r\n$\r\n\r\n", "GET /call back HTTP/1.1\r\n",
    "GET /callback HTTP/1.1 \r\n", "GET\t/callback\tHTTP/1.1\r\n", "G{T /callback HTTP/1.1\r\n",
    "GET callback HTTP/1.1\r\n", "GET * HTTP/1.1\r\n", "GET http://127.0.0.1/callback HTTP/1.1\r\n",
    "GET /callback#code=x HTTP/1.1\r\n", "GET /callback?\u{e4} HTTP/1.1\r\n", "GET /callback?\0 HTTP/1.1\r\n",
    "GET /callback?\u{7f} HTTP/1.1\r\n", "GET /callback ICAP/1.0\r\n", "\u{16}\u{3}\u{1}\u{2}",
  ])
  func aMalformedLineIsRefused(request: String) async throws { try await check(request, "400") }

  @Test(arguments: [
    "\r\n", "$\r\n$\r\n\r\n", "$\r\nHost: evil.example\r\n\r\n", "$\r\nhost\r\n\r\n", "$\r\n: x\r\n\r\n",
    "$\r\nX : y\r\n\r\n", "$\r\nX: y\r\n folded\r\n\r\n", "$\r\nX: \0\r\n\r\n", "$\r\nX: a\rb\r\n\r\n",
    "Host : x\r\n$\r\n\r\n", "$\r\n\u{e4}: x\r\n\r\n",
  ])
  func malformedHeadersAreRefused(headers: String) async throws {
    try await check("GET /callback?code=x HTTP/1.1\r\n" + headers, "400")
  }

  @Test(arguments: ["HTTP/2.0", "HTTP/1.2", "HTTP/0.9", "HTTP/1.1x", "HTTP/"])
  func anotherVersionIsRefused(version: String) async throws {
    try await check("GET /callback \(version)\r\n$\r\n\r\n", "505")
  }

  @Test func theOlderVersionIsTaken() async throws {
    try await check("GET /callback HTTP/1.0\r\n$\r\n\r\n", "200")
    try await check("GET /callback HTTP/1.1\r\nHOST:127.0.0.1:1\r\n\r\n", "421")
    try await check("GET /callback HTTP/1.1\r\nX: \u{e4}\r\n$ \t\r\n\r\n", "200")
  }

  @Test func aLineHas8KiB() async throws {
    let frame = "GET /callback? HTTP/1.1".utf8.count
    for (length, status) in [(8192, "200"), (8193, "414"), (100_000, "414")] {
      let query = String(repeating: "x", count: length - frame)
      try await check("GET /callback?\(query) HTTP/1.1\r\n$\r\n\r\n", status)
    }
    try await check(String(repeating: "A", count: 8193), "414")
  }

  @Test func thereAre100Headers() async throws {
    for (count, status) in [(99, "200"), (100, "431")] {
      try await check("GET /callback HTTP/1.1\r\n$\r\n" + String(repeating: "a: b\r\n", count: count) + "\r\n", status)
    }
  }

  @Test func headersHave16KiB() async throws {
    let host = "Host: 127.0.0.1:\r\n".utf8.count
    for (length, status) in [(16_384, "200"), (16_385, "431"), (16_384 + 50_000, "431")] {
      let listening = try Listening()
      let rest = length - host - "\(listening.port)".utf8.count - "X: \r\n\r\n".utf8.count
      let answer = try listening.get("/callback", "X: " + String(repeating: "x", count: rest))
      #expect(checkedStatus(answer) == status)
    }
  }

  @Test func onePieceAtATimeIsARequestToo() async throws {
    let listening = try Listening()
    let client = try #require(ListenerClient(listening.port))
    for character in "GET /callback?code=x HTTP/1.1\r\nHost: 127.0.0.1:\(listening.port)\r\n\r\n".utf8 {
      #expect(client.write(String(decoding: [character], as: UTF8.self)))
    }
    #expect(checkedStatus(client.answer()) == "200")
    #expect(try await listening.delivered() == ["/callback?code=x"])
  }

  @Test func whoSendsSlowlyIsRefusedInTime() async throws {
    let listening = try Listening(timeLimit: .milliseconds(400))
    let (slow, silent) = (ListenerClient(listening.port), ListenerClient(listening.port))
    for character in "GET /callback?code=SECRET" + String(repeating: "x", count: 2000) {
      guard let slow, !slow.isAnswered(within: 10) else { break }
      slow.write(String(character))
    }
    let answer = try #require(slow).answer()
    #expect(checkedStatus(answer) == "408" && !answer.contains("SECRET"))
    // Nothing was asked there, so nothing is answered.
    #expect(try #require(silent).answer() == "")
    #expect(try await listening.delivered() == [])
  }

  @Test func aConnectionInTheWayDoesNotHoldUpOthers() async throws {
    let listening = try Listening()
    let waiting = (1...15).map { _ in ListenerClient(listening.port) }
    for client in waiting { client?.write("HEAD /call") }
    #expect(checkedStatus(try listening.get("/callback?a")) == "200")
    for client in waiting { client?.write("back HTTP/1.1\r\nHost: 127.0.0.1:\(listening.port)\r\n\r\n") }
    for client in waiting { #expect(client?.answer().hasPrefix("HTTP/1.1 200 ") == true) }
    #expect(try await listening.delivered() == ["/callback?a"])
  }

  @Test func manyConnectionsWaitForTheirTurn() async throws {
    let listening = try Listening(timeLimit: .seconds(1))
    let waiting = (1...40).map { _ in ListenerClient(listening.port) }
    #expect(checkedStatus(try listening.getInTime("/callback?a")) == "200")
    #expect(try await listening.delivered() == ["/callback?a"])
    for client in waiting { #expect(client?.answer() == "") }
  }

  @Test func whoDawdlesDoesNotKeepTheBrowserOut() async throws {
    let listening = try Listening(timeLimit: .seconds(60))
    let slow = (1...60).map { _ in ListenerClient(listening.port) }
    for client in slow { client?.write("GET /call") }
    #expect(checkedStatus(try listening.get("/callback?a")) == "200")
    #expect(try await listening.delivered() == ["/callback?a"])
    #expect(slow[0]?.answer() == "")
  }

  @Test func whatFoundNoRoomComesWhenItIsReloaded() async throws {
    let listening = try Listening()
    for number in 1...16 { _ = try listening.get("/callback?\(number)") }
    #expect(checkedStatus(try listening.get("/callback?code=a")) == "503")
    for _ in 1...16 { _ = try await listening.listener.next() }
    for _ in 1...2 { #expect(checkedStatus(try listening.get("/callback?code=a")) == "200") }
    #expect(try await listening.delivered() == ["/callback?code=a"])
  }

  @Test func whoHangsUpLeavesNothingBehind() async throws {
    let listening = try Listening()
    for _ in 1...100 {
      let client = ListenerClient(listening.port)
      client?.write("GET /callback?lost HTTP/1.1\r\n")
    }
    #expect(checkedStatus(try listening.get("/callback?a")) == "200")
    #expect(try await listening.delivered() == ["/callback?a"])
  }
}
