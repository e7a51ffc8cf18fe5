import FlowSpec
import JSONSyntax

/// Says in words where two traces part: first of all, behind mere words the first thing that is done otherwise, and in
/// another end.
enum FirstDifference {
  /// Where titles, conditions or names are other ones, and nothing else.
  static let sameDeeds = "What is done is the same: only what is said of it differs."

  static func sentences(golden: [UInt8], run: [UInt8]) -> [String] {
    let old: Trace
    do throws(TraceError) {
      old = try Trace(reading: golden)
    } catch  where error.isMergeConflict {
      return [
        "An unresolved merge conflict stands in line \(error.line) of the golden.",
        "Accepted, the trace of this run takes the place of both sides: then read how it differs from each of them.",
      ]
    } catch {
      return ["The golden is no trace: line \(error.line): \(error.message)."]
    }
    guard var new = try? Trace(reading: run) else { return [] }
    if let renaming = renaming(old, new) { return [renaming] }
    var sentences = headerSentences(old.header, new.header)
    if let names = new.renamedParticipants(from: old) {
      new = new.calling(Dictionary(uniqueKeysWithValues: names.map { ($1, $0) }))
      let all = names.sorted { $0.key < $1.key }.map { "participant \"\($1)\" where the golden has \"\($0)\"" }
      let others = headerSentences(old.header, new.header, titles: false)
      let isAll = others.isEmpty && firstDifference(old, new) { $0.tellsTheSame(as: $1) } == nil
      sentences = [printable(all.joined(separator: ", ") + (isAll ? "; nothing else differs." : "."))] + others
      if isAll { return sentences }
    }
    let first =
      firstDifference(old, new) { $0.kind == .choice && $1.kind == .choice || $0.tellsTheSame(as: $1) }
      ?? firstDifference(old, new) { $0.tellsTheSame(as: $1) }
    if let first { sentences += [sentence(old, new, at: first)] + deeds(old, new, from: first) }
    return sentences.isEmpty ? [writing(golden, run)] : sentences
  }

  /// What is done otherwise behind the first line that differs: first of all, by another decision, and in the end.
  private static func deeds(_ old: Trace, _ new: Trace, from first: Int) -> [String] {
    guard let telling = firstDifference(old, new, from: first, by: { $0.doesTheSame(as: $1) }) else {
      return zip(old.lines, new.lines).allSatisfy { $0.at == $1.at } ? [sameDeeds] : []
    }
    var sentences = telling > first ? [sentence(old, new, at: telling)] : []
    let isDecision = old.kind(at: telling) == .transition || new.kind(at: telling) == .transition
    if !isDecision, let decision = firstOtherDecision(old, new, from: telling) { sentences.append(decision) }
    if let end = old.lines.last, let now = new.lines.last, end.kind == .ended, now.kind == .ended,
      !end.doesTheSame(as: now)
    {
      sentences.append("The golden: \(old.ending()) This run: \(new.ending())")
    }
    return sentences
  }

  /// Where lines tell the same, and their bytes differ.
  private static func writing(_ golden: [UInt8], _ run: [UInt8]) -> String {
    let same = zip(golden, run).prefix { $0 == $1 }.count
    if same == golden.count { return "The last line of the golden has no line end." }
    let line = golden[..<same].count { $0 == UInt8(ascii: "\n") } + 1
    return "Line \(line) of the golden tells the same as this run's and is written otherwise."
  }

  /// What a name stands for in a trace: names of another kind are other names.
  private enum Named: String {
    case state, transition, title

    /// By the member that it stands in.
    static let members: [String: Named] = [
      "state": .state, "where": .state, "goto": .state, "name": .transition, "title": .title,
    ]

    func words(_ name: String, _ other: String, of who: String) -> String {
      switch self {
      case .state: "\(who) is in \"\(other)\" where the golden has \"\(name)\""
      case .transition: "\(who) takes \"\(other)\" where the golden has \"\(name)\""
      case .title: "\"\(other)\" stands where the golden has \"\(name)\""
      }
    }
  }

  /// One sentence where either states, transitions or titles are called otherwise throughout and nothing else differs,
  /// else `nil`.
  private static func renaming(_ old: Trace, _ new: Trace) -> String? {
    guard old.header == new.header, old.lines.count == new.lines.count else { return nil }
    let members = Array(Named.members.keys)
    var names: [[String]: String] = [:]
    for (before, now) in zip(old.lines, new.lines) {
      guard before.tellsTheSame(as: now, but: before.kind == .transition ? members : members.filter { $0 != "name" })
      else { return nil }
      for (member, kind) in Named.members {
        guard let name = before.text(member), let other = now.text(member) else { continue }
        guard names.updateValue(other, forKey: [kind.rawValue, before.who ?? "", name]) ?? other == other else {
          return nil
        }
      }
    }
    // Two states that have become one are no mere names.
    guard Set(names.map { [$0.key[0], $0.key[1], $0.value] }).count == names.count else { return nil }
    let renamed = names.filter { $0.key[2] != $0.value }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    // Another decision that leads elsewhere is no other name.
    guard Set(renamed.map { $0.key[0] }).count == 1 else { return nil }
    let words = renamed.compactMap { key, other in
      Named(rawValue: key[0])?.words(key[2], other, of: key[1].isEmpty ? "" : old.title(of: key[1]))
    }
    return printable(words.joined(separator: ", ") + "; nothing else differs.")
  }

  private static func headerSentences(_ old: TraceHeader, _ new: TraceHeader, titles: Bool = true) -> [String] {
    let names = old.participants.map(\.name)
    let newNames = new.participants.map(\.name)
    let participants = names + newNames.filter { !names.contains($0) }
    func words(_ name: String, in header: TraceHeader) -> String? {
      header.participants.first { $0.name == name }.map { "\($0.title) (\($0.kind))" }
    }
    func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "none" }
    let pairs: [(String, String?, String?)] = [
      ("flow", old.flow, new.flow), ("title", old.title, new.title),
      ("scenario", old.scenario, new.scenario), ("situation", old.situation, new.situation),
      ("started", old.started, new.started),
      (
        "order of participants", names.filter(newNames.contains).joined(separator: ", "),
        newNames.filter(names.contains).joined(separator: ", ")
      ),
    ]
    let all = pairs + (titles ? participants : []).map { ("participant \($0)", words($0, in: old), words($0, in: new)) }
    return all.filter { $1 != $2 }.map {
      printable("The first line: the golden's \($0) is \(quoted($1)), this run's \(quoted($2)).")
    }
  }

  private static func firstDifference(
    _ old: Trace, _ new: Trace, from start: Int = 0, by isSame: (TraceLine, TraceLine) -> Bool
  ) -> Int? {
    let common = min(old.lines.count, new.lines.count)
    for index in min(start, common)..<common where !isSame(old.lines[index], new.lines[index]) { return index }
    return old.lines.count == new.lines.count ? nil : common
  }

  private static func sentence(_ old: Trace, _ new: Trace, at index: Int) -> String {
    let shown = index < new.lines.count ? new : old
    let line = shown.lines[index]
    // The first line of the file is the header.
    let place = "At +\(elapsedWords(line.at))\(shown.situation(at: index)), line \(index + 2): "
    guard index < old.lines.count else { return place + "the golden is over, this run goes on: \(told(new, index))." }
    guard index < new.lines.count else { return place + "this run is over, the golden goes on: \(told(old, index))." }
    return place + printable(difference(old, new, at: index)) + "."
  }

  private static func difference(_ old: Trace, _ new: Trace, at index: Int) -> String {
    let (before, now) = (old.lines[index], new.lines[index])
    let isSameThing = before.kind == now.kind && old.lanes(of: before) == new.lanes(of: now)
    if isSameThing, before.kind == .transition, let decisions = decisions(before, now, in: new.appState(at: index)) {
      let reading = before.firstOtherReading(than: now).map { " (\($0.name): \($0.old) in the golden, \($0.new) now)" }
      return decisions + (reading ?? "")
    }
    if isSameThing, before.kind == .transition, let guards = before.otherGuards(than: now) {
      return "in \"\(now.words)\" \(looks(guards.old, guards.new))"
    }
    if isSameThing, before.at == now.at, before.words == now.words || before.kind == .transition,
      let detail = before.firstOtherMember(than: now)
    {
      let what = before.words == now.words ? " in \"\(now.words)\"" : ""
      let before = detail.old.map { "\(detail.path) \($0)" } ?? "no \(detail.path)"
      return "the golden has \(before)\(what), this run has \(detail.new ?? "none")"
    }
    if isSameThing, before.at != now.at, before.words == now.words {
      return "\(told(new, index)), in the golden at +\(elapsedWords(before.at))"
    }
    let (golden, run) = (told(old, index), told(new, index))
    if golden == run, before.kind != now.kind {
      let kinds = [before, now].map { "\"\($0.kind.rawValue)\"" }
      return "\(run) is of kind \(kinds[0]) in the golden, of kind \(kinds[1]) in this run"
    }
    return "the golden has \(golden); this run has \(run)"
  }

  private static func looks(_ old: [String], _ new: [String]) -> String {
    let (before, now) = (old.joined(separator: ", and at "), new.joined(separator: ", and at "))
    if old.isEmpty { return "this run looks at \(now) as well" }
    if new.isEmpty { return "the golden looks at \(before) as well" }
    return "the golden looks at \(before); this run looks at \(now)"
  }

  private static func told(_ trace: Trace, _ index: Int) -> String {
    // What was chosen is told by what comes of it.
    let line = trace.lines[index...].first { $0.kind != .choice } ?? trace.lines[trace.lines.count - 1]
    let lanes = trace.lanes(of: line)
    let words = trace.words(of: line)
    return printable(lanes.isEmpty ? "\"\(words)\"" : "\(lanes): \(words)")
  }

  /// The first transition of the app that is another one, where the traces part elsewhere first, or else one of another
  /// participant at the same place.
  static func firstOtherDecision(_ old: Trace, _ new: Trace, from index: Int) -> String? {
    let names = new.header.participants.map(\.name)
    let apps = names.filter { new.kind(of: $0) == "app" }
    let others = names.filter { !apps.contains($0) }
    func decisions(_ trace: Trace, of who: String) -> [TraceLine] {
      trace.lines[min(index, trace.lines.count)...].filter { $0.kind == .transition && $0.who == who }
    }
    for who in apps + others {
      var pairs = Array(zip(decisions(old, of: who), decisions(new, of: who)))
      // A service that is not asked once decides on something else from there on.
      if others.contains(who) { pairs = Array(pairs.prefix { $0.text("where") == $1.text("where") }) }
      // What is only called otherwise must not hide another.
      guard
        let (before, now) = pairs.first(where: { !$0.doesTheSame(as: $1) })
          ?? pairs.first(where: { !$0.decidesTheSame(as: $1) }),
        let place = new.lines.firstIndex(where: { $0.number == now.number }),
        let decisions = Self.decisions(before, now, in: new.appState(at: place))
      else { continue }
      let time = "At +\(elapsedWords(now.at))\(new.situation(at: place))"
      return printable("\(time), \(decisions).")
    }
    return nil
  }

  /// `nil` where both decided the same, or no words tell them apart.
  private static func decisions(_ before: TraceLine, _ now: TraceLine, in state: String?) -> String? {
    if before.decidesTheSame(as: now) { return nil }
    let isRetargeted = before.decisionName(in: state) == now.decisionName(in: state)
    let names = [before, now].map { $0.decisionName(in: state) + (isRetargeted ? " \($0.targetWords)" : "") }
    return names[0] == names[1] ? nil : "the golden took \(names[0]), this run took \(names[1])"
  }
}

extension Trace {
  fileprivate func kind(at index: Int) -> TraceKind? { lines.indices.contains(index) ? lines[index].kind : nil }
}
