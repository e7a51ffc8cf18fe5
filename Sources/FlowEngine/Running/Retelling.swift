import Expressions
import FlowSpec
import JSONSyntax

/// Tells choices as a scenario: script and faults.
struct Retelling: Sendable {
  /// A step of the script.
  enum Step: Hashable, Sendable {
    /// A member and its text, and what is filled in, as JSON: `"event": "user.signsIn", "with": {…}`.
    case word(String, String, with: String? = nil)
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
  var isOffline = false
  var steps: [Step] = []
  var faults: [Fault] = []
  private var tries: [Counted: Int] = [:]
  /// Whether something was left out that is secret, and for which no text can stand.
  private(set) var hasGap = false
  /// What stands for what a person has typed that is secret.
  private var standIns: [(typed: String, standIn: String)] = []

  init(_ world: World) { self.world = world }

  /// Adds what a scenario says for a choice that is made in a snapshot; false where it has no words for it.
  ///
  /// The first launch comes without one.
  mutating func tell(_ choice: Choice, in snapshot: Snapshot, isStart: Bool) -> Bool {
    switch choice {
    case .launch: if !isStart { steps.append(.launch) }
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
    case .visit(let location): steps.append(.word("arrive", address(location, in: snapshot)))
    case .perform(let failure, let fields): return tell(performing: failure, fields, after: nil, in: snapshot)
    case .performLater(let delay, let failure, let fields):
      return tell(performing: failure, fields, after: delay, in: snapshot)
    case .deliver, .unreachable: return tell(delivering: choice, in: snapshot)
    case .arrive, .killed: return false
    }
    return true
  }

  private func mail(_ index: Int, _ link: Int?, in snapshot: Snapshot) -> Step {
    let mail = snapshot.inbox[index]
    let name = link.flatMap { $0 == 0 ? nil : mail.links[$0].name }
    return .mail(mail.name, nth: snapshot.numbersOfOlderMails[index], link: name)
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

  private mutating func tell(delivering choice: Choice, in snapshot: Snapshot) -> Bool {
    guard let flight = snapshot.flights.first(where: { $0.isSent }) else { return false }
    let service = flight.request.service
    guard let route = flight.route, let model = world.flow.services[service].model else {
      return flight.isCutOff(by: snapshot.device) || choice == .deliver(flight: flight.number, reply: nil, .arrives)
    }
    let nth = count(.route(service: service, route))
    guard let effect = effect(of: choice, isCutOff: flight.isCutOff(by: snapshot.device)) else { return true }
    let line = model.routes[route].line
    let others = world.flow.services.filter { $0.model?.routes.contains { $0.line == line } ?? false }
    let to = others.count > 1 ? world.flow.participants[world.flow.services[service].participant].name : nil
    faults.append(Fault(subject: (member: "request", name: line), to: to, nth: nth, effects: [effect]))
    return true
  }

  /// The fault that a delivery is, `nil` for none.
  private func effect(of choice: Choice, isCutOff: Bool) -> Fault.Effect? {
    switch choice {
    case .deliver(_, let reply?, _): ("reply", quoted(reply))
    case .deliver(_, nil, .lost): ("lost", "true")
    case .deliver(_, nil, .held(let delay)): ("delay", quoted(delay.inUnits))
    case .unreachable where !isCutOff: ("unreachable", "true")
    default: nil
    }
  }

  private mutating func count(_ counted: Counted) -> Int {
    tries[counted, default: 0] += 1
    return tries[counted, default: 0]
  }
}

/// What a person has given that is not what examples give, without what is secret in it.
extension Retelling {
  /// The fields of a form with the marks that they get where it is sent.
  private func marked(_ fields: [Value], of form: ShownPage.Form, on page: ShownPage) -> [Value] {
    let asked = if case .service(let service) = form.target.base { service } else { page.service }
    var entries = zip(form.fields.fields, fields).map { NamedValue(name: $0.name, value: $1) }
    world.secrets(of: page.service, asked).mark(&entries, inQuery: form.written.method == "GET")
    return entries.map(\.value)
  }

  /// The fields that differ from their examples, as a JSON object; `nil` where none does.
  private mutating func given(_ values: [Value], of type: ObjectType, else examples: [Value]) -> String? {
    var members: [(name: String, json: String)] = []
    for (index, field) in type.fields.enumerated() where index < values.count {
      let example = index < examples.count ? examples[index] : .null
      guard !values[index].celEquals(example) else { continue }
      let isSecret = field.secret != nil
      // A word of a few says which of them it was, and a number or a bool has no text that could stand for it.
      if isSecret, field.allowed != nil || values[index].holdsOtherThanText {
        hasGap = true
      } else {
        members.append((field.name, hidden(field.marked(values[index]), named: field.name).asTemplateJSON))
      }
    }
    return members.isEmpty ? nil : object(members)
  }

  /// The same for the same: what a person types as a secret is not written into any file.
  private mutating func standIn(for typed: String, named name: String) -> String {
    if let known = standIns.first(where: { $0.typed == typed }) { return known.standIn }
    let standIn = "\(name)-\(standIns.count + 1)"
    standIns.append((typed, standIn))
    return standIn
  }

  /// Without what an address says to nobody: its other members the app does not look at.
  private mutating func address(_ location: Location, in snapshot: Snapshot) -> String {
    var location = location
    location.query.mark(under: SecretNames(world.flow.services.flatMap(\.secrets)).query)
    var step = FlowEngine.Step(world: world, snapshot: snapshot, isRecording: false)
    step.markForApp(&location, secrets: world.secrets(of: nil))
    let link = world.flow.links.first { step.match(location, $0) != nil }
    let event = step.isRedirectURI(location) ? world.flow.app.redirected : link?.event
    let declared = event.map { world.flow.app.events[$0].fields }
    location.query.removeAll { declared?.index(of: $0.name) == nil }
    for index in location.path.indices {
      location.path[index] = hidden(location.path[index], named: "secret")
    }
    for index in location.query.indices {
      location.query[index].value = hidden(location.query[index].value, named: location.query[index].name)
    }
    return world.text(of: location, config: snapshot.app.config).string.asTemplate
  }

  /// A value with stand-ins for all that is secret in it.
  private mutating func hidden(_ value: Value, named name: String) -> Value {
    switch value {
    case .string(let text): return .string(hidden(text, named: name))
    case .list(let elements): return .list(elements.map { hidden($0, named: name) })
    case .map(let map):
      let entries = map.entries.map {
        NamedValue(key: hidden($0.key, named: name), value: hidden($0.value, named: name))
      }
      return .map(ValueMap(distinct: entries))
    default: return value
    }
  }

  private mutating func hidden(_ text: Text, named name: String) -> Text {
    let bytes = Array(text.string.utf8)
    var (shown, rest) = ("", 0)
    for range in text.secretRanges {
      shown += String(decoding: bytes[rest..<range.lowerBound], as: UTF8.self)
      shown += standIn(for: String(decoding: bytes[range], as: UTF8.self), named: name)
      rest = range.upperBound
    }
    return Text(shown + String(decoding: bytes[rest...], as: UTF8.self))
  }
}

extension Value {
  /// Whether a number, a bool or a time is somewhere in it.
  fileprivate var holdsOtherThanText: Bool {
    switch self {
    case .null, .string: false
    case .list(let elements): elements.contains(where: \.holdsOtherThanText)
    case .map(let map): map.entries.contains { $0.value.holdsOtherThanText }
    default: true
    }
  }

  /// As JSON in which nothing is an expression; names of members are none anyway.
  var asTemplateJSON: String {
    var writer = JSONWriter()
    writer.write(asTemplate)
    return writer.text
  }

  private var asTemplate: Value {
    switch self {
    case .string(let text): .string(text.string.asTemplate)
    case .list(let elements): .list(elements.map(\.asTemplate))
    case .map(let map): .map(map.mapValues(\.asTemplate))
    default: self
    }
  }
}

extension String {
  /// Text in which nothing is an expression, as a template.
  fileprivate var asTemplate: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "{", text.unicodeScalars.last == "$" { text += "$" }
      text.unicodeScalars.append(scalar)
    }
  }
}
