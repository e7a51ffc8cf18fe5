import Synchronization

/// What a session tells, in order; it ends when the session does.
///
/// What nobody takes is kept in memory until then: a listener whose task is cancelled leaves it for the next one. Of two at
/// once, each hears what the other does not.
public final class FlowOutputs: AsyncSequence, AsyncIteratorProtocol, Sendable {
  private struct State {
    var kept: ArraySlice<FlowOutput> = []
    var isOver = false
    /// To finish one is to wake who waits for it.
    var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
    var waits = 0
  }
  private let state = Mutex(State())

  /// How many wait for the next.
  var waiters: Int { state.withLock(\.waiting.count) }

  /// There is one for all.
  public func makeAsyncIterator() -> FlowOutputs { self }

  /// The next output, when there is one; `nil` at the end, and when the task is cancelled.
  public func next() async -> FlowOutput? { await next(isolation: nil) }

  /// The next output, when there is one; `nil` at the end, and when the task is cancelled.
  public func next(isolation actor: isolated (any Actor)?) async throws(Never) -> FlowOutput? {
    while !Task.isCancelled {
      let (woken, waker) = AsyncStream.makeStream(of: Void.self)
      let (output, isOver, number) = state.withLock { state in
        let output = state.kept.popFirst()
        if state.kept.isEmpty { state.kept = [] }
        state.waits += 1
        if output == nil, !state.isOver { state.waiting[state.waits] = waker }
        return (output, state.isOver, state.waits)
      }
      if output != nil || isOver { return output }
      for await _ in woken {}
      state.withLock { $0.waiting[number] = nil }
    }
    return nil
  }

  func yield(_ output: FlowOutput) { wake { $0.kept.append(output) } }

  func finish() { wake { $0.isOver = true } }

  private func wake(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for waker in waiting { waker.finish() }
  }
}

/// One time that a live device was asked for something: no other is equal to it, of another session neither.
public struct FlowAsk: Sendable, Hashable {
  /// Tells what one session asks from what others do.
  final class Asker: Sendable, Hashable {
    static func == (one: Asker, other: Asker) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
  /// Counted from 1.
  let number: Int
  let asker: Asker

  init(number: Int, asker: Asker) { (self.number, self.asker) = (number, asker) }

  /// One that no session has asked: for previews, and to test what shows it.
  public init() { self.init(number: 1, asker: Asker()) }
}

/// What was told last of what may hold for longer.
struct Told {
  var shown: FlowOutput?
  var opened: FlowOutput?
  var asked: FlowOutput?
  var awaitsAnswer = false

  mutating func note(_ output: FlowOutput) {
    switch output {
    case .shown: shown = output
    case .opened: opened = output
    case .closedBrowser: opened = nil
    case .asked: asked = output
    case .awaitsAnswer(let awaits): awaitsAnswer = awaits
    // What is asked no more is forgotten by who finds that out.
    case .entered, .emitted, .withdrawn, .waiting, .traced: break
    }
  }
}
