import FlowHTTP
import FlowInterpreter
import Foundation
import Testing

/// Whether the command is there that makes certificates and serves with them; where CI is set, it has to be.
private let hasOpenSSL = Command.path(of: "openssl") != nil || ProcessInfo.processInfo.environment["CI"] != nil

private func checkTrust(
  _ certificate: Certificate, reason: String?, trusting authority: (Certificates) throws -> String?,
  sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let certificates = try Certificates()
  let server = try certificates.serve(certificate)
  let trusted = try authority(certificates)
  let adapter = try HTTPAdapter.forTests { $0.certificateAuthority = trusted }
  if let reason {
    try await checkFailure(.unreachable, reason, of: server.url, to: .get, by: adapter, sourceLocation: sourceLocation)
  } else {
    let response = try await Question.get.ask(server.url, by: adapter)
    #expect(response.status == 200, sourceLocation: sourceLocation)
  }
}

@Suite(.ownThreads, .enabled(if: hasOpenSSL, "the command openssl is not installed: no certificates can be made"))
struct TrustTests {
  @Test func anAuthorityThatIsNamedIsTrusted() async throws {
    try await checkTrust(.good, reason: nil) { $0.authority }
  }

  @Test func anAuthorityThatNobodyNamesIsNotTrusted() async throws {
    try await checkTrust(.good, reason: "nobody who is trusted has signed the certificate of PEER") { _ in nil }
  }

  @Test func aCertificateThatSignsItselfIsNotTrusted() async throws {
    try await checkTrust(.selfSigned, reason: "nobody who is trusted has signed the certificate of PEER") { _ in nil }
    try await checkTrust(.selfSigned, reason: "nobody who is trusted has signed the certificate of PEER") {
      $0.authority
    }
  }

  @Test func aCertificateThatHasExpiredIsNotTrusted() async throws {
    try await checkTrust(.expired, reason: "the certificate of PEER has expired") { $0.authority }
  }

  @Test func aCertificateForAnotherNameIsNotTrusted() async throws {
    try await checkTrust(.otherName, reason: "the certificate of PEER is not for this name") { $0.authority }
  }

  @Test func aServerThatDemandsACertificateOfTheClientIsSaid() async throws {
    let certificates = try Certificates()
    let adapter = try HTTPAdapter.forTests { $0.certificateAuthority = certificates.authority }
    // The newer version tells it only when the request is on its way.
    for (version, kind) in [("-tls1_2", AdapterFailure.Kind.unreachable), ("-tls1_3", .lost)] {
      let server = try certificates.serve(.good, "-Verify", "1", "-verify_return_error", version)
      try await checkFailure(
        kind, "PEER demands a certificate of the client, and none can be given: ask it where it demands none",
        of: server.url, to: .get, by: adapter)
    }
    let lenient = try certificates.serve(.good, "-verify", "1")
    #expect(try await Question.get.ask(lenient.url, by: adapter).status == 200)
  }

  @Test func theAuthorityVouchesForAProxyToo() async {
    await #expect(processExitsWith: .success) {
      let certificates = try Certificates()
      let proxy = try certificates.speak()
      setenv("http_proxy", proxy.url, 1)
      try await checkFailure(
        .unreachable, "nobody who is trusted has signed the certificate of the proxy", of: "http://id.invalid")
      let adapter = try HTTPAdapter.forTests { $0.certificateAuthority = certificates.authority }
      async let answer = Question.get.ask("http://id.invalid", by: adapter)
      try proxy.hear("GET http://id.invalid/")
      proxy.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      #expect(try await answer.body == Array("ok".utf8))
    }
  }

  @Test func whatStandsAroundACertificateIsNoMatter() async throws {
    try await checkTrust(.good, reason: nil) { try $0.rewritten { "Ours, since 2020\n\n\($0)# and once more\n\($0)" } }
    try await checkTrust(.good, reason: nil) { try $0.rewritten { $0.replacing("\n", with: "\r\n") } }
    try await checkTrust(.good, reason: nil) { try $0.rewritten { "\u{FEFF}" + $0.replacing("\n", with: "  \n") } }
    try await checkTrust(.good, reason: nil) {
      try $0.rewritten { $0.replacing(" CERTIFICATE-----", with: " X509 CERTIFICATE-----") }
    }
  }

  @Test func aFileWhoseCertificateIsDamagedIsSaid() async throws {
    try await checkTrust(.good, reason: "the file of certificate authorities cannot be used") {
      try $0.rewritten { $0.replacing("MII", with: "AAA") }
    }
  }

  @Test func aFileWithoutCertificatesIsSaidBeforeAnythingRuns() throws {
    let certificates = try Certificates()
    for path in [
      certificates.key, try certificates.rewritten { _ in "" }, try certificates.rewritten { String($0.dropLast(30)) },
    ] {
      let unavailable = #expect(throws: HTTPUnavailable.self) {
        try HTTPAdapter.forTests { $0.certificateAuthority = path }
      }
      #expect(unavailable?.description.hasPrefix("\(path) is no PEM file of certificate authorities") == true)
    }
  }
}

@Suite(.ownThreads, .enabled(if: hasOpenSSL, "the command openssl is not installed: no certificates can be made"))
struct RecordTests {
  /// Has an answer said, and the connection end without a word of TLS; gives why there was no answer.
  private func failure(of answer: String) async throws -> String? {
    let certificates = try Certificates()
    let server = try certificates.speak()
    let adapter = try HTTPAdapter.forTests { $0.certificateAuthority = certificates.authority }
    let url = server.url
    async let response = Question.get.ask(url, by: adapter)
    try server.hear("GET /")
    server.say(answer)
    try await Task.sleep(for: .milliseconds(500))
    kill(server.process.processIdentifier, SIGKILL)
    do {
      #expect(try await response.body == Array("ok".utf8))
      return nil
    } catch let failure as AdapterFailure {
      return failure.reason.replacing(url.dropFirst("https://".count), with: "PEER")
    }
  }

  @Test func anAnswerThatEndsWithoutAWordOfTLSIsCutOff() async throws {
    // The answers in the tests above have no length either, and their server says that they end.
    #expect(try await failure(of: "HTTP/1.1 200 OK\r\n\r\nok") == "what PEER answered is cut off")
    for length in ["Content-Length: 2\r\n\r\nok", "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"] {
      #expect(try await failure(of: "HTTP/1.1 200 OK\r\n" + length) == nil)
    }
  }

  /// The server answers with what it knows of the connection.
  @Test func theNextConnectionGoesOnWithTheSession() async throws {
    let certificates = try Certificates()
    let server = try certificates.serve(.good)
    let adapter = try HTTPAdapter.forTests { $0.certificateAuthority = certificates.authority }
    for word in ["New, ", "Reused, ", "Reused, "] {
      let page = String(decoding: try await Question.get.ask(server.url, by: adapter).body, as: UTF8.self)
      #expect(page.contains(word), "\(page)")
    }
  }

  /// HTTP/2 has frames that libcurl would read as long as they come.
  @Test func aServerOfHTTP2IsAskedInTheOlderVersion() async throws {
    let certificates = try Certificates()
    let server = try certificates.speak("h2,http/1.1")
    let url = server.url
    let adapter = try HTTPAdapter.forTests { $0.certificateAuthority = certificates.authority }
    async let answer = Question.get.ask(url, by: adapter)
    #expect(try server.hear("HTTP/").hasSuffix("GET /token?code=canary-query HTTP/1.1"))
    server.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    #expect(try await answer.body == Array("ok".utf8))
  }

  @Test func whatTLSHoldsBackIsNoAnswerToTheNextRequest() async throws {
    let certificates = try Certificates()
    let server = try certificates.speak()
    let url = server.url
    let adapter = try HTTPAdapter.forTests { $0.certificateAuthority = certificates.authority }
    let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
    for (number, rest) in ["okHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison", "ok"].enumerated() {
      async let answer = Question.get.ask(url, by: adapter)
      try server.hear("GET /")
      server.say(ok)
      server.say(rest)
      #expect(try await answer.body == Array("ok".utf8), "\(number)")
    }
  }
}

@Suite(.ownThreads) struct HandshakeTests {
  @Test func aFileThatCannotBeReadIsSaidBeforeAnythingRuns() {
    let unavailable = #expect(throws: HTTPUnavailable.self) {
      try HTTPAdapter.forTests { $0.certificateAuthority = "/no/such.pem" }
    }
    #expect(unavailable?.description == "the file of certificate authorities cannot be read: /no/such.pem")
  }

  @Test func whoSpeaksNoTLSIsUnreachable() async throws {
    let peer = Peer { caller in
      caller.send("HTTP/1.1 200 OK\r\n\r\n")
      _ = caller.request()
    }
    try await checkFailure(.unreachable, "no TLS connection to PEER", of: "https://\(peer.authority)")
    #expect(peer.requests.isEmpty)
  }

  @Test func aHandshakeWithoutAnswerIsUnreachableInTime() async throws {
    let peer = Peer { caller in Thread.sleep(forTimeInterval: 5) }
    try await checkFailure(
      .unreachable, "no connection to PEER in time", of: "https://\(peer.authority)",
      by: .forTests { $0.connectTimeout = .milliseconds(150) })
  }
}
