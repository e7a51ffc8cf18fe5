import FlowHTTP
import FlowInterpreter
import Foundation
import Synchronization
import Testing

private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

/// What was sent within this machine arrives a moment later where the machine is busy.
private let onTheWay = Duration.milliseconds(100)

/// Asks twice over a connection that is closed when the second request has been read.
///
/// Gives what became of the second, and the methods of all that the peer received; `nil` where a machine that is too busy
/// let the connection grow old.
private func repeated(_ method: String) async throws -> (failure: AdapterFailure?, received: [String])? {
  let wasReused = Mutex(false)
  let peer = Peer { caller in
    while caller.request() != nil {
      if caller.number == 1, caller.peer.requests.count == 2 { return wasReused.withLock { $0 = true } }
      caller.send(ok)
    }
  }
  let adapter = try HTTPAdapter.forTests()
  let question = Question(method: method)
  _ = try await question.ask(peer.url, by: adapter)
  var failure: AdapterFailure?
  do throws(AdapterFailure) { _ = try await question.ask(peer.url, by: adapter) } catch { failure = error }
  guard wasReused.withLock(\.self) else { return nil }
  // What would go out once more would have come by then.
  try await Task.sleep(for: onTheWay)
  #expect(failure?.reason.replacing(peer.authority, with: "PEER") == failure.map { _ in heldBack })
  return (failure, peer.requests.map { String($0.prefix { $0 != " " }) })
}

private let heldBack = "PEER had closed the connection, and may have read the request"

private func checkReuse(
  _ method: String, _ kind: AdapterFailure.Kind?, received: [String], sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  for _ in 1...5 {
    guard let (failure, requests) = try await repeated(method) else { continue }
    #expect(failure?.kind == kind && requests == received, "\(requests)", sourceLocation: sourceLocation)
    return
  }
  Issue.record("no connection was used twice", sourceLocation: sourceLocation)
}

@Suite(.ownThreads) struct ConnectionTests {
  @Test func aConnectionIsKeptForTheNextRequest() async throws {
    let peer = Peer(answering: ok)
    let adapter = try HTTPAdapter.forTests()
    for method in ["POST", "GET", "DELETE", "POST"] {
      _ = try await Question(method: method).ask(peer.url, by: adapter)
    }
    #expect(peer.connections == 1 && peer.requests.count == 4)
  }

  @Test func onlyAGetGoesOutTwice() async throws {
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
      try await checkReuse(method, .lost, received: [method, method])
    }
    try await checkReuse("GET", nil, received: ["GET", "GET", "GET"])
  }

  @Test func aConnectionThatWasClosedInTheMeantimeIsNotUsed() async throws {
    let peer = Peer { caller in
      _ = caller.request()
      caller.send(ok)
    }
    let adapter = try HTTPAdapter.forTests()
    for number in 1...3 {
      _ = try await Question().ask(peer.url, by: adapter)
      while peer.closed < number { try await Task.sleep(for: .milliseconds(5)) }
      try await Task.sleep(for: onTheWay)
    }
    #expect(peer.connections == 3 && peer.requests.count == 3)
  }

  @Test func twoAnswersAtOnceDoNotPoisonTheNextRequest() async throws {
    let poison = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison"
    for pause in [0, 0.03] {
      let poisoned = Mutex(0)
      let peer = Peer { caller in
        while caller.request() != nil {
          if pause == 0 {
            caller.send(ok + poison)
          } else {
            caller.send(ok)
            Thread.sleep(forTimeInterval: pause)
            caller.send(poison)
          }
          poisoned.withLock { $0 += 1 }
        }
      }
      let adapter = try HTTPAdapter.forTests()
      for (number, method) in ["GET", "POST", "GET"].enumerated() {
        let response = try await Question(method: method).ask(peer.url, by: adapter)
        #expect(response.body == Array("ok".utf8), "\(pause)")
        while poisoned.withLock(\.self) <= number { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: onTheWay)
      }
      #expect(peer.requests.count == 3)
    }
  }

  @Test func aConnectionThatWasPoisonedIsNotUsedLaterEither() async throws {
    let peer = Peer { caller in
      // The others close, so that libcurl has no connection but the first.
      guard caller.number == 1 else {
        _ = caller.request()
        caller.send(ok.replacing("Content", with: "Connection: close\r\nContent"))
        return
      }
      while caller.request() != nil {
        caller.send(ok)
        Thread.sleep(forTimeInterval: 0.03)
        caller.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
      }
    }
    let adapter = try HTTPAdapter.forTests()
    for _ in 1...3 {
      let response = try await Question(method: "GET").ask(peer.url, by: adapter)
      #expect(response.body == Array("ok".utf8))
      try await Task.sleep(for: onTheWay)
    }
    #expect(peer.connections == 3)
  }

  @Test func requestsGoOutSideBySide() async throws {
    // Nobody is answered before all have asked.
    let peer = Peer { caller in
      while caller.request() != nil {
        while caller.peer.requests.count < 20 { Thread.sleep(forTimeInterval: 0.01) }
        caller.send(ok)
      }
    }
    let adapter = try HTTPAdapter.forTests()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...20 { group.addTask { _ = try await Question().ask(peer.url, by: adapter) } }
      try await group.waitForAll()
    }
    #expect(peer.connections == 20 && peer.requests.count == 20)
  }

  @Test func whatIsGivenUpIsClosedAtOnce() async throws {
    let (closed, closing) = AsyncStream.makeStream(of: Bool.self)
    let peer = Peer { caller in
      _ = caller.request()
      caller.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
      closing.yield(false)
      closing.yield(caller.isClosedByCaller())
    }
    let adapter = try HTTPAdapter.forTests()
    var seen = closed.makeAsyncIterator()
    var shortest = Duration.seconds(60)
    // A machine that is busy is slow at times, but not each time.
    for _ in 1...5 {
      let asking = Task(executorPreference: OwnThreads.Executor.shared) {
        try await Question().ask(peer.url, by: adapter)
      }
      #expect(await seen.next() == false)
      try await Task.sleep(for: .milliseconds(20))
      let start = ContinuousClock.now
      asking.cancel()
      #expect(await seen.next() == true)
      await #expect(throws: AdapterFailure(.lost, reason: "given up before \(peer.authority) had answered")) {
        try await asking.value
      }
      shortest = min(shortest, .now - start)
    }
    #expect(shortest < .seconds(2))
  }

  @Test func whatIsGivenUpBeforehandIsNotSent() async throws {
    let peer = Peer(answering: ok)
    let adapter = try HTTPAdapter.forTests()
    let asking = Task(executorPreference: OwnThreads.Executor.shared) {
      while !Task.isCancelled { await Task.yield() }
      return try await Question().ask(peer.url, by: adapter)
    }
    asking.cancel()
    await #expect(throws: AdapterFailure(.unreachable, reason: "given up before it was sent to \(peer.authority)")) {
      try await asking.value
    }
    #expect(peer.requests.isEmpty)
  }

  @Test func aLineIsGoodAgainAfterAFailure() async throws {
    let peer = Peer { caller in
      while let request = caller.request() {
        if request.hasPrefix("PUT") { _ = caller.isClosedByCaller() } else { caller.send(ok) }
      }
    }
    let adapter = try HTTPAdapter.forTests()
    for _ in 1...3 {
      _ = try await Question().ask(peer.url, by: adapter)
      await #expect(throws: AdapterFailure.self) {
        try await Question(method: "PUT", timeout: .milliseconds(50)).ask(peer.url, by: adapter)
      }
    }
  }

  @Test func aLargeBodyArrivesWhole() async throws {
    let (_, peer) = try await answer(to: Question(body: [UInt8](repeating: 0x61, count: 3 << 20))) { caller in
      _ = caller.request()
      caller.send(ok)
    }
    #expect(peer.requests.first?.utf8.count { $0 == 0x61 } ?? 0 > 3 << 20)
    #expect(peer.requests.first?.lowercased().contains("expect:") == false)
  }
}

@Suite(.ownThreads) struct UnreachableTests {
  @Test func whereNobodyListensIsUnreachable() async throws {
    try await checkFailure(.unreachable, "PEER refuses connections", of: "http://127.0.0.1:1")
  }

  @Test func aConnectionThatIsNotTakenIsUnreachableInTime() async throws {
    let (listener, port) = Socket.listening(backlog: 0)
    defer { Socket.stop(listener) }
    let waiting = (0..<2).map { _ in Socket.connecting(to: port) }
    defer { for socket in waiting { Socket.stop(socket) } }
    try await checkFailure(
      .unreachable, "no connection to PEER in time", of: "http://127.0.0.1:\(port)",
      by: .forTests { $0.connectTimeout = .milliseconds(200) })
    try await checkFailure(
      .unreachable, "no connection to PEER in time", of: "http://127.0.0.1:\(port)",
      to: Question(timeout: .milliseconds(200)))
    // Less than no time is none.
    try await checkFailure(
      .unreachable, "no connection to PEER in time", of: "http://127.0.0.1:\(port)",
      to: Question(timeout: Duration(secondsComponent: .min, attosecondsComponent: 0)))
  }

  @Test func anAddressThatIsNoneIsNotAsked() async throws {
    for (url, reason) in [
      ("ftp://127.0.0.1:1", "the address is neither http nor https"),
      ("file://", "the address is neither http nor https"),
      ("http://canary@127.0.0.1:1", "the address has no host, or a user name"),
      ("http:///", "the address has no host, or a user name"),
      ("http://127.0.0.1:1/a b", "the address is not percent-encoded"),
      ("http://127.0.0.1:1/\r\nx: y", "the address is not percent-encoded"),
      ("http://127.0.0.1:1/\u{0}", "the address is not percent-encoded"),
      ("http://127.0.0.1:99999", "the address is none that can be asked"),
    ] { try await checkFailure(.unreachable, reason, of: url) }
  }

  @Test func aHeaderThatWouldEndOneIsNotSent() async throws {
    let peer = Peer(answering: ok)
    for value in ["a\r\nx-evil: 1", "a\nx-evil: 1", "a\u{0}b", "\r", "\u{7F}"] {
      let question = Question(headers: [AdapterHeader("x-name", value)])
      try await checkFailure(
        .unreachable, "the value of header x-name holds a control character", of: peer.url, to: question)
    }
    for name in ["", "x evil", "x:y", "x\r\ny", "é"] {
      let question = Question(headers: [AdapterHeader(name, "canary")])
      try await checkFailure(.unreachable, "the name of a header is not one", of: peer.url, to: question)
    }
    for name in ["Content-Length", "transfer-encoding"] {
      let question = Question(headers: [AdapterHeader(name, "7")])
      try await checkFailure(.unreachable, "the header \(name) is the adapter's to set", of: peer.url, to: question)
    }
    #expect(peer.connections == 0)
  }

  @Test func aMethodThatIsNoneIsNotSent() async throws {
    let question = Question(method: "GET /\r\n")
    try await checkFailure(.unreachable, "the method is not one that is known", of: "http://127.0.0.1:1", to: question)
  }
}
