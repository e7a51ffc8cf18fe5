import Expressions
import FlowSpec

/// A command line taken apart: the command, its operands and options.
struct Invocation: Sendable {
  private(set) var command = Command.usual
  /// Whether the command's name stands in the command line.
  private(set) var isNamed = false
  private(set) var operands: [String] = []
  /// Values by the option's name, in order; an empty one for a switch.
  private var values: [String: [String]] = [:]
  /// Names of options, in the order given.
  private var order: [String] = []

  private static let known = Command.all.flatMap(\.options) + Option.everywhere

  func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// `nil` when the option was not given.
  func value(_ option: Option) -> String? { values[option.name]?.first }

  /// All that were given of an option that may be repeated.
  func values(_ option: Option) -> [String] { values[option.name] ?? [] }

  /// Takes apart what stands behind the program's name.
  init(_ arguments: [String]) throws(Failure) {
    name(arguments.first)
    let isLiteral = try read(arguments[...])
    if !isLiteral, let first = operands.first {
      name(first)
      if isNamed {
        operands.removeFirst()
      } else if Self.isMistypedCommand(first, operands.count) {
        throw .unknownCommand(first)
      }
    }
    if has(.help) || has(.version) { return }
    try checkOptions()
    try checkOperands()
  }

  /// Takes a word as the command, if it is one's name.
  private mutating func name(_ word: String?) {
    if let named = word.flatMap(Command.named) { (command, isNamed) = (named, true) }
  }

  /// A word that names no file, and reads like a command or stands before what a command is for.
  private static func isMistypedCommand(_ word: String, _ count: Int) -> Bool {
    guard !word.contains("/"), !word.contains("."), !word.isEmpty, Files.kind(of: word) == nil else { return false }
    return count > 1 || Command.foreign[word] != nil || nearestName(to: word, among: Command.all.map(\.name)) != nil
  }

  private func checkOptions() throws(Failure) {
    let known = (command.options + Option.everywhere).map(\.name)
    for name in order where !known.contains(name) {
      var help = "\(name) belongs to \(Self.owners(of: name))"
      if command.name == Command.test.name, name == Option.scenario.name {
        help = "name the scenario's file: flowrun test flows/FLOW/\(value(.scenario) ?? "SCENARIO").json"
      }
      throw Failure(
        .usage, "\"flowrun \(command.name)\" has no option \(name)", help: "\(help)\n\(ownUsage)")
    }
  }

  private func checkOperands() throws(Failure) {
    if operands.contains("") { throw Failure(.usage, "an argument is empty", help: ownUsage) }
    if operands.count > command.count.upperBound {
      let extra = operands[command.count.upperBound]
      throw Failure(.usage, "\(Self.quoted(extra)) is one argument too many", help: ownUsage)
    }
    guard operands.count < command.count.lowerBound else { return }
    let others = isNamed ? "" : "\nflowrun --help lists the commands"
    throw Failure(.usage, "\(command.operands) is missing", help: ownUsage + others)
  }

  /// A word as a message quotes it: what stands behind `=`, or for no file and is no name, may be a secret.
  private static func quoted(_ word: String) -> String {
    if word.mayBeChosen || Files.kind(of: word) != nil { return "\"\(word)\"" }
    let name = String(word.prefix { $0 != "=" })
    return name.mayBeChosen && name != word ? "\"\(name)=…\"" : "what stands behind the others"
  }

  private var ownUsage: String { "usage: \(command.usage)\n\(Help.hint(for: command))" }

  /// Takes options and operands as they stand, before it is known which command they are for; whether the first operand
  /// stands behind `--`, and is no command.
  private mutating func read(_ arguments: ArraySlice<String>) throws(Failure) -> Bool {
    var rest = arguments
    while let word = rest.popFirst() {
      if word == "--" {
        defer { operands += rest }
        return operands.isEmpty
      }
      if word == "-h" {
        try take(.help, value: "")
      } else if word.hasPrefix("-"), word != "-" {
        try takeOption(word, &rest)
      } else {
        operands.append(word)
      }
    }
    return false
  }

  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0) }
    guard let option = Self.known.first(where: { $0.name == parts[0] }) else {
      throw Failure(.usage, "there is no option \(parts[0])", help: meant(by: parts[0]) + usage)
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

  /// The option that is most like a word, one of the command's own before others; nothing where none is.
  private func meant(by word: String) -> String {
    let word = Option.foreign[word] ?? word
    let own = isNamed ? (command.options + Option.everywhere).map(\.name) : Self.known.map(\.name)
    if let nearest = nearestName(to: word, among: own) { return "did you mean \(nearest)?\n" }
    guard let other = nearestName(to: word, among: Self.known.map(\.name)) else { return "" }
    return "\(other) would belong to \(Self.owners(of: other))\n"
  }

  private static func owners(of option: String) -> String {
    Command.all.filter { $0.options.contains { $0.name == option } }.map { "\"flowrun \($0.name)\"" }.listed
  }

  private var usage: String { isNamed ? ownUsage : Help.usage }

  private func usage(of option: Option) -> String {
    // Commands mean different things by the same name.
    let option = (isNamed ? command.options : []).first { $0.name == option.name } ?? option
    return "\(option.usage): \(option.summary)\n\(usage)"
  }

  private mutating func take(_ option: Option, value: String) throws(Failure) {
    // Elsewhere it is a standard stream; a file of that name would come as a surprise.
    if value == "-", option.value?.hasSuffix("FILE") == true {
      throw Failure(
        .usage, "\(option.name) takes a file, and \"-\" is none",
        help: "/dev/stdout and /dev/stdin are the standard streams, \"./-\" is a file of that name")
    }
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
    let meant = Command.foreign[name] ?? nearestName(to: name, among: names)
    return Failure(
      .usage, name.mayBeChosen ? "there is no command \"\(name)\"" : "the first argument is no command",
      help: (meant.map { "did you mean \"flowrun \($0)\"?\n" } ?? "")
        + "the commands are \(names.joined(separator: ", "))\n\(Help.usage)")
  }
}
