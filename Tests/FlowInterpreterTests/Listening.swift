import FlowInterpreter
import Testing

/// What a session tells, one by one.
struct Listener: ~Copyable {
  private let outputs: FlowOutputs
  private(set) var heard: [FlowOutput] = []

  init(_ session: FlowSession) { outputs = session.outputs }

  /// The state that was entered last, unless it was waited for already.
  private var news: String?

  /// Listens until the app has entered a state; one that was heard of and not waited for counts.
  mutating func state(_ name: String) async throws {
    while news != name { try await listen { if case .entered = $0 { true } else { false } } }
    news = nil
  }

  mutating func listen(until isMeant: (FlowOutput) -> Bool) async throws {
    while let output = await outputs.next(isolation: #isolation) {
      heard.append(output)
      if case .entered(let state, _, _, _) = output { news = state }
      if isMeant(output) { return }
    }
    throw Silence(heard: heard)
  }

  /// Listens until the device is asked for something.
  mutating func ask() async throws -> (ask: FlowAsk, fields: FlowFields) {
    try await listen { if case .asked = $0 { true } else { false } }
    guard case .asked(let ask, _, let fields) = heard.last else { throw Silence(heard: heard) }
    return (ask, fields)
  }

  mutating func rest() async -> [FlowOutput] {
    while let output = await outputs.next(isolation: #isolation) { heard.append(output) }
    return heard
  }
}

/// The session ended, or said nothing of what was expected.
struct Silence: Error {
  let heard: [FlowOutput]
}

/// Runs a session beside a test, which begins when the app has been launched; what ended it, when the test did not.
func withRunning(
  _ session: FlowSession, _ body: (inout Listener) async throws -> Void
) async throws -> Result<String, any Error> {
  var listener = Listener(session)
  return try await withThrowingTaskGroup(of: Result<String, any Error>.self) { group in
    group.addTask {
      do { return .success(try await session.run()) } catch { return .failure(error) }
    }
    do {
      try await listener.listen { if case .entered = $0 { true } else { false } }
      try await body(&listener)
    } catch {
      group.cancelAll()
      throw error
    }
    group.cancelAll()
    return try await group.next() ?? .failure(CancellationError())
  }
}

extension FlowOutput {
  /// A line of the trace, `nil` for anything else.
  var line: String? {
    if case .traced(let line) = self { line } else { nil }
  }
}

extension [FlowOutput] {
  /// Whether these parts of lines of the trace come in this order.
  func tell(_ parts: String...) -> Bool {
    var rest = compactMap(\.line)[...]
    for part in parts {
      guard let index = rest.firstIndex(where: { $0.contains(part) }) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }
}
