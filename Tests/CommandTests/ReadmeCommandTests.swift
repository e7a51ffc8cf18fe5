import Foundation
import Testing

/// Commands that a test does not run, since they build, test everything, are the continuous integration itself, ask
/// somebody at a terminal, or need a server of the reader's own.
private let leftOut = [
  "swift test", "swift build -c release", ".ci/run", "flowrun FLOW --interactive",
  "flowrun FLOW --interactive --save FILE",
  "flowrun flows/teos-device.json --interactive", "flowrun FLOW --live NAME",
  "flowrun flows/clueride.json --live auth0=https://tenant.example --config issuer=https://tenant.example/ --answers answers.json",
  "flowrun flows/oidc-native.json --live provider --config issuer=https://id.example.org --config clientId=my-app --answer user.signsIn",
]

/// What stands in a document for something of the reader's own.
private let placeholders = [
  (" [PATH…]", " flows/mail-link.json"), ("flows/NAME", "flows/mail-link"), (" NAME", " killed-before-link"),
  ("SITUATION", "killed-before-link"),
  ("COMMAND", "check"),
  (" FLOW", " flows/mail-link.json"), (" FILE", " written"), (" N", " 200"),
]

/// What people type, as a document shows it: lines of blocks without a language, and what stands between backticks.
private func commands(in text: String) -> [String] {
  var all: [String] = []
  var fence: Substring?
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    if line.hasPrefix("```") {
      fence = fence == nil ? line.dropFirst(3) : nil
    } else if fence == "" || line.hasPrefix("    ") {
      let typed = line.trimmingPrefix("    ").trimmingPrefix("$ ")
      // What it does stands beside it, set apart.
      all.append(typed.components(separatedBy: "  ")[0])
    } else if fence == nil {
      all += inline(line)
    }
  }
  return all.filter { command in
    ["flowrun", "swift", ".ci/run"].contains { command == $0 || command.hasPrefix($0 + " ") }
      && !["flowrun", "swift run flowrun"].contains(command)
  }
}

/// Between backticks; in a row that begins with a command the options behind it are given to that command.
private func inline(_ line: Substring) -> [String] {
  let spans = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
  let code = spans.filter { $0.offset % 2 == 1 }.map { String($0.element) }
  guard line.hasPrefix("| `flowrun "), let command = code.first else { return code }
  return code.map { $0.hasPrefix("--") ? "\(command) \($0)" : $0 }
}

/// A folder with the project's documents and a small flow of the reader's own, which has been accepted.
private func library() throws -> Workshop {
  let workshop = try Workshop()
  for name in ["flows", "schemas"] {
    try FileManager.default.copyItem(
      at: Repository.root.appendingPathComponent(name), to: workshop.folder.appendingPathComponent(name))
  }
  let small = try GuideFlow(in: workshop)
  try small.writeAll()
  #expect(try workshop.flowrun("test", "flows/mail-link", "--accept").code == 0)
  return workshop
}

@Test func everyCommandOfTheGuidesDoesWhatItSays() throws {
  let documents = ["README.md", "flows/README.md"]
  let all = try documents.flatMap { commands(in: try Repository.text($0)) }
  #expect(Set(leftOut).isSubset(of: all), "a command is left out that nobody is told to type")
  let workshop = try library()
  var done: Set<String> = Set(leftOut)
  for command in all where done.insert(command).inserted {
    var line = command.replacing(/^(swift run )?flowrun/, with: "\"$FLOWRUN\"")
    try #require(line.hasPrefix("\"$FLOWRUN\""), "\(command) is no command of flowrun")
    for (word, own) in placeholders { line = line.replacingOccurrences(of: word, with: own) }
    let result = try workshop.flowrun.shell(line)
    #expect(result.code == 0, "\(command)\n\(result.output)\n\(result.errors)")
    #expect(!result.output.isEmpty, "\(command)")
  }
  #expect(done.count > 20)
}

@Test func theReadmeListsEveryCommandAndExitCode() throws {
  let readme = try Repository.text("README.md")
  let help = try Workshop().flowrun("--help").output.split(separator: "\n")
  let usages = help.filter { $0.hasPrefix("  flowrun ") && $0.contains("  ") }
  let names = usages.compactMap { $0.split(separator: " ").dropFirst().first }.filter { $0.first?.isLowercase == true }
  #expect(names.contains("check") && names.contains("test"))
  for name in names where name != "run" && !name.contains("/") {
    #expect(readme.contains("| `flowrun \(name) "), "README.md has no row for \(name)")
  }
  let codes = try #require(help.split(separator: "exit codes:").dropFirst().first).prefix { $0.hasPrefix("  ") }
  #expect(codes.count > 5)
  for line in codes {
    let code = line.split(separator: " ")[0]
    let words = line.drop { $0 == " " || $0.isNumber }
    let paragraph = readme.replacing("\n", with: " ")
    #expect(paragraph.contains("\(code) \(words)"), "README.md does not say: \(code) \(words)")
  }
}
