import Expressions
import FlowSpec

extension Step {
  /// Sends the request of a state, once more for each try.
  mutating func ask(_ spec: RequestSpec, refs: [String], level: Int, as actor: Actor) throws(Stop) {
    look(as: actor)
    try checkDepth(level: level, as: actor)
    let request = try request(spec, as: actor)
    if actor == .app { try askBehindWrites() }
    change(actor, level: level) { $0.attempts += 1 }
    let caller: Flight.Caller = if case .exchange(let flight) = actor { .exchange(flight) } else { .app }
    let attempt = attempts(of: actor, level: level)
    let number = send(
      consume request, caller: caller, from: lane(of: actor), timeout: spec.timeout, attempt: attempt, refs: refs)
    change(actor, level: level) { $0.waiting = .flight(number) }
    guard let sent = snapshot.flights.last?.request else { return }
    try refuseInTheOpen(sent, site: spec.site)
    guard Location.holdsSecret(sent.path, sent.query) else { return }
    try refuseSecrets(in: Location(of: sent), site: spec.site)
  }

  private static let mostNestedExchanges = 100

  /// Services that wait for each other in a circle would go on without end.
  private mutating func checkDepth(level: Int, as actor: Actor) throws(Stop) {
    guard case .exchange(let number) = actor, let index = index(ofFlight: number),
      snapshot.callers(of: snapshot.flights[index]).count > Self.mostNestedExchanges
    else { return }
    throw .failed(.servicesInCircle(stateOfLevel(level, as: actor), most: Self.mostNestedExchanges))
  }

  /// Puts a request on its way; gives its number.
  mutating func send(
    _ parts: consuming Request.Parts, caller: Flight.Caller, from: Int, timeout: Duration, attempt: Int,
    refs: [String]
  ) -> Int {
    snapshot.flightsMade += 1
    let number = snapshot.flightsMade
    let model = flow.services[parts.service].model
    let index = model?.route(parts.method, parts.path)
    let route = index.flatMap { model?.routes[$0] }
    secrets(of: parts.service, caller: caller).mark(&parts, route: route)
    let request = Request(consume parts)
    if isRecording {
      let sent = RequestSent(
        from: from, to: lanes.services[request.service], number: number, attempt: attempt, request: request)
      record(.request(sent), refs: refs.isEmpty ? route?.refs ?? [] : refs)
    }
    snapshot.flights.append(
      Flight(
        number: number, caller: caller, from: from, request: request, route: index,
        due: snapshot.now.advanced(by: timeout) ?? snapshot.now))
    return number
  }

  private mutating func request(_ spec: RequestSpec, as actor: Actor) throws(Stop) -> Request.Parts {
    let asker = if case .exchange(let flight) = actor { service(ofExchange: flight) } else { nil as Int? }
    let to = flow.instance(spec.to, namedBy: asker)
    var request = Request.Parts(method: spec.method, service: to, path: spec.literalPath ?? [])
    if spec.literalPath == nil {
      let location = try location(spec.path, at: to, site: spec.site)
      (request.origin, request.path, request.query) = (location.origin, location.path, location.query)
      request.wording = location.wording
    }
    try add(spec.query, to: &request.query, site: spec.site)
    try add(spec.headers, to: &request.headers, site: spec.site)
    if let bearer = spec.bearer { request.bearer = try text(bearer) }
    if let body = spec.body { request.body = try self.body(body, site: spec.site) }
    return request
  }

  /// A body as it arrives: what only a simulated peer could read would fail with the real one.
  mutating func body(_ spec: RequestSpec.Body, site: Site) throws(Stop) -> Body {
    switch spec {
    case .json(let template):
      var value = try build(template) ?? .null
      if let name = value.becomeJSON() { throw .failed(.repeatedName(name, site: template.site ?? site)) }
      return .json(value)
    case .form(let fields): return .form(try texts(fields, site: site))
    case .text(let placed): return .text(try text(placed) ?? Text(""))
    }
  }

  /// Segments below the service's `url`, or a whole URL of its own with its query.
  mutating func location(_ template: PathTemplate, at service: Int, site: Site) throws(Stop) -> Location {
    switch template {
    case .segments(let templates):
      var segments: [Text] = []
      segments.reserveCapacity(templates.count)
      for index in templates.indices {
        let segment = try neededText(templates[index])
        guard segment.hasOrigin || !segment.string.isDotSegment else {
          throw .failed(.dotSegment(site: templates[index].site))
        }
        segments.append(segment)
      }
      return Location(base: .service(service), path: segments, query: [])
    case .url(let placed):
      let text = try neededText(placed)
      guard let address = Address(text) else { throw .failed(.notAnAddress(site: placed.site)) }
      guard var location = world.location(of: address, at: service, app: wholeApp) else {
        throw .failed(.foreignOrigin(participant: flow.participants[lanes.services[service]].name, site: placed.site))
      }
      if world.isLive(service) { location.keepWording(of: text) }
      location.keepFragment(of: text)
      return location
    }
  }

  // Inlined, it is more than the compiler can do.
  @inline(never)
  private mutating func neededText(_ placed: PlacedTemplate) throws(Stop) -> Text {
    if let text = try text(placed) { return text }
    throw .failed(.textNeeded(.null, site: placed.site))
  }

  /// The answer to what a level waits for, as its `response`; retried, or handed to `next`.
  mutating func respond(_ slots: [Value], level: Int, as actor: Actor) throws(Stop) {
    let state = stateOfLevel(level, as: actor)
    guard case .request(let spec) = state.activity else { return }
    look(as: actor)
    frame.roots[Root.response.rawValue] = slots
    peer = lanes.services[spec.to]
    if let retry = spec.retry, let due = try nextTry(retry, slots: slots, level: level, as: actor) {
      change(actor, level: level) { level in
        level.lastResponse = slots
        level.waiting = .retry(due: due)
      }
      cause = nil
      if due <= snapshot.now { try tryAgain(level: level, as: actor) }
      return
    }
    try decide(slots, level: level, as: actor)
  }

  /// `next` decides on the last answer.
  private mutating func decide(_ slots: [Value], level: Int, as actor: Actor) throws(Stop) {
    let ended = change(actor) { $0.levels[level].callEnded } ?? nil
    change(actor, level: level) { $0.waiting = .events }
    frame.roots[Root.response.rawValue] = slots
    frame.roots[Root.result.rawValue] = ended.map { [.string($0)] } ?? Self.noResult
    let leaf = leaf(of: actor, level: level)
    _ = try takeFirst(of: machine(of: actor).states[leaf].next, state: leaf, level: level, as: actor)
  }

  private static let noResult = [Value.null]

  /// When the next try may begin; `nil` for no further try.
  private mutating func nextTry(
    _ retry: Retry, slots: [Value], level: Int, as actor: Actor
  ) throws(Stop) -> Timestamp? {
    let tries = attempts(of: actor, level: level)
    guard tries <= retry.most else { return nil }
    if let when = retry.when, try !holds(when) { return nil }
    var wait = retry.wait
    for _ in 1..<tries { wait = wait.scaled(by: retry.factor) }
    if let asked = Self.retryAfter(slots, now: snapshot.now) {
      // A wait that is as long by itself honours any.
      guard asked <= max(wait, .seconds(60)) else { return nil }
      wait = max(wait, asked)
    }
    return snapshot.now.advanced(by: wait)
  }

  /// Between two tries, after the wait: `do`, then the sub-flow of `call`, then the request once more.
  mutating func tryAgain(level: Int, as actor: Actor) throws(Stop) {
    guard case .request(let spec) = stateOfLevel(level, as: actor).activity, let retry = spec.retry else { return }
    look(as: actor)
    frame.roots[Root.response.rawValue] = levels(of: actor)[level].lastResponse ?? []
    try run(retry.actions, as: actor)
    guard let routine = retry.call else {
      return try askAgain(spec, level: level, as: actor)
    }
    change(actor, level: level) { $0.waiting = .retryRoutine }
    try enterRoutine(routine, as: actor)
  }

  /// The sub-flow that a retry called has ended: its first declared end lets the next try begin.
  mutating func retryRoutineEnded(_ name: String, level: Int, as actor: Actor) throws(Stop) {
    let state = stateOfLevel(level, as: actor)
    guard case .request(let spec) = state.activity, let call = spec.retry?.call else { return }
    change(actor, level: level) { $0.callEnded = name }
    if name == machine(of: actor).routines[call].ends.first {
      return try askAgain(spec, level: level, as: actor)
    }
    look(as: actor)
    try decide(levels(of: actor)[level].lastResponse ?? [], level: level, as: actor)
  }

  /// A further try carries the refs of its `retry`, or else those of the state.
  private mutating func askAgain(_ spec: RequestSpec, level: Int, as actor: Actor) throws(Stop) {
    let own = spec.retry?.refs ?? []
    try ask(spec, refs: own.isEmpty ? stateOfLevel(level, as: actor).refs : own, level: level, as: actor)
  }

  private mutating func attempts(of actor: Actor, level: Int) -> Int {
    change(actor) { $0.levels[level].attempts } ?? 0
  }

  mutating func stateOfLevel(_ level: Int, as actor: Actor) -> State {
    machine(of: actor).states[leaf(of: actor, level: level)]
  }
}

extension Duration {
  /// Times a factor that an author wrote; never negative.
  func scaled(by factor: Double) -> Duration {
    let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
    let scaled = seconds * factor
    guard scaled.isFinite, scaled > 0, scaled < 3e11 else { return scaled > 0 ? .seconds(300_000_000_000) : .zero }
    return .microseconds(Int64((scaled * 1e6).rounded()))
  }
}
