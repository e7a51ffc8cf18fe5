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

  mutating func write(_ taken: TransitionTaken, of record: Record, refs: [String], to line: inout JSONLine) {
    line.raw(words.transition[taken.words.lane])
    line.member("ref", refs)
    line.raw(taken.words.json, taken.words.before)
    if !taken.decisions.isEmpty {
      line.raw(",\"decided\":[")
      var next = taken.values.startIndex
      for index in taken.decisions.indices {
        if index > taken.decisions.startIndex { line.raw(",") }
        write(record.decisions[index], record.readings, from: &next, to: &line)
      }
      line.raw("]")
    }
    line.raw(taken.words.json, taken.words.behind)
  }

  /// `next` is where the values of its readings begin, and then where those of the next begin.
  private mutating func write(
    _ decision: Decision, _ values: [Value?], from next: inout Int, to line: inout JSONLine
  ) {
    let values = values.span
    let words = decision.words
    line.raw(words.json, words.opening)
    line.raw(decision.holds ? "true" : "false")
    var isEmpty = true
    for index in words.readings.indices {
      defer { next += 1 }
      guard let value = values[next] else { continue }
      line.raw(isEmpty ? ",\"with\":{" : ",")
      line.raw(words.json, words.readings[index].opening)
      isEmpty = false
      if let secret = words.readings[index].secret {
        write(value.veiled(as: secret), to: &line)
      } else {
        write(value, to: &line)
      }
    }
    line.raw(isEmpty ? "}" : "}}")
  }

  mutating func write(
    _ changes: [Change], _ range: Range<Int>, of lane: Happening.Lane, refs: [String], to line: inout JSONLine
  ) {
    line.raw(words.set[lane])
    line.member("ref", refs)
    guard !range.isEmpty else { return }
    line.raw(",\"changes\":[")
    let changes = changes.span
    for index in range {
      if index > range.lowerBound { line.raw("},") }
      let key = changes[index].path.key
      if changes[index].path.row == nil, !aliases.knows(key.name) {
        line.raw(key.opening)
      } else {
        write(changes[index].path, to: &line)
      }
      write(changes[index].old, to: &line)
      line.raw(",\"new\":")
      write(changes[index].new, to: &line)
    }
    line.raw("}]")
  }

  /// A row that is hidden from end to end stands in it as its alias, without the text being put together.
  private mutating func write(_ path: Change.Path, to line: inout JSONLine) {
    let key = path.key
    if let row = path.row, row.isHiddenWhole {
      line.raw(key.rowOpening)
      aliases.writePart(row, as: .text, to: &line)
      line.raw("]")
      if let field = path.field {
        line.raw(".")
        line.part(key.fields[field])
      }
      line.raw("\",\"old\":")
    } else {
      line.raw("{\"path\":")
      aliases.write(path.text, to: &line)
      line.raw(",\"old\":")
    }
  }
}
