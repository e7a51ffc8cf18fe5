/// The line at which a person sees how far something has come: written over and over, gone when it is done.
struct ProgressLine {
  let isShown: Bool
  private let start = ContinuousClock.now
  /// When it is written next: what takes no time shows none.
  private var next = ContinuousClock.now.advanced(by: .milliseconds(500))
  private var width = 0

  init(isShown: Bool) { self.isShown = isShown }

  /// Shows what is said of so many seconds, where it is time to.
  mutating func show(_ words: (_ seconds: Int64) -> String) {
    guard isShown, case let now = ContinuousClock.now, now >= next else { return }
    next = now.advanced(by: .milliseconds(200))
    let text = words(start.duration(to: now).components.seconds)
    write(text + String(repeating: " ", count: max(0, width - text.count)))
    width = text.count
  }

  /// Leaves the line as if nothing had stood there.
  mutating func remove() {
    // Behind it the terminal may show what was typed: ^C.
    if width > 0 { write(String(repeating: " ", count: width + 2) + "\r") }
    width = 0
  }

  private func write(_ text: String) { _ = writeAll(Array("\r\(text)".utf8), to: STDERR_FILENO) }
}
