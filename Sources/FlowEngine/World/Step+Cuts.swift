import Expressions
import FlowSpec

/// Goes on from the middle of a step in more than one way, for who tries everything.
extension Step {
  /// A step without a trace, as it is somewhere on its way.
  final class Cut: Sendable {
    let snapshot: Snapshot
    fileprivate let budget: Int
    fileprivate let outgoing: [Mail]
    fileprivate let lastStates: [State]
    fileprivate let peer: Int?

    fileprivate init(_ snapshot: Snapshot, of step: borrowing Step) {
      self.snapshot = snapshot
      (budget, outgoing, lastStates, peer) = (step.frame.budget, step.outgoing, step.lastStates, step.peer)
    }
  }

  /// A model's answer, before anything becomes of it, and what else giving it changed.
  ///
  /// It says nothing of the flight: others with the same request are answered alike where the stores, the clock and what
  /// was made so far are the same.
  final class ReadyAnswer: Sendable {
    let answer: Response
    let mail: [Mail]
    let services: [[Value]]
    /// What is left of it.
    let budget: Int
    fileprivate let reply: String?
    fileprivate let refs: [String]
    fileprivate let mint: Mint
    fileprivate let transitions: Int

    fileprivate init(_ answer: Response, reply: String?, refs: [String], since count: Int, of step: borrowing Step) {
      (self.answer, self.reply, self.refs) = (answer, reply, refs)
      (mail, budget) = (step.outgoing, step.frame.budget)
      (services, mint) = (step.snapshot.services, step.snapshot.mint)
      transitions = step.snapshot.transitionsNow - count
    }
  }

  /// The app is killed where the step was cut off.
  mutating func kill(at cut: Cut) -> Report {
    goOn(from: cut)
    return report { step throws(Stop) in step.kill(keeping: nil) }
  }

  /// Lets a model serve a flight, up to its answer; `nil` where that is not given at once, with what the step led to.
  mutating func answer(to flight: Int, reply: String?, in snapshot: Snapshot) -> (ready: ReadyAnswer?, report: Report) {
    restart(in: snapshot, recording: false)
    let report = take(.deliver(flight: flight, reply: reply, .arrives), stoppingAtAnswerTo: flight)
    guard let (answer, reply, refs) = stopped.take() else { return (nil, report) }
    return (ReadyAnswer(answer, reply: reply, refs: refs, since: snapshot.transitionsNow, of: self), report)
  }

  /// Something becomes of an answer that is ready.
  mutating func goOn(with ready: ReadyAnswer, to flight: Int, fate: Choice.Fate, in snapshot: Snapshot) -> Report {
    restart(in: snapshot, recording: false)
    begin()
    (frame.mint, frame.budget, outgoing) = (ready.mint, ready.budget, ready.mail)
    self.snapshot.services = ready.services
    self.snapshot.transitionsNow += ready.transitions
    if let index = index(ofFlight: flight) { self.snapshot.flights[index].fate = fate }
    return report { step throws(Stop) in
      try step.answered(ready.answer.parts, flight: flight, reply: ready.reply, refs: ready.refs)
      try step.finish()
    }
  }

  private mutating func goOn(from cut: Cut) {
    if reached != nil { reached = Reached() }
    restart(in: cut.snapshot, recording: false)
    begin()
    frame.budget = cut.budget
    (outgoing, lastStates, peer) = (cut.outgoing, cut.lastStates, cut.peer)
  }

  /// Where the step stopped.
  mutating func cut() -> Cut { Cut(snapshot, of: self) }

  /// To be called before a durable write, and before what the app asks for behind one.
  mutating func keepCut() {
    guard let count = cuts?.count, count == durableWrites else { return }
    let actor = looking
    lookAway()
    swap(&frame.mint, &snapshot.mint)
    let cut = cut()
    cuts?.append(cut)
    swap(&frame.mint, &snapshot.mint)
    if let actor { look(as: actor) }
  }

  mutating func tellEntered(_ state: Int, as actor: Actor) {
    let part = part(state, of: actor)
    reached?.states.append(part)
  }

  mutating func tellTaken(_ transition: Transition, as actor: Actor) {
    let part = part(transition.id, of: actor)
    reached?.transitions.append(part)
  }

  private mutating func part(_ index: Int, of actor: Actor) -> MachinePart {
    switch actor {
    case .app: MachinePart(service: nil, index: index)
    case .exchange(let flight): MachinePart(service: service(ofExchange: flight), index: index)
    case .service(let service): MachinePart(service: service, index: index)
    }
  }
}
