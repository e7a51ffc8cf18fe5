import FlowHTTP
import FlowInterpreter
import Testing

/// A flow that sends what a person types in a header, in the path, in the query and in the body.
private let flow = #"""
  {
    "flow": "names", "title": "Names",
    "participants": { "user": { "kind": "person" }, "app": { "kind": "app" },
      "back": { "kind": "service", "url": "https://back.example" } },
    "memory": { "name": { "type": "string" } },
    "events": { "user.enters": { "fields": { "name": { "type": "string" } } } },
    "start": "waiting",
    "states": {
      "waiting": { "rest": true, "on": { "user.enters": { "do": [{ "set": { "name": "${event.name}" } }], "goto": "asking" } } },
      "asking": {
        "request": { "to": "back", "post": "/names/${memory.name}", "query": { "name": "${memory.name}" },
          "headers": { "x-name": "${memory.name}" }, "json": { "name": "${memory.name}" } },
        "next": [{ "when": "response.status == 200", "goto": "kept" }, { "goto": "waiting" }] },
      "kept": { "goal": true }
    }
  }
  """#

/// Lets a person enter a name while `back` stands at an address; gives the states and the trace from there on.
private func enter(_ name: String, at url: String) async throws -> (states: [String], trace: String) {
  let checked = try CheckedFlow(at: "names.json") { _ in Array(flow.utf8) }
  let services = LiveServices([LiveServices.Service("back", at: url)], through: try HTTPAdapter.forTests())
  let session = try FlowSession(checked, live: services, traces: true)
  return try await withThrowingTaskGroup { group in
    group.addTask { _ = try? await session.run() }
    defer { group.cancelAll() }
    var (states, trace) = ([String](), "")
    for await output in session.outputs {
      if case .traced(let line) = output { trace += line }
      guard case .entered(let state, _, _, _) = output else { continue }
      states.append(state)
      if states == ["waiting"] { try await session.person(.event("user.enters"), with: ["name": .string(name)]) }
      if states.count == 3 { break }
    }
    return (states, trace)
  }
}

@Suite(.ownThreads, .timeLimit(.minutes(20))) struct FlowTests {
  @Test func aFlowReachesItsServer() async throws {
    let peer = Peer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    #expect(try await enter("a/b c?ü", at: peer.url).states == ["waiting", "asking", "kept"])
    let request = try #require(peer.requests.first)
    #expect(request.hasPrefix("POST /names/a%2Fb%20c%3F%C3%BC?name=a%2Fb%20c%3F%C3%BC HTTP/1.1\r\n"), "\(request)")
    #expect(request.contains("\r\nx-name: a/b c?ü\r\n") && request.hasSuffix("{\"name\":\"a/b c?ü\"}"), "\(request)")
  }

  @Test func aLineBreakThatAPersonTypesNeverReachesTheWire() async throws {
    for name in ["a\r\nX-Evil: 1", "a\nX-Evil: 1", "a\r\n\r\nGET /evil HTTP/1.1\r\n\r\n", "a\u{0}"] {
      let peer = Peer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      let (states, trace) = try await enter(name, at: peer.url)
      #expect(states == ["waiting", "asking", "waiting"] && peer.connections == 0)
      #expect(trace.contains("the value of header x-name holds a control character"), "\(trace)")
    }
  }

  @Test(arguments: [".", ".."]) func aNameThatWouldLeadElsewhereIsNotSent(name: String) async throws {
    let peer = Peer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let (states, trace) = try await enter(name, at: peer.url)
    #expect(states == ["waiting", "asking"] && peer.connections == 0)
    #expect(trace.contains("leads to another path"), "\(trace)")
  }

  @Test func whyNothingWasSentStandsInTheTrace() async throws {
    let (listener, port) = Socket.listening()
    Socket.stop(listener)
    let (states, trace) = try await enter("canary", at: "http://127.0.0.1:\(port)")
    #expect(states == ["waiting", "asking", "waiting"])
    #expect(trace.contains(#""failure":"unreachable","reason":"127.0.0.1:\#(port) refuses connections""#), "\(trace)")
  }
}
