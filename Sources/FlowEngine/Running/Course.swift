import Expressions
import FlowSpec

/// What happened in a run and in which order, without its values: two runs that differ in these alone have one course.
struct Course: Sendable {
  /// In words; no secret stands in them.
  private(set) var facts: [String] = []

  mutating func add(_ happenings: [Happening], of flow: Flow) {
    facts += happenings.compactMap { $0.fact.words(of: flow) }
  }

  /// The first fact of this course that the other does not have there, with what it has instead; `nil` where the other
  /// begins with all of this one.
  func firstDeparture(from other: Course) -> (here: String, there: String?)? {
    for (index, fact) in facts.enumerated() where index >= other.facts.count || other.facts[index] != fact {
      return (fact, index < other.facts.count ? other.facts[index] : nil)
    }
    return nil
  }
}

extension Happening.Fact {
  /// `nil` for what says nothing of the course: how it is announced, that time passes, that a fault strikes.
  fileprivate func words(of flow: Flow) -> String? {
    func name(_ lane: Happening.Lane) -> String { flow.participants[lane].title }
    switch self {
    case .choice, .clock, .fault, .resumed, .ended, .set: return nil
    case .launched: return "the app is opened"
    case .killed: return "the app is killed"
    case .state(let entered): return "\(name(entered.lane)) is in \"\(entered.name)\""
    case .transition(let taken): return "\(name(taken.lane)) decides \"\(taken.name ?? taken.goto ?? taken.source)\""
    case .event(let event): return "\"\(event.name)\" is \(event.outcome.rawValue)"
    case .request(let sent):
      let route = flow.services[sent.request.service].model?.route(sent.request.method, sent.request.path)
      let line = route.flatMap { flow.services[sent.request.service].model?.routes[$0].line }
      return "\(name(sent.from)) asks \(name(sent.to)): \(line ?? sent.request.method)"
    case .answer(let answer):
      return "\(name(answer.from)) answers \(answer.answer.gist)\(answer.reply.map { " \($0)" } ?? "")"
    case .perform(_, _, let capability, _): return "the device is asked for \"\(capability)\""
    case .result(_, _, let capability, let failure, _): return "\"\(capability)\" is \(failure ?? "done")"
    case .page(let page): return "a page is shown with \((page.forms + page.links).listed)"
    case .submit(_, _, let form, _): return "\"\(form)\" is submitted"
    case .follow(_, _, let link): return "\"\(link)\" is followed"
    case .mail(let mail): return "the mail \"\(mail.name)\" comes"
    case .openMail(_, _, let mail): return "the mail \"\(mail)\" is opened"
    case .emit(let lane, let emitted, _): return "\(name(lane)) tells \"\(emitted)\""
    case .show(_, _, let screen, _): return "\"\(screen)\" is shown"
    case .open: return "a page is opened"
    case .close: return "the browser is closed"
    }
  }
}

extension Answer {
  fileprivate var gist: String {
    switch self {
    case .response(let response): "\(response.status)"
    case .failure(let failure, _): failure.rawValue
    }
  }
}
