import FlowInterpreter

/// Carries the flow's requests; a real one would use the app's own HTTP client.
struct GreeterAdapter: Adapter {
  func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse {
    guard request.url == "https://greeter.example/greeting?name=Ada" else {
      throw AdapterFailure(.unreachable, reason: "only the greeter is reached")
    }
    return AdapterResponse(status: 200, body: Array(#"{"text": "Hello from a real server, Ada"}"#.utf8))
  }
}

/// Runs the guide's flow `hello` until it shows a greeting; `keep` stores what the app must not forget.
func greeting(
  read: (String) -> [UInt8]?, keep: @escaping @Sendable (FlowStore) async throws -> Void
) async throws -> FlowValue? {
  let flow = try CheckedFlow(at: "flows/hello.json", read: read)
  let greeter = LiveServices(["greeter"], through: GreeterAdapter())
  let session = try FlowSession(flow, live: greeter, keep: keep)
  return try await withThrowingTaskGroup { group in
    group.addTask { _ = try await session.run() }
    defer { group.cancelAll() }
    for await output in session.outputs {
      switch output {
      case .shown("greeting", let fields): return fields["text"]
      case .shown("sorry", _): try await session.person(.event("user.triesAgain"))
      default: break
      }
    }
    return nil
  }
}
