import FlowHTTP
import FlowInterpreter
import Foundation
import Testing

private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

/// The environment is that of the whole process, so each test has one of its own.
@Suite(.ownThreads) struct ProxyTests {
  @Test func theProxyOfTheEnvironmentIsAsked() async {
    await #expect(processExitsWith: .success) {
      let proxy = Peer(answering: ok)
      setenv("http_proxy", proxy.url, 1)
      // Not this machine, whatever it looks like.
      for host in ["id.invalid", "127.id.invalid", "localhost.invalid"] {
        let response = try await Question().ask("http://\(host)", by: .forTests())
        #expect(response.body == Array("ok".utf8))
        #expect(proxy.requests.last?.hasPrefix("POST http://\(host)/token?code=canary-query HTTP/1.1\r\n") == true)
      }
    }
  }

  @Test func aProxyThatMakesNoTunnelLeavesTheServerUnreachable() async {
    await #expect(processExitsWith: .success) {
      let proxy = Peer { caller in
        _ = caller.request()
        caller.send("HTTP/1.1 502 No\r\nContent-Length: 6\r\n\r\ncanary")
      }
      setenv("https_proxy", proxy.url, 1)
      try await checkFailure(
        .unreachable, "the proxy answered 502 instead of connecting to PEER", of: "https://id.invalid")
      #expect(proxy.requests.count == 1 && proxy.requests.first?.contains("canary") == false)
    }
  }

  @Test func aProxyThatRefusesConnectionsIsSaid() async {
    await #expect(processExitsWith: .success) {
      // Nobody listens at it any more.
      let gone = Peer(answering: ok).url
      setenv("https_proxy", gone, 1)
      setenv("http_proxy", gone, 1)
      for peer in ["https://id.invalid", "http://id.invalid:8080", "https://[2001:db8::1]"] {
        try await checkFailure(.unreachable, "the proxy refuses connections", of: peer)
      }
    }
  }

  @Test func aProxyThatHangsUpOrKeepsSilentIsSaid() async {
    await #expect(processExitsWith: .success) {
      let proxy = Peer { caller in
        if caller.request() != nil, caller.number == 3 { _ = caller.isClosedByCaller() }
      }
      setenv("https_proxy", proxy.url, 1)
      try await checkFailure(.unreachable, "the proxy does not connect to PEER", of: "https://id.invalid")
      setenv("https_proxy", "https://\(proxy.authority)", 1)
      try await checkFailure(.unreachable, "no TLS connection to the proxy", of: "https://id.invalid")
      setenv("https_proxy", proxy.url, 1)
      try await checkFailure(
        .unreachable, "the proxy has made no connection to PEER in time", of: "https://id.invalid",
        by: .forTests { $0.connectTimeout = .milliseconds(300) })
    }
  }

  @Test func behindAProxyThePeerIsSaidForWhatItDoes() async {
    await #expect(processExitsWith: .success) {
      let proxy = Peer { caller in
        if caller.request() != nil { caller.send("HTTP/1.1 200 OK\r\n\r\n") }
      }
      setenv("https_proxy", proxy.url, 1)
      try await checkFailure(.unreachable, "no TLS connection to PEER", of: "https://id.invalid")
      // Version 4 answers with 8 bytes that the request is granted, and the peer with what is no TLS.
      let socks = Peer { $0.send([0, 90, 0, 0, 0, 0, 0, 0] + Array("HTTP/1.1 400 No\r\n\r\n".utf8)) }
      setenv("https_proxy", "socks4a://\(socks.authority)", 1)
      try await checkFailure(.unreachable, "no TLS connection to PEER", of: "https://id.invalid")
    }
  }

  @Test func loopbackNeverGoesThroughAProxy() async {
    await #expect(processExitsWith: .success) {
      let proxy = Peer { _ in }
      let peer = Peer(answering: ok)
      setenv("http_proxy", proxy.url, 1)
      setenv("ALL_PROXY", proxy.url, 1)
      for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
        let response = try await Question().ask("http://\(host):\(peer.port)", by: .forTests())
        #expect(response.status == 200)
      }
      #expect(proxy.connections == 0 && peer.requests.count == 3)
    }
  }

  @Test func whatTheEnvironmentExceptsGoesThroughNoProxy() async {
    await #expect(processExitsWith: .success) {
      let proxy = Peer(answering: ok)
      setenv("http_proxy", proxy.url, 1)
      setenv("no_proxy", "id.invalid", 1)
      let adapter = try HTTPAdapter.forTests { $0.connectTimeout = .milliseconds(300) }
      let failure = await #expect(throws: AdapterFailure.self) {
        try await Question().ask("http://id.invalid", by: adapter)
      }
      #expect(failure?.kind == .unreachable && proxy.connections == 0)
    }
  }
}
