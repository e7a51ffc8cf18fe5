import FlowEngine
import FlowSpec

/// What the one who started a run is told while it goes on: lines of a timeline, or the trace; and the trace in a file.
struct SessionReport {
  let console: Console
  let flow: Flow
  private let asJSON: Bool
  private let file: GrowingFile?
  private let liveServices: Set<String>
  /// `nil` before the first line.
  private var timeline: Timeline?
  /// Whether the last answer that a live service owed did not come.
  private(set) var isUnanswered = false
  /// How the run ended, in the word of its trace; `nil` before it has.
  private(set) var how: String?

  init(_ invocation: Invocation, on console: Console, flow: Flow, liveServices: Set<String>) throws(Failure) {
    (self.console, self.flow, self.liveServices) = (console, flow, liveServices)
    asJSON = invocation.has(.json)
    if let path = invocation.value(.trace) { file = try GrowingFile(path) } else { file = nil }
  }

  /// Takes a line of the trace, with its line break.
  mutating func tell(_ line: String) throws(Failure) {
    let bytes = Array(line.utf8)
    try file?.add(bytes)
    if asJSON { try console.write(bytes) }
    guard var timeline else {
      let trace = try Trace(readingBack: bytes)
      let timeline = Timeline(
        trace, of: flow, style: console.style(.out), width: console.width(of: .out), showsClock: liveServices.isEmpty)
      self.timeline = timeline
      if !asJSON { try console.write(timeline.heading) }
      return
    }
    // The only copy, so that it grows in place.
    self.timeline = nil
    let text: String
    do throws(TraceError) {
      text = try timeline.add(bytes.dropLast())
    } catch {
      throw Failure(.ownFault, "a line of the trace cannot be read back: \(error.message)")
    }
    if let line = timeline.lastLine { note(line) }
    self.timeline = timeline
    if !asJSON { try console.write(text) }
  }

  /// Tells where the run stopped, behind an empty line.
  func close() throws(Failure) {
    guard let timeline, !asJSON else { return }
    try console.write("\n" + timeline.ending)
  }

  private mutating func note(_ line: TraceLine) {
    switch line.kind {
    case .ended: how = line.text("how")
    case .answer:
      guard let from = line.from, liveServices.contains(from), line["dropped"] == nil else { return }
      // Without a reason it is the device that is offline.
      isUnanswered = line.text("failure") != nil && line.text("reason") != nil
    default: break
    }
  }
}
