import FlowHTTP
import Foundation
import Testing

/// Where it listens, and how it ends.
@Suite(.timeLimit(.minutes(20))) struct ListenerAddressTests {
  private func checkError(
    _ uris: [String], sourceLocation: SourceLocation = #_sourceLocation, _ isRight: (ListenerError) -> Bool
  ) {
    do throws(ListenerError) {
      _ = try RedirectListener(for: uris)
      Issue.record("it listens", sourceLocation: sourceLocation)
    } catch {
      #expect(isRight(error), "\(error)", sourceLocation: sourceLocation)
      #expect(!error.description.contains("SECRET"), sourceLocation: sourceLocation)
    }
  }

  @Test func itListensAtOneAddressOnly() throws {
    let listening = try Listening.alone()
    // On Linux every address that begins with 127 is this machine's, and a listener at any address would be there.
    #expect(ListenerClient(listening.port, at: "127.0.0.2") == nil)
    #expect(ListenerClient(listening.port, at: "::1") == nil)
    for address in Host.current().addresses where address != "127.0.0.1" && !address.contains("%") {
      #expect(ListenerClient(listening.port, at: address) == nil, "\(address)")
    }
    #expect(ListenerClient(listening.port) != nil)
  }

  @Test(.enabled(if: Socket.hasV6, "this machine has no ::1")) func theSixthVersionIsListenedAtToo() async throws {
    let listening = try Listening("http://127.0.0.1/callback", "http://[0:0:0::1]/cb")
    let uris = listening.listener.redirectURIs
    #expect(uris == ["http://127.0.0.1:\(listening.port)/callback", "http://[0:0:0::1]:\(listening.port)/cb"])
    let request = "GET /cb?code=6 HTTP/1.1\r\nHost: [::1]:\(listening.port)\r\n\r\n"
    #expect(checkedStatus(try listening.answer(to: request, at: "::1")) == "200")
    #expect(try await listening.listener.next() == "http://[0:0:0::1]:\(listening.port)/cb?code=6")
    // A path belongs to its host.
    #expect(checkedStatus(try listening.get("/cb?code=6")) == "404")
  }

  @Test func theNameIsListenedForAtBothAddresses() async throws {
    let listening = try Listening("http://LocalHost/cb")
    let host = "localhost:\(listening.port)"
    for address in ["127.0.0.1"] + (Socket.hasV6 ? ["::1"] : []) {
      let request = "GET /cb?at=\(address) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
      #expect(checkedStatus(try listening.answer(to: request, at: address)) == "200")
      #expect(try await listening.listener.next() == "http://LocalHost:\(listening.port)/cb?at=\(address)")
    }
    #expect(checkedStatus(try listening.get("/cb")) == "421")
  }

  @Test func aPortIsTheOneThatIsNamed() async throws {
    // One that was free a moment ago.
    let before = try Listening.alone()
    await before.listener.close()
    let uri = "http://127.0.0.1:\(before.port)/callback"
    let listening = try Listening(uri)
    #expect(listening.port == before.port && listening.listener.redirectURIs == [uri])
    #expect(checkedStatus(try listening.get("/callback?a")) == "200")
    #expect(try await listening.delivered() == ["/callback?a"])
    #expect(try Listening("http://127.0.0.1:0/a", "http://127.0.0.1:/b").port != before.port)
  }

  @Test func aPortThatIsTakenIsAnError() throws {
    let listening = try Listening()
    let uri = "http://127.0.0.1:\(listening.port)/callback?SECRET"
    checkError([uri]) { $0 == .portTaken(listening.port, host: "127.0.0.1") }
    checkError(["http://localhost:\(listening.port)/"]) { $0 == .portTaken(listening.port, host: "127.0.0.1") }
    #expect(ListenerError.portTaken(7777, host: "127.0.0.1").description.contains("port 7777 of 127.0.0.1 is taken"))
  }

  @Test(.enabled(if: Socket.hasV6, "this machine has no ::1")) func aNameOfWhichOneAddressIsTakenIsAnError()
    async throws
  {
    let listening = try Listening.alone(at: "[::1]")
    checkError(["http://localhost:\(listening.port)/"]) { $0 == .portTaken(listening.port, host: "[::1]") }
    // What was opened before the error is closed again.
    #expect(ListenerClient(listening.port) == nil)
  }

  @Test(arguments: [
    "https://app.example/cb", "com.example:/cb", "http://192.0.2.1/cb", "http://0.0.0.0/",
    "http://localhost.evil.example/", "http://user@127.0.0.1/", "http://127.0.0.1@evil.example/", "http://[::2]/",
    "http://[::ffff:127.0.0.1]/", "http://[::1/", "http://::1/", "http:/127.0.0.1/", "127.0.0.1/cb", "", "http://",
  ])
  func whatIsElsewhereIsNotListenedFor(uri: String) {
    #expect(!RedirectListener.isLoopback(uri))
    checkError([uri + "?SECRET"]) { if case .notLoopback = $0 { true } else { false } }
  }

  @Test func whatCannotBeListenedForIsAnError() {
    for uri in ["https://127.0.0.1/SECRET?SECRET", "HTTPS://localhost:8443/"] {
      #expect(RedirectListener.isLoopback(uri))
      checkError([String(uri.replacing("/SECRET", with: "/"))]) { if case .secure = $0 { true } else { false } }
    }
    for uri in ["http://127.0.0.2/?SECRET", "http://127.255.0.9:7777/cb?SECRET", "http://127.1/"] {
      #expect(RedirectListener.isLoopback(uri))
      checkError([uri]) { if case .otherAddress = $0 { true } else { false } }
    }
    for uri in [
      "http://127.0.0.1/#SECRET", "http://127.0.0.1:65536/", "http://127.0.0.1:-1/", "http://127.0.0.1:x/",
      "http://127.0.0.1/a b", "http://127.0.0.1/\u{e4}", "http://127.0.0.1/\r\n",
    ] {
      #expect(RedirectListener.isLoopback(uri))
      checkError([uri]) { if case .malformed = $0 { true } else { false } }
    }
  }

  @Test func whoWaitsAndIsCancelledClosesIt() async throws {
    let listening = try Listening.alone()
    let half = try #require(ListenerClient(listening.port))
    half.write("GET /callback")
    let waiting = Task { try await listening.listener.next() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    // Nothing but the thread closes it: this waits for that.
    await listening.listener.close()
    #expect(half.answer() == "")
    try await checkClosed(listening.port)
    await #expect(throws: ListenerError.closed) { try await listening.listener.next() }
  }

  @Test func whatNobodyHasIsClosed() async throws {
    var port: UInt16 = 0
    do {
      let listening = try Listening.alone()
      port = listening.port
      #expect(checkedStatus(try listening.get("/callback")) == "200")
    }
    // The thread ends a moment later.
    try await checkClosed(port)
  }

  /// A program that was started by another test may hold it for a moment more, until it is there.
  private func checkClosed(_ port: UInt16, at location: SourceLocation = #_sourceLocation) async throws {
    for _ in 1...500 where ListenerClient(port) != nil { try await Task.sleep(for: .milliseconds(10)) }
    #expect(ListenerClient(port) == nil, sourceLocation: location)
  }

  @Test func itIsClosedOnceAndForAll() async throws {
    for _ in 1...50 {
      let listening = try Listening.alone()
      let waiting = Task { try await listening.listener.next() }
      async let first: Void = listening.listener.close()
      async let second: Void = listening.listener.close()
      _ = await (first, second)
      await #expect(throws: ListenerError.closed) { try await waiting.value }
      try await checkClosed(listening.port)
    }
  }
}
