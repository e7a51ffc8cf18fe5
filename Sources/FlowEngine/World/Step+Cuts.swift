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

extension Snapshot {
  /// Becomes another snapshot; what both share stays untouched, which is most where one came from the other.
  mutating func become(_ other: Snapshot) {
    now = other.now
    device = other.device
    app.become(other.app)
    if !services.isIdentical(to: other.services) { services = other.services }
    if !flights.isIdentical(to: other.flights) { flights = other.flights }
    if !exchanges.isIdentical(to: other.exchanges) { exchanges = other.exchanges }
    if browser.tab != nil || other.browser.tab != nil { browser.tab = other.browser.tab }
    if !browser.jar.isIdentical(to: other.browser.jar) { browser.jar = other.browser.jar }
    if !inbox.isIdentical(to: other.inbox) { inbox = other.inbox }
    mint = other.mint
    (flightsMade, transitionsNow) = (other.flightsMade, other.transitionsNow)
  }
}

extension App {
  fileprivate mutating func become(_ other: App) {
    if !config.isIdentical(to: other.config) { config = other.config }
    if !store.isIdentical(to: other.store) { store = other.store }
    if run?.isIdentical(to: other.run) != true { run = other.run }
    if ended != nil || other.ended != nil { ended = other.ended }
    if !offers.isIdentical(to: other.offers) { offers = other.offers }
    unheard = other.unheard
  }
}

extension Snapshot {
  /// Whether what outlasts a kill is the very same in both, and nothing is under way.
  func isAlikeKilled(to other: Snapshot) -> Bool {
    guard flights.isEmpty, exchanges.isEmpty, now == other.now, device.online == other.device.online,
      app.store.isIdentical(to: other.app.store), browser.jar.isIdentical(to: other.browser.jar),
      inbox.isIdentical(to: other.inbox)
    else { return false }
    return services.isIdentical(to: other.services)
      || services.indices.allSatisfy { services[$0].isIdentical(to: other.services[$0]) }
  }
}

extension MachineRun {
  fileprivate func isIdentical(to other: MachineRun?) -> Bool {
    guard let other else { return false }
    return memory.isIdentical(to: other.memory) && levels.isIdentical(to: other.levels)
  }
}
