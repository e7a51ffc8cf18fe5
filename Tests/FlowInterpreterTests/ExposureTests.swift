import FlowInterpreter
import Testing

/// A live shop whose other origin is given, and whose discovery names an endpoint.
private struct LiveShop {
  let adapter = ScriptedAdapter()
  let session: FlowSession

  init(at url: String? = nil, other: String = "https://other.example") throws {
    session = try FlowSession(
      Shop.checked(), live: LiveServices([LiveServices.Service("shop", at: url)], through: adapter),
      clock: ManualClock(), config: ["other": .string(other)], traces: true)
  }

  /// Finds its endpoint, and does something with a token; what ended it, and what it told.
  func after(_ event: String, endpoint: String = "") async throws -> (Result<String, any Error>, [FlowOutput]) {
    var heard: [FlowOutput] = []
    let ended = try await withRunning(session) { listener in
      try await adapter.next().answer(200, "{\"pay\": \"\(endpoint)\"}")
      try await listener.state("open")
      try await session.person(.event("user.logsIn"), with: ["token": "canary-t"])
      try await session.person(.event(event))
      // An error ends what is told.
      heard = await listener.rest()
    }
    return (ended, heard)
  }
}

/// A secret that would go out unencrypted is an error that names peer and part, and nothing goes out.
private func checkNotSent(
  _ event: String, endpoint: String = "", other: String = "http://other.example", code: String = "secret-over-http",
  _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  let shop = try LiveShop(other: other)
  let (ended, heard) = try await shop.after(event, endpoint: endpoint)
  let error = #expect(throws: RunError.self, sourceLocation: sourceLocation) { try ended.get() }
  #expect(error?.diagnostic.code == code, sourceLocation: sourceLocation)
  for word in words + ["\"shop\""] {
    #expect(error?.diagnostic.message.contains(word) == true, "\(word)", sourceLocation: sourceLocation)
  }
  let isTold = "\(error.map(\.description) ?? "")\(heard.compactMap(\.line))".contains("canary")
  #expect(!isTold, sourceLocation: sourceLocation)
  let opened = heard.contains { if case .opened = $0 { true } else { false } }
  #expect(!opened, sourceLocation: sourceLocation)
  var asked: [String] = []
  shop.adapter.finish()
  for await sent in shop.adapter.sent { asked.append(sent.request.url) }
  #expect(asked == [], sourceLocation: sourceLocation)
}

@Suite(.timeLimit(.minutes(20))) struct ExposureTests {
  @Test func noSecretGoesOutUnencryptedWhateverTheAuthorOverrules() async throws {
    try await checkNotSent("user.logs", "header \"x-key\"")
    try await checkNotSent("user.asks", "query member \"t\"")
    try await checkNotSent("user.looks", "query member \"t\"")
    // Not this machine, whatever it looks like.
    for other in ["http://127.0.0.1.evil.example", "http://localhost.evil.example", "http://127.0.0.1@evil.example"] {
      try await checkNotSent("user.logs", other: other, "header \"x-key\"")
    }
  }

  @Test func withinThisMachineItMay() async throws {
    for other in ["http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080", "http://127.9.9.9"] {
      let shop = try LiveShop(other: other)
      _ = try await withRunning(shop.session) { listener in
        try await shop.adapter.next().answer(200)
        try await listener.state("open")
        try await shop.session.person(.event("user.logsIn"), with: ["token": "t"])
        try await shop.session.person(.event("user.logs"))
        #expect(try await shop.adapter.next().request.url == "\(other)/log")
      }
    }
  }

  @Test func anOriginThatIsNotTheParticipantsIsAnError() async throws {
    for endpoint in ["https://evil.example", "http://shop.example/v1", "https://shop.example:444/v1"] {
      try await checkNotSent("user.pays", endpoint: endpoint, code: "foreign-origin")
    }
    // A service that stands elsewhere is not where the flow says any more.
    let local = try LiveShop(at: "http://127.0.0.1:8080")
    let (ended, _) = try await local.after("user.pays", endpoint: "https://shop.example/v1")
    #expect(throws: RunError.self) { try ended.get() }
  }

  @Test func whatIsKnownToSendSecretsIsRefusedAtTheStart() throws {
    for url in ["http://shop.example", "HTTP://shop.example", "http://10.0.0.1"] {
      #expect(throws: StartError.secretInTheOpen(service: "shop")) { try LiveShop(at: url) }
    }
    for url in ["http://127.0.0.1:1", "http://[::1]:1", "https://[fe80::1%25eth0]/v1", "https://xn--h-bga.example"] {
      _ = try LiveShop(at: url)
    }
    for url in ["https://u:p@shop.example", "https://shop.example/?a=b", "https://shop.example/#a"] {
      #expect(throws: StartError.badAddress(service: "shop")) { try LiveShop(at: url) }
    }
  }
}
