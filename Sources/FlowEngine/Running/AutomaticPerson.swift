import Expressions
import FlowSpec

/// A person who does the first thing that is offered, and never the same twice at the same place.
package struct AutomaticPerson: Sendable {
  /// What was done, and where.
  private enum Way: Hashable {
    case form(service: Int, page: Int, String)
    case link(service: Int, page: Int, String)
    case event(state: Int, Int)
  }

  private var done: Set<Way> = []
  /// What was asked for once more; addresses with values of `fresh` in them are many.
  private var askedAgain: Set<Browser.Navigation> = []

  package init() {}

  /// `nil` when nothing is left to do but to let time pass.
  mutating func next(in snapshot: Snapshot, of world: World) -> Choice? {
    nextOfPages(in: snapshot) ?? nextEvent(in: snapshot, of: world)
  }

  /// With mail and in the browser; `nil` when nothing is left there.
  package mutating func nextOfPages(in snapshot: Snapshot) -> Choice? {
    for index in snapshot.inbox.indices where !snapshot.inbox[index].opened {
      return .openMail(index, link: snapshot.inbox[index].links.isEmpty ? nil : 0)
    }
    switch snapshot.browser.tab?.content {
    case .page(let page): return next(of: page)
    case .unreachable(let asked): return askedAgain.insert(asked).inserted ? .again : nil
    case .loading, .outside, nil: return nil
    }
  }

  private mutating func next(of page: ShownPage) -> Choice? {
    let (service, key) = (page.service, page.key)
    for index in page.forms.indices where isNew(.form(service: service, page: key, page.forms[index].name)) {
      return page.submission(of: index)
    }
    for index in page.links.indices where isNew(.link(service: service, page: key, page.links[index].name)) {
      return .follow(link: index)
    }
    return nil
  }

  /// Notes what is about to be done; false for what was done before.
  private mutating func isNew(_ way: Way) -> Bool { done.insert(way).inserted }

  /// What events would be worth is worked out only where one comes.
  private mutating func nextEvent(in snapshot: Snapshot, of world: World) -> Choice? {
    guard let leaf = snapshot.app.run?.levels.last?.leaf else { return nil }
    for event in world.eventsOffered(in: snapshot) where isNew(.event(state: leaf, event)) {
      return .event(event, fields: world.examples(of: event, in: snapshot))
    }
    return nil
  }
}

extension Driver {
  /// How many choices an automatic run may make before it is said not to end.
  static let mostAutomaticChoices = 10_000

  /// Makes choices until the app enters a goal; one that it entered in this run already counts.
  mutating func runAutomatically() {
    var made = 0
    while !isStopped, step.snapshot.app.ended == nil, !isAtNewGoal {
      enteredGoal = false
      if let flight = step.snapshot.indexOfSentFlight {
        deliver(flight)
      } else if let choice = performance() {
        take(choice)
      } else if isTimeNext {
        take(.tick(timers: true))
      } else if let choice = person.next(in: step.snapshot, of: world) {
        take(choice)
      } else if world.nextDue(in: step.snapshot) != nil {
        take(.tick(timers: true))
      } else {
        return
      }
      made += 1
      if made == Self.mostAutomaticChoices { stop(.endless(world.flow)) }
    }
  }

  /// Whether an answer, a time-out or a retry is waited for, or a timer goes off at this instant, before a person acts.
  private var isTimeNext: Bool {
    guard let due = world.nextDue(in: step.snapshot) else { return false }
    return due.instant <= step.snapshot.now || world.nextDue(in: step.snapshot, timers: false) != nil
  }

  private var isAtNewGoal: Bool { enteredGoal && step.snapshot.activeGoal(of: world.flow) != nil }
}
