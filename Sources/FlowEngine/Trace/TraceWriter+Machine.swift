import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  mutating func writeMachine(_ fact: Happening.Fact, refs: [String]) {
    switch fact {
    case .state(let entered): write(entered, refs: refs)
    case .transition(let taken): write(taken, refs: refs)
    case .event(let event):
      begin(.event, from: event.from, to: event.to, refs: refs)
      line.member("event", event.name)
      line.member("title", titles[event.name])
      write("with", event.fields)
      if event.outcome != .taken { line.member("outcome", event.outcome.rawValue) }
    case .set(let lane, let changes):
      begin(.set, who: lane, refs: refs)
      write(changes)
    case .emit(let lane, let name, let fields):
      begin(.emit, who: lane, refs: refs)
      line.member("emit", name)
      write("with", fields)
    case .show(let from, let to, let screen, let fields):
      begin(.show, from: from, to: to, refs: refs)
      line.member("show", screen)
      line.member("title", screenTitles[screen])
      write("with", fields)
    default: preconditionFailure("A fact about a machine.")
    }
  }

  private mutating func write(_ entered: StateEntered, refs: [String]) {
    begin(.state, who: entered.lane, refs: refs)
    line.member("state", entered.name)
    line.member("title", entered.title)
    line.member("flow", entered.subflow)
    line.flag("goal", entered.isGoal)
  }

  /// `where` is the state or route that the transition stands on; without `goto`, `end` and `reply` it stays there.
  private mutating func write(_ taken: TransitionTaken, refs: [String]) {
    begin(.transition, who: taken.lane, refs: refs)
    line.member("where", taken.source.isEmpty ? nil : taken.source)
    line.member("name", taken.name)
    if !taken.decisions.isEmpty {
      line.name("decided")
      line.beginArray()
      for decision in taken.decisions { write(decision) }
      line.endArray()
    }
    switch taken.target {
    case .stay: break
    case .state(let name): line.member("goto", name)
    case .end(let name): line.member("end", name)
    case .reply: line.flag("reply", true)
    }
  }

  private mutating func write(_ decision: Decision) {
    line.beginObject()
    line.member("when", decision.line)
    line.name("holds")
    line.bool(decision.holds)
    write("with", decision.readings.map(veiled))
    line.endObject()
  }

  /// What a guard reads of traffic under a secret name, `response.json.pin`, is secret by that name.
  private func veiled(_ reading: NamedValue) -> NamedValue {
    guard reading.name.hasPrefix("response") || reading.name.hasPrefix("request"), !hidden.isEmpty else {
      return reading
    }
    let steps = reading.name.utf8.split { !$0.isOfWord }.map { String(Substring($0)) }
    guard let root = steps.first, root == "response" || root == "request",
      let name = steps.first(where: hidden.contains)
    else { return reading }
    return NamedValue(name: reading.name, value: reading.value.veiled(as: name))
  }

  private mutating func write(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    line.name("changes")
    line.beginArray()
    for change in changes {
      line.beginObject()
      write("path", change.path)
      write("old", change.old)
      write("new", change.new)
      line.endObject()
    }
    line.endArray()
  }
}

extension UInt8 {
  /// Whether it is a part of a name: a letter, a digit, `_`, `-`, or of a character beyond ASCII.
  fileprivate var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }
}
