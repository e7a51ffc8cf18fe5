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
      line.member("title", words.titles[event.name])
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
      line.member("title", words.screenTitles[screen])
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
    write(decision.readings)
    line.endObject()
  }

  /// What a guard reads of traffic under a secret name, `response.json.pin`, is secret by that name.
  private mutating func write(_ readings: [NamedValue]) {
    guard !readings.isEmpty else { return }
    line.name("with" as StaticString)
    line.beginObject()
    for index in readings.indices {
      line.name(readings[index].name)
      if let name = hidden.name(inReading: readings[index].name) {
        write(readings[index].value.veiled(as: name))
      } else {
        write(readings[index].value)
      }
    }
    line.endObject()
  }

  /// A row that is hidden from end to end stands in it as its alias, without the text being put together.
  private mutating func write(_ path: Change.Path) {
    line.name("path")
    guard let row = path.row else { return aliases.write(Text(path.key), to: &line) }
    guard row.isHiddenWhole else { return aliases.write(path.text, to: &line) }
    line.beginString()
    line.part(path.key)
    line.part("[")
    aliases.writePart(row, as: .text, to: &line)
    line.part("]")
    if let field = path.field {
      line.part(".")
      line.part(field)
    }
    line.endString()
  }

  private mutating func write(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    line.name("changes")
    line.beginArray()
    for change in changes {
      line.beginObject()
      write(change.path)
      write("old", change.old)
      write("new", change.new)
      line.endObject()
    }
    line.endArray()
  }
}
