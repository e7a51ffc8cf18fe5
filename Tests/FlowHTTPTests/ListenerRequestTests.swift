import FlowHTTP
import Testing

/// What comes to the app, and what the browser gets.
@Suite(.timeLimit(.minutes(20))) struct ListenerRequestTests {
  private func checkRefused(
    _ target: String, _ status: String, host: String? = nil, method: String = "GET", header: String = "Accept: */*",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let listening = try Listening()
    let answer = try listening.get(target, host: host, method: method, header)
    #expect(checkedStatus(answer, sourceLocation: sourceLocation) == status, sourceLocation: sourceLocation)
    #expect(try await listening.delivered() == [], sourceLocation: sourceLocation)
  }

  @Test(arguments: ["", "?", "?code=a%20b+c&state=%C3%A4&x", "?a=/../b&c=%2e%2E//?&&=", "?\"<>'{}|\\^`"])
  func theAddressIsGivenByteForByte(query: String) async throws {
    let listening = try Listening()
    #expect(checkedStatus(try listening.get("/callback" + query)) == "200")
    #expect(try await listening.delivered() == ["/callback" + query])
  }

  @Test func thePageSaysWhatToDoAndNothingThatWasSent() async throws {
    let listening = try Listening()
    let page = try listening.get("/callback?code=SECRET&<b>", "Cookie: SECRET", "User-Agent: SECRET")
    #expect(page.contains("You can go back to the app") && !page.contains("SECRET") && !page.contains("<b>"))
    #expect(page.contains("goes on by itself if this is the answer that it waits for. If it still waits, begin"))
    for (target, host) in [("/SECRET", nil), ("/callback", "SECRET"), ("/callback#SECRET", nil)] {
      #expect(try !listening.get(target, host: host).contains("SECRET"))
    }
  }

  @Test(arguments: [
    "/", "/favicon.ico", "/callback/", "/callback/../x", "/callback/../callback", "/./callback", "//callback",
    "/callback%2F", "/%63allback", "/Callback", "/callbac", "/callback2", "/callback;x", "/callback&code=x",
    "/x?/callback", "//127.0.0.1/callback",
  ])
  func anotherPathIsNotFound(target: String) async throws { try await checkRefused(target, "404") }

  @Test(arguments: [
    "evil.example", "127.0.0.1", "127.0.0.1:1", "localhost", "127.0.0.1.evil.example:80", "[::1]", "127.0.0.2:7777",
    "127.1", "0x7f000001", "", "user@127.0.0.1",
  ])
  func anotherHostIsSentAway(host: String) async throws {
    try await checkRefused("/callback?code=x", "421", host: host)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "PROPFIND"])
  func anotherMethodIsRefused(method: String) async throws {
    try await checkRefused("/callback?code=x", "405", method: method)
    let allowed = try Listening().get("/callback", method: method)
    #expect(allowed.contains("\r\nAllow: GET, HEAD\r\n"))
  }

  @Test func aBodyIsIgnored() async throws {
    let listening = try Listening()
    let body = String(repeating: "code=SECRET&", count: 100_000)
    let posted = try listening.answer(
      to: "POST /callback HTTP/1.1\r\nHost: 127.0.0.1:\(listening.port)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body)
    #expect(posted.hasPrefix("HTTP/1.1 405 ") && !posted.contains("SECRET"))
    let got = try listening.answer(
      to: "GET /callback?a=b HTTP/1.1\r\nHost: 127.0.0.1:\(listening.port)\r\nContent-Length: 9\r\n\r\ncode=evil")
    #expect(checkedStatus(got) == "200")
    #expect(try await listening.delivered() == ["/callback?a=b"])
  }

  @Test func aHeadIsAnsweredWithoutAPageAndIsNoRedirect() async throws {
    let listening = try Listening()
    let answer = try listening.get("/callback?code=x", method: "HEAD")
    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n") && answer.contains("Content-Length: "))
    #expect(try listening.get("/other", method: "HEAD").hasSuffix("\r\n\r\n"))
    #expect(try await listening.delivered() == [])
  }

  @Test(arguments: ["image", "script", "iframe", "empty"])
  func whatOpensNoPageIsNoRedirect(kind: String) async throws {
    try await checkRefused("/callback?error=access_denied", "403", header: "Sec-Fetch-Dest: \(kind)")
  }

  @Test func aPageThatIsOpenedIsARedirect() async throws {
    let listening = try Listening()
    #expect(try listening.get("/callback?a", "sec-fetch-dest:\t document ").hasPrefix("HTTP/1.1 200 "))
    #expect(try await listening.delivered() == ["/callback?a"])
  }

  @Test func aReloadIsAnsweredButACodeComesOnce() async throws {
    let listening = try Listening()
    let targets = [
      "/callback?code=1&state=x", "/callback?code=1&state=x", "/callback?state=y&code=2", "/callback?code=1&state=x",
    ]
    for target in targets { #expect(checkedStatus(try listening.get(target)) == "200") }
    #expect(try await listening.delivered() == [targets[0], targets[2]])
    #expect(listening.listener.repeats == 2)
    #expect(try listening.get(targets[0]).contains("The app has had this already"))
  }

  @Test func aPersonMayCancelTwice() async throws {
    let listening = try Listening()
    for _ in 1...2 { _ = try listening.get("/callback?error=access_denied") }
    #expect(try await listening.delivered() == ["/callback?error=access_denied", "/callback?error=access_denied"])
  }

  @Test func everyRedirectURIIsListenedFor() async throws {
    let listening = try Listening("http://127.0.0.1/callback", "http://127.0.0.1", "http://127.0.0.1/out?x=1")
    for target in ["/?a", "/out?y", "/callback"] { _ = try listening.get(target) }
    #expect(try await listening.delivered() == ["/?a", "/out?y", "/callback"])
    let base = "http://127.0.0.1:\(listening.port)"
    #expect(listening.listener.redirectURIs == [base + "/callback", base, base + "/out?x=1"])
  }

  @Test func whatNobodyTakesIsNotKeptWithoutBounds() async throws {
    let listening = try Listening()
    for number in 0..<40 { _ = try listening.get("/callback?n=\(number)") }
    // The last of them has been dealt with when this is answered.
    _ = try listening.get("/")
    for number in 0..<16 {
      #expect(try await listening.listener.next() == "http://127.0.0.1:\(listening.port)/callback?n=\(number)")
    }
    #expect(try await listening.delivered() == [])
  }
}
