import Synchronization

/// How the terminal deals with keys: as it was found, or handing over each without showing it.
enum TerminalMode {
  /// As it was found, while it is another way.
  private static let found = Mutex<termios?>(nil)

  /// However the program ends by itself, or by a signal that can be taken, the terminal is left as it was found.
  private static let restoresAtExit: Bool = {
    atexit { TerminalMode.restore() }
    for number in deadly where !Signals.isIgnored(number) { restoreAt(number) }
    hideOnReturn()
    return true
  }()

  /// What ends a program where nobody takes it, but for what `Signals` takes.
  private static let deadly = [
    SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
    SIGXCPU,
  ]

  /// What was done at these signals before: the runtime may tell where a fault is.
  private static let former = Mutex<[Int32: sigaction]>([:])

  /// Has a signal restore the terminal first, and then do as it did before.
  private static func restoreAt(_ number: Int32) {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return }
    former.withLock { [action] in $0[number] = action }
    signal(number) { number in
      // A handler of signals must not wait for whom it has interrupted.
      _ = TerminalMode.found.withLockIfAvailable { TerminalMode.restore(&$0) }
      _ = TerminalMode.former.withLockIfAvailable { former in
        if var action = former[number] { sigaction(number, &action, nil) }
      }
      // Heard when this returns; a fault would come again by itself.
      raise(number)
    }
  }

  /// Who was stopped from outside finds the terminal as the shell had it meanwhile, which shows what is typed.
  private static func hideOnReturn() {
    signal(SIGCONT) { _ in
      _ = TerminalMode.found.withLockIfAvailable { found in
        if let found { _ = TerminalMode.hide(from: found) }
      }
    }
  }

  /// Shows nothing of what is typed from now on; `false` where that cannot be.
  ///
  /// What was typed before is dropped: it has appeared.
  static func hide() -> Bool {
    guard restoresAtExit else { return false }
    return found.withLock { found in
      var mode = termios()
      guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
      found = found ?? mode
      return hide(from: mode)
    }
  }

  private static func hide(from mode: termios) -> Bool {
    var mode = mode
    mode.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
    withUnsafeMutableBytes(of: &mode.c_cc) { keys in
      keys[Int(VMIN)] = 1
      keys[Int(VTIME)] = 0
    }
    return tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode) == 0
  }

  static func restore() { found.withLock { restore(&$0) } }

  private static func restore(_ found: inout termios?) {
    guard var mode = found else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    found = nil
  }
}
