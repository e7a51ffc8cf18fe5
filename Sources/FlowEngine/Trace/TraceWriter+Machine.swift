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
      line.raw(words.set[lane])
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
    line.raw(words.state[entered.lane])
    line.member("ref", refs)
    line.raw(entered.members)
  }

  private mutating func write(_ taken: TransitionTaken, refs: [String]) {
    line.raw(words.transition[taken.words.lane])
    line.member("ref", refs)
    line.raw(taken.words.before)
    if !taken.decisions.isEmpty {
      line.raw(",\"decided\":[")
      for index in taken.decisions.indices { write(taken.decisions[index], isFirst: index == 0) }
      line.raw("]")
    }
    line.raw(taken.words.behind)
  }

  private mutating func write(_ decision: Decision, isFirst: Bool) {
    line.raw(decision.words.opening, isFirst ? 1 : 0)
    line.raw(decision.holds ? "true" : "false")
    var isEmpty = true
    for index in decision.values.indices {
      guard let value = decision.values[index] else { continue }
      if isEmpty { line.raw(",\"with\":{") }
      line.rawName(decision.words.readings[index].opening, isEmpty ? 1 : 0)
      isEmpty = false
      if let secret = decision.words.readings[index].secret { write(value.veiled(as: secret)) } else { write(value) }
    }
    line.raw(isEmpty ? "}" : "}}")
  }

  private mutating func write(_ changes: [Change]) {
    guard !changes.isEmpty else { return }
    line.raw(",\"changes\":[")
    for index in changes.indices {
      write(changes[index].path, isFirst: index == 0)
      write(changes[index].old)
      line.rawName(",\"new\":")
      write(changes[index].new)
      line.raw("}")
    }
    line.raw("]")
  }

  /// A row that is hidden from end to end stands in it as its alias, without the text being put together.
  private mutating func write(_ path: Change.Path, isFirst: Bool) {
    guard let row = path.row else { return line.rawName(path.key.opening, isFirst ? 1 : 0) }
    if row.isHiddenWhole {
      line.raw(path.key.rowOpening, isFirst ? 1 : 0)
      aliases.writePart(row, as: .text, to: &line)
      line.part("]")
      if let field = path.field {
        line.part(".")
        line.part(path.key.fields[field])
      }
      line.rawName("\",\"old\":")
    } else {
      line.rawName(isFirst ? "{\"path\":" : ",{\"path\":")
      aliases.write(path.text, to: &line)
      line.rawName(",\"old\":")
    }
  }
}
