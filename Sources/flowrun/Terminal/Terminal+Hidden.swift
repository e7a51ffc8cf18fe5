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
      guard waitForInput(until: woken) else {
        if !line.isEmpty { dropRest() }
        return .withdrawn
      }
      guard let bytes = readBytes(STDIN_FILENO), !bytes.isEmpty else { return .end }
      for (index, byte) in bytes.enumerated() {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
          dropPasted(bytes[(index + 1)...])
          return Answer(line)
        case control("D"): if line.isEmpty { return .end }
        case control("H"), 0x7F: line.removeLastScalar()
        case control("U"): line = []
        case control("C"):
          interrupt()
          // That withdraws the question, unless somebody has told the program to ignore it.
          _ = isReadable(woken, within: 1000)
          return .withdrawn
        case control("\\"):
          guard Signals.isIgnored(SIGQUIT) else {
            TerminalMode.restore()
            kill(getpid(), SIGQUIT)
            break
          }
          // As in what a script has put into the background: the question stands.
          line = []
          say("\n" + prompt)
        case control("Z"):
          TerminalMode.restore()
          say("\n")
          stop()
          guard TerminalMode.hide() else { return .end }
          line = []
          say(prompt)
        default: line.append(byte)
        }
      }
    }
  }

  /// What is pasted may have more lines, which come at once: they do not appear either, and answer nothing.
  ///
  /// `rest` has come with the end of the first.
  private func dropPasted(_ rest: ArraySlice<UInt8>) {
    if rest.contains(control("C")) { return interrupt() }
    while isReadable(STDIN_FILENO, within: 50), let bytes = readBytes(STDIN_FILENO), !bytes.isEmpty {
      if bytes.contains(control("C")) { return interrupt() }
    }
    say("\n")
  }

  /// Whoever is in the middle of typing when the question is withdrawn types on: the rest does not appear either, until
  /// the line ends or nothing is typed for two seconds.
  private func dropRest() {
    while isReadable(STDIN_FILENO, within: 2000), let bytes = readBytes(STDIN_FILENO), !bytes.isEmpty {
      if bytes.contains(control("C")) { return interrupt() }
      if bytes.contains(UInt8(ascii: "\n")) || bytes.contains(UInt8(ascii: "\r")) { return }
    }
  }

  private func interrupt() {
    TerminalMode.restore()
    kill(getpid(), SIGINT)
  }
}

/// Lets this thread stop the program where it asks from the background, until it is brought back; nothing could be read
/// there, as at the end.
func stopsInBackground() {
  var set = sigset_t([SIGTTIN, SIGTTOU])
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
}

/// Stops the program and all of its pipeline, as the terminal would; returns when it is to go on.
private func stop() {
  // Other threads leave such signals to the first one, which would stop a little later.
  var set = sigset_t([SIGTSTP])
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
  kill(0, SIGTSTP)
  pthread_kill(pthread_self(), SIGTSTP)
}

/// What a key gives that is pressed together with Ctrl.
private func control(_ key: Unicode.Scalar) -> UInt8 { UInt8(ascii: key) & 0x1F }

extension [UInt8] {
  /// Removes the last character of UTF-8.
  fileprivate mutating func removeLastScalar() {
    while let byte = popLast(), byte & 0xC0 == 0x80 {}
  }
}
