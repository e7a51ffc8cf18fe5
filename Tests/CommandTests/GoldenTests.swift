import Testing

private func checkTest(
  _ workshop: Workshop, _ arguments: String = ".", code: Int32, counts: String, _ words: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try workshop.flowrun.shell("\"$FLOWRUN\" test \(arguments)")
  #expect(result.code == code, sourceLocation: sourceLocation)
  #expect(result.output.split(separator: "\n").last.map { String($0) } == counts, sourceLocation: sourceLocation)
  for words in words { #expect(result.output.contains(words), "\(result.output)", sourceLocation: sourceLocation) }
}

@Test func aGoldenIsMissingUntilItIsAccepted() throws {
  let workshop = try Workshop()
  try checkTest(
    workshop, code: 1, counts: "0 passed, 0 failed, 1 without a golden", "missing   hello/offline-first.json",
    "flowrun test hello/offline-first.json --accept")
  #expect(!workshop.exists("hello/offline-first.trace.jsonl"))
  try checkTest(
    workshop, ". --accept", code: 0, counts: "1 passed, 0 failed", "accepted  new: hello/offline-first.trace.jsonl")
  try checkTest(workshop, code: 0, counts: "1 passed, 0 failed", "ok        hello/offline-first.json")
}

@Test func theGoldenIsTheTraceItself() throws {
  let workshop = try Workshop.accepted()
  let run = try workshop.flowrun("hello.json", "--scenario", "offline-first", "--json")
  #expect(try workshop.read("hello/offline-first.trace.jsonl") == run.output)
}

@Test func aChangeIsToldInWordsThenAsADifference() throws {
  let workshop = try Workshop.accepted()
  try workshop.replace("Hello ", with: "Good day ", in: "services/greeter.json")
  try checkTest(
    workshop, code: 1, counts: "0 passed, 1 failed", "changed   hello/offline-first.json",
    "At +10m, app in asking, line ", "json.text \"Hello Ada\"", "this run has \"Good day Ada\"", "@@ -", "-{\"n\":",
    "+{\"n\":", "Accept it with: flowrun test hello/offline-first.json --accept")
  try checkTest(
    workshop, "hello/offline-first.json --accept", code: 0, counts: "1 passed, 0 failed",
    "accepted  changed: hello/offline-first.trace.jsonl", "In all: 3 lines removed, 3 lines added.")
  try checkTest(workshop, code: 0, counts: "1 passed, 0 failed")
}

@Test func aScenarioBehindOneThatFailsSaysWhichThatIs() throws {
  let workshop = try Workshop.accepted()
  try workshop.write("{\"scenario\": \"behind\", \"given\": {\"after\": \"offline-first\"}}", to: "hello/behind.json")
  try workshop.replace("\"ends\": \"greeted\"", with: "\"ends\": \"tryLater\"", in: "hello/offline-first.json")
  let told = try workshop.flowrun("test", "hello/behind.json").output
  #expect(
    told == """
      failed    hello/behind.json
                It goes on after hello/offline-first.json, which does not succeed: flowrun test hello/offline-first.json tells why.
      0 passed, 1 failed

      """, "\(told)")
}

@Test func aChangeThatTwoTracesShareIsShownOnce() throws {
  let workshop = try Workshop()
  for name in ["at-once", "soon"] { try workshop.write("{\"scenario\": \"\(name)\"}", to: "hello/\(name).json") }
  try checkTest(workshop, ". --accept", code: 0, counts: "3 passed, 0 failed")
  try workshop.replace("Hello ", with: "Good day ", in: "services/greeter.json")
  let told = try workshop.flowrun("test", "hello/at-once.json", "hello/soon.json").output
  for words in ["changed   hello/soon.json", "The same lines change as in hello/at-once.json."] {
    #expect(told.contains(words), "\(told)")
  }
  #expect(told.ranges(of: "@@ -").count == 1 && told.ranges(of: "At +0s, ").count == 2, "\(told)")
  // Machines are told all of it.
  let all = try workshop.flowrun("test", "hello/at-once.json", "hello/soon.json", "--json").output
  #expect(all.ranges(of: "@@ -").count == 2, "\(all)")
}

@Test func aGoldenWithoutAScenarioIsAnOrphan() throws {
  let workshop = try Workshop.accepted()
  try workshop.write(workshop.read("hello/offline-first.trace.jsonl"), to: "hello/old.trace.jsonl")
  try checkTest(
    workshop, code: 1, counts: "1 passed, 1 failed", "orphan    hello/old.trace.jsonl",
    "No scenario of hello.json has this golden: delete it.", "accepted, by: flowrun test hello.json --accept")
  try checkTest(workshop, "hello/offline-first.json", code: 0, counts: "1 passed, 0 failed")
  try checkTest(
    workshop, "hello.json --accept", code: 0, counts: "1 passed, 0 failed", "removed   hello/old.trace.jsonl")
  #expect(!workshop.exists("hello/old.trace.jsonl"))
}

@Test func whatIsNoGoldenOfTheFlowIsNotRemoved() throws {
  let workshop = try Workshop.accepted()
  let trace = try workshop.read("hello/offline-first.trace.jsonl")
  let others = ["mine\n", "", trace.replacing("\"flow\":\"hello\"", with: "\"flow\":\"bye\""), trace + "mine\n"]
  for text in others {
    try workshop.write(text, to: "hello/old.trace.jsonl")
    try checkTest(
      workshop, "hello.json --accept", code: 1, counts: "1 passed, 1 failed", "orphan    hello/old.trace.jsonl",
      "No scenario of hello.json has this golden.", "It is no trace of this flow, and --accept leaves it alone.")
    #expect(try workshop.read("hello/old.trace.jsonl") == text)
  }
}

/// Its scenario may be one that cannot be read now.
@Test func aGoldenIsKeptBesideAScenarioWithErrors() throws {
  let workshop = try Workshop.accepted()
  try workshop.write("old\n", to: "hello/old.trace.jsonl")
  try workshop.write(#"{"scenario": "old"}"#, to: "hello/Old.json")
  try checkTest(
    workshop, "hello.json --accept", code: 65, counts: "1 passed, 2 failed", "orphan    hello/old.trace.jsonl",
    "It is left alone as long as a scenario beside it has errors, and may be its own.")
  #expect(try workshop.read("hello/old.trace.jsonl") == "old\n")
}

@Test func aRunThatFailsIsNeverAccepted() throws {
  let workshop = try Workshop.accepted()
  let golden = try workshop.read("hello/offline-first.trace.jsonl")
  try workshop.replace("\"10m\"", with: "\"9m\"", in: "hello/offline-first.json")
  try checkTest(workshop, ". --accept", code: 1, counts: "0 passed, 1 failed", "A run that fails is not accepted.")
  #expect(try workshop.read("hello/offline-first.trace.jsonl") == golden)
}

@Test func aRunThatFailsSaysWhereItLeftItsGolden() throws {
  let workshop = try Workshop.accepted()
  try workshop.replace("response.status == 200", with: "response.status == 201", in: "hello.json")
  try checkTest(
    workshop, code: 1, counts: "0 passed, 1 failed",
    """
    failed    hello/offline-first.json
              At +10m, app in asking, the golden took "greeted", this run took "not now".

    error[another-end]
    """)
  // Before the run fails it decides as its golden does.
  let other = try Workshop.accepted()
  try other.replace("\"10m\"}]", with: "\"9m\"}]", in: "hello/offline-first.json")
  try checkTest(
    other, code: 1, counts: "0 passed, 1 failed", "failed    hello/offline-first.json\n\nerror[another-end]")
}

@Test func anInvalidScenarioDoesNotHideTheOthers() throws {
  let workshop = try Workshop.accepted()
  try workshop.write("{\"scenario\": \"bad\", \"ends\": \"nowhere\"}", to: "hello/bad.json")
  try checkTest(workshop, code: 65, counts: "1 passed, 1 failed", "invalid   hello/bad.json", "hello/bad.json:1:")
}

@Test func aFlowWithoutScenariosRunsAutomatically() throws {
  let workshop = try Workshop()
  try workshop.remove("hello")
  try checkTest(
    workshop, "hello.json --accept", code: 0, counts: "1 passed, 0 failed", "new: hello/default.trace.jsonl")
  try checkTest(workshop, code: 0, counts: "1 passed, 0 failed", "ok        hello.json")
}

@Test func aPathMayBeAFolderAFlowAScenarioOrAGolden() throws {
  let workshop = try Workshop.accepted()
  for path in [".", "hello", "hello/", "hello.json", "hello/offline-first.json", "hello/offline-first.trace.jsonl"] {
    try checkTest(workshop, path, code: 0, counts: "1 passed, 0 failed")
  }
}

/// A checkout may have given all lines of a golden another end: only what has changed is to differ.
@Test(arguments: [("s/$/\\r/", true), ("2s/$/\\r/", false)])
func whatIsAcceptedHasTheLineEndsOfWhatItReplaces(change: String, isKept: Bool) throws {
  let workshop = try Workshop.accepted()
  let golden = "hello/offline-first.trace.jsonl"
  _ = try workshop.flowrun.shell("sed -i '\(change)' \(golden)")
  // Both bytes of such an end are one character.
  func lines() throws -> [Substring.UTF8View] {
    try workshop.read(golden).utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }
  let former = try lines()
  try workshop.replace("Hello ", with: "Good day ", in: "services/greeter.json")
  try checkTest(
    workshop, ". --accept", code: 0, counts: "1 passed, 0 failed", "In all: 3 lines removed, 3 lines added.")
  let accepted = try lines()
  #expect(accepted.count == former.count && accepted.last?.isEmpty == true)
  #expect(accepted.dropLast().allSatisfy { ($0.last == UInt8(ascii: "\r")) == isKept })
  if isKept { #expect(zip(accepted, former).count { !$0.elementsEqual($1) } == 3) }
  try checkTest(workshop, code: 0, counts: "1 passed, 0 failed")
}
