import Expressions
import FlowSpec

extension Driver {
  /// The script is all the person does; behind its last step answers, time-outs and retries still come, and what is due on
  /// the way to those for which somebody waits by then: a timer that an app has set does not wait for an answer.
  mutating func run(_ script: [Scenario.Step]) {
    for step in script {
      guard !isStopped else { return }
      run(step)
    }
    deliverAll(timers: false)
    let awaited = snapshot.awaited
    while !isStopped, world.nextDue(in: snapshot, timers: false) != nil {
      let timer = world.nextDue(in: snapshot)?.instant
      take(.tick(timers: timer.flatMap { timer in awaited.map { timer <= $0 } } ?? false))
      deliverAll(timers: false)
    }
    if let armedKill, !isStopped { problems.append(.killNeverStruck(armedKill)) }
  }

  private mutating func run(_ step: Scenario.Step) {
    deliverAll()
    switch step.kind {
    case .offline: take(.offline)
    case .online: take(.online)
    case .advance(let duration): advance(duration, step)
    case .kill(let keeping): kill(step, keeping: keeping)
    case .launch: launch(step)
    case .fault(let fault): faults.add(fault)
    case .relaunch(let after):
      take(.kill)
      advance(after, step)
      launch(step)
    case .event, .submit, .follow, .openMail, .closeBrowser, .arrive: offer(step)
    }
  }

  /// At rest, or in the step that writes so many durable writes.
  private mutating func kill(_ step: Scenario.Step, keeping: Int?) {
    // One that another takes the place of never strikes.
    if let armedKill { return stop(.killNeverStruck(armedKill, before: ("next kill", step.site))) }
    if let keeping {
      armedKill = (keeping, step.site)
    } else {
      take(.kill)
    }
  }

  private mutating func launch(_ step: Scenario.Step) {
    if let armedKill, snapshot.app.isRunning {
      return stop(.killNeverStruck(armedKill, before: ("launch", step.site)))
    }
    guard !snapshot.app.isRunning else { return stop(.alreadyRunning(step)) }
    take(.launch)
  }

  /// Moves the clock; what falls due on the way happens.
  private mutating func advance(_ duration: Duration, _ step: Scenario.Step) {
    guard let target = snapshot.now.advanced(by: duration) else { return stop(.beyondCalendar(step.site)) }
    isAdvancing = true
    defer { isAdvancing = false }
    deliverAll()
    while !isStopped, let due = world.nextDue(in: snapshot), due.instant <= target {
      take(.tick(timers: true))
      deliverAll()
    }
    if snapshot.now < target { take(.clock(to: target)) }
  }

  /// A step that is not offered yet lets time go to the next answer, time-out or retry, and is looked at again.
  private mutating func offer(_ step: Scenario.Step) {
    while !isStopped {
      deliverAll()
      switch world.choice(for: step, in: snapshot) {
      case .success(let choice?):
        take(choice)
        return
      case .success(nil):
        guard world.nextDue(in: snapshot, timers: false) != nil else {
          return stop(
            .notOffered(
              step, in: world.flow, choices: world.offers(in: snapshot), links: snapshot.inbox.links(ofMailFor: step),
              isRunning: snapshot.app.isRunning, timer: world.timerStillSet(in: snapshot, since: startedAt)))
        }
        take(.tick(timers: true))
      case .failure(let refusal): return stop(refusal.diagnostic)
      }
    }
  }
}

extension World {
  /// The choice that a step of a script means; `nil` when it is not offered now.
  ///
  /// A field that the step does not give has its example, or is null where examples would mean nothing.
  package func choice(
    for step: Scenario.Step, in snapshot: Snapshot, withExamples: Bool = true
  ) -> Result<Choice?, Refusal> {
    asApp(in: snapshot) { values throws(Step.Stop) in
      switch step.kind {
      case .event(let event, let with):
        guard eventsOffered(in: snapshot).contains(event) else { return nil }
        let type = flow.app.events[event].fields
        let examples = withExamples ? examples(of: event, in: snapshot) : type.fields.map { _ in .null }
        return .event(event, fields: try values.fields(type, with: with, else: examples))
      case .submit(let name, let with):
        guard let forms = snapshot.page?.forms, let index = forms.firstIndex(where: { $0.name == name }) else {
          return nil
        }
        let form = forms[index]
        let fields = try values.fields(form.fields, with: with, else: form.examples.map { $0 ?? .null })
        // A form sends text.
        if let (field, value) = zip(form.fields.fields, fields).first(where: { !$1.isNull && $1.asText == nil }) {
          let site = with.first { $0.name == field.name }?.value.site
          throw .failed(.textNeeded(value, site: site ?? step.site))
        }
        return .submit(form: index, fields: fields)
      case .arrive(let address):
        guard let text = try values.text(address) else { throw .failed(.textNeeded(.null, site: address.site)) }
        guard let location = ownLocation(text.string, in: snapshot) else {
          let own = flow.redirectURIs.map { uri in
            let text = (try? values.text(uri)) ?? nil
            return text.flatMap { $0.secretRanges.isEmpty ? $0.string : nil } ?? uri.template.source
          }
          throw .failed(.foreignAddress(own + flow.links.map(\.text), site: address.site))
        }
        return .visit(location)
      default: return plainChoice(for: step.kind, in: snapshot)
      }
    }
  }

  /// What the device answers where a scenario gives fields of it; the others have their examples.
  func result(
    of capability: Int, with given: [FieldValue], else example: Result<[Value], Refusal>, in snapshot: Snapshot
  ) -> Result<[Value], Refusal> {
    let type = flow.capabilities[capability].result
    return example.flatMap { examples in
      asApp(in: snapshot) { step throws(Step.Stop) in try step.fields(type, with: given, else: examples) }
    }
  }

  /// The choice that a step means which names something, and gives no fields.
  package func plainChoice(for kind: Scenario.Step.Kind, in snapshot: Snapshot) -> Choice? {
    switch kind {
    case .follow(let name):
      switch snapshot.browser.tab?.content {
      case .page(let page): return page.links.firstIndex { $0.name == name }.map { .follow(link: $0) }
      case .unreachable: return name == "again" ? .again : nil
      case .loading, .outside, nil: return nil
      }
    case .openMail(let name, let nth, let link):
      guard let index = snapshot.inbox.index(of: name, nth: nth) else { return nil }
      let mail = snapshot.inbox[index]
      guard let link else { return .openMail(index, link: mail.links.isEmpty ? nil : 0) }
      return mail.links.firstIndex { $0.name == link }.map { .openMail(index, link: $0) }
    case .closeBrowser: return snapshot.browser.tab == nil ? nil : .closeBrowser
    default: return nil
    }
  }

  /// What the person could do now, as a script would name it.
  package func offers(in snapshot: Snapshot) -> [String] {
    let older = snapshot.numbersOfOlderMails
    var all: [String] = []
    for choice in personChoices(in: snapshot) {
      // Of several mails of one name the newest stands for all.
      if case .openMail(let mail, _) = choice, older[mail] != nil { continue }
      let words = describe(choice, in: snapshot)
      if !all.contains(words) { all.append(words) }
    }
    for (name, mails) in Dictionary(grouping: snapshot.inbox, by: \.name) where mails.count > 1 {
      if let index = all.firstIndex(of: "open mail \(name)") { all[index] += " (\"nth\" 1 to \(mails.count))" }
    }
    return all
  }
}

extension Snapshot {
  /// As how many of its name a mail came, the first as 1; `nil` for the newest of its name.
  func number(ofOlderMail index: Int) -> Int? {
    let name = inbox[index].name
    guard inbox[(index + 1)...].contains(where: { $0.name == name }) else { return nil }
    return inbox[...index].count { $0.name == name }
  }

  /// The same of each mail.
  package var numbersOfOlderMails: [Int?] {
    var counts: [String: Int] = [:]
    var newest: [String: Int] = [:]
    var numbers: [Int?] = []
    for (index, mail) in inbox.enumerated() {
      counts[mail.name, default: 0] += 1
      numbers.append(counts[mail.name])
      newest[mail.name] = index
    }
    for index in newest.values { numbers[index] = nil }
    return numbers
  }
}

extension [Mail] {
  /// The mail of this name that came as so many of them, the first as 1; without a number the newest.
  fileprivate func index(of name: String, nth: Int?) -> Int? {
    guard let nth else { return lastIndex { $0.name == name } }
    let named = indices.filter { self[$0].name == name }
    return nth > 0 && nth <= named.count ? named[nth - 1] : nil
  }

  /// The links of the mail that a step opens; `nil` where it is not there.
  package func links(ofMailFor step: Scenario.Step) -> [String]? {
    guard case .openMail(let name, let nth, _) = step.kind else { return nil }
    return index(of: name, nth: nth).map { self[$0].links.map(\.name) }
  }
}

extension Step {
  /// The fields of an event, a form or a result: what the script gives, else the example.
  fileprivate mutating func fields(
    _ type: ObjectType, with given: [FieldValue], else examples: [Value]
  ) throws(Stop) -> [Value] {
    var values: [Value] = []
    for (field, example) in zip(type.fields, examples) {
      let value =
        try given.first { $0.name == field.name }.map { given throws(Stop) in try declaredValue(given) } ?? example
      values.append(value?.unwrapped ?? .null)
    }
    return values
  }
}

extension Snapshot {
  /// When the last of the answers, further tries and results comes for which the app or the browser waits; `nil` for none.
  fileprivate var awaited: Timestamp? {
    let answers = flights.filter { [.app, .browser].contains($0.caller) }.map { flight in
      if case .held(let until, _, _, _) = flight.stage { min(until, flight.due) } else { flight.due }
    }
    let others = (app.run?.levels ?? []).compactMap { level -> Timestamp? in
      switch level.waiting {
      case .retry(let due), .held(let due, _, _): due
      default: nil
      }
    }
    return (answers + others).max()
  }
}
