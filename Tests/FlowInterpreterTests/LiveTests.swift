import FlowInterpreter
import Synchronization
import Testing

/// A journey whose auth server is real, and whose other services are simulated.
struct LiveJourney {
  let adapter = ScriptedAdapter()
  let clock: ManualClock
  let session: FlowSession

  init(
    _ services: [LiveServices.Service] = ["auth"], config: [String: FlowValue] = [:], store: FlowStore? = nil,
    grace: Duration = .zero, keep: @escaping @Sendable (FlowStore) async throws -> Void = { _ in }
  ) throws {
    clock = ManualClock(grace: grace)
    session = try FlowSession(
      Journey.checked(), live: LiveServices(services, through: adapter), clock: clock, config: config, store: store,
      traces: true, keep: keep)
  }

  /// Signs in up to the request that redeems the code.
  func redeem(_ listener: inout Listener) async throws -> ScriptedAdapter.Sent {
    try await session.person(.event("user.signsIn"))
    var address = ""
    try await listener.listen { output in
      if case .opened(let url) = output { address = url }
      return !address.isEmpty
    }
    let state = try #require(address.split(separator: "=").dropFirst().first?.split(separator: "&").first)
    #expect(address == "https://auth.example/v1/authorize?state=\(state)&client_id=app")
    #expect(try await session.arrive(at: "com.example:/back?code=c-1&state=\(state)") == .taken)
    return try await adapter.next()
  }

  /// Redeems the code, lets something become of the request, and waits for a state; gives what was heard.
  func afterRedeeming(
    _ state: String, _ body: (ScriptedAdapter.Sent) async throws -> Void
  ) async throws -> [FlowOutput] {
    var heard: [FlowOutput] = []
    _ = try await withRunning(session) { listener in
      try await body(redeem(&listener))
      try await listener.state(state)
      heard = listener.heard
    }
    return heard
  }
}

private func checkRedeeming(
  leadsTo state: String, tells parts: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (ScriptedAdapter.Sent) -> Void
) async throws {
  let heard = try await LiveJourney().afterRedeeming(state) { sent in body(sent) }
  #expect(heard.tell(parts), "\(heard)", sourceLocation: sourceLocation)
}

@Suite(.timeLimit(.minutes(20))) struct LiveTests {
  @Test func aLiveServiceAnswersThroughTheAdapter() async throws {
    let journey = try LiveJourney()
    let heard = try await journey.afterRedeeming("ready") { sent in
      #expect(
        sent.request.url == "https://auth.example/v1/token" && sent.request.method == "POST"
          && sent.request.service == "auth" && sent.request.timeout == .seconds(10))
      #expect(sent.request.body == Array("code=c-1".utf8))
      #expect(sent.request.headers == [AdapterHeader("content-type", "application/x-www-form-urlencoded")])
      sent.answer(200, #"{"access_token": "t-1", "expires_in": 60}"#)
    }
    #expect(heard.contains(.entered(state: "ready", subflow: nil, title: nil, isGoal: true)))
  }

  @Test func whatIsNotLiveGoesOnBeingSimulated() async throws {
    let journey = try LiveJourney()
    _ = try await withRunning(journey.session) { listener in
      try await journey.redeem(&listener).answer(200, #"{"access_token": "t-1"}"#)
      try await listener.state("ready")
      try await journey.session.person(.event("user.writes"), with: ["id": "x"])
      try await listener.state("ready")
      #expect(listener.heard.tell(#""request":"POST /drafts""#, #""status":204"#))
    }
  }

  @Test func failuresAreToldApart() async throws {
    try await checkRedeeming(leadsTo: "out", tells: #""failure":"unreachable","reason":"refused""#) {
      $0.fail(.unreachable, "refused")
    }
    try await checkRedeeming(leadsTo: "unsure", tells: #""failure":"lost","reason":"cut in the middle""#) {
      $0.fail(.lost, "cut in the middle")
    }
    try await checkRedeeming(leadsTo: "unsure", tells: "the adapter gave status 0") { $0.answer(0) }
    try await checkRedeeming(leadsTo: "out", tells: #""status":503,"reason":"its body is no JSON""#) {
      $0.answer(503, "<html>busy</html>")
    }
    try await checkRedeeming(leadsTo: "out", tells: #""status":200,"reason":"its body is no UTF-8""#) {
      $0.answer(200, Array(#"{"access_token": "t"#.utf8) + [0xFF] + Array(#""}"#.utf8))
    }
  }

  @Test func theStoreIsKeptBeforeTheRequestGoesOut() async throws {
    let story = Mutex<[String]>([])
    let journey = try LiveJourney { store in
      // Whoever keeps it may take time.
      for _ in 0..<20 { await Task.yield() }
      story.withLock { $0.append(String(decoding: store.bytes, as: UTF8.self)) }
    }
    _ = try await journey.afterRedeeming("ready") { sent in
      story.withLock { $0.append("sent") }
      sent.answer(200, #"{"access_token": "t-1", "expires_in": 60}"#)
    }
    let kept = #"{"format":1,"flow":"journey","store":{"#
    #expect(story.withLock(\.self).prefix(2) == [kept + #""asked":true,"drafts":{}}}"#, "sent"])
  }

  @Test func aStoreThatCannotBeKeptEndsTheSession() async throws {
    struct DiskIsFull: Error {}
    let journey = try LiveJourney { _ in throw DiskIsFull() }
    let ended = try await withRunning(journey.session) { listener in
      try await journey.session.person(.event("user.signsIn"))
      var state = ""
      try await listener.listen { output in
        if case .opened(let url) = output {
          state = String(url.split(separator: "=")[1].split(separator: "&")[0])
        }
        return !state.isEmpty
      }
      try await journey.session.arrive(at: "com.example:/back?code=c-1&state=\(state)")
      _ = await listener.rest()
    }
    #expect(throws: DiskIsFull.self) { try ended.get() }
  }

  @Test func theTraceShowsOfALiveBodyWhatTheFlowReads() async throws {
    let journey = try LiveJourney()
    let body = #"""
      {"access_token": "canary-1", "expires_in": 60, "id_token": "canary-2", "nickname": "canary-3", "more": {"access_token": "canary-4"}}
      """#
    let heard = try await journey.afterRedeeming("ready") { sent in
      sent.answer(200, body, headers: [AdapterHeader("Set-Cookie", "canary-5"), AdapterHeader("X-Id", "canary-6")])
    }
    #expect(
      heard.tell(
        #""form":{"code":"<code#1>"}"#, #""status":200,"json":{"access_token":"<access_token#1>","expires_in":60}}"#))
    let trace = heard.compactMap(\.line).joined()
    #expect(
      heard.tell(
        #""new":"<state#1>"}"#, #""event":"browser.redirected","with":{"code":"<code#1>","state":"<state#1>"}"#))
    #expect(!trace.contains("canary") && !trace.contains("c-1"))
  }

  @Test func aServiceMayStandElsewhere() async throws {
    let local = try LiveJourney([LiveServices.Service("auth", at: "http://127.0.0.1:8080/i%2Fd%3F/")])
    _ = try await withRunning(local.session) { listener in
      try await local.session.person(.event("user.signsIn"))
      try await listener.listen {
        guard case .opened(let url) = $0 else { return false }
        #expect(url.hasPrefix("http://127.0.0.1:8080/i%2Fd%3F/authorize?state="))
        return true
      }
    }
    let split = try LiveJourney(config: ["tokens": "https://tokens.example/x"])
    _ = try await split.afterRedeeming("out") { sent in
      #expect(sent.request.url == "https://tokens.example/x/token")
      sent.answer(400)
    }
  }

  @Test(arguments: [
    ("../elsewhere?code=canary&n=canary", "https://auth.example/elsewhere"),
    ("https://canary:canary@x.example:8443/a?n=canary#canary", "https://<user#1>@x.example:8443/a"),
  ]) func whereALiveAnswerLeadsIsToldWithoutWhatNobodyReads(location: String, told: String) async throws {
    let heard = try await LiveJourney().afterRedeeming("out") { sent in
      sent.answer(302, headers: [AdapterHeader("Location", location)])
    }
    #expect(heard.tell(#""status":302,"redirect":"\#(told)"}"#), "\(heard)")
    #expect(!heard.compactMap(\.line).joined().contains("canary"))
  }

  @Test func aLineBreakInAHeaderIsNeverSent() async throws {
    let journey = try LiveJourney(["api"])
    _ = try await withRunning(journey.session) { listener in
      try await listener.state("out")
      try await journey.session.arrive(at: "https://app.example/welcome/a%0D%0AX-Evil:%201")
      try await listener.state("ready")
      try await journey.session.person(.event("user.writes"), with: ["id": "x"])
      try await listener.state("saving")
      try await listener.state("ready")
      #expect(listener.heard.tell("the value of header authorization holds a control character"))
      #expect(!listener.heard.compactMap(\.line).joined().contains("X-Evil"))
    }
  }
}
