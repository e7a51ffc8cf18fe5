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
  }
}
