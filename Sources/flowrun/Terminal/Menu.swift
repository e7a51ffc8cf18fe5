import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

/// What a person at the terminal can do now, and what to type for it.
struct Menu {
  /// What comes of a row.
  enum Deed {
    case offer(FlowOffer)
    /// The device does what it is asked for; it gives these.
    case performs([FlowOffer.Field])
    case fails(String)
    case waits
    case network(isOnline: Bool)
    case kills, launches, arrives, leaves
  }

  struct Row {
    let key: String
    let deed: Deed
  }

  /// What a line that was typed means.
  enum Choice {
    case act(Act)
    /// More has to be asked for first.
    case fills([FlowOffer.Field], Deed)
    case asksForAddress
    /// Real time passes by itself.
    case waits
    case explains
    /// It means nothing: why, as a sentence without a full stop.
    case nothing(String)
  }

  let situation: Situation
  /// What the flow or its device offers, numbered.
  let offers: [Row]
  /// What is always there, by its letter.
  let others: [Row]

  init(_ situation: Situation) {
    let standing = situation.standing
    self.situation = situation
    var deeds: [Deed] = []
    if let asked = standing.asked { deeds += [.performs(asked.result)] + asked.failures.map { .fails($0) } }
    deeds += standing.offers.map { .offer($0) }
    offers = deeds.enumerated().map { Row(key: "\($0.offset + 1)", deed: $0.element) }
    others = [
      Row(key: "n", deed: .waits), Row(key: "o", deed: .network(isOnline: !standing.isOnline)),
      standing.isAppRunning ? Row(key: "k", deed: .kills) : Row(key: "l", deed: .launches),
      Row(key: "a", deed: .arrives), Row(key: "q", deed: .leaves),
    ]
  }

  /// What was meant: a number, a letter with what belongs to it, a name, or an address.
  func choice(_ line: String) -> Choice {
    let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
    guard let first = words.first else { return .nothing(what) }
    if first == "?" { return .explains }
    let rest = words.count > 1 ? words[1].trimmed : nil
    let row = (offers + others).first { $0.key == first.lowercased() } ?? offers.first { $0.names.contains(line) }
    if let row { return choice(row.deed, rest: row.names.contains(line) ? nil : rest) }
    if rest == nil, first.isAddress { return .act(.arrives(at: first)) }
    let names = offers.flatMap(\.names)
    let typed = line.count > 60 ? "\(line.prefix(60))…" : line
    return .nothing(
      "\"\(printable(typed))\" is nothing that can be done here; \(suggestion(for: line, among: names) ?? what)")
  }

  /// What can be typed, for somebody who typed something else.
  private var what: String {
    let numbers = offers.count < 2 ? offers.map(\.key).joined() : "1 to \(offers.count)"
    return "type \(([numbers] + others.map(\.key)).filter { !$0.isEmpty }.joined(separator: ", ")) or ?"
  }

  private func choice(_ deed: Deed, rest: String?) -> Choice {
    switch deed {
    case .offer, .performs, .fails:
      guard rest == nil else { return .nothing("nothing belongs behind the number: its fields are asked for") }
      let fields = deed.fields
      return fields.isEmpty ? .act(deed.act(with: [:])) : .fills(fields, deed)
    case .network(let isOnline): return .act(.network(isOnline: isOnline))
    case .leaves: return .act(.leaves)
    case .arrives: return rest.map { .act(.arrives(at: $0)) } ?? .asksForAddress
    case .waits, .kills, .launches: return timed(deed, rest)
    }
  }

  /// What may have a time behind its letter: `k 2h`.
  private func timed(_ deed: Deed, _ text: String?) -> Choice {
    var time: Duration?
    if let text {
      time = Duration(celText: text, allowingDays: true)
      guard let time, time >= .zero, time <= .seconds(100 * 365 * 86_400) else {
        return .nothing("\"\(printable(text))\" is no time: write a number and a unit, such as 30s, 10m or 2h")
      }
    }
    switch deed {
    case .kills: return .act(time.map { .relaunch(after: $0) } ?? .kill)
    case .launches: return .act(.launch(after: time ?? .zero))
    default: break
    }
    if let time { return .act(.advances(time)) }
    guard situation.isVirtual else { return .waits }
    guard situation.standing.due != nil else { return .nothing("time alone brings nothing more") }
    return .act(.timePasses)
  }
}

extension Menu.Deed {
  var fields: [FlowOffer.Field] {
    switch self {
    case .offer(let offer): offer.fields
    case .performs(let fields): fields
    default: []
    }
  }

  /// What is done, with what the fields were filled in with.
  func act(with values: [String: FlowValue]) -> Act {
    switch self {
    case .offer(let offer): .person(offer.act, with: values)
    case .performs: .performed(values)
    case .fails(let failure): .failedToPerform(failure)
    case .waits, .network, .kills, .launches, .arrives, .leaves: .leaves
    }
  }
}

extension String {
  fileprivate var trimmed: String? {
    let text = drop { $0 == " " }
    return text.isEmpty ? nil : String(text)
  }

  /// Whether it reads as an absolute address (RFC 3986 §3.1).
  fileprivate var isAddress: Bool {
    guard let colon = firstIndex(of: ":"), let first = unicodeScalars.first, first.isASCII,
      first.properties.isAlphabetic
    else { return false }
    let scheme = self[..<colon].unicodeScalars.dropFirst()
    return scheme.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0))
    }
      && self[index(after: colon)...].hasPrefix("/")
  }
}
