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

@Test func thePictureInTheReadmeIsDrawn() throws {
  let readme = try Repository.text("README.md")
  let flows = Repository.root.appendingPathComponent("flows").path
  let drawn = try Workshop().flowrun(
    "draw", "\(flows)/teos-device.json", "--as", "sequence", "--scenario", "refresh-unreachable")
  #expect(blocks("mermaid", in: readme) == [drawn.output])
}

@Test func theReadmeCountsTheSituations() throws {
  let readme = try Repository.text("README.md")
  let folder = Repository.root.appendingPathComponent("flows")
  let flows = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
  for flow in flows.map({ String($0.dropLast(".json".count)) }) {
    let situations = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(flow).path)
      .count { $0.hasSuffix(".trace.jsonl") }
    let row = readme.split(separator: "\n").first { $0.hasPrefix("| `\(flow)` |") }
    #expect(row?.hasSuffix("| \(situations) |") == true, "\(flow) has \(situations) situations")
  }
}

@Test func theReadmeOpensWithTheTwoCommands() throws {
  let lines = try Repository.text("README.md").split(separator: "\n")
  #expect(lines.dropFirst(2).prefix(2) == ["swift run flowrun flows/teos-device.json", "swift test"])
}

@Test func theChangeInTheReadmeIsReal() throws {
  let readme = try Repository.text("README.md")
  let shown = try #require(readme.components(separatedBy: "$ swift run flowrun test\n").dropFirst().first)
  let workshop = try Workshop()
  let flows = workshop.folder.appendingPathComponent("flows")
  try FileManager.default.copyItem(at: Repository.root.appendingPathComponent("flows"), to: flows)
  let flow = "flows/teos-device.json"
  try workshop.replace("store.deviceTokenExpiresAt, '60s'", with: "store.deviceTokenExpiresAt, '30m'", in: flow)
  let told = try workshop.flowrun("test").output.split(separator: "\n")
  var rest = told[...]
  for line in try #require(shown.components(separatedBy: "```").first).split(separator: "\n") {
    // Long lines are cut, and so is what is between.
    let start = line.split(separator: "…", omittingEmptySubsequences: false)[0]
    guard !start.allSatisfy({ $0 == " " }) else { continue }
    let place = rest.firstIndex { $0.hasPrefix(start) }
    #expect(place != nil, "README.md shows \(line)")
    if let place { rest = rest[(place + 1)...] }
  }
}
