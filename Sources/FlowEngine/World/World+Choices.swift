import Expressions
import FlowSpec

extension World {
  func performances(in snapshot: Snapshot) -> [Choice] {
    guard !outside.device, let (capability, input) = asked(in: snapshot) else { return [] }
    // Where the example cannot be made, the step says why.
    let fields = (try? example(of: capability, input: input, in: snapshot).get()) ?? []
    return [.perform(failure: nil, fields: fields)]
      + flow.capabilities[capability].failures.map { .perform(failure: $0, fields: []) }
  }

  /// The capability that the app waits for, with its input; `nil` when it waits for none.
  package func asked(in snapshot: Snapshot) -> (capability: Int, input: [Value])? {
    guard let levels = snapshot.app.run?.levels, let last = levels.indices.last,
      case .device(let input) = levels[last].waiting,
      case .perform(let spec) = flow.app.states[levels[last].leaf].activity
    else { return nil }
    return (spec.capability, input)
  }

  /// What the device answers unless it fails.
  package func example(of capability: Int, input: [Value], in snapshot: Snapshot) -> Result<[Value], Refusal> {
    asApp(in: snapshot) { step throws(Step.Stop) in
      step.frame.roots[Root.input.rawValue] = input
      var values: [Value] = []
      let declared = flow.capabilities[capability]
      for (field, example) in zip(declared.result.fields, declared.example) {
        var value = try step.build(example) ?? .null
        try step.fit(&value, as: field, from: example)
        values.append(value)
      }
      return values
    }
  }

  /// Mail, then the page's forms, then its links, then events, innermost first: the order of the automatic person.
  package func personChoices(in snapshot: Snapshot) -> [Choice] {
    var all: [Choice] = []
    all.reserveCapacity(8)
    for (index, mail) in snapshot.inbox.enumerated() {
      if mail.links.isEmpty { all.append(.openMail(index, link: nil)) }
      for link in mail.links.indices { all.append(.openMail(index, link: link)) }
    }
    switch snapshot.browser.tab?.content {
    case .page(let page):
      all += page.forms.indices.map { page.submission(of: $0) }
      all += page.links.indices.map { .follow(link: $0) }
    case .unreachable: all.append(.again)
    case .loading, .outside, nil: break
    }
    for event in eventsOffered(in: snapshot) { all.append(.event(event, fields: examples(of: event, in: snapshot))) }
    return all
  }

  /// The person's events that an active state names.
  func eventsOffered(in snapshot: Snapshot) -> [Int] {
    guard let run = snapshot.app.run else { return [] }
    var offered: [Int] = []
    var isSeen = Array(repeating: false, count: flow.app.events.count)
    for level in run.levels.indices.reversed() {
      for state in flow.app.enclosing(run.levels[level].leaf) {
        for handler in flow.app.states[state].on {
          guard !isSeen[handler.event], flow.app.events[handler.event].kind == .person else { continue }
          isSeen[handler.event] = true
          offered.append(handler.event)
        }
      }
    }
    return offered
  }

  /// The example of every field of an event, `null` where it has none, or none that can be told or that fits it.
  package func examples(of event: Int, in snapshot: Snapshot) -> [Value] {
    if flow.app.events[event].examples.isEmpty { return [] }
    var step = Step(world: self, snapshot: snapshot, isRecording: false)
    step.look(as: .app)
    let declared = flow.app.events[event]
    return zip(declared.fields.fields, declared.examples).map { field, example in
      guard let example, var value = (try? step.build(example)) ?? nil else { return .null }
      return (try? step.fit(&value, as: field, from: example)) == nil ? .null : value
    }
  }
}

extension ShownPage {
  /// What the person does with a form: its examples.
  func submission(of form: Int) -> Choice { .submit(form: form, fields: forms[form].examples.map { $0 ?? .null }) }
}

extension Flight {
  /// Whether the device is offline and this is one that it asks for.
  func isCutOff(by device: Device) -> Bool {
    guard !device.online else { return false }
    switch caller {
    case .app, .browser: return true
    case .exchange, .nobody: return false
    }
  }

  /// What comes of it where no fault strikes.
  func delivery(to device: Device) -> Choice {
    isCutOff(by: device) ? .unreachable(flight: number) : .deliver(flight: number, reply: nil, .arrives)
  }
}

extension ServiceModel {
  /// Of a route, of the states to which it leads, and of the service's top.
  package func sometimesNames(from route: Route) -> [String] {
    var names = route.next.namesOfSometimes
    var pending = route.next.targets
    var seen: Set<Int> = []
    while let target = pending.popLast() {
      for state in machine.enclosing(target) where seen.insert(state).inserted {
        let next = machine.states[state].next
        for name in next.namesOfSometimes where !names.contains(name) { names.append(name) }
        pending += next.targets
        if case .compound(let start) = machine.states[state].activity { pending.append(start) }
      }
    }
    return names + sometimes.namesOfSometimes.filter { !names.contains($0) }
  }
}

extension [Transition] {
  fileprivate var namesOfSometimes: [String] { filter(\.isSometimes).compactMap(\.name) }

  fileprivate var targets: [Int] { compactMap { if case .state(let target) = $0.target { target } else { nil } } }
}
