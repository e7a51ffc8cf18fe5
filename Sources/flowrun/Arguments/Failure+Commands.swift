import Expressions

extension Failure {
  static func unknownCommand(_ name: String) -> Failure {
    let names = Command.all.map(\.name)
    return Failure(
      .usage, "there is no command \"\(name)\"",
      help: (nearestName(to: name, among: names).map { "did you mean \"flowrun \($0)\"?\n" } ?? "")
        + "the commands are \(names.joined(separator: ", "))\n\(Help.usage)")
  }
}
