import Synchronization

/// How the terminal deals with keys: as it was found, or handing over each without showing it.
enum TerminalMode {
  /// As it was found, while it is another way.
  private static let found = Mutex<termios?>(nil)

  /// However the program ends by itself, the terminal is left as it was found.
  private static let restoresAtExit: Bool = {
    atexit { TerminalMode.restore() }
    return true
  }()

  /// Shows nothing of what is typed from now on; `false` where that cannot be.
  ///
  /// What was typed before is dropped: it has appeared.
  static func hide() -> Bool {
    guard restoresAtExit else { return false }
    return found.withLock { found in
      var mode = termios()
      guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return false }
      found = found ?? mode
      mode.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
      withUnsafeMutableBytes(of: &mode.c_cc) { keys in
        keys[Int(VMIN)] = 1
        keys[Int(VTIME)] = 0
      }
      return tcsetattr(STDIN_FILENO, TCSAFLUSH, &mode) == 0
    }
  }

  static func restore() {
    found.withLock { found in
      guard var mode = found else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &mode)
      found = nil
    }
  }
}
