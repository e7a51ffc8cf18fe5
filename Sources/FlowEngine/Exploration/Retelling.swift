import Expressions
import FlowSpec
import JSONSyntax

/// Tells a way through the snapshots as a scenario: script and faults.
struct Retelling {
  /// A step of the script.
  enum Step: Hashable {
    /// A member and its text: `"event": "user.signsIn"`.
    case word(String, String)
    /// A mail, and the link that is followed unless it is the first.
    case mail(String, link: String?)
    case flag(String)
    case advance(Duration)
    case kill(keeping: Int)
    case relaunch(after: Duration)

    static let kill = Step.flag("kill")
    static let launch = Step.flag("launch")
  }

  struct Fault {
    /// `request` or `perform`, and its name.
    var subject: (member: String, name: String)
    /// The service, where the request line alone does not name one.
    var to: String?
    /// `nil` for every try.
    var nth: Int?
    /// What happens; without a text it is `true`.
    var effects: [(member: String, text: String?)]
  }

  /// Whose tries a fault counts.
  private enum Counted: Hashable {
    case route(service: Int, Int)
    case capability(Int)
  }

  private let world: World
  var isOffline: Bool
  private(set) var snapshot: Snapshot
  var steps: [Step] = []
  var faults: [Fault] = []
  private var tries: [Counted: Int] = [:]
  /// Before the first step, kills that keep less could strike.
  private var killsAtFirst = 0

  init(_ world: World, isOffline: Bool) {
    self.world = world
    self.isOffline = isOffline
    snapshot = world.starts[isOffline ? 1 : 0]
  }

  /// Goes the ways; false where a scenario has no words for one.
  ///
  /// The last so many may go around: what goes wrong on them does so every time.
  mutating func follow(_ ways: [Explorer.Way], around: Int = 0) -> Bool {
    var before = faults.count
    for (index, way) in ways.enumerated() {
      if index == ways.count - around { before = faults.count }
      let moves = world.moves(in: snapshot, isStart: index == 0)
      guard moves.indices.contains(way.move), tell(moves[way.move], isStart: index == 0) else { return false }
      if let keeping = way.keeping { arm(keeping) }
      let choice = moves[way.move].killed(keeping: way.keeping)
      let outcome = world.take(choice, in: snapshot, recording: false)
      if steps.isEmpty { killsAtFirst = max(killsAtFirst, outcome.kills.upperBound) }
      if outcome.failure != nil { return index == ways.count - 1 }
      snapshot = outcome.snapshot.withoutWhatIsOver
    }
    guard around > 0 else { return true }
    // Behind the last step no timers go off, not even those that are due.
    steps.append(.advance(.zero))
    for var fault in faults[before...] {
      faults.removeAll { $0.subject == fault.subject && $0.to == fault.to }
      fault.nth = nil
      faults.append(fault)
    }
    return true
  }

  /// The kill waits, from the last step on, for a step that writes so much; as the first it waits from the launch on.
  private mutating func arm(_ keeping: Int) {
    if steps.count == 1, keeping < killsAtFirst { steps.insert(.advance(.zero), at: 0) }
    steps.insert(.kill(keeping: keeping), at: max(0, steps.count - 1))
  }

  /// Adds what a scenario says for a move; false where it has no words for it.
  private mutating func tell(_ move: Choice, isStart: Bool) -> Bool {
    switch move {
    case .launch: if !isStart { steps.append(.launch) }
    case .kill: steps.append(.kill)
    case .offline: steps.append(.flag("offline"))
    case .online: steps.append(.flag("online"))
    case .closeBrowser: steps.append(.word("close", "browser"))
    case .again: steps.append(.word("follow", "again"))
    case .event(let event, _): steps.append(.word("event", world.flow.app.events[event].name))
    case .openMail(let index, let link): steps.append(mail(snapshot.inbox[index], link))
    case .submit(let form, _):
      guard let page = snapshot.page else { return false }
      steps.append(.word("submit", page.forms[form].name))
    case .follow(let link):
      guard let page = snapshot.page else { return false }
      steps.append(.word("follow", page.links[link].name))
    case .tick:
      guard let due = world.nextDue(in: snapshot)?.instant else { return false }
      if due > snapshot.now { steps.append(.advance(due.since(snapshot.now))) }
    case .clock(let instant): steps.append(.advance(instant.since(snapshot.now)))
    case .perform(let failure, _): return tell(performing: failure, after: nil)
    case .performLater(let delay, let failure, _): return tell(performing: failure, after: delay)
    case .deliver, .unreachable: return tell(delivering: move)
    case .arrive, .visit, .killed: return false
    }
    return true
  }

  private func mail(_ mail: Mail, _ link: Int?) -> Step {
    .mail(mail.name, link: link.flatMap { $0 == 0 ? nil : mail.links[$0].name })
  }

  private mutating func tell(performing failure: String?, after delay: Duration?) -> Bool {
    guard let capability = world.asked(in: snapshot)?.capability else { return false }
    let nth = count(.capability(capability))
    let effects = [failure.map { ("fails", $0) }, delay.map { ("delay", $0.inUnits) }].compactMap(\.self)
    guard !effects.isEmpty else { return true }
    let subject = (member: "perform", name: world.flow.capabilities[capability].name)
    faults.append(Fault(subject: subject, to: nil, nth: nth, effects: effects))
    return true
  }

  private mutating func tell(delivering move: Choice) -> Bool {
    guard let flight = snapshot.flights.first(where: { $0.isSent }) else { return false }
    let service = flight.request.service
    guard let route = flight.route, let model = world.flow.services[service].model else {
      return flight.isCutOff(by: snapshot.device) || move == .deliver(flight: flight.number, reply: nil, .arrives)
    }
    let nth = count(.route(service: service, route))
    guard let effect = effect(of: move, isCutOff: flight.isCutOff(by: snapshot.device)) else { return true }
    let line = model.routes[route].line
    let others = world.flow.services.filter { $0.model?.routes.contains { $0.line == line } ?? false }
    let to = others.count > 1 ? world.flow.participants[world.flow.services[service].participant].name : nil
    faults.append(Fault(subject: (member: "request", name: line), to: to, nth: nth, effects: [effect]))
    return true
  }

  /// The fault that a delivery is, `nil` for none.
  private func effect(of move: Choice, isCutOff: Bool) -> (member: String, text: String?)? {
    switch move {
    case .deliver(_, let reply?, _): ("reply", reply)
    case .deliver(_, nil, .lost): ("lost", nil)
    case .deliver(_, nil, .held(let delay)): ("delay", delay.inUnits)
    case .unreachable where !isCutOff: ("unreachable", nil)
    default: nil
    }
  }

  private mutating func count(_ counted: Counted) -> Int {
    tries[counted, default: 0] += 1
    return tries[counted, default: 0]
  }
}
