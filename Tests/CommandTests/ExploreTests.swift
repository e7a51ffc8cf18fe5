import Foundation
import Testing

@Test func anExplorationSaysHowFarItWent() throws {
  let workshop = try Workshop()
  let result = try workshop.flowrun("explore", "hello.json")
  #expect(result.code == 0 && result.errors == "")
  #expect(result.output.hasPrefix("18 snapshots, 50 moves, all of them; no findings\n"), "\(result.output)")
  let bounded = try workshop.flowrun("explore", "hello.json", "--most", "5")
  #expect(bounded.output.contains("stopped at --most 5: "), "\(bounded.output)")
  #expect(bounded.output.contains("\n  What makes it long: "), "\(bounded.output)")
  let one = try workshop.flowrun("explore", "hello.json", "--most", "1")
  #expect(one.output.contains("1 snapshot, 0 moves, stopped at --most 1: 1 not gone on from"), "\(one.output)")
  #expect(one.output.contains("; no findings so far, and no goal was reached\n"), "\(one.output)")
  #expect(one.output.contains("\n  Not entered so far: "), "\(one.output)")
  let json = try workshop.flowrun("explore", "hello.json", "--most", "1", "--json")
  let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
  #expect((object?["findings"] as? [Any])?.isEmpty == true && (object?["notEntered"] as? [String])?.isEmpty == false)
  #expect(!one.output.contains("never-entered") && !result.output.contains("Not entered"), "\(one.output)")
}

/// It takes the text of any answer at 200; the scenario that is told ends as the exploration says.
@Test func answersThatNoModelGivesAreTriedIfAsked() throws {
  let workshop = try Workshop()
  let plain = try workshop.flowrun("explore", "hello.json")
  #expect(plain.code == 0 && plain.output.contains("--unexpected tries such, too."), "\(plain)")
  let result = try workshop.flowrun("explore", "hello.json", "--unexpected", "--json")
  let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
  #expect(result.code == 1 && object?["unexpected"] as? Bool == true)
  let finding = try #require((object?["findings"] as? [[String: Any]])?.first)
  let scenario = try #require(finding["scenario"] as? String)
  #expect(scenario.contains(#""answer": { "status": "#), "\(scenario)")
  try workshop.write(scenario, to: "hello/run-error.json")
  let run = try workshop.flowrun("hello.json", "--scenario", "run-error")
  #expect(run.code == 1 && run.errors.contains(finding["message"] as? String ?? "-"), "\(run)")
}

/// A word that the model never says leaves all states to be entered otherwise.
@Test func whatNothingLeadsToIsToldWhenAllWasTried() throws {
  let workshop = try Workshop()
  let plain = try workshop.flowrun("explore", "hello.json")
  #expect(!plain.output.contains("Never taken"), "\(plain.output)")
  try workshop.replace(
    "\"next\": [",
    with: "\"next\": [{\"name\": \"gone\", \"when\": \"response.status == 410\", \"goto\": \"tryLater\"}, ",
    in: "hello.json")
  let result = try workshop.flowrun("explore", "hello.json")
  #expect(
    result.code == 0
      && result.output.contains("; no findings\n  Never taken by any of these moves:\n    asking: gone\n  "))
  let cut = try workshop.flowrun("explore", "hello.json", "--most", "5").output
  #expect(!cut.contains("Never taken") && cut.contains("\n  Not taken so far:\n    asking: "), "\(cut)")
  let json = try workshop.flowrun("explore", "hello.json", "--json")
  let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
  #expect(object?["neverTaken"] as? [String] == ["asking: gone"])
}

/// A sign-in of which nothing is stored, and a button that does nothing.
@Test func whatMayBeForgottenIsListed() throws {
  let workshop = try Workshop()
  try workshop.write(
    #"""
    { "flow": "gone", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
      "events": {"user.in": {}, "user.waits": {}}, "start": "out", "states": {
        "out": {"rest": true, "on": {"user.in": {"goto": "home"}, "user.waits": {"when": "!device.native", "goto": "home"}}},
        "home": {"goal": true}} }
    """#, to: "gone.json")
  let text = try workshop.flowrun("explore", "gone.json")
  let lost =
    "  Lost where the app is killed there and opened again, with nothing going wrong:\n    \"home\", from where"
  #expect(text.code == 0 && text.output.contains(lost + " it comes to \"out\"\n{\n"), "\(text.output)")
  #expect(
    text.output.contains("  Leads to nothing where it comes:\n    \"user.waits\" in \"out\"\n{\n"), "\(text.output)")
  let json = try workshop.flowrun("explore", "gone.json", "--json")
  let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
  let (all, ignored) = (object?["lostByKill"] as? [[String: Any]], object?["ignored"] as? [[String: Any]])
  #expect(all?.map { $0["target"] as? String } == ["out"] && ignored?.map { $0["event"] as? String } == ["user.waits"])
  #expect((object?["backAgain"] as? [Any])?.isEmpty == true)
  try workshop.write(try #require(all?.first?["scenario"] as? String), to: "gone/lost-by-kill.json")
  let replay = try workshop.flowrun("gone.json", "--scenario", "lost-by-kill")
  #expect(replay.code == 0 && replay.output.contains("Stopped at +0s in \"out\""), "\(replay)")
}

/// A model that asks itself for ever: exploring tries on each round what may go wrong there, too.
@Test func whatIsCutShortTellsTheErrorOfTheAutomaticRun() throws {
  let workshop = try Workshop()
  try workshop.write(
    #"""
    { "flow": "round", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "model": "services/api.json"}},
      "start": "ask", "states": {
        "ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "home"}]}, "home": {"goal": true}} }
    """#, to: "round.json")
  try workshop.write(
    #"""
    { "service": "api", "routes": [{"on": "GET /x", "next": [{"goto": "asking"}]}],
      "states": {"asking": {"request": {"to": "api", "get": "/x"}, "next": [{"reply": {"status": 200}}]}} }
    """#, to: "services/api.json")
  let text = try workshop.flowrun("explore", "round.json", "--most", "20")
  #expect(text.code == 1 && text.output.hasPrefix("run-error: an error while running, in \"ask\"\n"), "\(text)")
  #expect(text.output.contains("\n{\n  \"scenario\": \"run-error\"\n}\n\n20 snapshots, "), "\(text.output)")
  let json = try workshop.flowrun("explore", "round.json", "--most", "20", "--json")
  let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
  let finding = try #require((object?["findings"] as? [[String: Any]])?.first)
  #expect(json.code == 1 && finding["kind"] as? String == "run-error" && finding["code"] as? String == "spinning")
  try workshop.write(try #require(finding["scenario"] as? String), to: "round/run-error.json")
  let replay = try workshop.flowrun("round.json", "--scenario", "run-error")
  #expect(replay.code == 1 && replay.errors.contains(finding["message"] as? String ?? "?"), "\(replay.errors)")
}

@Test func theScenarioOfAFindingRunsToWhatWasFound() throws {
  let workshop = try Workshop()
  try workshop.replace("\"rest\": true, ", with: "", in: "hello.json")
  let result = try workshop.flowrun("explore", "hello.json", "--json")
  #expect(result.code == 1)
  let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
  #expect(object?["complete"] as? Bool == true)
  let finding = try #require((object?["findings"] as? [[String: Any]])?.first)
  #expect(finding["kind"] as? String == "stopped-elsewhere" && finding["state"] as? String == "tryLater")
  let words = #"no rest; the timer "tryLater: goes to asking" is still set: {"advance": "10m"} lets it go off, at +10m"#
  #expect((finding["message"] as? String)?.hasSuffix(words) == true, "\(finding)")
  #expect((finding["help"] as? String)?.hasPrefix("mark the state \"rest\": true if ") == true, "\(finding)")
  try workshop.write(try #require(finding["scenario"] as? String), to: "hello/stopped-elsewhere.json")
  let run = try workshop.flowrun("hello.json", "--scenario", "stopped-elsewhere")
  #expect(run.code == 1 && run.errors.contains("it stopped in \"tryLater\""), "\(run.output)\(run.errors)")
}

/// A folder has one scenario of each name.
@Test func theScenariosOfTwoFindingsStandSideBySide() throws {
  let workshop = try Workshop()
  try workshop.write(
    #"""
    {"flow": "two", "title": "Two stops", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
      "events": {"user.x": {}, "user.y": {}}, "start": "home", "states": {
        "home": {"goal": true, "on": {"user.x": {"goto": "left"}, "user.y": {"goto": "right"}}},
        "left": {"on": {"user.x": {"goto": "home"}}}, "right": {"on": {"user.x": {"goto": "home"}}}}}
    """#, to: "two.json")
  let result = try workshop.flowrun("explore", "two.json", "--json")
  let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
  let scenarios = try #require(object?["findings"] as? [[String: Any]]).map { $0["scenario"] as? String }
  for (name, scenario) in zip(["stopped-elsewhere", "stopped-elsewhere-2"], scenarios) {
    try workshop.write(try #require(scenario), to: "two/\(name).json")
  }
  let runs = try workshop.flowrun("test", "two.json")
  #expect(scenarios.count == 2 && runs.output.contains("failed    two/stopped-elsewhere-2.json"), "\(runs.output)")
  #expect(try workshop.flowrun("two.json", "--scenario", "stopped-elsewhere-2").errors.contains("stopped in \"right\""))
}

/// An event that leads on is no help: nobody need do it.
@Test func whatHelpsAgainstStopsIsSaidOnce() throws {
  let workshop = try Workshop()
  try workshop.replace("\"rest\": true, ", with: "", in: "hello.json")
  for (old, new) in [
    (#""participants": {"#, #""participants": {"user": {"kind": "person"}, "#),
    (#""start": "#, #""events": {"user.waits": {}}, "start": "#),
    (#""tryLater": {"#, #""tryLater": {"on": {"user.waits": {"goto": "later"}}, "#),
    (#""tryLater": {"#, #""later": {"on": {"user.waits": {"goto": "asking"}}}, "tryLater": {"#),
  ] { try workshop.replace(old, with: new, in: "hello.json") }
  let result = try workshop.flowrun("explore", "hello.json")
  let parts = result.output.components(separatedBy: "\nstopped-elsewhere: ")
  #expect(parts.count == 2 && parts[0].hasPrefix("stopped-elsewhere: the app is left in "), "\(result)")
  #expect(result.output.components(separatedBy: "  = help: mark the state ").count == 2, "\(result)")
  try workshop.replace("\"later\": {", with: "\"later\": {\"rest\": true, ", in: "hello.json")
  #expect(try workshop.flowrun("explore", "hello.json").output.contains("; 1 finding\n"))
}

@Test func anErrorOfARunIsToldWithItsPlaceInJSONToo() throws {
  let workshop = try Workshop()
  try workshop.replace("response.json.text", with: "response.json.txt", in: "hello.json")
  let result = try workshop.flowrun("explore", "hello.json", "--json")
  let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
  let findings = try #require(object?["findings"] as? [[String: Any]])
  let finding = try #require(findings.first { $0["kind"] as? String == "run-error" }, "\(result.output)")
  #expect(finding["file"] as? String == "hello.json" && finding["line"] as? Int == 14)
  #expect(finding["column"] is Int && finding["help"] is String, "\(finding)")
}

@Test func aBoundIsANumber() throws {
  for number in ["few", "1e6", "1,000", "+5", "99999999999999999999"] {
    let result = try Workshop().flowrun("explore", "hello.json", "--most", number)
    #expect(result.code == 64 && result.errors.contains("--most takes a whole number from 1, digits only"))
    #expect(result.errors.contains("up to 9223372036854775807"))
  }
}

/// A person at a terminal who lets it look for what takes long.
private func sitting(_ more: String..., most: Int = 1_000_000_000, output: String? = nil) throws -> Sitting {
  let workshop = try Workshop(of: "flows")
  return try Sitting(["explore", "clueride.json", "--most", "\(most)"] + more, in: workshop, output: output)
}

private func file(_ name: String) -> URL {
  FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
}

@Test func aTerminalShowsHowFarAnExplorationHasCome() throws {
  let sitting = try sitting("--color=never")
  try sitting.answer(" snapshots gone on from, ", "\u{3}")
  let rest = try sitting.wait(for: "stopped by hand: ")
  #expect(rest.contains(" waiting, "))
  let report = rest.components(separatedBy: "  \r").last ?? ""
  #expect(report.prefixMatch(of: #/[0-9]+ snapshots, /#) != nil, "the line is gone before the report: \(rest)")
  #expect(try sitting.end() == 0)
}

@Test func sentencesAreBrokenAtTheEdgeOfATerminalAlone() throws {
  let workshop = try Workshop()
  #expect(try workshop.flowrun("explore", "hello.json").output.split(separator: "\n").contains { $0.count > 200 })
  let sitting = try Sitting(["explore", "hello.json"], in: workshop, columns: 70)
  try sitting.wait(for: "128-bit fingerprints.")
  #expect(try sitting.end() == 0)
  #expect(sitting.seen.split { $0.isNewline }.allSatisfy { $0.count <= 70 })
}

@Test func howFarItHasComeIsForTerminalsAlone() throws {
  let result = try Workshop(of: "flows").flowrun("explore", "clueride.json", "--most", "5000")
  #expect(result.code == 0 && result.errors == "")
  let guide = try Repository.text("flows/README.md")
  let shown = try #require(guide.split(separator: "clueride.json --most 5000\n…\n").last).prefix { $0 != "…" }
  #expect(shown.hasPrefix("5000 snapshots, ") && result.output.contains(shown), "\(result.output)")
  #expect(result.output.contains(" others, which --json names\n"), "\(result.output)")
  let sitting = try sitting("--json", most: 5000)
  #expect(try sitting.end() == 0)
  #expect(sitting.seen.hasPrefix("{") && !sitting.seen.contains("gone on from"))
}

/// `timeout` sends its signal to the program, and at once to the group that it is in.
@Test(arguments: ["Ctrl-C", "TERM", "TERM TERM"]) func whoInterruptsAnExplorationIsToldWhatWasFound(_ how: String)
  throws
{
  let output = file("report")
  defer { try? FileManager.default.removeItem(at: output) }
  let sitting = try sitting("--json", output: output.path)
  if how.hasPrefix("TERM") {
    try sitting.wait(for: " snapshots gone on from, ")
    for _ in how.split(separator: " ") {
      kill(sitting.processIdentifier, SIGTERM)
      usleep(2000)
    }
  } else {
    try sitting.answer(" snapshots gone on from, ", "\u{3}")
  }
  #expect(try sitting.end() == 0)
  #expect(sitting.seen.hasSuffix("  \r"), "no line is left")
  let object = try JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any]
  #expect(object?["complete"] as? Bool == false && object?["stoppedByHand"] as? Bool == true)
  #expect((object?["expanded"] as? Int ?? 0) > 0)
  let varieties = try #require(object?["varieties"] as? [[String: Any]])
  // How far it came is the machine's doing.
  #expect((1...5).contains(varieties.count), "\(varieties)")
}

@Test func whoInterruptsAgainWaitsForNothing() throws {
  // Nobody reads the report: it is never written to its end.
  let output = file("pipe")
  defer { try? FileManager.default.removeItem(at: output) }
  try #require(mkfifo(output.path, 0o600) == 0)
  let pipe = open(output.path, O_RDWR | O_NONBLOCK)
  defer { close(pipe) }
  while write(pipe, [0], 1) == 1 {}
  let sitting = try sitting(output: output.path)
  try sitting.answer(" snapshots gone on from, ", "\u{3}")
  try sitting.wait(for: "  \r")
  // Sooner it would be taken for the same once more.
  usleep(400_000)
  sitting.type("\u{3}")
  #expect(try sitting.end() == -SIGINT)
}
