import Expressions
import FlowEngine
import FlowSpec

extension FlowSession {
  /// A person does something.
  ///
  /// - Parameters:
  ///   - act: An event of the flow may be told at any time. All else must be there: see `offers`. What is done to a page
  ///     that time has replaced meanwhile is `unknown`, though the other has a form of that name.
  ///   - fields: What the person gives with it. A field of an event that is not given is null, one of a simulated form
  ///     has its example.
  /// - Returns: Whether the state that the app is in takes it; what a person does in a browser or with mail is taken.
  @discardableResult
  public func person(
    _ act: PersonAct, with fields: [String: FlowValue] = [:]
  ) async throws(InputError) -> Reception {
    try await person(act, with: fields, orExamples: false)
  }

  /// The same for somebody to whom examples are shown: what is not given has its example, with its marks.
  @discardableResult
  package func person(
    _ act: PersonAct, with fields: [String: FlowValue], orExamples: Bool
  ) async throws(InputError) -> Reception {
    guard isListening else { throw .notRunning }
    let page = live.snapshot.page
    // What is refused at once lets no time pass; behind what others tell it depends on that.
    if !isBeingTold { _ = try choice(for: act, fields, orExamples: orExamples, in: live.snapshot) }
    return try await tell { (live) throws(InputError) in
      // Time passes first: what is done to a page is not done to another that has taken its place.
      if act.isOfPage, live.snapshot.page !== page { throw .unknown(act.name, nearest: nil) }
      return Reception(live.take(try choice(for: act, fields, orExamples: orExamples, in: live.snapshot)))
    }
  }

  /// An address that leads to the app was opened: the browser came back to a redirect URI, a link was followed.
  ///
  /// One of more than half a MiB is foreign. Where a field of the event stands twice in its query, nothing of the query
  /// counts (RFC 6749, section 3.1).
  ///
  /// Before `run()` it is what launches the app: the first state that waits for no answer is offered it. Of several each is
  /// offered so, in order. So is one that comes behind `run()` and before such a state, unless a page is open from which it
  /// may come back: an app that was opened by a link need not tell it first.
  ///
  /// - Returns: Whether the state that the app is in takes it; `taken` where it waits for the first.
  @discardableResult
  public func arrive(at url: String) async throws(InputError) -> Reception {
    guard isListening || !isRunning && !isOver else { throw .notRunning }
    // Anybody can make a link: one that could not be kept does not end the session.
    guard url.utf8.count <= Value.mostWeight / 2, let location = world.ownLocation(url, in: live.snapshot) else {
      throw .foreignAddress
    }
    guard isRunning else {
      openers.append(location)
      return .taken
    }
    return try await tell { Reception($0.visit(location)) }
  }

  /// The network is there, or is gone: what the app and the browser wait for is then lost.
  ///
  /// Before `run()` it is what the app finds when it is launched. What is known already changes nothing, and
  /// what is told last holds.
  public func network(isOnline: Bool) async throws(InputError) {
    if !isRunning, !isOver {
      startsOnline = isOnline
      return
    }
    guard isListening else { throw .notRunning }
    // What others tell first may be news of the network, too.
    if !isBeingTold, live.snapshot.device.online == isOnline { return }
    try await tell { live in
      if live.snapshot.device.online != isOnline { live.take(isOnline ? .online : .offline) }
    }
  }

  /// A live device has done what it was asked for; a declared field of the result that is not given is null, a list or a
  /// map empty.
  ///
  /// - Parameter ask: What it was asked, as `.asked` said; one that is not asked any more throws `nothingAsked`.
  public func performed(_ result: [String: FlowValue] = [:], for ask: FlowAsk) async throws(InputError) {
    try await performed(result, for: ask, orExamples: false)
  }

  /// The same for somebody to whom examples are shown; `nil` is for whoever knows that nothing else is asked by now.
  package func performed(
    _ result: [String: FlowValue], for ask: FlowAsk?, orExamples: Bool
  ) async throws(InputError) {
    let (index, input) = try asked(ask)
    let examples = orExamples ? try? world.example(of: index, input: input, in: live.snapshot).get() : nil
    let values = try world.flow.capabilities[index].result.values(result, else: examples ?? [])
    try await answerAsk(failure: nil, fields: values)
  }

  /// A live device has not done it; `failure` is one that the capability names, `ask` as in `performed(_:for:)`.
  public func failedToPerform(_ failure: String, for ask: FlowAsk) async throws(InputError) {
    try await failedToPerform(failure, forAny: ask)
  }

  /// The same; `nil` is for whoever knows that nothing else is asked by now.
  package func failedToPerform(_ failure: String, forAny ask: FlowAsk?) async throws(InputError) {
    let capability = world.flow.capabilities[try asked(ask).capability]
    guard capability.failures.contains(failure) else { throw .unknownFailure(failure) }
    try await answerAsk(failure: failure, fields: [])
  }

  /// What a person could do now: mail, the newest first, then the simulated page, then events, innermost first; then
  /// closing the browser.
  public var offers: [FlowOffer] { isListening ? offers(in: live.snapshot) : [] }

  private func offers(in snapshot: Snapshot) -> [FlowOffer] {
    var all = mails(in: snapshot)
    for choice in world.personChoices(in: snapshot) {
      guard let offer = offer(choice, in: snapshot), !all.contains(where: { $0.act == offer.act }) else { continue }
      all.append(offer)
    }
    if snapshot.browser.tab != nil { all.append(FlowOffer(act: .closesBrowser, title: nil, fields: [])) }
    return all
  }

  /// What the device is asked now, if that is what is meant.
  func asked(_ ask: FlowAsk?) throws(InputError) -> (capability: Int, input: [Value]) {
    guard isListening else { throw .notRunning }
    guard world.outside.device, ask.map({ $0 == FlowAsk(number: live.asks, asker: asker) }) ?? true,
      let asked = world.asked(in: live.snapshot)
    else { throw .nothingAsked }
    return asked
  }

  /// What became of what the device is asked now; time may take that back on the way.
  private func answerAsk(failure: String?, fields: [Value]) async throws(InputError) {
    let ask = live.asks
    try await tell { (live) throws(InputError) in
      guard live.asks == ask, world.asked(in: live.snapshot) != nil else { throw .nothingAsked }
      live.take(.perform(failure: failure, fields: fields))
      askAnswered = ask
    }
  }

  /// Each mail with each of its links; of several with one name the newest needs no number.
  private func mails(in snapshot: Snapshot) -> [FlowOffer] {
    zip(snapshot.inbox, snapshot.numbersOfOlderMails).reversed().flatMap { mail, nth in
      let links: [String?] = mail.links.isEmpty ? [nil] : mail.links.map(\.name)
      return links.map {
        FlowOffer(act: .opens(mail: mail.name, nth: nth, link: $0), title: mail.subject?.string, fields: [])
      }
    }
  }

  private func offer(_ choice: Choice, in snapshot: Snapshot) -> FlowOffer? {
    switch choice {
    case .event(let index, let examples):
      let event = world.flow.app.events[index]
      return FlowOffer(act: .event(event.name), title: event.title, fields: offered(event.fields, examples))
    case .submit(let index, let examples):
      guard let page = snapshot.page else { return nil }
      let form = page.forms[index]
      let fields = offered(world.fields(of: form, on: page), examples)
      return FlowOffer(act: .submits(form: form.name), title: form.title, fields: fields)
    case .follow(let index):
      guard let link = snapshot.page?.links[index] else { return nil }
      return FlowOffer(act: .follows(link: link.name), title: link.title, fields: [])
    case .again: return FlowOffer(act: .follows(link: "again"), title: nil, fields: [])
    default: return nil
    }
  }

  /// The fields with their examples.
  func offered(_ type: ObjectType, _ examples: [Value]) -> [FlowOffer.Field] {
    // What is only offered takes no alias of the trace.
    var tracer = tracer
    return zip(type.fields, examples).map { field, example in
      FlowOffer.Field(
        name: field.name, title: field.title, isSecret: field.secret != nil, allowed: field.allowed,
        example: FlowValue(example), declared: field, shown: tracer?.text(of: example, for: field))
    }
  }

  private func choice(
    for act: PersonAct, _ fields: [String: FlowValue], orExamples: Bool, in snapshot: Snapshot
  ) throws(InputError) -> Choice {
    if case .event(let name) = act {
      let events = world.flow.app.events
      guard let index = events.firstIndex(where: { $0.kind == .person && $0.name == name }) else {
        let names = events.filter { $0.kind == .person }.map(\.name)
        throw .unknown(name, nearest: nearestName(to: name, among: names))
      }
      let examples = orExamples ? world.examples(of: index, in: snapshot) : []
      return .event(index, fields: try events[index].fields.values(fields, else: examples))
    }
    guard let choice = simulated(act, in: snapshot) else {
      throw .unknown(act.name, nearest: nearestName(to: act.name, among: offers(in: snapshot).map(\.act.name)))
    }
    guard case .submit(let index, _) = choice, let form = snapshot.page?.forms[index] else {
      if let name = fields.keys.min() { throw .unknownField(name) }
      return choice
    }
    let filled = try form.fields.values(fields, else: form.examples.map { $0 ?? .null })
    // A form sends text.
    for (field, value) in zip(form.fields.fields, filled) where !value.isNull && value.asText == nil {
      throw .badValue(field: field.name)
    }
    return .submit(form: index, fields: filled)
  }

  private func simulated(_ act: PersonAct, in snapshot: Snapshot) -> Choice? {
    switch act {
    case .event: return nil
    case .submits(let name):
      return snapshot.page?.forms.firstIndex { $0.name == name }.map { .submit(form: $0, fields: []) }
    case .follows(let name): return world.plainChoice(for: .follow(link: name), in: snapshot)
    case .opens(let name, let nth, let link):
      return world.plainChoice(for: .openMail(name, nth: nth, link: link), in: snapshot)
    case .closesBrowser: return world.plainChoice(for: .closeBrowser, in: snapshot)
    }
  }
}

extension PersonAct {
  /// Whether it is done to the page that is shown.
  fileprivate var isOfPage: Bool {
    switch self {
    case .submits, .follows: true
    case .event, .opens, .closesBrowser: false
    }
  }

  fileprivate var name: String {
    switch self {
    case .event(let name), .submits(let name), .follows(let name), .opens(let name, _, _): name
    case .closesBrowser: "browser"
    }
  }
}

extension Reception {
  /// What became of the first event that a choice led to; where there was none, the choice itself was taken.
  fileprivate init(_ happenings: [Happening]) {
    let outcome = happenings.lazy.compactMap { happening in
      if case .event(let event) = happening.fact { event.outcome } else { nil }
    }.first
    self = outcome == .ignored ? .ignored : .taken
  }
}

extension ObjectType {
  /// Values in the order of the fields; what is not given has its example, or is null.
  fileprivate func values(
    _ given: [String: FlowValue], else examples: [Value]
  ) throws(InputError) -> [Value] {
    if let name = given.keys.filter({ index(of: $0) == nil }).min() { throw .unknownField(name) }
    var values = fields.indices.map { $0 < examples.count ? examples[$0] : .null }
    for (index, field) in fields.enumerated() {
      guard let value = given[field.name] else { continue }
      guard let accepted = value.value.flatMap(field.accepted), !accepted.isTooLarge else {
        throw .badValue(field: field.name)
      }
      values[index] = accepted
    }
    return values
  }
}
