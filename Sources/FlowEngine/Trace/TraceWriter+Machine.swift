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
    line.raw(taken.words.json, taken.words.before)
    if !taken.decisions.isEmpty {
      line.raw(",\"decided\":[")
      for index in taken.decisions.indices { write(taken.decisions[index], isFirst: index == 0) }
      line.raw("]")
    }
    line.raw(taken.words.json, taken.words.behind)
  }

  private mutating func write(_ decision: Decision, isFirst: Bool) {
    let words = decision.words
    line.raw(words.json, words.opening.behindComma(isFirst))
    line.raw(decision.holds ? "true" : "false")
    var isEmpty = true
    for index in decision.values.indices {
      guard let value = decision.values[index] else { continue }
      if isEmpty { line.raw(",\"with\":{") }
      line.rawName(words.json, words.readings[index].opening.behindComma(isEmpty))
      isEmpty = false
      if let secret = words.readings[index].secret { write(value.veiled(as: secret)) } else { write(value) }
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
    let key = path.key
    if let row = path.row, row.isHiddenWhole {
      line.raw(key.rowOpening, key.rowOpening.indices.behindComma(isFirst))
      aliases.writePart(row, as: .text, to: &line)
      line.part("]")
      if let field = path.field {
        line.part(".")
        line.part(key.fields[field])
      }
      line.rawName("\",\"old\":")
    } else if path.row == nil, !aliases.knows(key.name) {
      line.rawName(key.opening, key.opening.indices.behindComma(isFirst))
    } else {
      line.rawName(isFirst ? "{\"path\":" : ",{\"path\":")
      aliases.write(path.text, to: &line)
      line.rawName(",\"old\":")
    }
  }
}

extension Range<Int> {
  /// Without the comma at its start, where nothing stands before it.
  fileprivate func behindComma(_ isFirst: Bool) -> Range<Int> { (isFirst ? lowerBound + 1 : lowerBound)..<upperBound }
}
