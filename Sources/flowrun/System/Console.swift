import FlowEngine
import FlowSpec
import Synchronization

/// Standard output and standard error, and how much each can show.
struct Console {
  enum Stream: Int32 {
    case out = 1
    case errors = 2
  }

  enum Colour: String, CaseIterable {
    case auto, always, never
  }

  var colour = Colour.auto

  /// The streams that were given up, since nobody read them when the run was asked to end.
  private static let unread = Mutex<Set<Stream>>([])

  /// Keeps any file that is opened later from taking the number of a standard stream that is closed, and so what is meant
  /// for that stream; it cannot be read or written as before.
  static func occupyStreams() {
    for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free: those before it are taken.
      _ = open("/dev/null", mode)
    }
  }

  func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// How many cells a line of a stream takes: as many as its terminal has, between 60 and 100, and 100 elsewhere.
  func width(of stream: Stream) -> Int {
    var size = winsize()
    guard ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
    return min(100, max(60, Int(size.ws_col)))
  }

  /// Colours on a terminal that has them, unless `NO_COLOR` (no-color.org) or `--color` says otherwise.
  func style(_ stream: Stream) -> TextStyle {
    switch colour {
    case .always: .coloured
    case .never: .plain
    case .auto:
      isTerminal(stream) && environment("NO_COLOR") == nil && environment("TERM") != "dumb" ? .coloured : .plain
    }
  }

  func renderer(_ stream: Stream) -> DiagnosticRenderer { DiagnosticRenderer(style: style(stream)) }

  /// Writes the text, at once.
  func write(_ text: String, to stream: Stream = .out) throws(Failure) {
    try write(Array(text.utf8), to: stream)
  }

  /// A reader that has seen enough (`| head`) is no failure.
  func write(_ bytes: [UInt8], to stream: Stream = .out) throws(Failure) {
    guard !Self.unread.withLock({ $0.contains(stream) }) else { return }
    let error = writeToReader(bytes, to: stream.rawValue)
    // The one who wants the run to end does not wait for somebody who does not read.
    if error == ETIMEDOUT {
      Self.unread.withLock { _ = $0.insert(stream) }
      return
    }
    guard error != 0, error != EPIPE, stream == .out else { return }
    throw Failure(.noFile, "standard output cannot be written: \(reason(error))")
  }

  func report(_ failure: Failure) {
    let style = style(.errors)
    let help = failure.help.map { $0.split(separator: "\n").map { "  \(printable(String($0)))\n" }.joined() } ?? ""
    try? write(renderer(.errors).text(of: failure.diagnostics), to: .errors)
    try? write("\(style.bad("flowrun:")) \(printable(failure.message))\n\(help)", to: .errors)
  }
}

/// A variable of the environment; `nil` where it is empty or not there.
func environment(_ name: String) -> String? {
  guard let value = getenv(name) else { return nil }
  let text = String(cString: value)
  return text.isEmpty ? nil : text
}

/// Writes everything, however slowly it is read; `ETIMEDOUT` where that takes too long behind a signal that ends the run.
private func writeToReader(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  // Elsewhere a signal ends the program itself.
  guard Signals.areAwaited else { return writeAll(bytes, to: descriptor) }
  let descriptor = UnwaitingTerminals.descriptor(for: descriptor) ?? descriptor
  var rest = bytes[...]
  while !rest.isEmpty {
    // So much can be written at once where anything can (POSIX, `PIPE_BUF`).
    let piece = Array(rest.prefix(512))
    // In between the signal may come.
    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    let isReady = poll(&wait, 1, Signals.patience < 0 ? 100 : min(100, Signals.patience)) > 0
    let count = isReady ? write(descriptor, piece, piece.count) : 0
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count < 0, errno != EAGAIN, errno != EINTR {
      return errno
    } else if Signals.patience == 0 {
      return ETIMEDOUT
    } else if isReady {
      // A terminal may have room, and too little for what comes next.
      usleep(10_000)
    }
  }
  return 0
}

/// Writes everything, or gives the number of the system's error.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var done = 0
    while done < buffer.count {
      let count = write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        // Whoever gave the pipe reads it in its own time.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// The system's words for one of its errors.
func reason(_ error: Int32) -> String {
  strerror(error).map { String(cString: $0) } ?? "error \(error)"
}
