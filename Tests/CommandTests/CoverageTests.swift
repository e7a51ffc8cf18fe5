import Foundation
import Testing

/// A workshop whose one scenario never meets a missing network.
private func narrowWorkshop() throws -> Workshop {
  try Workshop.accepted(with: ["offline-first": #"{"scenario": "offline-first", "ends": "greeted"}"#])
}

private struct Results: Decodable {
  struct Flow: Decodable {
    struct Uncovered: Decodable, Equatable {
      var refs: [String] = []
      var states: [String] = []
      var transitions: [String] = []
      var replies: [String] = []
    }
    struct Failed: Decodable, Equatable {
      var scenario: String?
      var path: String
      var how: String
      var message: String
      var details: String
    }
    var flow: String
    var scenarios: Int
    var passed: Int
    var failed: [Failed]
    var uncovered: Uncovered?
  }
  var flows: [Flow]
}

/// The one object that `flowrun test --json` prints, and nothing else.
private func results(
  _ workshop: Workshop, _ arguments: String = ".", code: Int32 = 0, sourceLocation: SourceLocation = #_sourceLocation
) throws -> [Results.Flow] {
  let result = try workshop.flowrun.shell("\"$FLOWRUN\" test --json \(arguments)")
  #expect(result.code == code, "\(result.errors)", sourceLocation: sourceLocation)
  return try JSONDecoder().decode(Results.self, from: Data(result.output.utf8)).flows
}

@Test func whatNoGoldenReachesIsTold() throws {
  let result = try narrowWorkshop().flowrun("test", ".")
  #expect(result.code == 0)
  #expect(
    result.output == """
      ok        hello/offline-first.json
      untested  hello.json: no golden reaches
                states:
                  tryLater
                transitions:
                  asking: not now
                  tryLater: goes to asking
      1 passed, 0 failed

      """)
}

@Test func nothingIsSaidWhenAllIsReached() throws {
  let workshop = try Workshop()
  _ = try workshop.flowrun("test", ".", "--accept")
  #expect(try workshop.flowrun("test").code == 66)
  #expect(try workshop.flowrun("test", ".").output == "ok        hello/offline-first.json\n1 passed, 0 failed\n")
  #expect(try results(workshop).first?.uncovered == Results.Flow.Uncovered())
}

@Test func whatEventsLeadToIsToldWithTheEvent() throws {
  let workshop = try narrowWorkshop()
  let gone = #"{"name": "gone", "goto": "tryLater"}"#
  for (old, new) in [
    (#""goal": true,"#, #""goal": true, "on": {"user.asks": \#(gone), "user.waits": \#(gone)},"#),
    (#""participants": {"#, #""participants": {"user": {"kind": "person"}, "#),
    (#""start": "#, #""events": {"user.asks": {}, "user.waits": {}}, "on": {"user.asks": \#(gone)}, "start": "#),
  ] { try workshop.replace(old, with: new, in: "hello.json") }
  _ = try workshop.flowrun("test", ".", "--accept")
  let uncovered = try #require(try results(workshop).first?.uncovered)
  let events = uncovered.transitions.filter { $0.hasSuffix("gone") }
  #expect(events == ["anywhere, user.asks: gone", "greeted, user.asks: gone", "greeted, user.waits: gone"])
}

@Test func whatHasNoGoldenCoversNothing() throws {
  let workshop = try Workshop()
  let all = Results.Flow.Uncovered(
    states: ["asking", "greeted", "tryLater"],
    transitions: ["asking: greeted", "asking: not now", "tryLater: goes to asking"],
    replies: ["greeter GET /greeting: greets"])
  #expect(try results(workshop, code: 1).first?.uncovered == all)
  _ = try workshop.flowrun("test", ".", "--accept")
  #expect(try results(workshop).first?.uncovered == Results.Flow.Uncovered())
  // A run that is merely another reaches what it reaches.
  try workshop.replace("Hello ", with: "Good day ", in: "services/greeter.json")
  #expect(try results(workshop, code: 1).first?.uncovered == Results.Flow.Uncovered())
  let accepted = try workshop.flowrun("test", ".", "--accept")
  #expect(accepted.output.contains("accepted") && !accepted.output.contains("untested"))
}

@Test func whereThereIsNoGoldenNotAllIsListed() throws {
  let result = try Workshop().flowrun("test", ".")
  #expect(result.code == 1)
  #expect(
    result.output.contains("\nuntested  hello.json: no golden reaches any of it\n0 passed, 0 failed, "),
    "\(result.output)")
}

@Test func whatFailedIsSaidBesideWhatNoGoldenReaches() throws {
  let workshop = try narrowWorkshop()
  try workshop.write("{\"scenario\": \"late\", \"ends\": \"tryLater\"}", to: "hello/late.json")
  let failed = try workshop.flowrun("test", ".").output
  #expect(
    failed.contains("hello.json: no golden reaches (1 scenario failed: what they reach does not count)\n"),
    "\(failed)")
  try workshop.write("{\"scenario\": \"new\"}", to: "hello/new.json")
  let new = try workshop.flowrun("test", ".").output
  #expect(
    new.contains("reaches (1 scenario failed, 1 scenario without a golden: what they reach does not count)\n"), "\(new)"
  )
}

@Test func statesOfDifferentSubflowsAreToldApart() throws {
  let workshop = try Workshop()
  let subflow = { (name: String, inner: String) in
    #""\#(name)": {"ends": ["ok"], "start": "asks", "on": {"device.offline": {"end": "ok"}}, "states": {"#
      + #""asks": {"next": [{"goto": "\#(inner)"}]}, "\#(inner)": {"end": "ok"}}}"#
  }
  try workshop.write(
    """
    {"flow": "same", "participants": {"app": {"kind": "app"}, "device": {"kind": "device"}}, "start": "launch",
    "states": {"launch": {"next": [{"when": "device.online", "goto": "one"}, {"goto": "asks"}]},
    "one": {"call": "first", "next": [{"goto": "done"}]}, "asks": {"call": "second", "next": [{"goto": "done"}]},
    "done": {"goal": true}}, "flows": {\(subflow("first", "mine")), \(subflow("second", "other"))}}
    """, to: "same.json")
  _ = try workshop.flowrun("test", "same.json", "--accept")
  let uncovered = try #require(try results(workshop, "same.json").first?.uncovered)
  #expect(uncovered.states == ["asks", "asks in second", "other"])
  #expect(
    uncovered.transitions == [
      "launch: goes to asks", "asks: goes to done", "anywhere in first, device.offline: ends with ok",
      "anywhere in second, device.offline: ends with ok", "asks in second: goes to other",
    ])
}

/// One that is reached reads like the one that is not.
@Test func whatReadsAlikeIsToldWithItsLine() throws {
  let workshop = try narrowWorkshop()
  let waits = ##"""
    "goal": true, "on": {"device.offline": [
    {"when": "!device.native"},
    {"when": "!device.online && present(store.greeting)"},
    {"when": "store.greeting == 'x'", "goto": "asking"}, {"goto": "asking"}]},
    """##
  try workshop.replace(#""goal": true,"#, with: waits, in: "hello.json")
  try workshop.replace(
    #""participants": {"#, with: #""participants": {"device": {"kind": "device"}, "#, in: "hello.json")
  try workshop.write(
    #"{"scenario": "offline-first", "script": [{"offline": true}], "ends": "greeted"}"#, to: "hello/offline-first.json")
  _ = try workshop.flowrun("test", ".", "--accept")
  let uncovered = try #require(try results(workshop).first?.uncovered)
  let source = "greeted, device.offline"
  #expect(
    uncovered.transitions == [
      "asking: not now", "\(source): stays (line 19)", "\(source): goes to asking (line 21, column 1)",
      "\(source): goes to asking (line 21, column 54)", "tryLater: goes to asking",
    ])
}

@Test func eachTimeThatPassesIsCountedByItself() throws {
  let workshop = try narrowWorkshop()
  try workshop.replace(
    #"[{"wait": "10m", "goto": "asking"}]"#,
    with: #"[{"wait": "10m", "name": "soon", "goto": "asking"}, {"wait": "1h", "name": "late", "goto": "asking"}]"#,
    in: "hello.json")
  let uncovered = try #require(try results(workshop).first?.uncovered)
  #expect(uncovered.transitions == ["asking: not now", "tryLater: soon", "tryLater: late"])
}

@Test func whatIsNeverEnteredOrTriedDespiteItsCheckNeedsNoGolden() throws {
  let workshop = try Workshop()
  try workshop.replace(
    #""tryLater": {"#,
    with: #"""
      "planned": {"despite": {"unreachable-state": "comes next year", "no-way-to-goal": "so does its end"},
        "on": {"device.offline": {"goto": "soon"}}}, "soon": {"rest": true},
      "tryLater": {
      """#, in: "hello.json")
  try workshop.replace(
    #""participants": {"#, with: #""participants": {"device": {"kind": "device"}, "#, in: "hello.json")
  try workshop.replace(
    #""goto": "tryLater"}"#,
    with: #""goto": "tryLater"}, {"name": "never", "goto": "tryLater"}"#, in: "hello.json")
  let accepted = try workshop.flowrun("test", ".", "--accept")
  #expect(accepted.code == 0, "\(accepted.output)\(accepted.errors)")
  #expect(try results(workshop).first?.uncovered == Results.Flow.Uncovered())
}

@Test func whatAReplyCoversIsCountedByItself() throws {
  let workshop = try Workshop()
  try workshop.replace(
    "\"routes\": [", with: "\"sometimes\": [{\"name\": \"busy\", \"reply\": {\"status\": 503}}], \"routes\": [",
    in: "services/greeter.json")
  _ = try workshop.flowrun("test", ".", "--accept")
  let uncovered = try #require(try results(workshop).first?.uncovered)
  #expect(uncovered == Results.Flow.Uncovered(replies: ["greeter every route: busy"]))
}

@Test func theResultsAreOneObject() throws {
  let flows = try results(try narrowWorkshop())
  let flow = try #require(flows.first)
  #expect(flows.count == 1 && flow.flow == "hello.json" && flow.scenarios == 1 && flow.passed == 1)
  #expect(flow.failed == [] && flow.uncovered?.states == ["tryLater"])
}

@Test func someScenariosAloneSayNothingAboutCoverage() throws {
  let workshop = try narrowWorkshop()
  #expect(try results(workshop, "hello/offline-first.json").first?.uncovered == nil)
  let result = try workshop.flowrun("test", "hello/offline-first.json")
  #expect(result.output == "ok        hello/offline-first.json\n1 passed, 0 failed\n")
}

@Test func whatFailsIsInTheResults() throws {
  let workshop = try narrowWorkshop()
  try workshop.write("{\"scenario\": \"bad\", \"ends\": \"nowhere\"}", to: "hello/bad.json")
  try workshop.write("{\"scenario\": \"lost\"}", to: "elsewhere/lost.json")
  let flows = try results(workshop, code: 65)
  #expect(flows.map { $0.failed.map(\.path) } == [["elsewhere/lost.json"], ["hello/bad.json"]])
  let bad = try #require(flows.last?.failed.first)
  #expect(bad.scenario == "bad" && bad.how == "invalid")
  #expect(bad.message.hasPrefix("error[unknown-state]: ") && bad.details.contains("hello/bad.json:1:"))
}

@Test func whatDiffersIsInTheResultsInFull() throws {
  let workshop = try narrowWorkshop()
  try workshop.replace("Hello ", with: String(repeating: "Good day ", count: 40), in: "services/greeter.json")
  let failed = try #require(try results(workshop, code: 1).first?.failed.first)
  #expect(failed.scenario == "offline-first" && failed.how == "changed")
  #expect(failed.message.contains("this run has"), "\(failed.message)")
  #expect(failed.details.split(separator: "\n").contains { $0.hasPrefix("+{\"n\"") && $0.count > 360 })
  let told = try workshop.flowrun("test", ".").output.split(separator: "\n").filter { $0.contains("{\"n\":") }
  #expect(told.allSatisfy { $0.count <= 100 } && told.contains { $0.contains("…") && $0.contains("Good day") })
}

@Test func aBrokenFlowIsNoScenariosFailure() throws {
  let workshop = try narrowWorkshop()
  try workshop.replace("\"start\": \"asking\"", with: "\"start\": \"askin\"", in: "hello.json")
  let failed = try #require(try results(workshop, code: 65).first?.failed.first)
  #expect(failed.scenario == nil && failed.path == "hello.json" && failed.how == "invalid")
}

@Test func aFileForServersTellsEveryTest() throws {
  let workshop = try narrowWorkshop()
  try workshop.write("{\"scenario\": \"<bad>\", \"ends\": \"nowhere\"}", to: "hello/<bad>.json")
  let result = try workshop.flowrun("test", ".", "--junit", "results.xml")
  #expect(result.code == 65)
  let xml = try workshop.read("results.xml")
  for words in [
    "<testsuites name=\"flowrun\" tests=\"2\" failures=\"1\" errors=\"0\">",
    "<testsuite name=\"hello.json\" tests=\"2\" failures=\"1\" errors=\"0\">",
    "<testcase classname=\"hello.json\" name=\"hello/offline-first.json\"/>", "name=\"hello/&lt;bad&gt;.json\">",
    "<failure type=\"invalid\" message=\"error[",
  ] { #expect(xml.contains(words), "\(xml)") }
}

@Test func acceptingTellsPeopleWhatChanged() throws {
  let result = try Workshop().flowrun("test", ".", "--accept", "--json")
  #expect(result.code == 64 && result.errors.contains("does not go with --json"))
}
