import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  mutating func write(_ event: EventHappening, refs: [String], to line: inout JSONLine) {
    begin(.event, from: event.from, to: event.to, refs: refs, to: &line)
    line.member("event", event.name)
    line.member("title", words.titles[event.name])
    write("with", event.fields, to: &line)
    if event.outcome != .taken { line.member("outcome", event.outcome.rawValue) }
  }

  mutating func write(
    emit name: String, _ fields: [NamedValue], of lane: Happening.Lane, refs: [String], to line: inout JSONLine
  ) {
    begin(.emit, who: lane, refs: refs, to: &line)
    line.member("emit", name)
    write("with", fields, to: &line)
  }

  mutating func write(screen: String, _ fields: [NamedValue], to line: inout JSONLine) {
    line.member("show", screen)
    line.member("title", words.screenTitles[screen])
    write("with", fields, to: &line)
  }

  func write(_ entered: StateWords, refs: [String], to line: inout JSONLine) {
    line.raw(words.state[entered.lane])
    line.member("ref", refs)
    line.raw(entered.members)
  }

  mutating func write(_ taken: TransitionTaken, refs: [String], to line: inout JSONLine) {
    line.raw(words.transition[taken.words.lane])
    line.member("ref", refs)
    line.raw(taken.words.json, taken.words.before)
    if !taken.decisions.isEmpty {
      line.raw(",\"decided\":[")
      for index in taken.decisions.indices { write(taken.decisions[index], isFirst: index == 0, to: &line) }
      line.raw("]")
    }
    line.raw(taken.words.json, taken.words.behind)
  }

  private mutating func write(_ decision: Decision, isFirst: Bool, to line: inout JSONLine) {
    let words = decision.words
    line.raw(words.json, words.opening.behindComma(isFirst))
    line.raw(decision.holds ? "true" : "false")
    var isEmpty = true
    for index in decision.values.indices {
      guard let value = decision.values[index] else { continue }
      if isEmpty { line.raw(",\"with\":{") }
      line.raw(words.json, words.readings[index].opening.behindComma(isEmpty))
      isEmpty = false
      if let secret = words.readings[index].secret {
        write(value.veiled(as: secret), to: &line)
      } else {
        write(value, to: &line)
      }
    }
    line.raw(isEmpty ? "}" : "}}")
  }

  mutating func write(_ changes: [Change], of lane: Happening.Lane, refs: [String], to line: inout JSONLine) {
    line.raw(words.set[lane])
    line.member("ref", refs)
    guard !changes.isEmpty else { return }
    line.raw(",\"changes\":[")
    for index in changes.indices {
      write(changes[index].path, isFirst: index == 0, to: &line)
      write(changes[index].old, to: &line)
      line.raw(",\"new\":")
      write(changes[index].new, to: &line)
      line.raw("}")
    }
    line.raw("]")
  }

  /// A row that is hidden from end to end stands in it as its alias, without the text being put together.
  private mutating func write(_ path: Change.Path, isFirst: Bool, to line: inout JSONLine) {
    let key = path.key
    if let row = path.row, row.isHiddenWhole {
      line.raw(key.rowOpening, key.rowOpening.indices.behindComma(isFirst))
      aliases.writePart(row, as: .text, to: &line)
      line.raw("]")
      if let field = path.field {
        line.raw(".")
        line.part(key.fields[field])
      }
      line.raw("\",\"old\":")
    } else if path.row == nil, !aliases.knows(key.name) {
      line.raw(key.opening, key.opening.indices.behindComma(isFirst))
    } else {
      line.raw(isFirst ? "{\"path\":" : ",{\"path\":")
      aliases.write(path.text, to: &line)
      line.raw(",\"old\":")
    }
  }
}

extension Range<Int> {
  /// Without the comma at its start, where nothing stands before it.
  fileprivate func behindComma(_ isFirst: Bool) -> Range<Int> { (isFirst ? lowerBound + 1 : lowerBound)..<upperBound }
}
