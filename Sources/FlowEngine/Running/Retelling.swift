import Expressions
import FlowSpec
import JSONSyntax

/// Tells choices as a scenario: script and faults.
struct Retelling: Sendable {
  /// A step of the script.
  enum Step: Hashable, Sendable {
    /// A member and its text, and what is filled in, as JSON: `"event": "user.signsIn", "with": {…}`.
    case word(String, String, with: String? = nil)
    case arrive(Arrival)
    /// A mail, which of several it is unless the newest, and the link that is followed unless it is the first.
    case mail(String, nth: Int?, link: String?)
    case flag(String)
    case advance(Duration)
    case kill(keeping: Int)
    case relaunch(after: Duration)

    static let kill = Step.flag("kill")
    static let launch = Step.flag("launch")
  }

  struct Fault: Sendable {
    /// `request` or `perform`, and its name.
    var subject: (member: String, name: String)
    /// The service, where the request line alone does not name one.
    var to: String?
    /// `nil` for every try.
    var nth: Int?
    /// What happens, each as JSON.
    var effects: [Effect]

    typealias Effect = (member: String, json: String)
  }

  /// Whose tries a fault counts.
  private enum Counted: Hashable {
    case route(service: Int, Int)
    case capability(Int)
  }

  let world: World
  private(set) var isAutomatic = false
  var isOffline = false
  var steps: [Step] = []
  var faults: [Fault] = []
  private var tries: [Counted: Int] = [:]
  /// Whether something was left out that is secret, and for which no text can stand.
  var hasGap = false
  /// What stands for what a person has typed that is secret.
  var standIns: [(typed: String, standIn: String)] = []

  init(_ world: World) { self.world = world }

  /// The person is automatic: there is no script.
  init(automatic world: World) { (self.world, isAutomatic) = (world, true) }

  /// Adds what a scenario says for a choice that is made in a snapshot; false where it has no words for it.
  ///
  /// The first launch comes without one.
  mutating func tell(_ choice: Choice, in snapshot: Snapshot, isStart: Bool) -> Bool {
    switch choice {
    case .launch: if !isStart || world.startingPoint != nil { steps.append(.launch) }
    case .kill: steps.append(.kill)
    case .offline: steps.append(.flag("offline"))
    case .online: steps.append(.flag("online"))
    case .closeBrowser: steps.append(.word("close", "browser"))
    case .again: steps.append(.word("follow", "again"))
    case .event(let index, let fields):
      let event = world.flow.app.events[index]
      let with = given(fields, of: event.fields, else: world.examples(of: index, in: snapshot))
      steps.append(.word("event", event.name, with: with))
    case .openMail(let index, let link): steps.append(mail(index, link, in: snapshot))
    case .submit(let index, let fields):
      guard let page = snapshot.page else { return false }
      let form = page.forms[index]
      let with = given(marked(fields, of: form, on: page), of: form.fields, else: form.examples.map { $0 ?? .null })
      steps.append(.word("submit", form.name, with: with))
    case .follow(let link):
      guard let page = snapshot.page else { return false }
      steps.append(.word("follow", page.links[link].name))
    case .tick:
      guard let due = world.nextDue(in: snapshot)?.instant else { return false }
      if due > snapshot.now { steps.append(.advance(due.since(snapshot.now))) }
    case .clock(let instant): steps.append(.advance(instant.since(snapshot.now)))
    case .visit(let location): steps.append(.arrive(arrival(at: location, in: snapshot)))
    case .perform(let failure, let fields): return tell(performing: failure, fields, after: nil, in: snapshot)
    case .performLater(let delay, let failure, let fields):
      return tell(performing: failure, fields, after: delay, in: snapshot)
    case .deliver(let flight, _, _), .unreachable(let flight): return tell(choice, delivering: flight, in: snapshot)
    case .receive(let flight, _, .arrives) where world.triesUnexpected:
      return tell(choice, delivering: flight, in: snapshot)
    case .receive, .killed: return false
    }
    return true
  }

  private func mail(_ index: Int, _ link: Int?, in snapshot: Snapshot) -> Step {
    let mail = snapshot.inbox[index]
    let name = link.flatMap { $0 == 0 ? nil : mail.links[$0].name }
    return .mail(mail.name, nth: snapshot.number(ofOlderMail: index), link: name)
  }

  /// What the device does with what it is asked for; without `fields` its example.
  mutating func tell(
    performing failure: String?, _ fields: [Value]?, after delay: Duration?, in snapshot: Snapshot
  ) -> Bool {
    guard let (index, input) = world.asked(in: snapshot) else { return false }
    let capability = world.flow.capabilities[index]
    let nth = count(.capability(index))
    var effects = failure.map { [Fault.Effect("fails", quoted($0))] } ?? []
    if failure == nil, let fields {
      let examples = (try? world.example(of: index, input: input, in: snapshot).get()) ?? []
      if let result = given(fields, of: capability.result, else: examples) { effects.append(("result", result)) }
    }
    if let delay { effects.append(("delay", quoted(delay.inUnits))) }
    guard !effects.isEmpty else { return true }
    faults.append(Fault(subject: (member: "perform", name: capability.name), to: nil, nth: nth, effects: effects))
    return true
  }

  private mutating func tell(_ choice: Choice, delivering number: Int, in snapshot: Snapshot) -> Bool {
    guard let flight = snapshot.flights.first(where: { $0.number == number }) else { return false }
    let service = flight.request.service
    guard let route = flight.route, let model = world.flow.services[service].model else {
      return flight.isCutOff(by: snapshot.device) || choice == .deliver(flight: flight.number, reply: nil, .arrives)
    }
    let nth = count(.route(service: service, route))
    let effects = effects(of: choice, to: flight, in: snapshot)
    if effects.isEmpty { return true }
    let line = model.routes[route].line
    let others = world.flow.services.filter { $0.model?.routes.contains { $0.line == line } ?? false }
    let to = others.count > 1 ? world.flow.participants[world.flow.services[service].participant].name : nil
    faults.append(Fault(subject: (member: "request", name: line), to: to, nth: nth, effects: effects))
    return true
  }

  /// The fault that a delivery is, empty for none.
  private mutating func effects(of choice: Choice, to flight: Flight, in snapshot: Snapshot) -> [Fault.Effect] {
    switch choice {
    case .receive(_, .response(let answer), _): [("answer", json(answer, to: flight, in: snapshot))]
    case .deliver(_, nil, .replaced(.response(let answer))):
      [("lost", "true"), ("answer", json(answer, to: flight, in: snapshot))]
    case .deliver(_, let reply?, _): [("reply", quoted(reply))]
    case .deliver(_, nil, .lost): [("lost", "true")]
    case .deliver(_, nil, .held(let delay)): [("delay", quoted(delay.inUnits))]
    case .unreachable where !flight.isCutOff(by: snapshot.device): [("unreachable", "true")]
    default: []
    }
  }

  /// A try that goes as usual.
  mutating func count(_ flight: Flight) {
    if let route = flight.route { _ = count(.route(service: flight.request.service, route)) }
  }

  private mutating func count(_ counted: Counted) -> Int {
    tries[counted, default: 0] += 1
    return tries[counted, default: 0]
  }
}
