import FlowInterpreter

/// Carries the flow's requests; a real one would use the app's own HTTP client.
struct ServerAdapter: Adapter {
  func answer(to request: AdapterRequest) async throws(AdapterFailure) -> AdapterResponse {
    switch request.url {
    case "https://id.example/links": return AdapterResponse(status: 202)
    case "https://id.example/sessions":
      return AdapterResponse(status: 201, body: Array(#"{"session": "from a real server"}"#.utf8))
    default: throw AdapterFailure(.unreachable, reason: "only the flow's server is reached")
    }
  }
}

/// Signs a person in by the guide's flow `mail-link`; `keep` stores what the app must not forget.
func signIn(
  _ email: String, read: (String) -> [UInt8]?, keep: @escaping @Sendable (FlowStore) async throws -> Void
) async throws -> Bool {
  let flow = try CheckedFlow(at: "flows/mail-link.json", read: read)
  let server = LiveServices(["server"], through: ServerAdapter())
  let session = try FlowSession(flow, live: server, keep: keep)
  async let end = session.run()
  var hasAsked = false
  for await output in session.outputs {
    switch output {
    case .entered("signedOut", _, _, _):
      if hasAsked { return false }  // It has failed: whether to try again is the person's to say.
      hasAsked = true
      try await session.person(.event("user.entersEmail"), with: ["email": .string(email)])
    case .entered("waitingForMail", _, _, _):
      // The system opens the app with the link that was tapped in the mail.
      try await session.arrive(at: "https://app.example/sign-in/from-the-mail")
    case .entered(_, _, _, isGoal: true): return true  // Leaving here cancels the run.
    default: break
    }
  }
  // The session is over: what ended it is thrown here.
  _ = try await end
  return false
}
