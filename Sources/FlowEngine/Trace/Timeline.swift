import FlowSpec

/// A trace for people: time, steps of the source document, who and to whom, what; and where the run stopped and why.
package struct Timeline: Sendable {
  private var trace: Trace
  private let flow: Flow?
  private let style: TextStyle
  private let width: Int
  private let showsClock: Bool

  /// The most that time, steps of the source document and lanes may take.
  private let limits: [Int]
  private let refsWidth: Int

  /// Of a trace that may still be being written, and have no more than its header.
  ///
  /// Without `showsClock` it does not tell that time passes: in a run that lives in real time it always does.
  package init(
    _ trace: Trace, of flow: Flow? = nil, style: TextStyle = .plain, width: Int = 100, showsClock: Bool = true
  ) {
    limits = [18, 12, 36 * width / 100]
    refsWidth = min(limits[1], flow?.steps.map(\.id.cells).max() ?? 0)
    (self.trace, self.flow, self.style, self.width, self.showsClock) = (trace, flow, style, width, showsClock)
  }

  /// Lines of at most `width` characters, each with its line end.
  package var text: String {
    var table = Table(columns: limits, width: width, style: style)
    for line in trace.lines where isShown(line) { table.add(row(line)) }
    return heading + table.text + "\n" + ending
  }

  /// What stands before the first line, with an empty line behind it.
  package var heading: String {
    var heading = trace.header.title
    if let scenario = trace.header.scenario { heading += " · \(scenario)" }
    let situation = trace.header.situation.map { wrapped(printable($0), width: width).map { "\($0)\n" }.joined() } ?? ""
    let top = wrapped(printable(heading), width: width).map { style.strong($0) + "\n" }.joined()
    return top + situation + "\n"
  }

  /// Where the run stopped and why, in lines.
  package var ending: String { wrapped(trace.ending(of: flow), width: width).map { "\($0)\n" }.joined() }

  /// Takes the next line of a trace that is still being written, and gives what it adds: nothing, or whole lines.
  ///
  /// Columns are as wide as the flow may need them.
  package mutating func add(_ line: some Sequence<UInt8>) throws(TraceError) -> String {
    try trace.append(line)
    guard let last = trace.lines.last, isShown(last) else { return "" }
    let titles = trace.header.participants.map(\.title.cells).sorted()
    let lanes = min(limits[2], titles.suffix(2).reduce(3, +))
    var table = Table(columns: [12, refsWidth, lanes], isFitted: false, width: width, style: style)
    table.add(row(last))
    return table.text
  }

  /// The line that was taken last.
  package var lastLine: TraceLine? { trace.lines.last }

  /// What a product person follows: messages, what is shown and told, named decisions of the app, states with titles,
  /// and everything that carries a step of the source document.
  private func isShown(_ line: TraceLine) -> Bool {
    switch line.kind {
    case .choice: false
    case .clock: showsClock
    case .ended: !line.refs.isEmpty
    case .state: line.text("title") != nil || !line.refs.isEmpty
    case .transition: line.text("name") != nil && isApp(line.who) || !line.refs.isEmpty
    case .set: !line.refs.isEmpty
    default: true
    }
  }

  private func isApp(_ name: String?) -> Bool { name.flatMap(trace.kind(of:)) == "app" }

  private func row(_ line: TraceLine) -> Table.Row {
    let refs = line.refs.count == 1 ? line.refs[0] : line.refs.joined(separator: ", ")
    return Table.Row(
      cells: [
        "+" + elapsedWords(line.at), printable(refs), printable(trace.lanes(of: line)),
        printable(trace.words(of: line)),
      ], emphasis: emphasis(line))
  }

  private func emphasis(_ line: TraceLine) -> TextStyle.Emphasis {
    switch line.kind {
    case .fault, .killed: .bad
    case .answer: line.text("failure") != nil || line["dropped"] != nil ? .bad : .none
    case .result: line.text("failure") == nil ? .none : .bad
    case .state: line["goal"] == nil ? .strong : .good
    case .show, .emit: .strong
    case .clock, .set: .faint
    default: .none
    }
  }
}

extension Trace {
  /// What happened, for people; what the device was asked for is called alike when it answers.
  package func words(of line: TraceLine) -> String {
    guard line.kind == .result, let capability = line.text("perform") else { return line.words }
    return line.resultWords(of: titlesOfPerforms[capability] ?? capability)
  }

  /// `App → TxServer`, or the one whom the line is about.
  func lanes(of line: TraceLine) -> String {
    guard let from = line.from, let to = line.to else { return line.who.map(title(of:)) ?? "" }
    // In a flow without a person the app opens itself.
    if from == to { return title(of: to) }
    return "\(title(of: from)) → \(title(of: to))"
  }

  /// Where the run stopped and why, as a sentence.
  ///
  /// `flow` knows the title of a state in which another scenario has ended, and that is not entered here.
  func ending(of flow: Flow? = nil) -> String {
    guard let last = lines.last, last.kind == .ended else { return "The trace ends before its run does." }
    let time = "+" + elapsedWords(last.at)
    let state = last.text("state").map { quoted(state: $0, of: last.who, in: flow) } ?? ""
    switch last.text("how") {
    case "goal": return "Stopped at \(time) in \(state): that is the goal."
    case "end": return "Stopped at \(time): the flow ended with \"\(printable(last.text("end") ?? ""))\"."
    case "rest": return "Stopped at \(time) in \(state), where the person may leave the app for a while."
    case "stuck": return "Stopped at \(time) in \(state), which is neither a goal nor a rest."
    case "stopped": return "Stopped at \(time): the app is not running."
    // What is wrong is told below the timeline, with its place.
    default: return "Stopped at \(time) by an error."
    }
  }

  private func quoted(state name: String, of machine: String?, in flow: Flow?) -> String {
    let entered = lines.last { $0.kind == .state && $0.who == machine && $0.text("state") == name }
    let known = entered.map { $0.text("title") } ?? flow?.app.states.first { $0.name == name }?.title
    return printable("\"\(name)\"\(known.map { " (\($0))" } ?? "")")
  }
}
