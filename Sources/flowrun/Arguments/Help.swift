import FlowInterpreter

/// The words of `--help`, made from the tables of commands and options.
enum Help {
  static let version = "flowrun \(FlowrunVersion.text)"

  static let usage = """
    usage: flowrun FLOW [options], or flowrun COMMAND …
    flowrun --help lists the commands, \(hint(for: .usual)) about the first
    """

  /// Where the options of a command are explained.
  static func hint(for command: Command) -> String { "flowrun help \(command.name) says more" }

  static var general: String {
    let short = ("flowrun FLOW", "the same as \"flowrun run FLOW\"")
    let usages = [short] + Command.all.map { ("flowrun \($0.name) \($0.operands)", $0.summary) }
    return """
      flowrun runs flows: what a person, an app and servers do together, written as JSON documents.

      \(columns(usages))

      options of every command:
      \(columns(Option.everywhere.map(row)))

      example:
      \(examples(of: .usual))

      exit codes:
      \(columns(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }))

      flowrun help COMMAND says more about a command.

      """
  }

  static func text(for command: Command) -> String {
    var parts = ["usage: \(command.usage)", "\(command.summary)"]
    if !command.details.isEmpty { parts.append(command.details) }
    parts.append("options:\n" + columns((command.options + Option.everywhere).map(row)))
    parts.append("\(command.examples.count == 1 ? "example" : "examples"):\n\(examples(of: command))")
    return parts.joined(separator: "\n\n") + "\n"
  }

  private static func row(_ option: Option) -> (String, String) {
    (option.usage, option.summary + (option.isRepeatable ? "; repeatable" : ""))
  }

  private static func examples(of command: Command) -> String {
    columns(command.examples.map { ($0.line, $0.meaning) })
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { left, right in
      "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)"
    }.joined(separator: "\n")
  }
}

/// What `flowrun help COMMAND` does.
enum HelpCommand {
  @Sendable static func perform(_ invocation: Invocation, on console: Console) throws(Failure) -> ExitCode {
    guard let name = invocation.operands.first else {
      try console.write(Help.general)
      return .done
    }
    guard let command = Command.named(name) else { throw .unknownCommand(name) }
    try console.write(Help.text(for: command))
    return .done
  }
}
