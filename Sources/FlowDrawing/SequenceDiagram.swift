import FlowEngine

/// Who told whom what in one run: made from its trace alone.
///
/// Lanes stand in participant order, messages are numbered, and each says the steps of the source document that it
/// carries. A step that is no message is a note over its participant; what the app keeps, a message to itself. What is
/// said three times on end or more stands once, in a loop.
package struct SequenceDiagram: Sendable {
  private let trace: Trace

  package init(of trace: Trace) {
    self.trace = trace
  }

  /// Mermaid's text, with its line end.
  package var mermaid: String {
    var lines = ["sequenceDiagram", "  autonumber"]
    for participant in trace.header.participants {
      let word = participant.kind == "person" ? "actor" : "participant"
      let title = Mermaid.title(participant.title, orName: participant.name)
      lines.append("  \(word) \(Mermaid.name(participant.name)) as \(Mermaid.message(title, width: 24))")
    }
    lines += looped(trace.lines.compactMap(drawn)).map { "  \($0)" }
    return lines.map(Mermaid.line).joined(separator: "\n") + "\n"
  }

  private func looped(_ lines: [String]) -> [String] {
    var result: [String] = []
    var index = 0
    while index < lines.count {
      if let repetition = Repetition.beginning(at: index, of: lines) {
        result.append("loop \(repetition.times) times")
        result += lines[repetition.lines].map { "  \($0)" }
        result.append("end")
        index = repetition.end
      } else {
        result.append(lines[index])
        index += 1
      }
    }
    return result
  }

  /// `nil` for what no reader of the diagram looks for: choices, states and changes without a step of the document.
  private func drawn(_ line: TraceLine) -> String? {
    switch line.kind {
    case .choice: return nil
    case .clock where isMoment(line): return nil
    case .state where line.refs.isEmpty && line["goal"] == nil: return nil
    case .transition where line.refs.isEmpty, .set where line.refs.isEmpty: return nil
    case .ended where line.text("how") == "goal" && line.refs.isEmpty: return nil
    case .set where line.who.flatMap(trace.kind(of:)) == "app":
      let app = Mermaid.name(line.who ?? "")
      return "\(app)->>\(app): \(text(of: line))"
    default: break
    }
    guard let from = line.from, let to = line.to else { return note(line) }
    return "\(Mermaid.name(from))\(arrow(line))\(Mermaid.name(to)): \(text(of: line))"
  }

  /// In a live run some time passes between any two lines: what nobody notices of it is left out.
  private func isMoment(_ line: TraceLine) -> Bool {
    guard !trace.header.live.isEmpty, let seconds = line.secondsPassed else { return false }
    return seconds < 1
  }

  /// Over its participant, else over all of them.
  private func note(_ line: TraceLine) -> String? {
    let names = trace.header.participants.map(\.name)
    guard let first = names.first, let last = names.last else { return nil }
    let place = line.who ?? (first == last ? first : nil)
    let lanes = place.map(Mermaid.name) ?? "\(Mermaid.name(first)),\(Mermaid.name(last))"
    return "note over \(lanes): \(text(of: line))"
  }

  /// What asks has a full line, what answers a dashed one; what did not arrive ends in a cross.
  private func arrow(_ line: TraceLine) -> String {
    switch line.kind {
    case .answer, .result: line.text("failure") != nil || line["dropped"] != nil ? "--x" : "-->>"
    default: "->>"
    }
  }

  private func text(of line: TraceLine) -> String {
    let refs = line.refs.isEmpty ? "" : "[\(line.refs.joined(separator: ", "))] "
    return Mermaid.message(refs + trace.words(of: line), width: 46)
  }
}
