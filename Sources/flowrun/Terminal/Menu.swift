import Expressions
import FlowEngine
import FlowInterpreter
import FlowSpec

/// What a person at the terminal can do now, and what to type for it.
struct Menu {
  /// Something that can be done.
  struct Row {
    let key: String
    let words: String
    /// The same in full, for what is always there.
    var explanation = ""
    /// What may be typed in place of the key: what stands beside it, and what the flow calls it.
    var names: [String] = []
    /// What it means with what stands behind its key.
    let choice: (_ rest: String?) -> Choice

    /// Quotes need not be typed.
    func isCalled(_ line: String) -> Bool { names.contains { $0.unquoted == line.unquoted } }
  }

  /// What a line that was typed means.
  enum Choice {
    case act(Act)
    /// More has to be asked for first.
    case fills([FlowOffer.Field], ([String: FlowValue]) -> Act)
    case asksForAddress
    case asksWhatGoesWrong
    /// Real time passes by itself.
    case waits
    case explains
    /// It means nothing: why, as a sentence without a full stop.
    case nothing(String)
  }

  let situation: Situation
  let mishaps: Mishaps
  /// What the flow or its device offers, numbered.
  private(set) var offers: [Row] = []
  /// What is always there, by its letter.
  private(set) var others: [Row] = []

  init(_ situation: Situation, _ mishaps: Mishaps) {
    let standing = situation.standing
    (self.situation, self.mishaps) = (situation, mishaps.withdrawing(standing.armed))
    if let asked = standing.asked {
      offer("it does so", filling: asked.result) { .performed($0) }
      for failure in asked.failures {
        offer("it fails: \(failure)", names: [failure]) { _ in .failedToPerform(failure) }
      }
    }
    for offer in standing.offers {
      // Two persons may do what is called alike.
      let isAlone = standing.offers.count { $0.words == offer.words } == 1
      let words = isAlone ? offer.words : "\(offer.words) (\(offer.names[0]))"
      let names = isAlone ? offer.names : [offer.names[0]]
      self.offer(words, names: names, filling: offer.fields) { .person(offer.act, with: $0) }
    }
    others = [waits, network(isOnline: !standing.isOnline), standing.isAppRunning ? kills : launches, arrives]
    others += mishaps.isEmpty ? [leaves] : [goesWrong, leaves]
  }

  private mutating func offer(
    _ words: String, names: [String] = [], filling fields: [FlowOffer.Field] = [],
    _ act: @escaping ([String: FlowValue]) -> Act
  ) {
    let titles = fields.isEmpty ? "" : " (\(fields.map { $0.title ?? $0.name }.joined(separator: ", ")))"
    let names = names + [String(words.prefix { !":,".contains($0) }), words, words + titles]
    let row = Row(key: "\(offers.count + 1)", words: words + titles, names: names) { rest in
      guard rest == nil else { return .nothing("nothing belongs behind the number: its fields are asked for") }
      return fields.isEmpty ? .act(act([:])) : .fills(fields, act)
    }
    offers.append(row)
  }

  /// What was meant: a number, a letter with what belongs to it, a name, or an address.
  func choice(_ line: String) -> Choice {
    let words = line.split(separator: " ", maxSplits: 1).map { String($0) }
    guard let first = words.first else { return .nothing(what) }
    let rest = words.count > 1 ? words[1].trimmed : nil
    if first == "?" { return alone(first, rest, .explains) }
    let keyed = (offers + others).first { $0.key == first.lowercased() }
    // A name may begin with a word that is a letter.
    if rest != nil || keyed == nil, let row = offers.first(where: { $0.isCalled(line) }) { return row.choice(nil) }
    if let keyed { return keyed.choice(rest) }
    if rest == nil, first.isAddress { return .act(.arrives(at: first)) }
    let names = offers.flatMap(\.names).map(\.unquoted)
    // More behind a name may be too much for a slip.
    let begun = names.filter { line.unquoted.lowercased().hasPrefix("\($0.lowercased()) ") }.max { $0.count < $1.count }
    let meant = suggestion(for: line, among: names) ?? begun.map { "did you mean \"\($0)\"?" }
    let typed = line.count > 60 ? "\(line.prefix(60))…" : line
    return .nothing("\"\(printable(typed))\" is nothing that can be done here; \(meant ?? what)")
  }

  /// What a letter means that nothing belongs behind.
  func alone(_ key: String, _ rest: String?, _ choice: Choice) -> Choice {
    rest == nil ? choice : .nothing("nothing belongs behind \"\(key)\"")
  }

  /// What can be typed, for somebody who typed something else.
  private var what: String {
    let numbers = offers.count < 2 ? offers.map(\.key).joined() : "1 to \(offers.count)"
    return "type \(([numbers] + others.map(\.key)).filter { !$0.isEmpty }.joined(separator: ", ")) or ?"
  }
}

extension String {
  fileprivate var trimmed: String? {
    let text = drop { $0 == " " }
    return text.isEmpty ? nil : String(text)
  }

  fileprivate var unquoted: String { printable(self).filter { $0 != "\"" } }

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
