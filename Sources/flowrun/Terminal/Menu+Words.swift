import FlowEngine
import FlowInterpreter
import FlowSpec

extension Menu {
  /// Where the app is, and a line for each thing that is offered.
  func text(_ style: TextStyle) -> String {
    let standing = situation.standing
    var text = "\n" + lines(style.strong, title, indent: 0)
    if let asked = standing.asked { text += lines(style.faint, "the device is asked to: \(asked.title)", indent: 2) }
    if let page = standing.page { text += lines(style.faint, "the browser shows \"\(page)\"", indent: 2) }
    if standing.isBrowserOpen { text += lines(style.faint, "the browser is open: the person goes on there", indent: 2) }
    let width = offers.last?.key.count ?? 1
    for row in offers {
      let key = String(repeating: " ", count: width - row.key.count) + row.key
      text += "  \(key)  \(lines({ $0 }, row.words, indent: width + 4).dropFirst(width + 4))"
    }
    let rest = others.map { "\($0.key) \(briefly($0.deed))" } + ["? more"]
    return text + lines(style.faint, rest.joined(separator: " · "), indent: 2)
  }

  /// What the letters do, in full.
  var explanation: String {
    let rows = others.map { ($0.key, fully($0.deed)) } + [("?", "says this")]
    return rows.map { "  \($0.0)  \(lines({ $0 }, $0.1, indent: 5).dropFirst(5))" }.joined()
  }

  private var title: String {
    let standing = situation.standing
    guard standing.isAppRunning else { return "The app is not running" }
    let title = standing.state.map { $0.title ?? $0.name } ?? "The app is running"
    return title + (standing.goal == nil ? "" : " (the goal)")
  }

  private func briefly(_ deed: Deed) -> String {
    switch deed {
    case .waits: "nothing happens" + (wait.map { " for \($0)" } ?? "")
    case .network(let isOnline): isOnline ? "network comes back" : "network goes"
    case .kills: "app is killed"
    case .launches: "app is opened"
    case .arrives: "address is opened"
    case .leaves: "quit"
    case .offer, .performs, .fails: ""
    }
  }

  private func fully(_ deed: Deed) -> String {
    switch deed {
    case .waits where situation.isVirtual:
      "nothing happens: time goes on to what falls due next"
        + (wait.map { ", in \($0)" } ?? " (there is nothing)") + "; \"n 2h\": for two hours"
    case .waits: "nothing is done: the run waits for what happens; \"n 30s\": for half a minute"
    case .network(let isOnline):
      isOnline ? "the network comes back" : "the network goes: what the app waits for is lost"
    case .kills: "the app is killed, its store stays; \"k 2h\": and is opened again two hours later"
    case .launches: "the app is opened; \"l 2h\": two hours later"
    case .arrives:
      "an address that leads to the app is opened, as when a browser comes back: \"a com.example:/in?code=…\""
    case .leaves: "the run ends here (also: Ctrl-D)"
    case .offer, .performs, .fails: ""
    }
  }

  /// The simulated time to what falls due next.
  private var wait: String? {
    guard situation.isVirtual, let due = situation.standing.due else { return nil }
    let milliseconds = max(0, (due - situation.standing.now) / .milliseconds(1))
    return milliseconds < 1e15 ? elapsedWords(Int(milliseconds)) : nil
  }

  /// Lines of at most 100 columns that begin behind a margin; nothing in them steers the terminal.
  private func lines(_ style: (String) -> String, _ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return wrapped(printable(text), width: 100 - indent).map { "\(margin)\(style($0))\n" }.joined()
  }
}

extension Menu.Row {
  var words: String {
    switch deed {
    case .offer(let offer): offer.words + names(of: offer.fields)
    case .performs(let fields): "it does so" + names(of: fields)
    case .fails(let failure): "it fails: \(failure)"
    case .waits, .network, .kills, .launches, .arrives, .leaves: ""
    }
  }

  /// What the flow calls it, to be typed in place of the number.
  var names: [String] {
    switch deed {
    case .offer(let offer): [offer.name, offer.isMail ? nil : offer.title].compactMap(\.self)
    case .fails(let failure): [failure]
    case .performs, .waits, .network, .kills, .launches, .arrives, .leaves: []
    }
  }

  private func names(of fields: [FlowOffer.Field]) -> String {
    fields.isEmpty ? "" : " (\(fields.map { $0.title ?? $0.name }.joined(separator: ", ")))"
  }
}

extension FlowOffer {
  fileprivate var isMail: Bool {
    if case .opens = act { true } else { false }
  }

  fileprivate var name: String {
    switch act {
    case .event(let name), .submits(let name), .follows(let name), .opens(let name, _): name
    case .closesBrowser: "close"
    }
  }

  fileprivate var words: String {
    let called = title.map { ": \($0)" } ?? ""
    switch act {
    case .event(let name): return title ?? name
    case .submits(let form): return "submits \"\(form)\"\(called)"
    case .follows("again"): return "tries again to load the page"
    case .follows(let link): return "follows \"\(link)\"\(called)"
    // The subject is the real one, and may hold a secret.
    case .opens(let mail, nil): return "opens the mail \"\(mail)\""
    case .opens(let mail, let link?): return "opens the mail \"\(mail)\", and its link \"\(link)\""
    case .closesBrowser: return "closes the browser"
    }
  }
}
