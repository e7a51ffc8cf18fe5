import Expressions

/// The command line: takes it apart, does what it says, and ends with a code that says how it went.
@main
struct Flowrun {
  static func main() {
    Console.occupyStreams()
    // A closed pipe, or a file that may not grow, is an error of `write`, which knows what to do about it.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    exit(perform(CommandLine.arguments).rawValue)
  }

  private static func perform(_ words: [String]) -> ExitCode {
    var console = Console()
    do throws(Failure) {
      // The program's own name comes first.
      guard !words.isEmpty else {
        throw Failure(.noFile, "the command line cannot be read", help: "on Linux it stands in /proc; mount that")
      }
      let invocation = try Invocation(Array(words.dropFirst()))
      console.colour = try colour(invocation)
      return try perform(invocation, on: console)
    } catch {
      console.report(error)
      return error.code
    }
  }

  private static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    if invocation.has(.version) {
      try console.write(Help.version + "\n")
      return .done
    }
    if invocation.has(.help) {
      try console.write(invocation.isNamed ? Help.text(for: invocation.command) : Help.general)
      return .done
    }
    return try invocation.command.perform(invocation, console)
  }

  private static func colour(_ invocation: Invocation) throws(Failure) -> Console.Colour {
    guard let word = invocation.value(.color) else { return .auto }
    if let colour = Console.Colour(rawValue: word) { return colour }
    let words = Console.Colour.allCases.map(\.rawValue)
    throw Failure(
      .usage, "--color is auto, always or never, not \"\(word)\"",
      help: nearestName(to: word, among: words).map { "did you mean \($0)?" })
  }
}
