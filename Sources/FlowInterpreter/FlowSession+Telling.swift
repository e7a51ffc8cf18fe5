import Expressions
import FlowEngine

/// What the session is told waits for its turn, for answers, and for what fell due.
extension FlowSession {
  /// Lets something happen that the session is told, unless it is over by then: time may end the flow on the way.
  ///
  /// What was told before happens before. Far behind the clock it waits until the session has caught up, bit by bit as
  /// when the clock wakes it. Whoever tells it waits for all of that also where its task is cancelled.
  @discardableResult
  func tell<Result>(
    _ body: (inout LiveRun) throws(InputError) -> Result
  ) async throws(InputError) -> Result {
    await beginTurn()
    defer { endTurn() }
    while true {
      await hearWhatHasCome()
      guard isListening else { throw .notRunning }
      let result: Result? = try happen(most: Self.mostAtOnce) { (live) throws(InputError) in
        if live.hasEnded { throw .notRunning }
        return isBehind ? nil : try body(&live)
      }
      if let result { return result }
      await withCheckedContinuation { late = $0 }
    }
  }

  private func beginTurn() async {
    if isBeingTold { await withCheckedContinuation { tellers.append($0) } }
    isBeingTold = true
  }

  /// It is the next one's turn at once, so that nobody who comes only now overtakes who waits.
  private func endTurn() {
    if let next = tellers.popFirst() { next.resume() } else { isBeingTold = false }
  }

  /// Whoever waits to tell something looks again whether it can be told.
  func letIn() { exchange(&late, with: nil)?.resume() }

  /// Who slept hears first what has come meanwhile: a time-out would throw it away, and a rotated token with it.
  ///
  /// All wait together, in a task of its own: none of them ends the wait by being cancelled.
  func hearWhatHasCome() async {
    guard clock.grace > .zero, mayHaveSlept else { return }
    let hearing = hearing ?? Task { await waitForWhatHasCome() }
    self.hearing = hearing
    await hearing.value
  }

  private func waitForWhatHasCome() async {
    let end = ContinuousClock.now.advanced(by: clock.grace)
    while mayHaveSlept, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
    hearing = nil
  }

  /// Whether a time-out could strike before an answer that is there is handed over.
  private var mayHaveSlept: Bool {
    guard isListening, !underWay.isEmpty, let due = live.nextDue else { return false }
    return clock.now - due.sinceEpoch > .seconds(1)
  }
}
