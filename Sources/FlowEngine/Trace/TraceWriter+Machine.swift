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
    if event.outcome == .ignored, event.isAgain { line.raw(",\"again\":true") }
  }

  func write(_ entered: StateEntered, refs: [String], to line: inout JSONLine) {
    begin(.state, who: entered.lane, refs: refs, to: &line)
    line.member("state", entered.name)
    line.member("title", entered.title)
    line.member("flow", entered.subflow)
    if entered.isGoal { line.raw(",\"goal\":true") }
  }

  /// Without `goto`, `end` and `reply` it stays where it is.
  mutating func write(_ taken: TransitionTaken, of record: Record, refs: [String], to line: inout JSONLine) {
    begin(.transition, who: taken.lane, refs: refs, to: &line)
    if !taken.source.isEmpty { line.member("where", taken.source) }
    line.member("name", taken.name)
    if !taken.decisions.isEmpty {
      line.raw(",\"decided\":[")
      var next = taken.values.startIndex
      for index in taken.decisions.indices {
        if index > taken.decisions.startIndex { line.raw(",") }
        write(record.decisions[index], record.readings, from: &next, to: &line)
      }
      line.raw("]")
    }
    line.member("goto", taken.goto)
    switch taken.target {
    case .stay, .state: break
    case .end(let name): line.member("end", name)
    case .reply: line.raw(",\"reply\":true")
    }
  }

  /// `next` is where the values of its readings begin, and then where those of the next begin.
  ///
  /// What a guard reads of traffic under a secret name, `response.json.pin`, is secret by that name.
  private mutating func write(
    _ decision: Decision, _ values: [Value?], from next: inout Int, to line: inout JSONLine
  ) {
    line.raw("{\"when\":")
    line.string(decision.condition.source(reading: values[next...]))
    let values = values.span
    line.raw(decision.holds ? ",\"holds\":true" : ",\"holds\":false")
    var isEmpty = true
    for reading in decision.condition.readings {
      defer { next += 1 }
      guard let value = values[next] else { continue }
      line.raw(isEmpty ? ",\"with\":{" : ",")
      isEmpty = false
      line.string(reading.name)
      line.raw(":")
      if let secret = reading.secret {
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
    begin(.set, who: lane, refs: refs, to: &line)
    guard !range.isEmpty else { return }
    line.raw(",\"changes\":[")
    let changes = changes.span
    for index in range {
      line.raw(index > range.lowerBound ? "},{\"path\":" : "{\"path\":")
      if changes[index].path.row == nil {
        aliases.write(plain: changes[index].path.key, to: &line)
      } else {
        write(changes[index].path, to: &line)
      }
      line.raw(",\"old\":")
      write(changes[index].old, to: &line)
      line.raw(",\"new\":")
      write(changes[index].new, to: &line)
    }
    line.raw("}]")
  }

  /// A row that is hidden from end to end stands in it as its alias, without the text being put together.
  private mutating func write(_ path: Change.Path, to line: inout JSONLine) {
    guard let row = path.row, row.isHiddenWhole else { return aliases.write(path.text, to: &line) }
    line.raw("\"")
    line.part(path.key)
    line.raw("[")
    aliases.writePart(row, in: .text, to: &line)
    line.raw("]")
    if let field = path.field {
      line.raw(".")
      line.part(field)
    }
    line.raw("\"")
  }
}
