extension Terminal {
  /// Reads a line that does not appear.
  ///
  /// The terminal hands each key over as it is pressed, so that no key ends or stops the program while nothing appears:
  /// the terminal is first put as it was.
  func readHidden(_ prompt: String, until woken: Int32) -> Answer {
    guard TerminalMode.hide() else { return .end }
    defer { TerminalMode.restore() }
    say(prompt)
    var line: [UInt8] = []
    while true {
      guard waitForInput(until: woken) else { return .withdrawn }
      guard let bytes = readBytes(STDIN_FILENO), !bytes.isEmpty else { return .end }
      for byte in bytes {
        switch Key(byte) {
        case .enter:
          say("\n")
          return Answer(line)
        case .end: if line.isEmpty { return .end }
        case .deletes: line.removeLastScalar()
        case .deletesAll: line = []
        case .interrupts:
          TerminalMode.restore()
          kill(getpid(), SIGINT)
          // That withdraws the question, unless somebody has told the program to ignore it.
          _ = isReadable(woken, within: 1000)
          return .withdrawn
        case .quits:
          TerminalMode.restore()
          kill(getpid(), SIGQUIT)
        case .stops:
          TerminalMode.restore()
          say("\n")
          stop()
          guard TerminalMode.hide() else { return .end }
          line = []
          say(prompt)
        case nil: line.append(byte)
        }
      }
    }
  }
}

/// Lets this thread stop the program where it asks from the background, until it is brought back; nothing could be read
/// there, as at the end.
func stopsInBackground() {
  var set = sigset_t()
  sigemptyset(&set)
  for signal in [SIGTTIN, SIGTTOU] { sigaddset(&set, signal) }
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
}

/// Stops the program and all of its pipeline, as the terminal would; returns when it is to go on.
private func stop() {
  // Other threads leave such signals to the first one, which would stop a little later.
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, SIGTSTP)
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
  kill(0, SIGTSTP)
  pthread_kill(pthread_self(), SIGTSTP)
}

/// Keys that a terminal deals with itself as long as it shows what is typed.
private enum Key {
  case enter, end, deletes, deletesAll, interrupts, quits, stops

  init?(_ byte: UInt8) {
    switch byte {
    case 0x0A, 0x0D: self = .enter
    case 0x04: self = .end
    case 0x08, 0x7F: self = .deletes
    case 0x15: self = .deletesAll
    case 0x03: self = .interrupts
    case 0x1C: self = .quits
    case 0x1A: self = .stops
    default: return nil
    }
  }
}

extension [UInt8] {
  /// Removes the last character of UTF-8.
  fileprivate mutating func removeLastScalar() {
    while let byte = popLast(), byte & 0xC0 == 0x80 {}
  }
}
