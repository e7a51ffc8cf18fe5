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
      line.members(words.set[lane])
      line.member("ref", refs)
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

  private mutating func write(_ entered: StateWords, refs: [String]) {
    line.members(words.state[entered.lane])
    line.member("ref", refs)
    line.members(entered.members)
  }

  private mutating func write(_ taken: TransitionTaken, refs: [String]) {
    line.members(words.transition[taken.words.lane])
    line.member("ref", refs)
    if !taken.words.before.isEmpty { line.members(taken.words.before) }
    if !taken.decisions.isEmpty {
      line.name("decided")
      line.beginArray()
      for index in taken.decisions.indices { write(taken.decisions[index]) }
      line.endArray()
    }
    if !taken.words.behind.isEmpty { line.members(taken.words.behind) }
  }

  private mutating func write(_ decision: Decision) {
    line.beginObject()
    line.name(decision.words.opening)
    line.bool(decision.holds)
    var isFirst = true
    for index in decision.values.indices {
      guard let value = decision.values[index] else { continue }
      if isFirst {
        line.name("with" as StaticString)
        line.beginObject()
        isFirst = false
      }
      line.name(decision.words.readings[index].opening)
      if let secret = decision.words.readings[index].secret { write(value.veiled(as: secret)) } else { write(value) }
    }
    if !isFirst { line.endObject() }
    line.endObject()
  }

  private mutating func write(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    line.name("changes")
    line.beginArray()
    for index in changes.indices {
      line.beginObject()
      write(changes[index].path)
      write("old", changes[index].old)
      write("new", changes[index].new)
      line.endObject()
    }
    line.endArray()
  }

  /// A row that is hidden from end to end stands in it as its alias, without the text being put together.
  private mutating func write(_ path: Change.Path) {
    guard let row = path.row else { return line.members(path.key.member) }
    guard row.isHiddenWhole else { return write("path", path.text) }
    line.members(path.key.opening)
    aliases.writePart(row, as: .text, to: &line)
    line.part("]")
    if let field = path.field {
      line.part(".")
      line.part(path.key.fields[field])
    }
    line.endString()
  }
}
