import Expressions

/// A command line taken apart: the command, its operands and options.
struct Invocation: Sendable {
  let command: Command
  /// Whether the command's name stands in the command line.
  let isNamed: Bool
  let operands: [String]
  /// Values by the option's name, in order; an empty one for a switch.
  private let values: [String: [String]]

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// `nil` when the option was not given.
  func value(_ option: Option) -> String? { values[option.name]?.first }

  /// All that were given of an option that may be repeated.
  func values(_ option: Option) -> [String] { values[option.name] ?? [] }

  /// Takes apart what stands behind the program's name.
  init(_ arguments: [String]) throws(Failure) {
    let words = try Words(arguments)
    var operands = words.operands
    if let first = operands.first, !words.isLiteral, let named = Command.named(first) {
      command = named
      isNamed = true
      operands.removeFirst()
    } else {
      command = .usual
      isNamed = false
    }
    self.operands = operands
    values = words.values
    if !isNamed, !words.isLiteral, let first = operands.first, Self.isMistypedCommand(first, operands.count) {
      throw .unknownCommand(first)
    }
    if has(.help) || has(.version) { return }
    try checkOptions(words.order)
    try checkOperands()
  }

  /// A word that names no file, and reads like a command or stands before what a command is for.
  private static func isMistypedCommand(_ word: String, _ count: Int) -> Bool {
    guard !word.contains("/"), !word.contains("."), !word.isEmpty, Files.kind(of: word) == nil else { return false }
    return count > 1 || nearestName(to: word, among: Command.all.map(\.name)) != nil
  }

  private func checkOptions(_ given: [String]) throws(Failure) {
    let known = (command.options + Option.everywhere).map(\.name)
    for name in given where !known.contains(name) {
      let owner = Command.all.first { $0.options.contains { $0.name == name } }
      throw Failure(
        .usage, "\"flowrun \(command.name)\" has no option \(name)",
        help: (owner.map { "\(name) belongs to \"flowrun \($0.name)\"\n" } ?? "") + usageLine)
    }
  }

  private func checkOperands() throws(Failure) {
    if operands.contains("") { throw Failure(.usage, "an argument is empty", help: usageLine) }
    if operands.count > command.count.upperBound {
      let extra = operands[command.count.upperBound]
      throw Failure(.usage, "\"\(extra)\" is one argument too many", help: usageLine)
    }
    guard operands.count < command.count.lowerBound else { return }
    throw Failure(.usage, "\(command.operands) is missing", help: "\(usageLine)\nflowrun --help says more")
  }

  private var usageLine: String { "usage: \(command.usage)" }
}

/// Options and operands as they stand, before it is known which command they are for.
private struct Words {
  var operands: [String] = []
  var values: [String: [String]] = [:]
  /// Names of options, in the order given.
  var order: [String] = []
  /// The first operand stands behind `--`: it is no command.
  var isLiteral = false

  /// The command, where the command line begins with its name.
  private let command: Command?

  private static let known = Command.all.flatMap(\.options) + Option.everywhere

  init(_ arguments: [String]) throws(Failure) {
    command = arguments.first.flatMap(Command.named)
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--" {
        isLiteral = operands.isEmpty
        operands += rest
        return
      }
      if word == "-h" {
        try take(.help, value: "")
      } else if word.hasPrefix("-"), word != "-" {
        try takeOption(word, &rest)
      } else {
        operands.append(word)
      }
    }
  }

  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    guard let option = Self.known.first(where: { $0.name == parts[0] }) else {
      let nearest = nearestName(to: parts[0], among: Self.known.map(\.name))
      throw Failure(
        .usage, "there is no option \(parts[0])",
        help: (nearest.map { "did you mean \($0)?\n" } ?? "") + usage)
    }
    if option.value != nil {
      let isNext = rest.first.map { next in !Self.known.contains { $0.name == next } } ?? false
      guard let value = parts.count == 2 ? parts[1] : isNext ? rest.popFirst() : nil, !value.isEmpty else {
        throw Failure(.usage, "\(option.name) needs a value", help: usage(of: option))
      }
      try take(option, value: value)
    } else if parts.count == 2 {
      throw Failure(.usage, "\(option.name) takes no value", help: usage(of: option))
    } else {
      try take(option, value: "")
    }
  }

  private var usage: String { command.map { "usage: \($0.usage)" } ?? Help.usage }

  private func usage(of option: Option) -> String {
    // Commands mean different things by the same name.
    let option = command?.options.first { $0.name == option.name } ?? option
    return "\(option.value.map { "\(option.name) \($0)" } ?? option.name): \(option.summary)\n\(usage)"
  }

  private mutating func take(_ option: Option, value: String) throws(Failure) {
    guard option.isRepeatable || values[option.name] == nil else {
      throw Failure(.usage, "\(option.name) is given twice", help: usage)
    }
    values[option.name, default: []].append(value)
    order.append(option.name)
  }
}

extension Failure {
  static func unknownCommand(_ name: String) -> Failure {
    let names = Command.all.map(\.name)
    return Failure(
      .usage, "there is no command \"\(name)\"",
      help: (nearestName(to: name, among: names).map { "did you mean \"flowrun \($0)\"?\n" } ?? "")
        + "the commands are \(names.joined(separator: ", "))\n\(Help.usage)")
  }
}
