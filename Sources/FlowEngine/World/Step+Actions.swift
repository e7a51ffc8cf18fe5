import Expressions
import FlowSpec

extension Step {
  /// Runs actions in order.
  ///
  /// `refs` are the object's they stand on: they go to the first message that one causes.
  mutating func run(_ actions: [Action], as actor: Actor, refs: [String] = []) throws(Stop) {
    guard !actions.isEmpty else { return }
    look(as: actor)
    var isFirst = true
    for index in actions.indices { try run(actions[index], as: actor, refs: refs, isFirst: &isFirst) }
  }

  @inline(never)
  private mutating func run(_ action: Action, as actor: Actor, refs: [String], isFirst: inout Bool) throws(Stop) {
    if !action.assignments.isEmpty {
      try set(action.assignments, refs: action.refs, as: actor)
    } else if !action.cleared.isEmpty {
      try clear(action, as: actor)
    } else {
      let inherits = isFirst && action.carriesRefs
      if inherits { isFirst = false }
      try run(action, as: actor, refs: inherits ? refs : action.refs)
    }
  }

  private mutating func run(_ action: Action, as actor: Actor, refs: [String]) throws(Stop) {
    switch action.kind {
    // They name nothing.
    case .set, .clear: try set([], refs: action.refs, as: actor)
    case .emit(let index, let fields):
      guard isRecording else { return try check(fields) }
      let values = try values(fields)
      record(.emit(lane(of: actor), machine(of: actor).emits[index].title, values), refs: refs)
    case .show(let screen, let fields):
      guard isRecording else { return try check(fields) }
      let values = try values(fields)
      record(.show(from: lane(of: actor), to: lanes.person, screen: screen, values), refs: refs)
    case .open(let target):
      opening = (try location(of: target, asked: nil), refs, target.site)
    case .close:
      opening = nil
      guard snapshot.browser.tab != nil else { return }
      leavePage()
      record(.close(from: lane(of: actor), to: lanes.browser), refs: refs)
    case .send(let mail):
      try send(mail, as: actor, refs: refs)
    }
  }

  private mutating func send(_ mail: MailSpec, as actor: Actor, refs: [String]) throws(Stop) {
    guard case .exchange(let flight) = actor else { return }
    let service = service(ofExchange: flight)
    var links: [Mail.Link] = []
    for link in mail.links {
      guard let uri = try text(link.uri) else { continue }
      var location = try parse(uri, site: link.uri.site)
      markPath(of: &location)
      try refuseSecrets(in: location, site: link.uri.site)
      let marked = marked(Mail.Link(name: link.name, location: location), service: service)
      try refuseInTheOpen(marked.location, site: link.uri.site)
      links.append(marked)
    }
    let letter = Mail(
      name: mail.name, from: service, to: try shown(mail.to, by: service),
      subject: try shown(mail.subject, by: service), text: try shown(mail.text, by: service),
      links: links, refs: refs)
    guard let index = index(ofExchange: flight) else { return }
    guard snapshot.inbox.count + snapshot.exchanges[index].mail.count < Bounds.mostMails else {
      throw .failed(.tooManyMails(site: mail.site))
    }
    snapshot.exchanges[index].mail.append(letter)
  }

  /// A text for people: it may name what is secret itself, `code=…`.
  mutating func shown(_ placed: PlacedTemplate?, by service: Int) throws(Stop) -> Text? {
    guard let placed, let text = try text(placed) else { return nil }
    return world.secrets(of: service).marked(text)
  }

  private mutating func marked(_ link: Mail.Link, service: Int) -> Mail.Link {
    var link = link
    let secrets = world.secrets(of: service)
    link.location.query.mark(under: secrets.query)
    markForApp(&link.location, secrets: secrets)
    return link
  }
}
