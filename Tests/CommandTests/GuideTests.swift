import Foundation
import Testing

/// The blocks of a text between fences that begin with these words.
func blocks(_ fence: String, in text: String) -> [String] {
  text.components(separatedBy: "\n```\(fence)\n").dropFirst().compactMap {
    $0.components(separatedBy: "\n```").first.map { $0 + "\n" }
  }
}

/// A document with one of its members written anew, as the guide shows it; one that it did not have comes before `start`.
private func changed(_ document: String, _ fragment: String) throws -> String {
  var lines = document.components(separatedBy: "\n")
  let new = fragment.split(separator: "\n").map(String.init)
  let first = try #require(new.first)
  let indent = String(first.prefix { $0 == " " })
  let name = try #require(first.components(separatedBy: ":").first) + ":"
  if let start = lines.firstIndex(where: { $0.hasPrefix(name) }) {
    let end = try #require(
      lines[start...].firstIndex { $0 == "\(indent)}" || $0 == "\(indent)}," || $0.hasPrefix(name) && $0.hasSuffix("},") })
    lines.replaceSubrange(start...end, with: new)
  } else {
    lines.insert(contentsOf: new, at: try #require(lines.firstIndex { $0.hasPrefix("\(indent)\"start\":") }))
  }
  return lines.joined(separator: "\n")
}

/// What the guide's small flow says at each of its steps.
private func checkStep(_ arguments: String..., in workshop: Workshop, shows part: String, code: Int32) throws {
  let result = try workshop.flowrun.run(arguments)
  #expect(result.code == code && result.output.contains(part), "\(result.output)\(result.errors)")
}

@Test func theGuidesSmallFlowWorksToTheLetter() throws {
  let guide = try Repository.text("flows/README.md")
  let documents = blocks("json", in: guide)
  let shown = blocks("", in: guide)
  try #require(documents.count > 5 && shown.count > 3)
  let workshop = try Workshop()
  let path = "flows/mail-link.json"
  try workshop.write(documents[0], to: path)
  try workshop.write(documents[1], to: "flows/services/mail-link-server.json")
  try checkStep("check", path, in: workshop, shows: shown[0], code: 65)
  try workshop.write(try changed(documents[0], documents[2]), to: path)
  try checkStep(path, in: workshop, shows: shown[1], code: 0)
  try workshop.write(documents[3], to: "flows/mail-link/killed-before-link.json")
  try checkStep(path, "--scenario", "killed-before-link", in: workshop, shows: shown[2], code: 1)
  for fragment in documents[4...5] { try workshop.write(try changed(try workshop.read(path), fragment), to: path) }
  try checkStep("check", in: workshop, shows: "no problems, 1 remark in 1 flow, 1 service, 1 scenario", code: 0)
  try checkStep("test", path, "--accept", in: workshop, shows: "1 passed, 0 failed", code: 0)
  try checkStep("explore", path, in: workshop, shows: shown[3], code: 0)
  try checkStep("draw", path, in: workshop, shows: "state \"Waiting for the mail\" as waitingForMail", code: 0)
}
