import FlowHTTP

/// The browser of the system, or another program that is given the address.
///
/// It belongs to the person: it outlives the run, and neither Ctrl-C nor the end of the run ends it.
struct SystemBrowser: Sendable {
  /// A program, found as a shell finds one, and what it is given before the address.
  private let command: [String]
  private let console: Console
  /// What such a program says may have the address in it, which is for a terminal only.
  private var isQuiet: Bool { !console.isTerminal(.errors) }

  /// How long a program may take to fail; one that runs longer is the browser itself.
  private static let patience = Duration.seconds(3)

  /// - Parameter command: What `--browser` says: a program, and arguments set apart by blanks. No shell reads it, so
  ///   there are no quotes; what needs them is written as a script.
  init(_ command: String?, console: Console) throws(Failure) {
    self.command = (command ?? Self.usual).split { $0 == " " || $0 == "\t" }.map { String($0) }
    self.console = console
    if self.command.isEmpty { throw Failure(.usage, "--browser needs a program that opens the address it is given") }
  }

  /// Opens a page; returns when the program has ended well, or runs and runs.
  ///
  /// - Throws: The program is not there, or has failed; what to do about it. The run can go on: a person may open the
  ///   address by hand, where `showsAddress`.
  func open(_ url: String) async throws(Failure) {
    guard Self.isOfHTTP(url) else {
      throw Failure(.failed, "the browser is given addresses of http and https only: this one is not opened")
    }
    guard Self.isPage(url) else {
      throw Failure(.failed, "the address of the page is not written in ASCII, as addresses are: it is not opened")
    }
    let process = try start(with: url)
    let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
    // Whoever has started a process has to take note of its end, however late that is.
    _ = BlockingThread.start {
      status.yield(Self.end(of: process))
      status.finish()
    }
    guard let status = await Self.first(of: statuses), status != 0 else { return }
    // What it has brought back before it failed comes first.
    try? await Task.sleep(for: .milliseconds(500))
    let how = status & 0x7f == 0 ? "ended with exit code \(status >> 8 & 0xff)" : "was ended by signal \(status & 0x7f)"
    throw Failure(.failed, "the page may not have opened: \"\(command[0])\" \(how)", help: help(url))
  }

  /// Whatever else an address could do, such a program must not be told: `file:`, `javascript:`, an option of its own.
  static func isPage(_ url: String) -> Bool {
    isOfHTTP(url) && url.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func isOfHTTP(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return ["http", "https"].contains(scheme) && url.dropFirst(scheme.count).hasPrefix("://")
  }

  private func start(with url: String) throws(Failure) -> pid_t {
    let (process, error) = Spawning.start(command + [url], isQuiet: isQuiet)
    guard error != 0 else { return process }
    let why = error == ENOENT ? "there is no such program" : reason(error)
    throw Failure(.noFile, "the browser cannot be started with \"\(command[0])\": \(why)", help: help(url))
  }

  /// Whether somebody is told the address that could not be opened: it may carry secrets, and is kept from logs.
  var showsAddress: Bool { console.isTerminal(.errors) }

  private func help(_ url: String) -> String {
    guard showsAddress else {
      return "name another program with --browser COMMAND; the address itself is shown on a terminal only"
    }
    return "name another program with --browser COMMAND, or open the page by hand:\n\(url)"
  }

  private static var usual: String {
    #if canImport(Darwin)
      "open"
    #else
      "xdg-open"
    #endif
  }

  private static func end(of process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// `nil` when it takes too long, or the task is cancelled.
  private static func first(of statuses: AsyncStream<Int32>) async -> Int32? {
    await withTaskGroup(of: Int32?.self) { group in
      group.addTask { await statuses.first { _ in true } }
      group.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
  }
}
