import Foundation
import Testing

/// The blocks of a text between fences, those in one language; `""` for those in none.
func blocks(_ language: String, in text: String) -> [String] {
  var blocks: [String] = []
  var fence: Substring?
  var lines: [Substring] = []
  for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
    guard line.hasPrefix("```") else {
      lines.append(line)
      continue
    }
    if let known = fence, known == language { blocks.append(lines.joined(separator: "\n") + "\n") }
    fence = fence == nil ? line.dropFirst(3) : nil
    lines = []
  }
  return blocks
}

/// A document with one of its members written anew, as the guide shows it; one that it did not have comes before `start`.
private func changed(_ document: String, _ fragment: String) throws -> String {
  var lines = document.components(separatedBy: "\n")
  let new = fragment.split(separator: "\n").map(String.init)
  let first = try #require(new.first)
  let indent = String(first.prefix { $0 == " " })
  let name = try #require(first.components(separatedBy: ":").first) + ":"
  if let start = lines.firstIndex(where: { $0.hasPrefix(name) }) {
    let isEnd = { (line: String) in
      ["\(indent)}", "\(indent)},"].contains(line)
        || line.hasPrefix(name) && ["}", "},"].contains(where: line.hasSuffix)
    }
    let end = try #require(lines[start...].firstIndex(where: isEnd))
    lines.replaceSubrange(start...end, with: new)
  } else {
    lines.insert(contentsOf: new, at: try #require(lines.firstIndex { $0.hasPrefix("\(indent)\"start\":") }))
  }
  return lines.joined(separator: "\n")
}

/// The small flow that the guide builds, step by step.
struct GuideFlow {
  let workshop: Workshop
  private let documents: [String]
  /// What the program says at each step.
  let shown: [String]
  static let path = "flows/mail-link.json"

  init(in workshop: Workshop) throws {
    self.workshop = workshop
    let guide = try Repository.text("flows/README.md")
    documents = blocks("json", in: guide)
    shown = blocks("", in: guide)
    try #require(documents.count > 8 && shown.count > 7)
  }

  func writeFirst() throws {
    try workshop.write(documents[0], to: Self.path)
    try workshop.write(documents[1], to: "flows/services/mail-link-server.json")
  }

  func foresee() throws { try workshop.write(try changed(documents[0], documents[2]), to: Self.path) }

  func writeScenario() throws { try workshop.write(documents[3], to: "flows/mail-link/killed-before-link.json") }

  func takeLinkEverywhere() throws { try change(4) }

  func stayForTheSameLink() throws { try change(5) }

  func restWaitingForMail() throws { try change(6) }

  func staySignedIn() throws { try change(7) }

  func askForTheSession() throws { try change(8) }

  private func change(_ index: Int) throws {
    try workshop.write(try changed(try workshop.read(Self.path), documents[index]), to: Self.path)
  }

  func writeAll() throws {
    try writeFirst()
    try foresee()
    try writeScenario()
    try takeLinkEverywhere()
    try stayForTheSameLink()
    try restWaitingForMail()
    try staySignedIn()
    try askForTheSession()
  }

  func check(_ arguments: String..., shows part: String, code: Int32) throws {
    let result = try workshop.flowrun.run(arguments)
    #expect(result.code == code && result.output.contains(part), "\(result.output)\(result.errors)")
  }
}

@Test func theGuidesSmallFlowWorksToTheLetter() throws {
  let flow = try GuideFlow(in: try Workshop())
  let path = GuideFlow.path
  try flow.writeFirst()
  try flow.check("check", path, shows: flow.shown[0], code: 65)
  try flow.foresee()
  try flow.check(path, shows: flow.shown[1], code: 0)
  try flow.writeScenario()
  try flow.check(path, "--scenario", "killed-before-link", shows: flow.shown[2], code: 1)
  let failed = try flow.workshop.flowrun(path, "--scenario", "killed-before-link")
  #expect(failed.errors.contains(flow.shown[3]), "\(failed.errors)")
  try flow.takeLinkEverywhere()
  try flow.check("check", path, shows: flow.shown[4], code: 0)
  try flow.stayForTheSameLink()
  try flow.check("check", "flows", shows: "no problems, 1 remark in 1 flow, 1 service, 1 scenario", code: 0)
  try flow.check("test", path, "--accept", shows: "1 passed, 0 failed", code: 0)
  try flow.check("explore", path, shows: flow.shown[5], code: 1)
  try flow.restWaitingForMail()
  try flow.check("explore", path, shows: "all of them; no findings", code: 0)
  try flow.check("explore", path, shows: flow.shown[6], code: 0)
  try flow.staySignedIn()
  let stays = try flow.workshop.flowrun("explore", path).output
  #expect(stays.contains("no findings") && !stays.contains("there again once the app is killed"), "\(stays)")
  try flow.check("explore", path, "--unexpected", shows: flow.shown[7], code: 1)
  try flow.askForTheSession()
  try flow.check("explore", path, "--unexpected", shows: "all of them; no findings", code: 0)
  // Other tests run what has come of it.
  #expect(try flow.workshop.read(path) == Repository.text("Tests/Guide/mail-link.json"))
  try flow.check("draw", path, shows: "state \"Waiting for the mail\" as waitingForMail", code: 0)
}

/// The names of members that a schema knows, wherever they stand.
private func members(of schema: Any) -> Set<String> {
  if let list = schema as? [Any] { return list.reduce(into: []) { $0.formUnion(members(of: $1)) } }
  guard let object = schema as? [String: Any] else { return [] }
  let own = (object["properties"] as? [String: Any]).map { Set($0.keys) } ?? []
  return object.values.reduce(into: own) { $0.formUnion(members(of: $1)) }
}

@Test(arguments: ["flow", "service", "scenario"])
func theGuideLeavesNoMemberOut(document: String) throws {
  let guide = try Repository.text("flows/README.md")
  // A word of a sentence is no member: only what stands in code counts, in a line or in a block.
  let code = guide.replacing("```", with: "`").split(separator: "`", omittingEmptySubsequences: false).enumerated()
    .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
  let words = Set(
    code.flatMap { $0.split { !$0.isLetter && $0 != "$" && $0 != " " } }.flatMap { [$0] + $0.split(separator: " ") })
  let schema = try JSONSerialization.jsonObject(with: Data(try Repository.text("schemas/\(document).schema.json").utf8))
  let known = members(of: schema)
  #expect(known.count > 10)
  #expect(known.filter { !words.contains(Substring($0)) }.sorted() == [])
}
