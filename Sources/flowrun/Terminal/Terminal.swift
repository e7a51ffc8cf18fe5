import FlowHTTP
import Synchronization

/// The terminal that a person sits at: questions stand on standard error, answers come from standard input.
final class Terminal: Sendable {
  enum Answer: Sendable, Hashable {
    case line(String)
    /// Something was typed that is no text: a key that moves, a control character.
    case noText
    /// The terminal has cut off the end of what was typed.
    case cutOff
    /// The person has nothing more to say (Ctrl-D), or the terminal is gone.
    case end
    /// The question was withdrawn before it was answered.
    case withdrawn
  }

  /// How many bytes of a line a terminal keeps, its line break included.
  #if canImport(Darwin)
    private static let mostBytes = 1024
  #else
    private static let mostBytes = 4096
  #endif

  /// Whether a question stands on the last line, unanswered.
  private let isAsking = Mutex(false)
  /// One question after the other: a new one waits until the terminal is as it was.
  private let turn = Mutex(())

  /// - Throws: Where there is no terminal at both ends.
  init() throws(Failure) {
    for (descriptor, name) in [(STDIN_FILENO, "standard input"), (STDERR_FILENO, "standard error")]
    where isatty(descriptor) != 1 {
      throw Failure(
        .usage, "--interactive needs a terminal, and \(name) is none",
        help: "without one, say what the person does with --answer or --answers")
    }
  }

  /// Writes lines for the person.
  func say(_ text: String) { try? Console().write(text, to: .errors) }

  /// Asks for a line, which does not appear while it is typed if it is `secret`.
  func ask(_ prompt: String, secret: Bool = false) async -> Answer {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return .end }
    // A browser that is opened meanwhile would keep them.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (woken, waker) = (ends[0], ends[1])
    defer {
      close(woken)
      close(waker)
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = BlockingThread.start { [self] in
          continuation.resume(returning: turn.withLock { _ in read(prompt, secret: secret, until: woken) })
        }
        if !isStarted { continuation.resume(returning: .end) }
      }
    } onCancel: {
      _ = writeAll([0], to: waker)
    }
  }

  /// Leaves the line on which a question stands unanswered, for what is told before it is asked anew.
  func makeRoom() {
    if isAsking.withLock({ exchange(&$0, with: false) }) { say("\n") }
  }

  private func read(_ prompt: String, secret: Bool, until woken: Int32) -> Answer {
    if isReadable(woken, within: 0) { return .withdrawn }
    stopsInBackground()
    isAsking.withLock { $0 = true }
    let answer = secret ? readHidden(prompt, until: woken) : readLine(prompt, until: woken)
    switch answer {
    case .line, .noText, .cutOff: isAsking.withLock { $0 = false }
    // The person has not gone to the next line.
    case .end: makeRoom()
    // Half an answer to this question is none to the next.
    case .withdrawn: tcflush(STDIN_FILENO, TCIFLUSH)
    }
    return answer
  }

  private func readLine(_ prompt: String, until woken: Int32) -> Answer {
    say(prompt)
    var line: [UInt8] = []
    while true {
      guard waitForInput(until: woken) else { return .withdrawn }
      let bytes = readBytes(STDIN_FILENO) ?? []
      if bytes.isEmpty { return line.isEmpty ? .end : Answer(line) }
      line += bytes
      guard line.last == UInt8(ascii: "\n") else { continue }
      return line.count < Self.mostBytes ? Answer(line.dropLast()) : .cutOff
    }
  }

  /// `false` when the question is withdrawn.
  func waitForInput(until woken: Int32) -> Bool {
    var waits = [STDIN_FILENO, woken].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&waits, nfds_t(waits.count), -1) < 0, errno == EINTR {}
    return waits[1].revents == 0
  }

  func isReadable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&wait, 1, milliseconds) > 0
  }
}

extension Terminal.Answer {
  init(_ bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{FFFD}" }
    self = isPlain ? .line(text) : .noText
  }
}
