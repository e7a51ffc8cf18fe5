import Expressions
import FlowSpec
import JSONSyntax

extension Step {
  /// A live request that nobody waits for any more is cut off; its server may have acted.
  mutating func cutOffAbandoned() {
    guard !world.outside.services.isEmpty else { return }
    for flight in snapshot.flights where flight.caller == .nobody && world.isLive(flight.request.service) {
      snapshot.flights.removeAll { $0.number == flight.number }
      record(.cutOff(flight, to: world))
    }
  }

  /// An address that something outside has opened: one of the app's redirect URIs or links, or nothing of the app's.
  mutating func visit(_ location: Location) throws(Stop) {
    var opened: Int?
    if case .outside(let page)? = snapshot.browser.tab?.content, case .service(let service) = page.base {
      opened = service
    }
    let secrets = world.secrets(of: opened)
    var location = location
    location.query.mark(under: secrets.query)
    markForApp(&location, secrets: secrets)
    guard isRedirectURI(location) else {
      _ = try openInApp(location)
      return
    }
    let (tab, levels) = (snapshot.browser.tab, snapshot.app.run?.levels)
    // The tab stays where it is: only a navigation of its own closes it, and none of a simulated page comes this way.
    guard case .outside? = tab?.content else { return try comeBack(with: location) }
    try redirectToApp(location)
    // Whoever is on this machine can send such an address: while the app goes on as before, its own page is still open.
    guard let levels, snapshot.app.run?.levels == levels else { return }
    if snapshot.browser.tab == nil { snapshot.browser.tab = tab }
  }

  /// What a trace shows of a live answer: the headers, where it leads, and the members of the body and of that address
  /// that its caller's expressions read.
  mutating func shown(_ answer: Answer, to caller: Flight.Caller) -> Answer {
    guard case .response(let arrived) = answer else { return answer }
    var response = arrived.parts
    let actor = actor(behind: caller)
    let readings = machine(of: actor).responseReadings
    let headers = readings.compactMap { MemberPath($0, below: "response.headers") }
    let isChallengeRead = readings.contains { $0.hasPrefix("response.challenge") }
    response.headers = response.headers.filter { header in
      headers.contains { $0.leads(to: header.name) } || (isChallengeRead && header.name == "www-authenticate")
    }
    response.page = nil
    response.location = response.location.map { shown($0, readings) }
    response.body = shown(response.body, response.isMended ? [] : readings, actor)
    return .response(Response(response))
  }

  private func actor(behind caller: Flight.Caller) -> Actor {
    switch caller {
    case .exchange(let flight): .exchange(flight)
    case .app, .browser, .nobody: .app
    }
  }

  /// Why there is no JSON in a body for a caller that reads members of answers: all that it reads is not there then.
  func whyNoJSON(in answer: Answer, to caller: Flight.Caller) -> String? {
    guard case .response(let response) = answer, let body = response.body, caller != .browser else { return nil }
    let readings = machine(of: actor(behind: caller)).responseReadings
    guard readings.contains(where: { MemberPath($0, below: "response.json") != nil }) else { return nil }
    if response.isMended { return "its body is no UTF-8" }
    guard case .text(let text) = body, Value(jsonText: text) == nil else { return nil }
    do throws(JSONSyntaxError) {
      _ = try JSONParser.parse(Array(text.string.utf8), as: .body)
      return "its body is JSON that has a name twice"
    } catch {
      switch error.code {
      // Another reader may well take it for JSON.
      case "too-large", "too-deep", "lone-surrogate": return "its body is not read as JSON: \(error.message)"
      default: return "its body is no JSON"
      }
    }
  }

  /// Without what nobody reads of its query.
  private func shown(_ location: Location, _ readings: Set<String>) -> Location {
    var location = location
    let paths = readings.compactMap { MemberPath($0, below: "response.redirect") }
      .filter { $0.leads(to: "query") }.map(\.rest)
    location.query = location.query.filter { member in paths.contains { $0.leads(to: member.name) } }
    return location
  }

  /// Of JSON the members, although the text is read as well: that is done to tell a page or nothing from an answer.
  private func shown(_ body: Body?, _ readings: Set<String>, _ actor: Actor) -> Body? {
    let value: Value?
    switch body {
    case .json(let json): value = json
    case .text(let text): value = Value(jsonText: text)
    case .form, nil: return nil
    }
    let looks = machine(of: actor).responseLooks
    let paths = [readings.subtracting(looks), readings.intersection(looks)].map { names in
      names.compactMap { MemberPath($0, below: "response.json") }
    }
    if let part = value?.only(paths[0], looks: paths[1]) { return .json(part) }
    // Nothing in it has a name by which it could be secret.
    guard machine(of: actor).readsResponseText, case .text(let text) = body else { return nil }
    return .text(text.hiddenAnswer)
  }
}

extension Happening.Fact {
  /// Nobody waits any more for what a live service was asked.
  static func cutOff(_ flight: Flight, to world: World) -> Happening.Fact {
    .answer(
      AnswerArrived(
        from: world.lanes.services[flight.request.service], to: flight.from, number: flight.number,
        answer: .failure(.lost, reason: "cut off"), fate: .dropped))
  }
}

extension Value {
  /// The parts that paths lead to, `nil` for none; where one of `looks` leads to a list or a map, the names alone.
  fileprivate func only(_ paths: [MemberPath], looks: [MemberPath]) -> Value? {
    if paths.contains(where: \.parts.isEmpty) { return self }
    let isLookedAt = looks.contains(where: \.parts.isEmpty)
    if paths.isEmpty, looks.isEmpty { return nil }
    // Aliases have no names that a peer gives.
    func inside(_ value: Value, _ leads: (MemberPath) -> Bool, as name: String) -> Value? {
      let (deeper, looked) = (
        paths.filter(leads).map(\.rest), looks.filter { !$0.parts.isEmpty && leads($0) }.map(\.rest)
      )
      return value.only(deeper, looks: looked) ?? (isLookedAt ? value.veiled(as: name) : nil)
    }
    switch self {
    case .list(let elements):
      guard isLookedAt || (paths + looks).contains(where: { $0.parts.first == .any }) else { return nil }
      return .list(elements.compactMap { inside($0, { $0.parts[0] == .any }, as: "element") })
    case .map(let map):
      return .map(
        ValueMap(
          distinct: map.entries.compactMap { entry in
            let name = entry.key.text?.string ?? ""
            return inside(entry.value, { $0.leads(to: name) }, as: "member").map {
              NamedValue(key: entry.key, value: $0)
            }
          }))
    default: return isLookedAt ? self : nil
    }
  }

  /// What a condition looks at of an answer: the names alone of a list or a map.
  var looked: Value { only([], looks: [MemberPath()]) ?? self }
}
