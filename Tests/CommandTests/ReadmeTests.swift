import Foundation
import Testing

/// What stands in the README's block that begins with this command, without the command.
private func session(_ command: String) throws -> String {
  let readme = try Repository.text("README.md")
  let start = try #require(readme.range(of: "$ swift run \(command)\n"), "README.md shows no session of \(command)")
  let rest = readme[start.upperBound...]
  let end = try #require(rest.range(of: "```\n"))
  return String(rest[..<end.lowerBound])
}

private func checkSession(_ command: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let arguments = command.split(separator: " ").dropFirst().joined(separator: " ")
  let result = try Workshop().flowrun.shell("cd '\(Repository.root.path)' && \"$FLOWRUN\" \(arguments)")
  #expect(
    try session(command) == result.output, "README.md shows another; .ci/readme mends it:\n\(result.output)",
    sourceLocation: sourceLocation)
}

@Test func theSessionInTheReadmeIsReal() throws {
  try checkSession("flowrun flows/teos-device.json --scenario refresh-unreachable")
}

@Test func theReadmeOpensWithTheTwoCommands() throws {
  let lines = try Repository.text("README.md").split(separator: "\n")
  #expect(lines.dropFirst(2).prefix(2) == ["swift run flowrun flows/teos-device.json", "swift test"])
}
