import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// Section 7, `moves` and `take`: whatever is listed can be taken, from wherever taking leads.
@Suite struct ChoiceTests {
  /// A login with a browser, mail, a sub-flow, retries, two services, the network, a capability, timers and a store.
  private static let everything = Sketch(
    flow: #"""
      "store": {"token": {"type": "string", "secret": true}, "expiresAt": {"type": "timestamp"}, "n": {"type": "int", "initial": 0}},
      "memory": {"state": {"type": "string"}, "verifier": {"type": "string", "secret": true}},
      "events": {"user.signsIn": {}, "user.registers": {}, "user.signs": {}, "link.welcome": {"fields": {"token": {"type": "string", "secret": true}}},
        "browser.redirected": {"fields": {"code": {"type": "string", "secret": true}, "state": {"type": "string"}}}},
      "on": {"link.welcome": {"goto": "signIn"}},
      "start": "choose", "states": {
        "choose": {"next": [{"when": "present(store.token)", "goto": "ready"}],
          "on": {"user.signsIn": {"goto": "signIn"}, "user.registers": {"goto": "registering"}}},
        "registering": {"request": {"to": "web", "post": "/register", "retry": {"when": "response.status == 503", "most": 1, "wait": "1s"}},
          "next": [{"when": "response.status == 200", "goto": "mailed"}, {"goto": "choose"}]},
        "mailed": {"rest": true, "on": {"user.signsIn": {"goto": "signIn"}}},
        "signIn": {"start": "opening", "on": {"browser.closed": {"goto": "choose"}}, "states": {
          "opening": {"do": [{"set": {"state": "${fresh('state')}", "verifier": "${fresh('verifier')}"}},
            {"open": {"to": "web", "get": "/authorize", "query": {"state": "${memory.state}", "challenge": "${s256(memory.verifier)}", "redirect_uri": "com.example:/cb"}}}],
            "on": {"browser.redirected": [{"when": "same(event.state, memory.state) && present(event.code)", "do": [{"set": {"token": "${event.code}"}}], "goto": "exchanging"}, {"goto": "choose"}]}},
          "exchanging": {"request": {"to": "web", "post": "/token", "form": {"code": "${store.token}", "verifier": "${memory.verifier}"}}, "next": [
            {"when": "response.status == 200", "do": [{"set": {"token": "${response.json.token}"}}, {"set": {"expiresAt": "${now + duration('10m')}"}}], "goto": "ready"},
            {"do": [{"clear": "token"}], "goto": "choose"}]}}},
        "ready": {"goal": true, "after": [{"at": "${store.expiresAt == null ? now + duration('1m') : store.expiresAt}", "goto": "refreshing"}],
          "on": {"user.signs": {"goto": "signing"}, "device.online": {"goto": "ready"}}},
        "signing": {"perform": "sign", "next": [{"goto": "ready"}]},
        "refreshing": {"call": "refresh", "next": [{"when": "result.ended == 'kept'", "goto": "ready"}, {"do": [{"clear": ["token", "expiresAt"]}], "goto": "choose"}]}},
      "flows": {"refresh": {"ends": ["kept", "lost"], "start": "asking", "states": {
        "asking": {"request": {"to": "web", "post": "/refresh", "bearer": "${store.token}"}, "next": [
          {"when": "response.status == 200", "do": [{"set": {"token": "${response.json.token}", "expiresAt": "${now + duration('10m')}"}}], "end": "kept"},
          {"when": "response.failure != null", "goto": "waiting"}, {"end": "lost"}]},
        "waiting": {"on": {"device.online": {"goto": "asking"}}, "after": [{"wait": "1m", "goto": "asking"}]}}}}
      """#,
    services: [
      "web": #"""
      "secrets": ["code", "token", "verifier"],
      "store": {"codes": {"rows": {"challenge": {"type": "string"}}}, "tokens": {"rows": {"ok": {"type": "bool", "initial": true}}}},
      "memory": {"new": {"type": "string"}},
      "sometimes": [{"name": "busy", "reply": {"status": 503}}],
      "routes": [
        {"on": "POST /register", "next": [{"do": [{"set": {"new": "${fresh('welcome')}"}}, {"send": {"welcome": {"links": {"go": "https://app.example/welcome/${memory.new}", "terms": "https://web.example/terms"}}}}], "reply": {"status": 200}}]},
        {"on": "GET /terms", "next": [{"reply": {"page": {"title": "Terms", "links": {"back": {"get": "/terms"}}}}}]},
        {"on": "GET /authorize", "next": [{"reply": {"page": {"title": "Login", "forms": {
          "login": {"post": "/login", "query": {"state": "${request.query.state}", "challenge": "${request.query.challenge}", "uri": "${request.query.redirect_uri}"}, "fields": {"name": {"type": "string", "example": "ada"}}},
          "cancel": {"post": "/cancel", "query": {"state": "${request.query.state}", "uri": "${request.query.redirect_uri}"}, "fields": {}}}}}}]},
        {"on": "POST /cancel", "next": [{"reply": {"redirect": {"uri": "${request.query.uri}", "query": {"state": "${request.query.state}"}}}}]},
        {"on": "POST /login", "next": [{"do": [{"set": {"new": "${fresh('code')}"}}, {"set": {"codes[memory.new].challenge": "${request.query.challenge}"}}],
          "reply": {"cookies": {"sid": "${fresh('sid')}"}, "redirect": {"uri": "${request.query.uri}", "query": {"state": "${request.query.state}", "code": "${memory.new}"}}}}]},
        {"on": "POST /token", "next": [
          {"name": "slow", "sometimes": true, "goto": "auditing"},
          {"when": "request.form.code in store.codes && store.codes[request.form.code].challenge == s256(request.form.verifier)",
            "do": [{"set": {"new": "${fresh('token')}"}}, {"clear": "codes[request.form.code]"}, {"set": {"tokens[memory.new]": {}}}], "goto": "auditing"}, {"reply": {"status": 400}}]},
        {"on": "POST /refresh", "next": [
          {"when": "request.bearer in store.tokens", "do": [{"set": {"new": "${fresh('token')}"}}, {"clear": "tokens[request.bearer]"}, {"set": {"tokens[memory.new]": {}}}],
            "reply": {"json": {"token": "${memory.new}"}}}, {"reply": {"status": 401}}]}],
      "states": {"auditing": {"request": {"to": "audit", "post": "/log", "timeout": "5s"}, "next": [
        {"when": "memory.new == null", "reply": {"status": 500}}, {"reply": {"json": {"token": "${memory.new}"}}}]}}
      """#, "audit": #""routes": [{"on": "POST /log", "next": [{"reply": {"status": 204}}]}]"#,
    ],
    participants: [
      "app": #", "redirectUris": ["com.example:/cb"], "links": {"welcome": "https://app.example/welcome/{token}"}"#,
      "device":
        #", "capabilities": {"sign": {"result": {"s": {"type": "string"}}, "example": {"s": "x"}, "failures": ["cancelled"]}}"#,
    ])

  @Test func whateverIsListedCanBeTaken() throws {
    try Exploration(World(Self.everything.load())).run(most: 1500)
  }

  @Test func aSmallWorldIsFinite() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}, "t": {"type": "string"}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x", "retry": {"when": "response.status == 503", "most": 1, "wait": "5s"}}, "next": [
            {"when": "response.status == 200", "do": [{"set": {"t": "${response.json.t}"}}, {"set": {"n": 1}}], "goto": "done"}, {"goto": "later"}]},
          "later": {"rest": true, "on": {"device.online": {"goto": "ask"}}, "after": [{"wait": "10m", "goto": "ask"}]},
          "done": {"goal": true, "after": [{"wait": "1h", "goto": "ask"}]}}
        """#,
      services: [
        "api": #"""
        "secrets": ["t"], "store": {"all": {"rows": {"ok": {"type": "bool", "initial": true}}}}, "memory": {"new": {"type": "string"}},
        "routes": [{"on": "GET /x", "next": [{"name": "busy", "sometimes": true, "reply": {"status": 503}},
          {"do": [{"set": {"new": "${fresh('t')}"}}, {"set": {"all[memory.new]": {}}}], "reply": {"json": {"t": "${memory.new}"}}}]}]
        """#
      ])
    try Exploration(World(sketch.load()), holdsAnswers: false).run(most: 3000, isFinite: true)
  }

  @Test func movesStandInAFixedOrder() throws {
    let world = World(try Self.everything.load())
    let start = world.initial(now: .start)
    #expect(world.moves(in: start, isStart: true) == [.launch, .offline])
    let launched = world.take(.launch, in: start).snapshot
    #expect(
      world.moves(in: launched, isStart: false) == [.event(0, fields: []), .event(1, fields: []), .offline, .kill])
    let asked = world.take(.event(1, fields: []), in: launched).snapshot
    #expect(
      world.moves(in: asked, isStart: false) == [
        .deliver(flight: 1, reply: nil, .arrives), .deliver(flight: 1, reply: "busy", .arrives),
        .unreachable(flight: 1),
        .deliver(flight: 1, reply: nil, .lost), .deliver(flight: 1, reply: nil, .held(.seconds(15))),
      ])
  }

  @Test func timeNeverPassesATimeOut() throws {
    let world = World(try Self.everything.load())
    var snapshot = world.initial(now: .start)
    for choice in [Choice.launch, .event(1, fields: []), .tick(timers: true)] {
      snapshot = world.take(choice, in: snapshot).snapshot
    }
    #expect(snapshot.now.since(.start) == .seconds(30))
    #expect(snapshot.flights.isEmpty)
  }
}

/// Goes through a world from its start, each canonical snapshot once; what has equal canonical forms has equal futures.
private struct Exploration {
  let world: World

  /// Answers that are held pile up as long as time stands still: such a world is not finite.
  let holdsAnswers: Bool

  init(_ world: World, holdsAnswers: Bool = true) {
    self.world = world
    self.holdsAnswers = holdsAnswers
  }

  func run(most: Int, isFinite: Bool = false) {
    let start = world.initial(now: .start)
    var seen: Set<Snapshot> = [world.canonical(start)]
    var open = [start]
    var next = 0
    while next < open.count, open.count < most {
      let snapshot = open[next]
      next += 1
      let outcomes = successors(of: snapshot)
      let forms = outcomes.map(canonical)
      let canonical = world.canonical(snapshot)
      let again = canonical == snapshot ? forms : successors(of: canonical).map(world.canonical)
      #expect(forms.count == again.count)
      for index in forms.indices {
        #expect(forms[index] == again[index], "\(choices(in: snapshot)[index])")
        if seen.insert(forms[index]).inserted { open.append(outcomes[index]) }
      }
    }
    #expect(isFinite == (open.count < most), "\(open.count) snapshots, at most \(most)")
  }

  /// What is listed, and what only a driver makes: answers that are held, time without timers, kills within a step.
  private func choices(in snapshot: Snapshot) -> [Choice] {
    let listed = world.inAnyOrder(in: snapshot)
    let held = listed.compactMap { choice -> Choice? in
      guard holdsAnswers, case .deliver(let flight, nil, .lost) = choice else { return nil }
      return .deliver(flight: flight, reply: nil, .held(.seconds(3)))
    }
    let untimed = listed.filter { $0 == .tick(timers: true) && world.nextDue(in: snapshot, timers: false) != nil }
    let all = listed + held + untimed.map { _ in .tick(timers: false) }
    let kills = all.flatMap { choice in
      world.take(choice, in: snapshot, recording: false).kills.map { keeping in
        Choice.killed(during: choice, keeping: keeping)
      }
    }
    return all + kills
  }

  private func successors(of snapshot: Snapshot) -> [Snapshot] {
    let choices = choices(in: snapshot)
    #expect(choices == self.choices(in: snapshot))
    return choices.map { take($0, in: snapshot).snapshot }
  }

  private func take(_ choice: Choice, in snapshot: Snapshot) -> World.Outcome {
    let outcome = world.take(choice, in: snapshot)
    let failure = outcome.failure.map { DiagnosticRenderer().text(of: [$0]) }
    #expect(failure == nil, "\(choice)\n\(failure ?? "")")
    #expect(world.take(choice, in: snapshot, recording: false).snapshot == outcome.snapshot, "\(choice)")
    return outcome
  }

  private func canonical(_ snapshot: Snapshot) -> Snapshot {
    let canonical = world.canonical(snapshot)
    #expect(world.canonical(canonical) == canonical)
    return canonical
  }
}
