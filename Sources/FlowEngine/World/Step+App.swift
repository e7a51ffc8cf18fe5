import Expressions
import FlowSpec

extension Step {
  /// The app starts, at its start: nothing tells it that it was killed.
  mutating func launch(from: Int) throws(Stop) {
    guard !snapshot.app.isRunning else { return }
    snapshot.app.ended = nil
    snapshot.app.unheard = nil
    lookAway()
    snapshot.app.run = MachineRun(memory: flow.app.initialMemory)
    snapshot.app.run?.levels.reserveCapacity(4)
    record(.launched(from: from, to: lanes.app))
    launchLine = isRecording ? happened.happenings.count - 1 : nil
    try enterRoutine(0, as: .app)
    try settle(.app)
  }

  /// The app is killed: memory, timers and pending answers are gone, the tab is closed; the store stays.
  mutating func kill(keeping: Int?) {
    for flight in snapshot.flights where flight.caller == .app { forget(flight: flight.number) }
    leavePage()
    lookAway()
    snapshot.app.run = nil
    snapshot.app.ended = nil
    snapshot.app.offers = []
    snapshot.app.unheard = nil
    record(.killed(lanes.app, keeping: keeping))
  }

  /// Mail leaves directly behind the answer of its exchange: what the answer causes comes later.
  mutating func sendOutgoing() {
    for letter in exchange(&outgoing, with: []) { put(letter) }
  }

  /// Mail reaches the inbox.
  private mutating func put(_ mail: Mail) {
    var kept = mail
    kept.text = nil
    snapshot.inbox.append(kept)
    guard isRecording else { return }
    let arrived = MailArrived(
      from: lanes.services[mail.from], to: lanes.inbox, name: mail.name, address: mail.to.map { .string($0) },
      subject: mail.subject.map { .string($0) }, text: mail.text.map { .string($0) },
      links: mail.links.map { NamedValue(name: $0.name, value: .string(text(of: $0.location))) })
    record(.mail(arrived), refs: mail.refs)
  }

  /// The person opens a mail and follows one of its links: into the app where a pattern matches, else in the browser.
  mutating func openMail(_ index: Int, link: Int?) throws(Stop) {
    guard snapshot.inbox.indices.contains(index) else { return }
    snapshot.inbox[index].opened = true
    let mail = snapshot.inbox[index]
    record(.openMail(from: lanes.person, to: lanes.inbox, mail: mail.name))
    guard let link, mail.links.indices.contains(link) else { return }
    let location = mail.links[link].location
    if try !openInApp(location) { try load(location) }
  }

  /// A link that one of the app's patterns matches opens it; `false` when none does.
  mutating func openInApp(_ location: Location) throws(Stop) -> Bool {
    for pattern in flow.links {
      guard let values = match(location, pattern) else { continue }
      if let event = pattern.event {
        try arriveAtApp(event, values: values, from: lanes.inbox)
      } else {
        try launch(from: lanes.inbox)
      }
      return true
    }
    return false
  }
}
