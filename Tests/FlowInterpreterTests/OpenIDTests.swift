import FlowInterpreter
import Foundation
import Testing

/// `oidc-native` with a real provider whose issuer has a path, and whose endpoints stand elsewhere.
private struct LiveProvider {
  static let issuer = "https://id.example.org/tenant"
  let adapter = ScriptedAdapter()
  let clock = ManualClock()
  let session: FlowSession

  init() throws {
    session = try FlowSession(
      CheckedFlow(at: "flows/oidc-native.json", read: Project.bytes),
      live: LiveServices(["provider"], through: adapter), clock: clock,
      config: ["issuer": .string(Self.issuer), "clientId": "c-1", "redirectUri": "http://127.0.0.1:7777/callback"],
      traces: true)
  }

  /// The next request, which has to go to this address.
  func asked(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> ScriptedAdapter.Sent {
    let sent = try await adapter.next()
    #expect("\(sent.request.method) \(sent.request.url)" == line, sourceLocation: sourceLocation)
    return sent
  }

  func query(of address: String) throws -> [String: String] {
    let items = try #require(URLComponents(string: address)?.queryItems)
    return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
  }

  func configure(start: String, token: String) async throws {
    try await asked("GET \(Self.issuer)/.well-known/openid-configuration").answer(
      200,
      #"""
      {"issuer": "\#(Self.issuer)", "authorization_endpoint": "\#(start)",
       "token_endpoint": "\#(token)", "userinfo_endpoint": "https://graph.example.org/me"}
      """#)
  }

  /// Signs in up to the page of the provider; gives its address.
  func open(_ listener: inout Listener, start: String, token: String) async throws -> String {
    try await listener.state("signedOut")
    try await session.person(.event("user.signsIn"))
    try await configure(start: start, token: token)
    var address = ""
    try await listener.listen { output in
      if case .opened(let url) = output { address = url }
      return !address.isEmpty
    }
    return address
  }

  /// Signs in up to the request that redeems the code; gives the nonce with it.
  func redeem(_ listener: inout Listener) async throws -> (ScriptedAdapter.Sent, nonce: String) {
    let address = try await open(
      &listener, start: "https://login.example.org/start?tenant=1", token: "https://id.example.org/other/token")
    #expect(address.hasPrefix("https://login.example.org/start?tenant=1&response_type=code&"))
    let query = try query(of: address)
    #expect(query["redirect_uri"] == "http://127.0.0.1:7777/callback" && query["client_id"] == "c-1")
    let back = "http://127.0.0.1:7777/callback"
    // Whoever else sends the browser there does not end the sign-in.
    #expect(try await session.arrive(at: "\(back)?code=forged&state=forged") == .taken)
    let state = try #require(query["state"])
    for twice in ["state=\(state)", "code=code-1", "iss=https://evil.example&iss=\(Self.issuer)", "error=x&error=y"] {
      #expect(try await session.arrive(at: "\(back)?state=\(state)&code=code-1&\(twice)") == .taken)
      try #require(await session.standing.isBrowserOpen, "\(twice)")
    }
    #expect(try await session.arrive(at: "\(back)?state=\(state)&session_state=s&code=code-1") == .taken)
    #expect(await !session.standing.isBrowserOpen)
    return (try await asked("POST https://id.example.org/other/token"), try #require(query["nonce"]))
  }
}

/// A JWT whose signature nobody checks.
private func jwt(_ claims: String) -> String {
  func encoded(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
  }
  return "\(encoded(#"{"alg":"RS256"}"#)).\(encoded(claims)).c2lnbmF0dXJl"
}

@Suite(.timeLimit(.minutes(20))) struct OpenIDTests {
  /// Seconds since 1970 of a session's start.
  private static let start = 1_767_258_000

  /// A provider may give instants with a fraction of a second (RFC 7519, section 2).
  private func tokens(audience: String, nonce: String) -> String {
    let claims =
      #"{"iss": "\#(LiveProvider.issuer)", "aud": \#(audience), "sub": "s-1", "nonce": "\#(nonce)", "exp": \#(Self.start + 300).75, "iat": \#(Self.start)}"#
    return
      #"{"access_token": "at-1", "refresh_token": "rt-1", "token_type": "bearer", "expires_in": 60, "id_token": "\#(jwt(claims))"}"#
  }

  @Test(arguments: [#""c-1""#, #"["c-1"]"#]) func aLiveProviderSignsInAndRefreshes(audience: String)
    async throws
  {
    let provider = try LiveProvider()
    _ = try await withRunning(provider.session) { listener in
      let (sent, nonce) = try await provider.redeem(&listener)
      #expect(String(decoding: sent.request.body ?? [], as: UTF8.self).contains("code=code-1"))
      sent.answer(200, tokens(audience: audience, nonce: nonce))
      try await provider.asked("GET https://graph.example.org/me").answer(200, #"{"sub": "s-1", "name": "Ada"}"#)
      try await listener.state("connected")
      provider.clock.move(by: .seconds(55))
      let refresh = try await provider.asked("POST https://id.example.org/other/token")
      #expect(String(decoding: refresh.request.body ?? [], as: UTF8.self).contains("refresh_token=rt-1"))
      refresh.answer(403)
      try await listener.state("signedOut")
      let told = listener.heard.compactMap(\.line).joined()
      for secret in ["code-1", "at-1", "rt-1", "c2lnbmF0dXJl"] { #expect(!told.contains(secret)) }
    }
  }

  /// Whoever gave an address may have signed it, and may tell apart what means the same.
  @Test(arguments: [
    ("https://login.example.org/start", "https://id.example.org/tenant", nil),
    ("https://login.example.org/a%3Bb;c/?flag&x=%2F/%FF+y", "https://id.example.org/tenant/", nil),
    ("https://login.example.org?", "https://id.example.org/tenant/token?v=2;&w", nil),
    ("https://login.example.org/a/../b c", "https://other.example/a%2Fb//c?q=[%5D]", "https://login.example.org/b%20c"),
    ("https://login.example.org/app?a#/sign in", "https://id.example.org/token#x", "https://login.example.org/app?a"),
  ])
  func whatAServerGivesAsAnAddressIsAskedAsItIsWritten(start: String, token: String, opened: String?) async throws {
    let provider = try LiveProvider()
    _ = try await withRunning(provider.session) { listener in
      let address = try await provider.open(&listener, start: start, token: token)
      let begin = opened ?? (start == "https://login.example.org?" ? "https://login.example.org/" : start)
      #expect(address.hasPrefix("\(begin)\(begin.contains("?") ? "&" : "?")response_type=code&"))
      #expect(start.contains("#") ? address.hasSuffix("#/sign%20in") : !address.contains("#"))
      let state = try #require(try provider.query(of: address)["state"])
      #expect(try await provider.session.arrive(at: "http://127.0.0.1:7777/callback?state=\(state)&code=c") == .taken)
      try await provider.asked("POST \(token.split(separator: "#")[0])").answer(500)
      try await listener.state("signedOut")
    }
  }

  @Test(arguments: [
    (200, #"{"issuer": "https://other.example", "unread": "canary"}"#), (200, "canary"), (500, "<p>canary"),
  ]) func whatIsReadOfAnAnswerOnlyAsATextIsNotShown(status: Int, body: String) async throws {
    let provider = try LiveProvider()
    _ = try await withRunning(provider.session) { listener in
      try await listener.state("signedOut")
      try await provider.session.person(.event("user.signsIn"))
      try await provider.asked("GET \(LiveProvider.issuer)/.well-known/openid-configuration").answer(status, body)
      try await listener.state("signedOut")
      #expect(!listener.heard.compactMap(\.line).joined().contains("canary"))
    }
  }

  @Test(arguments: [
    (#""another""#, "right"), (#"["another"]"#, "right"), (#"["another", "c-1"]"#, "right"), (#""c-1""#, "wrong"),
  ])
  func anIDTokenForAnotherSignsNobodyIn(audience: String, nonce: String) async throws {
    let provider = try LiveProvider()
    _ = try await withRunning(provider.session) { listener in
      let (sent, own) = try await provider.redeem(&listener)
      sent.answer(200, tokens(audience: audience, nonce: nonce == "right" ? own : nonce))
      try await listener.state("signedOut")
    }
  }
}
