import FlowInterpreter
import Testing

/// A flow that asks the device to sign, which can be left for another text.
private enum Signing {
  static func session(
    on clock: ManualClock = ManualClock(), keep: @escaping @Sendable (FlowStore) async throws -> Void = { _ in }
  ) throws -> FlowSession {
    let text = #"""
      {"flow": "signing", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
          "device": {"kind": "device", "capabilities": {"sign": {"input": {"text": {"type": "string"}},
            "result": {"signature": {"type": "string"}}, "failures": ["cancelled"]}}}},
        "memory": {"text": {"type": "string"}},
        "store": {"pays": {"type": "string"}, "saves": {"type": "bool", "initial": false}},
        "events": {"user.pays": {"fields": {"text": {"type": "string"}}}, "user.goesBack": {}, "user.leaves": {},
          "user.breaks": {}, "user.saves": {}},
        "emits": {"signed": {"text": {"type": "string"}, "by": {"type": "string"}}, "unsigned": {"text": {"type": "string"}}},
        "start": "open", "states": {
          "open": {"goal": true, "on": {"user.pays": {"do": [{"set": {"text": "${event.text}", "pays": "${event.text}"}}], "goto": "signing"}}},
          "signing": {"perform": {"capability": "sign", "with": {"text": "${memory.text}"}},
            "on": {"user.goesBack": {"goto": "open"}, "user.leaves": {"end": "left"},
              "user.saves": {"do": [{"set": {"saves": true}}]},
              "user.breaks": {"do": [{"set": {"pays": "${['a'][size(memory.text)]}"}}]}}, "after": [{"wait": "1m", "goto": "signing"}], "next": [
              {"when": "result.failure == null", "do": [{"emit": {"signed": {"text": "${memory.text}", "by": "${result.signature}"}}}], "goto": "open"},
              {"do": [{"emit": {"unsigned": {"text": "${memory.text}"}}}], "goto": "open"}]}}}
      """#
    let flow = try CheckedFlow(at: "signing.json") { _ in Array(text.utf8) }
    return try FlowSession(flow, device: FlowDevice(isLive: true), clock: clock, keep: keep)
  }
}

extension FlowSession {
  /// Both at once: nothing comes between them.
  fileprivate func saveAndPerform(for ask: FlowAsk) async throws {
    try await person(.event("user.saves"))
    try await performed(["signature": "s"], for: ask)
  }
}

extension Listener {
  /// Listens until the device is asked to sign a text; gives which ask that is.
  fileprivate mutating func ask(_ text: FlowValue, of session: FlowSession) async throws -> FlowAsk {
    try await listen { if case .asked(_, "sign", ["text": text]) = $0 { true } else { false } }
    guard case .asked(let ask, _, _) = heard.last else { throw CancellationError() }
    return ask
  }
}

/// What a live device is asked for, and says of it.
@Suite(.timeLimit(.minutes(20))) struct AskingTests {
  @Test func aResultThatComesTooLateIsNotThatOfTheNextAsk() async throws {
    let session = try Signing.session()
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5"])
      let first = try await listener.ask("5", of: session)
      try await session.person(.event("user.goesBack"))
      await #expect(throws: InputError.nothingAsked) { try await session.performed(for: first) }
      try await session.person(.event("user.pays"), with: ["text": "5000"])
      await #expect(throws: InputError.nothingAsked) { try await session.performed(["signature": "5"], for: first) }
      await #expect(throws: InputError.nothingAsked) { try await session.failedToPerform("cancelled", for: first) }
      let second = try await listener.ask("5000", of: session)
      #expect(first != second)
      try await session.performed(["signature": "5000"], for: second)
      try await listener.listen { if case .emitted = $0 { true } else { false } }
      #expect(listener.heard.last == .emitted("signed", ["text": "5000", "by": "5000"]))
      await #expect(throws: InputError.nothingAsked) { try await session.performed(for: second) }
    }
  }

  @Test func whatIsNotAskedAnyMoreIsWithdrawn() async throws {
    let clock = ManualClock()
    let session = try Signing.session(on: clock)
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5"])
      let first = try await listener.ask("5", of: session)
      try await session.person(.event("user.goesBack"))
      try await listener.state("open")
      #expect(listener.heard.suffix(2).first == .withdrawn(first))
      try await session.person(.event("user.pays"), with: ["text": "6"])
      let second = try await listener.ask("6", of: session)
      while clock.sleepers == 0 { await Task.yield() }
      // The same is asked anew.
      clock.move(by: .seconds(61))
      let third = try await listener.ask("6", of: session)
      #expect(listener.heard.contains(.withdrawn(second)))
      try await session.performed(["signature": "s"], for: third)
      try await listener.state("open")
      #expect(!listener.heard.contains(.withdrawn(third)))
    }
    #expect(FlowOutput.withdrawn(try await Self.firstAsk()).description == "withdrawn ask 1")
  }

  @Test func whatIsAskedAtTheEndIsWithdrawn() async throws {
    let ends: [@Sendable (FlowSession) async throws -> Void] = [
      { try await $0.person(.event("user.leaves")) }, { try await $0.person(.event("user.breaks")) },
      { await $0.stop() },
    ]
    for end in ends {
      let session = try Signing.session()
      _ = try await withRunning(session) { listener in
        try await session.person(.event("user.pays"), with: ["text": "5"])
        let ask = try await listener.ask("5", of: session)
        try await end(session)
        let heard = await listener.rest()
        #expect(heard.last == .withdrawn(ask), "\(heard)")
      }
    }
  }

  @Test func whatIsAskedOfASessionThatCannotGoOnIsWithdrawn() async throws {
    struct DiskIsFull: Error {}
    let ends: [@Sendable (FlowSession, Task<String, any Error>) async throws -> Void] = [
      { session, _ in try await session.person(.event("user.saves")) }, { _, run in run.cancel() },
    ]
    for end in ends {
      let session = try Signing.session { store in
        if String(decoding: store.bytes, as: UTF8.self).contains("\"saves\":true") { throw DiskIsFull() }
      }
      var listener = Listener(session)
      let run = Task { try await session.run() }
      try await listener.state("open")
      try await session.person(.event("user.pays"), with: ["text": "5"])
      let ask = try await listener.ask("5", of: session)
      try await end(session, run)
      let heard = await listener.rest()
      #expect(heard.last == .withdrawn(ask), "\(heard)")
      await #expect(throws: (any Error).self) { try await run.value }
    }
  }

  /// The app knows already that its prompt is not needed any more.
  @Test func whatWasAnsweredBeforeItCouldNotBeKeptIsNotWithdrawn() async throws {
    struct DiskIsFull: Error {}
    let session = try Signing.session { store in
      if String(decoding: store.bytes, as: UTF8.self).contains("\"saves\":true") { throw DiskIsFull() }
    }
    let ended = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5"])
      let ask = try await listener.ask("5", of: session)
      // Both are told before `run()` gets to keep what came of them.
      try await session.saveAndPerform(for: ask)
      let heard = await listener.rest()
      #expect(!heard.contains { if case .withdrawn = $0 { true } else { false } }, "\(heard)")
    }
    #expect(throws: DiskIsFull.self) { try ended.get() }
  }

  /// What is kept before it takes its time, and `outputs` tells of the ask once that is over.
  @Test func whatIsAnsweredBeforeItIsToldIsNotWithdrawn() async throws {
    let session = try Signing.session { _ in try await Task.sleep(for: .milliseconds(50)) }
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5"])
      try await session.performed(["signature": "s"], for: nil, orExamples: false)
      try await listener.listen { $0 == .emitted("signed", ["text": "5", "by": "s"]) }
      try await listener.state("open")
      #expect(!listener.heard.contains { if case .withdrawn = $0 { true } else { false } }, "\(listener.heard)")
    }
  }

  private static func firstAsk() async throws -> FlowAsk {
    let session = try Signing.session()
    var ask: FlowAsk?
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5"])
      ask = try await listener.ask("5", of: session)
    }
    return try #require(ask)
  }

  /// As when a prompt is open while the app goes on in a new session.
  @Test func whatAnotherSessionWasAskedIsNotAskedInThisOne() async throws {
    let before = try await Self.firstAsk()
    let session = try Signing.session()
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5000"])
      let ask = try await listener.ask("5000", of: session)
      #expect(ask != before)
      await #expect(throws: InputError.nothingAsked) { try await session.performed(["signature": "5"], for: before) }
      await #expect(throws: InputError.nothingAsked) { try await session.failedToPerform("cancelled", for: before) }
      try await session.performed(["signature": "5000"], for: ask)
      try await listener.listen { $0 == .emitted("signed", ["text": "5000", "by": "5000"]) }
    }
  }

  @Test func aFailureIsToldOfTheAskThatFailed() async throws {
    let session = try Signing.session()
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5"])
      let ask = try await listener.ask("5", of: session)
      try await session.failedToPerform("cancelled", for: ask)
      try await listener.listen { $0 == .emitted("unsigned", ["text": "5"]) }
    }
  }

  @Test(arguments: [true, false]) func anAskThatTimeTakesThePlaceOfIsNotAnswered(isNamed: Bool) async throws {
    let clock = ManualClock()
    let session = try Signing.session(on: clock)
    _ = try await withRunning(session) { listener in
      try await session.person(.event("user.pays"), with: ["text": "5"])
      let first = try await listener.ask("5", of: session)
      while clock.sleepers == 0 { await Task.yield() }
      // Nobody looks at the clock meanwhile: the result is what makes the session look.
      clock.move(by: .seconds(61), waking: false)
      await #expect(throws: InputError.nothingAsked) {
        try await session.performed(["signature": "5"], for: isNamed ? first : nil, orExamples: false)
      }
      let second = try await listener.ask("5", of: session)
      #expect(first != second)
      try await session.performed(["signature": "again"], for: second)
      try await listener.listen { $0 == .emitted("signed", ["text": "5", "by": "again"]) }
    }
  }

  @Test func listsAndMapsThatNobodyGivesAreEmpty() async throws {
    let text = #"""
      {"flow": "scanning", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
          "device": {"kind": "device", "capabilities": {"scan": {"input": {"l": {"type": "list"}},
            "result": {"l": {"type": "list"}, "m": {"type": "map"}}, "failures": ["no"]}}}},
        "emits": {"got": {"l": {"type": "list"}, "m": {"type": "map"}, "n": {"type": "int"}}}, "events": {"user.asks": {}}, "start": "asking", "states": {
          "asking": {"perform": {"capability": "scan", "with": {"l": null}}, "next": [{"do": [{"emit": {"got":
            {"l": "${result.l}", "m": "${result.m}", "n": "${size(result.l) + size(result.m)}"}}}], "goto": "asked"}]},
          "asked": {"goal": true, "on": {"user.asks": {"goto": "asking"}}}}}
      """#
    let flow = try CheckedFlow(at: "scanning.json") { _ in Array(text.utf8) }
    let session = try FlowSession(flow, device: FlowDevice(isLive: true), clock: ManualClock())
    _ = try await withRunning(session) { listener in
      for result: [String: FlowValue]? in [[:], ["l": .null, "m": .null], nil] {
        try await listener.listen { if case .asked = $0 { true } else { false } }
        guard case .asked(let ask, _, let fields)? = listener.heard.last else { throw CancellationError() }
        #expect(fields.values == ["l": []])
        if let result {
          try await session.performed(result, for: ask)
        } else {
          try await session.failedToPerform("no", for: ask)
        }
        try await listener.listen { if case .emitted = $0 { true } else { false } }
        #expect(listener.heard.last == .emitted("got", ["l": [], "m": [:], "n": 0]))
        try await listener.state("asked")
        try await session.person(.event("user.asks"))
      }
    }
  }

  @Test func theDeviceGetsWhatIsSecretAsItIs() async throws {
    let text = #"""
      {"flow": "sealing", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
          "device": {"kind": "device", "capabilities": {"seal": {"input": {"data": {"type": "json", "secret": true}}}}}},
        "store": {"data": {"type": "json", "secret": true, "initial": {"n": 5, "by": ["ada", true]}}},
        "start": "sealing", "states": {
          "sealing": {"perform": {"capability": "seal", "with": {"data": "${store.data}"}}, "next": [{"goto": "sealed"}]},
          "sealed": {"goal": true}}}
      """#
    let flow = try CheckedFlow(at: "sealing.json") { _ in Array(text.utf8) }
    let session = try FlowSession(flow, device: FlowDevice(isLive: true)) { _ in }
    _ = try await withRunning(session) { listener in
      try await listener.listen { if case .asked = $0 { true } else { false } }
      guard case .asked(let ask, _, let fields)? = listener.heard.last else { throw CancellationError() }
      #expect(fields.values == ["data": ["n": 5, "by": ["ada", true]]] && fields.secrets == ["data"])
      try await session.performed(for: ask)
      try await listener.state("sealed")
    }
  }
}
