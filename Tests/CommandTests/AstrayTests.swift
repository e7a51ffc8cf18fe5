import Foundation
import Testing

private func check(_ workshop: Workshop, _ line: String, code: Int32, says words: [String]) throws {
  let result = try workshop.flowrun.shell(line)
  #expect(result.code == code, "\(result)")
  for words in words { #expect(result.output.contains(words), "\(result)") }
}

/// The folder or the flow was renamed: nothing is to be deleted.
@Test func scenariosWhoseFlowIsGoneAreToldOnce() throws {
  let workshop = try Workshop.acceptedTwice()
  _ = try workshop.flowrun.shell("mv hello bye && echo old > bye/gone.trace.jsonl")
  try check(
    workshop, "\"$FLOWRUN\" test bye", code: 65,
    says: [
      """
      invalid   bye
                There is no flow bye.json for the 2 scenarios of this folder: a scenario stands in the folder that is named like its flow; move it there, or rename one of them.
      orphan    bye/gone.trace.jsonl
                There is no flow bye.json for this golden: delete it.
      0 passed, 2 failed

      """
    ])
  try check(
    workshop, "\"$FLOWRUN\" check bye", code: 65,
    says: [
      "error[scenario-without-flow]: There is no flow bye.json for the 2 scenarios of this folder",
      "1 error in 0 flows, 0 services, 2 scenarios",
    ])
}

/// Each that goes on behind it would tell it again.
@Test func whatIsWrongWithAScenarioIsToldOnce() throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.write("{\"scenario\": \"a\", \"ends\": \"nowhere\"}", to: "hello/a.json")
  try workshop.write("{\"scenario\": \"b\", \"given\": {\"after\": \"a\"}}", to: "hello/b.json")
  let result = try workshop.flowrun("test", "hello.json")
  #expect(result.code == 65 && result.output.split(separator: "error[").count == 2, "\(result)")
  let words = "It goes on after hello/a.json, which has errors: flowrun check hello/a.json tells them."
  #expect(result.output.contains("invalid   hello/b.json\n          \(words)\n"), "\(result)")
}

/// The driver of a merge leaves it where two branches have changed the golden.
@Test func aConflictInAGoldenIsToldByItsName() throws {
  let workshop = try Workshop.acceptedTwice()
  _ = try workshop.flowrun.shell("sed -i '2i <<<<<<< HEAD' hello/again.trace.jsonl")
  try check(
    workshop, "\"$FLOWRUN\" test .", code: 1,
    says: [
      "An unresolved merge conflict stands in line 2 of the golden.",
      "Accepted, the trace of this run takes the place of both sides: then read how it differs from each of them.",
      "Accept it with: flowrun test hello/again.json --accept",
    ])
  let accepting = "\"$FLOWRUN\" test . --accept && \"$FLOWRUN\" test ."
  try check(workshop, accepting, code: 0, says: ["ok        hello/again.json"])
}

/// What is named by itself is told as it is among all others, and as a check tells it.
@Test(arguments: ["hello.json", "hello/again.json"])
func whatIsNoJSONIsToldAlikeByEveryCommand(path: String) throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.replace("\": \"", with: "\" \"", in: path)
  let found = try workshop.flowrun("check", path)
  let diagnostic = try #require(found.output.components(separatedBy: "\n\n").first)
  #expect(found.code == 65 && diagnostic.contains("^"), "\(found)")
  for line in ["test \(path)", "test .", "check ."] {
    try check(workshop, "\"$FLOWRUN\" \(line)", code: 65, says: [diagnostic])
  }
  let first = try #require(diagnostic.split(separator: "\n").first)
  for line in ["test \(path) --json", "test . --json", "test \(path) --junit j.xml >&2; cat j.xml"] {
    let result = try workshop.flowrun.shell("\"$FLOWRUN\" \(line) | sed 's/&quot;/\"/g; s/\\\\\"/\"/g'")
    #expect(result.output.contains(first), "\(result)")
    #expect(result.output.contains(line.hasPrefix("test hello/") ? "hello.json" : path), "\(result)")
  }
}
