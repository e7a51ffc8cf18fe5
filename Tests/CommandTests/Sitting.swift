import Foundation
import Testing

/// A person at a pseudo-terminal: the program runs on the other side of it, leads the session there, and takes what is
/// typed.
final class Sitting {
  struct Surprise: Error, CustomStringConvertible {
    let description: String
  }

  /// All that has stood on the terminal.
  private(set) var seen = ""
  private let terminal: Int32
  private let process: pid_t
  /// Its folder stays as long as somebody sits there.
  private let workshop: Workshop
  /// Where the next words are looked for.
  private var rest = ""
  private var code: Int32?
  private var isHungUp = false

  /// Starts the program in a folder; what it prints on standard output goes to `output`, else to the terminal too.
  ///
  /// Without `columns` the terminal does not know how wide it is; what is `ignoring` has the program ignore a signal; where
  /// it is `full` there is no room on the terminal until somebody reads.
  init(
    _ arguments: [String], in workshop: Workshop, output: String? = nil, columns: UInt16 = 0,
    ignoring signal: String = "", full: Bool = false
  ) throws {
    self.workshop = workshop
    guard let ends = PseudoTerminal() else { throw Surprise(description: "there is no pseudo-terminal") }
    terminal = ends.descriptor
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    if columns > 0 { _ = ioctl(terminal, UInt(TIOCSWINSZ), &size) }
    if full { ends.fill() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // The first terminal that the leader of a session opens is the one that it is led from.
    posix_spawn_file_actions_addopen(&actions, 0, ends.name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    if let output {
      let path = output.hasPrefix("/") ? output : workshop.folder.appendingPathComponent(output).path
      posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    // Threads of tests may hold signals back, a shell does not.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, PseudoTerminal.leadsSession | Int16(POSIX_SPAWN_SETSIGMASK))
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    let trap = signal.isEmpty ? "" : "trap '' \(signal); "
    let line = [
      "sh", "-c", "\(trap)cd \"$1\" && shift && exec \"$@\"", "sh", workshop.folder.path, Flowrun.program.path,
    ]
    var words = (line + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var started = pid_t()
    guard posix_spawn(&started, "/bin/sh", &actions, &attributes, &words, environ) == 0 else {
      throw Surprise(description: "the program does not start")
    }
    process = started
  }

  deinit {
    if code == nil {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    if !isHungUp { close(terminal) }
  }

  /// Whether what is typed appears.
  var shows: Bool {
    var mode = termios()
    return tcgetattr(terminal, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Lets what is typed appear, as a shell does that has the terminal meanwhile.
  func showTyping() {
    var mode = termios()
    tcgetattr(terminal, &mode)
    mode.c_lflag |= tcflag_t(ECHO | ICANON | ISIG)
    tcsetattr(terminal, TCSANOW, &mode)
  }

  var processIdentifier: pid_t { process }

  /// Waits until these words stand on the terminal, behind what was waited for last; gives what stands before them.
  @discardableResult
  func wait(for words: String) throws -> String {
    let end = ContinuousClock.now.advanced(by: .seconds(120))
    while true {
      if let place = rest.range(of: words) {
        defer { rest = String(rest[place.upperBound...]) }
        return String(rest[..<place.lowerBound])
      }
      guard ContinuousClock.now < end, read(within: 500) else {
        guard ContinuousClock.now < end else {
          throw Surprise(description: "\"\(words)\" never came:\n\(seen)")
        }
        if isOver { throw Surprise(description: "\"\(words)\" has not come when the program ended:\n\(seen)") }
        continue
      }
    }
  }

  func type(_ keys: String) {
    let bytes = Array(keys.utf8)
    #expect(write(terminal, bytes, bytes.count) == bytes.count)
  }

  /// Waits for words, then types.
  func answer(_ words: String, _ keys: String) throws {
    try wait(for: words)
    type(keys)
  }

  /// The other side is gone, as when a window is closed.
  func hangUp() {
    close(terminal)
    isHungUp = true
  }

  /// Waits for the end of the program, while what it says is read or not; gives its code.
  func end(reading: Bool = true) throws -> Int32 {
    let end = ContinuousClock.now.advanced(by: .seconds(120))
    while ContinuousClock.now < end {
      if reading { while read(within: 20) {} } else { usleep(20_000) }
      if isOver, let code { return code }
    }
    throw Surprise(description: "the program has not ended:\n\(seen)")
  }

  private var isOver: Bool {
    var status: Int32 = 0
    if code == nil, waitpid(process, &status, WNOHANG) == process {
      let signal = status & 0x7F
      code = signal == 0 ? (status >> 8) & 0xFF : -signal
    }
    return code != nil
  }

  /// Reads what has come; `false` when there is nothing.
  private func read(within milliseconds: Int32) -> Bool {
    guard !isHungUp else {
      usleep(UInt32(milliseconds) * 1000)
      return false
    }
    var wait = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Foundation.read(terminal, &buffer, buffer.count)
    guard count > 0 else { return false }
    let text = String(decoding: buffer[..<count], as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    seen += text
    rest += text
    return true
  }
}
