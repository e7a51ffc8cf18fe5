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
    case .receive(let flight, _, _): "answer \(flight)"
    case .perform(let failure, _): failure.map { "perform, fails \"\($0)\"" } ?? "perform"
    case .performLater(let delay, let failure, _):
      "perform, \(failure.map { "fails \"\($0)\"" } ?? "result") after \(delay.text)"
    case .event(let event, _): "event \(flow.app.events[event].name)"
    case .submit(let form, _): "submit \(snapshot.page?.forms[form].name ?? "")"
    case .follow(let link): "follow \(snapshot.page?.links[link].name ?? "")"
    case .again: "follow again"
    case .closeBrowser: "close browser"
    case .visit: "visit"
    case .openMail(let mail, let link): "open mail \(snapshot.inbox[mail].name)\(which(mail, link, in: snapshot))"
    case .offline: "offline"
    case .online: "online"
    case .tick: "tick"
    case .clock: "clock"
    case .killed(let inner, let keeping):
      "kill after \(keeping) durable writes during: \(describe(inner, in: snapshot))"
    }
  }

  /// What a script says of a mail that is not the newest of its name, and of a link that is not the first in it.
  private func which(_ mail: Int, _ link: Int?, in snapshot: Snapshot) -> String {
    let number = snapshot.number(ofOlderMail: mail).map { "\"nth\" \($0)" }
    let name = link.flatMap { $0 > 0 ? "\"link\" \"\(snapshot.inbox[mail].links[$0].name)\"" : nil }
    let words = [number, name].compactMap(\.self)
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }

  private func words(_ fate: Choice.Fate) -> String {
    switch fate {
    case .arrives: ""
    case .lost: ", answer lost"
    case .held(let delay): ", answer after \(delay.text)"
    case .replaced: ", another answer"
    }
  }
}
