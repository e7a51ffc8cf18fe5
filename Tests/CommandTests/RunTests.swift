import Foundation
import Testing

private let timeline = """
  An app asks a server for a greeting

  +0s  app            starts
  +0s  app → greeter  GET /greeting
  +0s  greeter → app  200 greets
  +0s  app            decides: greeted
  +0s  app            shows "greeting" (text: Hello Ada)

  Stopped at +0s in "greeted": that is the goal.

  """

private func checkOutput(
  _ line: String, code: Int32 = 0, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try Workshop().flowrun.shell("\"$FLOWRUN\" \(line)")
  #expect(result.output == expected, sourceLocation: sourceLocation)
  #expect(result.code == code, "\(result.errors)", sourceLocation: sourceLocation)
}

@Test func aFlowAloneIsRun() throws {
  try checkOutput("hello.json", timeline)
  try checkOutput("run hello.json", timeline)
  try checkOutput("-- hello.json", timeline)
  try checkOutput("./hello.json --color=never", timeline)
}

@Test func colourCanBeForced() throws {
  let result = try Workshop().flowrun("hello.json", "--color", "always")
  #expect(result.output.contains("\u{1B}[1m"))
}

@Test func aScenarioIsNamedOrGivenAsAFile() throws {
  let workshop = try Workshop()
  let named = try workshop.flowrun("hello.json", "--scenario", "offline-first")
  let file = try workshop.flowrun("hello.json", "--scenario=hello/offline-first.json")
  #expect(named.code == 0 && named.output == file.output)
  #expect(named.output.contains("time passes: 10m"))
}

@Test func theScenarioDefaultIsTheUsualOne() throws {
  let workshop = try Workshop()
  try workshop.write(
    "{\"scenario\": \"default\", \"title\": \"The usual\", \"ends\": \"greeted\"}", to: "hello/default.json")
  #expect(try workshop.flowrun("hello.json").output.hasPrefix("An app asks a server for a greeting · default\n"))
}

@Test func jsonIsTheTraceAndSoIsTheFile() throws {
  let workshop = try Workshop()
  let result = try workshop.flowrun("hello.json", "--json", "--trace", "t.jsonl")
  #expect(result.output.hasPrefix("{\"trace\":1,\"flow\":\"hello\","))
  #expect(result.output.split(separator: "\n").count > 5)
  #expect(try workshop.read("t.jsonl") == result.output)
}

@Test func aRunThatEndsElsewhereFails() throws {
  let workshop = try Workshop()
  try workshop.replace("\"greeted\"", with: "\"tryLater\"", in: "hello/offline-first.json")
  let result = try workshop.flowrun("hello.json", "--scenario", "offline-first")
  #expect(result.code == 1)
  #expect(result.output.contains("Stopped at +10m in \"greeted\""))
  #expect(result.errors.contains("hello/offline-first.json:6:"))
}

@Test func anErrorOfARunIsToldOnce() throws {
  let workshop = try Workshop()
  try workshop.replace("\"text\": \"Hello ${request.query.name}\"", with: "\"text\": 5", in: "services/greeter.json")
  let result = try workshop.flowrun("hello.json")
  #expect(result.code == 1 && result.output.hasSuffix("Stopped at +0s by an error.\n"), "\(result.output)")
  let told = (result.output + result.errors).lowercased().components(separatedBy: "is an int, where a string is needed")
  #expect(told.count == 2, "\(result)")
}

@Test func aScreenIsToldByItsTitle() throws {
  let workshop = try Workshop()
  let screens = "\"screens\": {\"greeting\": {\"title\": \"Welcome!\", \"fields\": {\"text\": {\"type\": \"string\"}}}}"
  try workshop.replace("\"start\":", with: "\(screens), \"start\":", in: "hello.json")
  #expect(try workshop.flowrun("hello.json").output.contains("shows \"Welcome!\" (text: Hello Ada)"))
  #expect(try workshop.flowrun("hello.json", "--json").output.contains("\"show\":\"greeting\",\"title\":\"Welcome!\""))
}

@Test func anInvalidDocumentIsShownWithItsPlace() throws {
  let workshop = try Workshop()
  try workshop.replace("\"goto\": \"tryLater\"", with: "\"goto\": \"tryLatr\"", in: "hello.json")
  let result = try workshop.flowrun("hello.json")
  #expect(result.code == 65 && result.output == "")
  #expect(result.errors.contains("┌─ hello.json:15:"))
  #expect(result.errors.contains("did you mean \"tryLater\"?"))
}

@Test func aReaderThatHasSeenEnoughIsNoFailure() throws {
  let result = try Workshop().flowrun.shell("(\"$FLOWRUN\" hello.json --json; echo $? >&2) | head -1")
  #expect(result.output.split(separator: "\n").count == 1)
  #expect(result.errors == "0\n")
}

@Test func whatCannotBeWrittenSaysWhy() throws {
  let workshop = try Workshop()
  let folder = try workshop.flowrun("hello.json", "--trace", "services")
  #expect(folder.code == 66 && folder.errors.contains("services cannot be written"))
  let nowhere = try workshop.flowrun("hello.json", "--trace", "no/such/place")
  #expect(nowhere.code == 66 && nowhere.errors.contains("no/such/place cannot be written: "))
  let full = try workshop.flowrun.shell("test -e /dev/full || exit 66; \"$FLOWRUN\" hello.json > /dev/full")
  #expect(full.code == 66)
}

@Test func twoRunsAreAlikeWhateverSurroundsThem() throws {
  let workshop = try Workshop()
  let first = try workshop.flowrun.shell("LANG=C TZ=UTC \"$FLOWRUN\" hello.json --json")
  let second = try workshop.flowrun.shell(
    "cd services; LANG=tr_TR.UTF-8 LC_ALL=de_DE TZ=Asia/Tokyo SWIFT_DETERMINISTIC_HASHING=1 \"$FLOWRUN\" ../hello.json --json"
  )
  #expect(first.code == 0 && first.output == second.output)
}
