import Expressions
import FlowSpec

/// Goes on from the middle of a step in more than one way, for who tries everything.
extension Step {
  /// A step without a trace, as it is somewhere on its way.
  final class Cut: Sendable {
    let snapshot: Snapshot
    fileprivate let budget: Int
    fileprivate let outgoing: [Mail]
    fileprivate let lastStates: [String]
    fileprivate let peer: Int?

    fileprivate init(_ snapshot: Snapshot, of step: borrowing Step) {
      self.snapshot = snapshot
      (budget, outgoing, lastStates, peer) = (step.frame.budget, step.outgoing, step.lastStates, step.peer)
    }
  }

  /// Where the model's answer to a flight was ready.
  struct ReadyAnswer {
    fileprivate var cut: Cut
    var flight: Int
    fileprivate var answer: Response
    fileprivate var reply: String?
    fileprivate var refs: [String]
  }

  /// The app is killed where the step was cut off.
  mutating func kill(at cut: Cut) -> Report {
    goOn(from: cut)
    return report { step throws(Stop) in step.kill(keeping: nil) }
  }

  /// Something else becomes of an answer than it did.
  mutating func goOn(with ready: ReadyAnswer, fate: Choice.Fate) -> Report {
    goOn(from: ready.cut)
    return report { step throws(Stop) in
      if let index = step.index(ofFlight: ready.flight) { step.snapshot.flights[index].fate = fate }
      try step.answered(ready.answer.parts.copied, flight: ready.flight, reply: ready.reply, refs: ready.refs)
      step.sendOutgoing()
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

  private mutating func cut() -> Cut {
    let actor = looking
    lookAway()
    swap(&frame.mint, &snapshot.mint)
    let cut = Cut(snapshot, of: self)
    swap(&frame.mint, &snapshot.mint)
    if let actor { look(as: actor) }
    return cut
  }

  /// To be called before a durable write, and before what the app asks for behind one.
  mutating func keepCut() {
    guard let count = cuts?.count, count == durableWrites else { return }
    let cut = cut()
    cuts?.append(cut)
  }

  /// To be called when an answer is ready.
  mutating func keepAnswer(_ answer: borrowing Response.Parts, flight: Int, reply: String?, refs: [String]) {
    guard answers?.isEmpty == true else { return }
    let ready = ReadyAnswer(
      cut: cut(), flight: flight, answer: Response(answer.copied), reply: reply, refs: refs)
    answers?.append(ready)
  }

  mutating func tellEntered(_ state: State, as actor: Actor) {
    let place = StatesNeverEntered.Place(lane: lane(of: actor), name: state.name)
    entered?.append(place)
  }
}
