import FlowSpec
import JSONSyntax

/// Says in words where two traces part.
enum FirstDifference {
  static func sentences(golden: [UInt8], run: [UInt8]) -> [String] {
    let old: Trace
    do throws(TraceError) {
      old = try Trace(reading: golden)
    } catch {
      return ["The golden is no trace: line \(error.line): \(error.message)."]
    }
    guard let new = try? Trace(reading: run) else { return [] }
    if old.header != new.header { return [headerSentence(old.header, new.header)] }
    guard let first = firstDifference(old, new) else { return ["The golden differs in how it is written."] }
    var sentences = [sentence(old, new, at: first)]
    let isDecision = old.kind(at: first) == .transition || new.kind(at: first) == .transition
    if !isDecision, let decision = firstOtherDecision(old, new, from: first) { sentences.append(decision) }
    return sentences
  }

  private static func headerSentence(_ old: TraceHeader, _ new: TraceHeader) -> String {
    let pairs = [
      ("flow", old.flow, new.flow), ("title", old.title, new.title),
      ("scenario", old.scenario ?? "none", new.scenario ?? "none"),
      ("situation", old.situation ?? "none", new.situation ?? "none"), ("started", old.started, new.started),
    ]
    for (name, old, new) in pairs where old != new {
      return "The first line: the golden's \(name) is \"\(printable(old))\", this run's \"\(printable(new))\"."
    }
    return "The first line: the participants are others."
  }

  private static func firstDifference(_ old: Trace, _ new: Trace) -> Int? {
    let common = min(old.lines.count, new.lines.count)
    for index in 0..<common where !old.lines[index].tellsTheSame(as: new.lines[index]) { return index }
    return old.lines.count == new.lines.count ? nil : common
  }

  private static func sentence(_ old: Trace, _ new: Trace, at index: Int) -> String {
    let shown = index < new.lines.count ? new : old
    let line = shown.lines[index]
    // The first line of the file is the header.
    let place = "At +\(elapsedWords(line.at))\(situation(in: shown, before: index)), line \(index + 2): "
    guard index < old.lines.count else { return place + "the golden is over, this run goes on: \(told(new, index))." }
    guard index < new.lines.count else { return place + "this run is over, the golden goes on: \(told(old, index))." }
    return place + printable(difference(old, new, at: index)) + "."
  }

  private static func difference(_ old: Trace, _ new: Trace, at index: Int) -> String {
    let (before, now) = (old.lines[index], new.lines[index])
    let isSameThing = before.kind == now.kind && old.lanes(of: before) == new.lanes(of: now)
    if isSameThing, before.kind == .transition, !before.decidesTheSame(as: now) {
      let reading = before.firstOtherReading(than: now).map { " (\($0.name): \($0.old) in the golden, \($0.new) now)" }
      return decisions(before, now, in: appState(in: new, before: index)?.text("state")) + (reading ?? "")
    }
    if isSameThing, before.at == now.at, before.words == now.words || before.kind == .transition,
      let detail = before.firstOtherMember(than: now)
    {
      let what = before.words == now.words ? " in \"\(now.words)\"" : ""
      return "the golden has \(detail.path) \(detail.old)\(what), this run has \(detail.new)"
    }
    if isSameThing, before.at != now.at, before.words == now.words {
      return "\(told(new, index)), in the golden at +\(elapsedWords(before.at))"
    }
    return "the golden has \(told(old, index)); this run has \(told(new, index))"
  }

  private static func told(_ trace: Trace, _ index: Int) -> String {
    let line = trace.lines[index]
    let lanes = trace.lanes(of: line)
    let words = trace.words(of: line)
    return printable(lanes.isEmpty ? "\"\(words)\"" : "\(lanes): \(words)")
  }

  /// The first transition of a participant that is another one, where the traces part elsewhere first.
  private static func firstOtherDecision(_ old: Trace, _ new: Trace, from index: Int) -> String? {
    let before = old.lines[min(index, old.lines.count)...].filter { $0.kind == .transition }
    let now = new.lines[min(index, new.lines.count)...].filter { $0.kind == .transition }
    for (before, now) in zip(before, now) where !before.decidesTheSame(as: now) {
      guard let place = new.lines.firstIndex(where: { $0.number == now.number }) else { return nil }
      let time = "At +\(elapsedWords(now.at))\(situation(in: new, before: place))"
      let state = appState(in: new, before: place)?.text("state")
      return printable("\(time), \(decisions(before, now, in: state)).")
    }
    return nil
  }

  /// `, App in refreshing`: the state that the app is in before a line.
  private static func situation(in trace: Trace, before index: Int) -> String {
    guard let entered = appState(in: trace, before: index), let who = entered.who, let state = entered.text("state")
    else { return "" }
    return ", \(trace.title(of: who)) in \(printable(state))"
  }

  private static func appState(in trace: Trace, before index: Int) -> TraceLine? {
    trace.lines[..<index].last { $0.kind == .state && $0.who.flatMap(trace.kind(of:)) == "app" }
  }

  private static func decisions(_ before: TraceLine, _ now: TraceLine, in state: String?) -> String {
    "the golden took \(before.decisionName(in: state)), this run took \(now.decisionName(in: state))"
  }
}

extension Trace {
  fileprivate func kind(at index: Int) -> TraceKind? { lines.indices.contains(index) ? lines[index].kind : nil }
}
