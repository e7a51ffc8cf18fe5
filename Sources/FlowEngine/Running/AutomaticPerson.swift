import Expressions
import FlowSpec

/// A person who does the first thing that is offered, and never the same twice at the same place.
package struct AutomaticPerson: Sendable {
  /// What was done, and where.
  private enum Way: Hashable {
    case form(service: Int, page: Int, String)
    case link(service: Int, page: Int, String)
    case event(state: Int, Int)
    case again(Browser.Navigation)
  }

  private var done: Set<Way> = []

  package init() {}

  /// `nil` when nothing is left to do but to let time pass.
  mutating func next(in snapshot: Snapshot, of world: World) -> Choice? {
    // What events would be worth is worked out only where there is nothing else to do.
    nextOfPages(in: snapshot, of: world) ?? first(of: world.eventChoices(in: snapshot), in: snapshot)
  }

  /// With mail and in the browser; `nil` when nothing is left there.
  package mutating func nextOfPages(in snapshot: Snapshot, of world: World) -> Choice? {
    first(of: world.mailAndPageChoices(in: snapshot), in: snapshot)
  }

  private mutating func first(of choices: [Choice], in snapshot: Snapshot) -> Choice? {
    for choice in choices {
      if case .openMail(let index, _) = choice {
        if !snapshot.inbox[index].opened { return choice }
        continue
      }
      guard let way = way(choice, in: snapshot) else { continue }
      if done.insert(way).inserted { return choice }
    }
    return nil
  }

  private func way(_ choice: Choice, in snapshot: Snapshot) -> Way? {
    switch choice {
    case .submit(let index, _):
      guard case .page(let page)? = snapshot.browser.tab?.content else { return nil }
      return .form(service: page.service, page: page.key, page.forms[index].name)
    case .follow(let index):
      guard case .page(let page)? = snapshot.browser.tab?.content else { return nil }
      return .link(service: page.service, page: page.key, page.links[index].name)
    case .again:
      guard case .unreachable(let asked)? = snapshot.browser.tab?.content else { return nil }
      return .again(asked)
    case .event(let event, _):
      guard let leaf = snapshot.app.run?.levels.last?.leaf else { return nil }
      return .event(state: leaf, event)
    default: return nil
    }
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
      } else if world.nextDue(in: step.snapshot, timers: false) != nil {
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

  private var isAtNewGoal: Bool { enteredGoal && step.snapshot.activeGoal(of: world.flow) != nil }
}
