import FlowInterpreter
import Synchronization
import Testing

/// A flow that keeps what it is told, in a row of a table.
private let keeping = #"""
  {
    "flow": "keeping", "participants": { "user": { "kind": "person" }, "app": { "kind": "app" } },
    "store": { "notes": { "rows": { "body": { "type": "json" } } } },
    "events": { "user.notes": { "fields": { "id": { "type": "string" }, "body": { "type": "json" } } } },
    "start": "open",
    "states": { "open": { "goal": true, "on": {
      "user.notes": { "do": [{ "set": { "notes[event.id].body": "${event.body}" } }], "goto": "noted" } } },
      "noted": { "next": [{ "goto": "open" }] } }
  }
  """#

@Suite(.timeLimit(.minutes(20))) struct StoreReadingTests {
  /// Keeps these values, and begins anew with what was kept.
  private func checkReadAgain(_ values: [FlowValue], sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let flow = try CheckedFlow(at: "keeping.json") { $0 == "keeping.json" ? Array(keeping.utf8) : nil }
    let kept = Mutex<FlowStore?>(nil)
    let session = try FlowSession(flow) { store in kept.withLock { $0 = store } }
    _ = try await withRunning(session) { listener in
      for (index, value) in values.enumerated() {
        try await session.person(.event("user.notes"), with: ["id": .string("\(index)"), "body": value])
        try await listener.state("noted")
        try await listener.state("open")
      }
    }
    let next = try FlowSession(flow, store: kept.withLock(\.self))
    #expect(await next.store == kept.withLock(\.self), sourceLocation: sourceLocation)
  }

  /// A peer that nests its answer as deep as one may be must not lock the app out of its own store.
  @Test func theDeepestValueThatIsKeptIsReadAgain() async throws {
    try await checkReadAgain([(0..<128).reduce(.list([])) { value, _ in .list([value]) }])
  }

  /// A control character takes six bytes in JSON.
  @Test func storesLargerThanADocumentAreReadAgain() async throws {
    let large = FlowValue.string(String(repeating: "\u{1}", count: 1_000_000))
    try await checkReadAgain([large, large, large])
  }

  @Test func theNextVersionOfAFlowDropsWhatItDoesNotDeclareAnyMore() async throws {
    let earlier = #"{"format":1,"flow":"keeping","store":{"gone":1,"notes":{"a":{"gone":2}}}}"#
    let flow = try CheckedFlow(at: "keeping.json") { $0 == "keeping.json" ? Array(keeping.utf8) : nil }
    let session = try FlowSession(flow, store: FlowStore(bytes: Array(earlier.utf8)))
    let kept = String(decoding: await session.store.bytes, as: UTF8.self)
    #expect(kept == #"{"format":1,"flow":"keeping","store":{"notes":{"a":{"body":null}}}}"#)
    #expect(session.dropped == ["gone", "notes.gone"])
    let next = try await FlowSession(flow, store: session.store)
    #expect(next.dropped == [])
  }

  @Test func whatIsKeptIsReadByKey() throws {
    let text = #"""
      {"flow": "kept", "participants": {"app": {"kind": "app"}}, "start": "open", "states": {"open": {"goal": true}},
        "store": {"token": {"type": "string", "secret": true}, "until": {"type": "timestamp"},
          "tries": {"type": "int", "initial": 3}, "name": {"type": "string"},
          "people": {"rows": {"pin": {"type": "string", "secret": true}}}}}
      """#
    let flow = try CheckedFlow(at: "kept.json") { $0 == "kept.json" ? Array(text.utf8) : nil }
    let kept = #"{"token":"c4nary","until":"1970-01-01T00:01:00Z","gone":1,"people":{"ada":{"pin":"73165409"}}}"#
    let store = FlowStore(bytes: Array(#"{"format":1,"flow":"kept","store":\#(kept)}"#.utf8))
    let fields = try store.fields(of: flow)
    let known: FlowFields = [
      "token": "c4nary", "until": .instant(.seconds(60)), "tries": 3, "name": nil,
      "people": ["ada": ["pin": "73165409"]],
    ]
    #expect(fields == known)
    #expect(fields.secrets == ["token", "people"])
    #expect(!"\(fields)".contains("c4nary") && !"\(fields)".contains("73165409"))
    let damaged = FlowStore(bytes: Array("{}".utf8))
    #expect(throws: StartError.unusableStore(.damaged(at: nil))) { try damaged.fields(of: flow) }
  }

  /// What has written a store may write each number with a point.
  @Test func aWholeNumberMayBeKeptWithAPoint() async throws {
    let counting = keeping.replacing(#""body": { "type": "json" }"#, with: #""body": { "type": "int" }"#)
    let flow = try CheckedFlow(at: "keeping.json") { $0 == "keeping.json" ? Array(counting.utf8) : nil }
    func kept(_ number: String) -> FlowStore {
      FlowStore(bytes: Array(#"{"format":1,"flow":"keeping","store":{"notes":{"a":{"body":\#(number)}}}}"#.utf8))
    }
    #expect(try await FlowSession(flow, store: kept("2.0")).store == kept("2"))
    #expect(throws: StartError.self) { try FlowSession(flow, store: kept("2.5")) }
  }

  /// No session writes it, but one of long ago may have.
  @Test func whatIsInfiniteIsWhatItsKeyIsToBeginWith() async throws {
    let text = #"""
      {"flow": "ratios", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "store": {"a": {"type": "double"}, "b": {"type": "double", "initial": 0.5}}, "start": "home", "states": {
          "home": {"goal": true, "do": [{"set": {"a": "${store.a}", "b": "${store.b}"}}]}}}
      """#
    let kept = FlowStore(bytes: Array(#"{"format":1,"flow":"ratios","store":{"a":1e999,"b":-1e999}}"#.utf8))
    let session = try FlowSession(CheckedFlow(at: "ratios.json") { _ in Array(text.utf8) }, store: kept)
    let store = await session.store
    #expect(store == FlowStore(bytes: Array(#"{"format":1,"flow":"ratios","store":{"b":0.5}}"#.utf8)))
  }

  /// What nobody could guess is as little shown in the next session as in the one that made it.
  @Test func whatWasFreshIsNotShownByTheNextSessionEither() async throws {
    let text = #"""
      { "flow": "f", "participants": { "user": { "kind": "person" }, "app": { "kind": "app" } }, "start": "a",
        "store": { "verifier": { "type": "string" }, "both": { "type": "json" } }, "events": { "user.goes": {} },
        "states": { "a": { "next": [{ "when": "store.verifier != null", "goto": "b" }, { "do": [
            { "set": { "verifier": "${fresh('verifier')}" } },
            { "set": { "both": ["a ${store.verifier} b", "${newId('row')}"] } }], "goto": "b" }] },
          "b": { "do": [{ "show": { "home": { "it": "${store.both}", "hash": "${s256(store.verifier)}" } } }], "end": "b" } } }
      """#
    let flow = try CheckedFlow(at: "f.json") { $0 == "f.json" ? Array(text.utf8) : nil }
    let kept = Mutex<FlowStore?>(nil)
    for number in 1...3 {
      let session = try FlowSession(
        flow, clock: ManualClock(), store: kept.withLock(\.self), traces: true
      ) { store in kept.withLock { $0 = store } }
      var heard: [FlowOutput] = []
      _ = try await withRunning(session) { listener in heard = await listener.rest() }
      let trace = heard.compactMap(\.line).joined()
      #expect(trace.contains(#""it":["a <verifier#1> b","row-"#), "\(number): \(trace)")
      #expect(trace.contains(#""hash":"<s256(verifier#1)>""#), "\(number): \(trace)")
    }
    let bytes = String(decoding: kept.withLock(\.self)?.bytes ?? [], as: UTF8.self)
    #expect(bytes.contains(#""fresh":{"verifier":"verifier","both/0":[[2,"#), "\(bytes)")
  }

  /// What is a table now may have been a secret before, with any names in it.
  @Test func theNextVersionOfAFlowNamesNothingThatMayBeASecret() throws {
    let earlier = #"{"format":1,"flow":"keeping","store":{"notes":{"a":{"Hx7pLd3wQs8KfY5m":2}}}}"#
    let flow = try CheckedFlow(at: "keeping.json") { $0 == "keeping.json" ? Array(keeping.utf8) : nil }
    #expect(try FlowSession(flow, store: FlowStore(bytes: Array(earlier.utf8))).dropped == ["notes.••••••••"])
    let choosing = keeping.replacing(
      #""store": {"#,
      with: #""store": { "kind": { "secret": true, "one of": ["qzxkvw", "other"], "initial": "other" },"#)
    let next = try CheckedFlow(at: "keeping.json") { $0 == "keeping.json" ? Array(choosing.utf8) : nil }
    let kept = FlowStore(bytes: Array(#"{"format":1,"flow":"keeping","store":{"kind":"else"}}"#.utf8))
    #expect {
      _ = try FlowSession(next, store: kept)
    } throws: { error in
      "\(error)".contains("what it holds for \"kind\" does not fit")
    }
  }

  /// What a person has decided stays so, though it was the usual.
  @Test func whatStandsAtItsInitialIsKept() async throws {
    func flow(_ initial: Bool, _ rows: String) throws -> CheckedFlow {
      let text = #"""
        { "flow": "f", "participants": { "app": { "kind": "app" } }, "start": "a", "states": { "a": { "goal": true } },
          "store": { "consent": { "type": "bool", "initial": \#(initial) }, "name": { "type": "string" },
            "list": { "type": "list" }, "notes": { "rows": { "n": { "type": "int" } }, "initial": {\#(rows)} } } }
        """#
      return try CheckedFlow(at: "f.json") { $0 == "f.json" ? Array(text.utf8) : nil }
    }
    let store = try await FlowSession(flow(false, "")).store
    let kept = String(decoding: store.bytes, as: UTF8.self)
    #expect(kept == #"{"format":1,"flow":"f","store":{"consent":false,"list":[],"notes":{}}}"#)
    #expect(try await FlowSession(flow(true, #""a": {"n": 1}"#), store: store).store == store)
  }

  /// What is secret is so where it stands: what stands beside it can be read after the next launch as before.
  @Test func aPartThatIsSecretIsSoInTheNextRunAndNothingElse() async throws {
    let kept = Mutex<FlowStore?>(nil)
    let session = try FlowSession(signing()) { store in kept.withLock { $0 = store } }
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.signsIn"), with: ["token": "ab/~c"])
      try await listener.state("in")
    }
    let last = kept.withLock(\.self)
    let store = try #require(last)
    #expect(
      String(decoding: store.bytes, as: UTF8.self)
        == #"{"format":1,"flow":"signing","store":{"session":{"token":"ab/~c","made":["-",7,"ab/~c"],"#
        + #""names":{"ab/~c":"Bearer ab/~c!","until":"2026-01-01T00:00:00Z"}},"#
        + #""hash":"is o3y4LYNemjkSwX6MsPzc5A5mHIC5HuJHLUBXffDbqkU"},"digest":{"hash":[[3,46,"s256"]]},"#
        + #""secret":{"session/token":"token","session/made/2":"token","session/names/ab~1~0c~":"token","#
        + #""session/names/ab~1~0c":[[7,12,"token"]]}}"#)
    let next = try FlowSession(signing(), store: store)
    #expect(await next.store == store)
    // It stops at a run error if the time is secret with the token.
    _ = try await withRunning(next) { try await $0.state("in") }
  }

  @Test(arguments: [
    #""session/x": "token""#, #""session/token/x": "token""#, #""session/list/2": "token""#,
    #""session/list/-1": "token""#,
    #""session/token": 1"#, #""session/token": [1]"#, #""session/token": [[0, 1]]"#, #""session/token": [[0, 1, 2]]"#,
    #""session/token": [[-1, 1, "t"]]"#, #""session/token": [[1, 1, "t"]]"#, #""session/token": [[0, 4, "t"]]"#,
    #""session/token": [[0, 9223372036854775807, "t"]]"#, #""session/token": [[0, 2, "t"], [1, 3, "t"]]"#,
    // In the middle of a character.
    #""session/token": [[0, 2, "t"]]"#, #""session/list": [[0, 1, "t"]]"#, #""sesion": "token""#,
  ])
  func marksOfWhatIsNotKeptAreDamage(mark: String) throws {
    let text =
      #"{"format":1,"flow":"signing","store":{"session":{"token":"aé","list":["a","b"]}},"secret":{"# + mark + "}}"
    let damaged = StartError.unusableStore(.damaged())
    #expect(throws: damaged) { try FlowSession(signing(), store: FlowStore(bytes: Array(text.utf8))) }
    #expect(throws: Never.self) {
      try FlowSession(
        signing(), store: FlowStore(bytes: Array(text.replacing(mark, with: #""session": "token""#).utf8)))
    }
  }
}

/// A flow that keeps a secret among other things, in JSON and in a text.
private func signing() throws -> CheckedFlow {
  let flow = #"""
    {
      "flow": "signing", "participants": { "user": { "kind": "person" }, "app": { "kind": "app" } },
      "store": { "session": { "type": "json" }, "hash": { "type": "string" } },
      "events": { "user.signsIn": { "fields": { "token": { "type": "string", "secret": true } } } },
      "start": "launch",
      "states": {
        "launch": { "next": [
          { "when": "present(store.session) && timestamp(store.session.names.until) < now", "goto": "in" },
          { "goto": "out" }] },
        "out": { "rest": true, "on": { "user.signsIn": { "goto": "in", "do": [{ "set": {
          "session": {
            "token": "${event.token}", "made": ["-", 7, "${event.token}"],
            "names": "${{event.token: 'Bearer ' + event.token + '!', 'until': '2026-01-01T00:00:00Z'}}" },
          "hash": "is ${s256(event.token)}" } }] } } },
        "in": { "goal": true }
      }
    }
    """#
  return try CheckedFlow(at: "signing.json") { $0 == "signing.json" ? Array(flow.utf8) : nil }
}
