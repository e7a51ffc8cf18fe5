import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

extension Menu {
  /// Where the app is, and a line for each thing that is offered.
  func text(_ style: TextStyle, width: Int) -> String {
    let standing = situation.standing
    var text = "\n" + lines(style.strong, title, indent: 0, width)
    func add(_ words: String) { text += lines(style.faint, words, indent: 2, width) }
    if let asked = standing.asked { add("the device is asked to: \(asked.title)") }
    if let page = standing.page { add("the browser shows \"\(page)\"") }
    for (_, words) in standing.armed { add("the next time \(words)") }
    if standing.isBrowserOpen { add("the browser is open: the person goes on there") }
    let digits = offers.last?.key.count ?? 1
    for row in offers {
      let key = String(repeating: " ", count: digits - row.key.count) + row.key
      text += "  \(key)  \(lines({ $0 }, row.words, indent: digits + 4, width).dropFirst(digits + 4))"
    }
    add((others.map { "\($0.key) \($0.words)" } + ["? more"]).joined(separator: " · "))
    return text
  }

  /// What the letters do, in full.
  func explanation(width: Int) -> String {
    let rows = others.map { ($0.key, $0.explanation) } + [("?", "says this")]
    return rows.map { "  \($0.0)  \(lines({ $0 }, $0.1, indent: 5, width).dropFirst(5))" }.joined()
  }

  private var title: String {
    let standing = situation.standing
    guard standing.isAppRunning else { return "The app is not running" }
    let title = standing.state.map { $0.title ?? $0.name } ?? "The app is running"
    return title + (standing.goal == nil ? "" : " (the goal)")
  }

  /// Lines that begin behind a margin; nothing in them steers the terminal.
  private func lines(_ style: (String) -> String, _ text: String, indent: Int, _ width: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return wrapped(printable(text), width: width - indent).map { "\(margin)\(style($0))\n" }.joined()
  }
}

/// What is always there.
extension Menu {
  var waits: Row {
    let (isVirtual, isDue) = (situation.isVirtual, situation.standing.due != nil)
    let explanation =
      isVirtual
      ? "nothing happens: time goes on to what falls due next"
        + (wait.map { ", in \($0)" } ?? " (there is nothing)") + "; \"n 2h\": for two hours"
      : "nothing is done: the run waits for what happens; \"n 30s\": for half a minute"
    let words = "nothing happens" + (wait.map { " for \($0)" } ?? "")
    return Row(key: "n", words: words, explanation: explanation) { rest in
      timed(rest) { time in
        if let time { return .act(.advances(time)) }
        guard isVirtual else { return .waits }
        return isDue ? .act(.timePasses) : .nothing("time alone brings nothing more")
      }
    }
  }

  func network(isOnline: Bool) -> Row {
    Row(
      key: "o", words: isOnline ? "network comes back" : "network goes",
      explanation: isOnline ? "the network comes back" : "the network goes: what the app waits for is lost"
    ) { rest in alone("o", rest, .act(.network(isOnline: isOnline))) }
  }

  var kills: Row {
    Row(
      key: "k", words: "app is killed",
      explanation: "the app is killed, its store stays; \"k 2h\": and is opened again two hours later"
    ) { timed($0) { .act($0.map { .relaunch(after: $0) } ?? .kill) } }
  }

  var launches: Row {
    Row(key: "l", words: "app is opened", explanation: "the app is opened; \"l 2h\": two hours later") {
      timed($0) { .act(.launch(after: $0 ?? .zero)) }
    }
  }

  var arrives: Row {
    Row(
      key: "a", words: "address is opened",
      explanation:
        "an address that leads to the app is opened, as when a browser comes back: \"a com.example:/in?code=…\""
    ) { rest in rest.map { .act(.arrives(at: $0)) } ?? .asksForAddress }
  }

  var goesWrong: Row {
    Row(
      key: "f", words: "something goes wrong",
      explanation:
        "a request fails, or is answered as only happens sometimes, the next time that this can be: \"f lost\"; "
        + "\"f withdraw\": it does not, after all"
    ) { [mishaps] rest in
      guard let rest else { return .asksWhatGoesWrong }
      return mishaps.act(rest).map { .act($0) } ?? .nothing(mishaps.hint(for: rest))
    }
  }

  var leaves: Row {
    Row(
      key: "q", words: "quit", explanation: "the run ends here (also: Ctrl-D, which leads back here from an answer)"
    ) { rest in alone("q", rest, .act(.leaves)) }
  }

  /// The simulated time to what falls due next.
  private var wait: String? {
    guard situation.isVirtual, let due = situation.standing.due else { return nil }
    let milliseconds = max(0, (due - situation.standing.now) / .milliseconds(1))
    return milliseconds < 1e15 ? elapsedWords(Int(milliseconds)) : nil
  }
}

/// What may have a time behind its letter: `k 2h`.
private func timed(_ text: String?, _ choice: (Duration?) -> Menu.Choice) -> Menu.Choice {
  guard let text else { return choice(nil) }
  // As timelines write it, with blanks.
  let time = Duration(celText: text.replacing(" ", with: ""), allowingDays: true)
  guard let time, time >= .zero, time <= .seconds(100 * 365 * 86_400) else {
    let why = time == nil ? "is no time: write a number and a unit" : "is no time from 0 to 100 years"
    return .nothing("\"\(printable(text))\" \(why), such as 30s, 10m or 1h 30m")
  }
  return choice(time)
}

extension FlowOffer {
  /// What the flow calls it.
  var names: [String] {
    switch act {
    case .event(let name), .submits(let name), .follows(let name): [name] + (title.map { [$0] } ?? [])
    // The title is the subject.
    case .opens(let name, let nth, _): [name + (nth.map { " \($0)" } ?? "")]
    case .closesBrowser: ["close"]
    }
  }

  var words: String {
    let called = title.map { ": \($0)" } ?? ""
    switch act {
    case .event(let name): return title ?? name
    case .submits(let form): return "submits \"\(form)\"\(called)"
    case .follows("again"): return "tries again to load the page"
    case .follows(let link): return "follows \"\(link)\"\(called)"
    // The subject is the real one, and may hold a secret.
    case .opens(let mail, let nth, let link):
      let words = nth.map { "opens the older mail \"\(mail)\" (number \($0))" } ?? "opens the mail \"\(mail)\""
      return words + (link.map { ", and its link \"\($0)\"" } ?? "")
    case .closesBrowser: return "closes the browser"
    }
  }
}
