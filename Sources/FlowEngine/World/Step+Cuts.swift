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

  /// The model's answer to a flight, before anything becomes of it.
  struct ReadyAnswer {
    let flight: Int
    let answer: Response
    let reply: String?
    let refs: [String]
  }

  /// The app is killed where the step was cut off.
  mutating func kill(at cut: Cut) -> Report {
    goOn(from: cut)
    return report { step throws(Stop) in step.kill(keeping: nil) }
  }

  /// The answer arrives at which the step stopped.
  mutating func goOn(with ready: ReadyAnswer) -> Report {
    swap(&frame.mint, &snapshot.mint)
    (stopsAtAnswerTo, hasLookedAtService) = (nil, false)
    return answered(ready)
  }

  /// Something else becomes of it, where the step was cut off then.
  mutating func goOn(with ready: ReadyAnswer, fate: Choice.Fate, from cut: Cut) -> Report {
    goOn(from: cut)
    if let index = index(ofFlight: ready.flight) { snapshot.flights[index].fate = fate }
    return answered(ready)
  }

  private mutating func answered(_ ready: ReadyAnswer) -> Report {
    report { step throws(Stop) in
      try step.answered(ready.answer.parts, flight: ready.flight, reply: ready.reply, refs: ready.refs)
      try step.finish()
    }
  }

  private mutating func goOn(from cut: Cut) {
    if entered != nil { entered = [] }
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

  mutating func tellEntered(_ state: State, as actor: Actor) {
    let place = StatesNeverEntered.Place(lane: lane(of: actor), routine: state.routine, name: state.name)
    entered?.append(place)
  }
}
