import Expressions
import FlowSpec

extension World {
  /// A choice in words, as a script would name it where it can.
  func describe(_ choice: Choice, in snapshot: Snapshot) -> String {
    switch choice {
    case .launch: "launch"
    case .kill: "kill"
    case .deliver(let flight, nil, let fate): "deliver " + String(flight) + words(fate)
    case .deliver(let flight, let reply?, let fate): "deliver \(flight), reply \"\(reply)\"\(words(fate))"
    case .unreachable(let flight): "unreachable \(flight)"
    case .arrive(let flight, _, _): "answer \(flight)"
    case .perform(let failure, _): failure.map { "perform, fails \"\($0)\"" } ?? "perform"
    case .performLater(let delay, let failure, _):
      "perform, \(failure.map { "fails \"\($0)\"" } ?? "result") after \(delay.text)"
    case .event(let event, _): "event \(flow.app.events[event].name)"
    case .submit(let form, _): "submit \(snapshot.page?.forms[form].name ?? "")"
    case .follow(let link): "follow \(snapshot.page?.links[link].name ?? "")"
    case .again: "follow again"
    case .closeBrowser: "close browser"
    case .visit: "visit"
    case .openMail(let mail, _): "open mail \(snapshot.inbox[mail].name)"
    case .offline: "offline"
    case .online: "online"
    case .tick: "tick"
    case .clock: "clock"
    case .killed(let inner, let keeping):
      "kill after \(keeping) durable writes during: \(describe(inner, in: snapshot))"
    }
  }

  private func words(_ fate: Choice.Fate) -> String {
    switch fate {
    case .arrives: ""
    case .lost: ", answer lost"
    case .held(let delay): ", answer after \(delay.text)"
    }
  }
}
