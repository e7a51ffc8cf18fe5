import Foundation
import Testing

/// On Android alone the sign-in ends where nothing leads on; an account that exists already is given.
private let door = #"""
  {
    "flow": "door", "title": "A door that sticks on one platform",
    "participants": { "user": { "kind": "person" }, "app": { "kind": "app" }, "device": { "kind": "device" } },
    "config": { "isStrict": { "type": "bool", "value": false } },
    "store": { "pin": { "type": "string", "secret": true } },
    "events": { "user.enters": { "fields": { "pin": { "type": "string", "secret": true, "example": "1234" } } },
      "user.leaves": {}, "user.visits": {} },
    "let": { "isClosed": "present(store.pin) && device.platform == 'android' && config.isStrict" },
    "start": "launch",
    "states": {
      "launch": { "next": [{ "when": "isClosed", "goto": "stuck" }, { "goto": "out" }] },
      "out": { "rest": true, "on": { "user.visits": { "goto": "home" },
        "user.enters": { "do": [{ "set": { "pin": "${event.pin}" } }], "goto": "looking" } } },
      "looking": { "next": [{ "when": "isClosed", "goto": "stuck" }, { "goto": "home" }] },
      "stuck": { "rest": true, "on": { "user.leaves": { "when": "!present(store.pin)", "goto": "home" } } },
      "home": { "goal": true, "on": { "user.leaves": { "goto": "out" } } }
    }
  }
  """#

private func workshop() throws -> Workshop {
  let workshop = try Workshop()
  try workshop.write(door, to: "door.json")
  try workshop.write(
    #"{ "scenario": "strict", "given": { "device": { "platform": "android" }, "config": { "isStrict": true } }, "script": [] }"#,
    to: "door/strict.json")
  return workshop
}

private func object(_ result: Flowrun.Result) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result)")
}

@Test func whatComesOnAnotherPlatformIsFoundBehindAScenario() throws {
  let workshop = try workshop()
  let usual = try object(workshop.flowrun("explore", "door.json", "--json"))
  #expect(
    (usual["findings"] as? [[String: Any]])?.compactMap { $0["kind"] as? String } == ["never-entered"])
  #expect(usual["after"] == nil)
  let result = try workshop.flowrun("explore", "door.json", "--scenario", "strict", "--json")
  #expect(result.code == 1)
  let behind = try object(result)
  #expect(behind["after"] as? String == "strict" && behind["complete"] as? Bool == true)
  #expect((behind["neverTaken"] as? [String])?.isEmpty == true)
  let findings = try #require(behind["findings"] as? [[String: Any]])
  #expect(findings.map { $0["kind"] as? String } == ["no-way-to-goal"])
  let scenario = try #require(findings.first?["scenario"] as? String)
  #expect(scenario.contains(#""given": { "after": "strict" }"#) && !scenario.contains("launch"), "\(scenario)")
  try workshop.write(scenario, to: "door/no-way-to-goal.json")
  let run = try workshop.flowrun("door.json", "--scenario", "no-way-to-goal")
  #expect(run.code == 0 && run.output.contains("Stopped at +0s in \"stuck\""), "\(run)")
  let text = try workshop.flowrun("explore", "door.json", "--scenario", "door/strict.json").output
  #expect(text.contains("\n  It begins where scenario \"strict\" ends, with its settings and device; "), "\(text)")
  #expect(text.contains("no-way-to-goal: in \"stuck\" no goal and no end can be reached any more"), "\(text)")
}

/// One that is saved under the name that it has goes on after another.
@Test func aFindingBehindOneOfItsNameHasAnotherName() throws {
  let workshop = try workshop()
  try workshop.write(
    #"{ "scenario": "no-way-to-goal", "given": { "after": "strict" }, "script": [{ "relaunch": true }] }"#,
    to: "door/no-way-to-goal.json")
  let result = try workshop.flowrun("explore", "door.json", "--scenario", "no-way-to-goal", "--json")
  let scenario = try #require((try object(result)["findings"] as? [[String: Any]])?.first?["scenario"] as? String)
  #expect(scenario.contains(#""scenario": "no-way-to-goal-again""#), "\(scenario)")
  #expect(scenario.contains(#""given": { "after": "no-way-to-goal" }"#))
  try workshop.write(scenario, to: "door/no-way-to-goal-again.json")
  #expect(try workshop.flowrun("door.json", "--scenario", "no-way-to-goal-again").output.contains("in \"stuck\""))
}

@Test func whereNoGoalIsReachedBehindAScenarioThatIsSaidOfIt() throws {
  let workshop = try workshop()
  try workshop.write(
    #"{ "scenario": "stuck", "given": { "after": "strict" }, "script": [{ "event": "user.enters" }], "ends": "stuck" }"#,
    to: "door/stuck.json")
  let result = try workshop.flowrun("explore", "door.json", "--scenario", "stuck")
  #expect(result.code == 1)
  #expect(
    result.output.hasPrefix(
      "no-way-to-goal: no goal and no end is reached behind \"stuck\", whatever happens\n"), "\(result.output)")
}

@Test func onlyAScenarioThatEndsWellIsExploredFrom() throws {
  let workshop = try workshop()
  let unknown = try workshop.flowrun("explore", "door.json", "--scenario", "strikt")
  #expect(unknown.code == 66 && unknown.errors.contains("did you mean \"strict\"?"), "\(unknown)")
  try workshop.write(
    #"{ "scenario": "bad", "script": [{ "event": "user.leaves" }] }"#, to: "door/bad.json")
  let bad = try workshop.flowrun("explore", "door.json", "--scenario", "bad")
  #expect(bad.code == 1 && bad.output == "", "\(bad)")
  #expect(bad.errors.contains("nothing goes on after \"bad\", which does not succeed itself"), "\(bad)")
  #expect(bad.errors.contains("bad.json:1:"), "\(bad)")
  let json = try workshop.flowrun("explore", "door.json", "--scenario", "bad", "--json")
  #expect(json.code == 1 && json.errors == bad.errors, "\(json)")
  let failure = try object(json)
  #expect(failure["error"] as? String == "nothing goes on after \"bad\", which does not succeed itself")
  #expect(failure["help"] is NSNull)
  let diagnostic = try #require((failure["diagnostics"] as? [[String: Any]])?.first)
  #expect(diagnostic["code"] as? String == "step-not-offered" && diagnostic["line"] as? Int == 1, "\(diagnostic)")
  try workshop.write(#"{ "scenario": "astray", "script": [] }"#, to: "astray.json")
  let astray = try workshop.flowrun("explore", "door.json", "--scenario", "astray.json")
  #expect(astray.code == 64 && astray.errors.contains("a scenario of the flow's own folder only"), "\(astray)")
}

/// Whatever keeps one from beginning is said in the object, too.
@Test func whatCannotBeExploredIsOneObjectToo() throws {
  let workshop = try workshop()
  let unknown = try workshop.flowrun("explore", "door.json", "--scenario", "strikt", "--json")
  #expect(try unknown.code == 66 && object(unknown)["help"] as? String == "did you mean \"strict\"?", "\(unknown)")
  try workshop.replace(#""start": "launch""#, with: #""start": "lunch""#, in: "door.json")
  for command in ["explore", "bench"] {
    let broken = try workshop.flowrun(command, "door.json", "--json")
    let codes = try (object(broken)["diagnostics"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
    #expect(broken.code == 65 && codes?.contains("unknown-state") == true, "\(broken)")
    let plain = try workshop.flowrun(command, "door.json")
    #expect(plain.code == 65 && plain.output.isEmpty && plain.errors == broken.errors, "\(plain)")
  }
}

/// A folder has one of each name, those that lie further back too; and where it begins in a goal, a kill tells from there.
@Test func whatIsFoundIsCalledLikeNoneThatItGoesOnAfter() throws {
  let workshop = try workshop()
  for (name, after) in [("no-way-to-goal", "strict"), ("more", "no-way-to-goal")] {
    try workshop.write(
      #"{ "scenario": "\#(name)", "given": { "after": "\#(after)" }, "script": [{ "relaunch": true }] }"#,
      to: "door/\(name).json")
  }
  let found = try object(workshop.flowrun("explore", "door.json", "--scenario", "more", "--json"))
  let scenario = try #require((found["findings"] as? [[String: Any]])?.first?["scenario"] as? String)
  #expect(scenario.contains(#""scenario": "no-way-to-goal-again""#), "\(scenario)")
  try workshop.write(#"{ "scenario": "in", "script": [{ "event": "user.enters" }] }"#, to: "door/in.json")
  let behind = try object(workshop.flowrun("explore", "door.json", "--scenario", "in", "--json"))
  let lost = try #require((behind["lostByKill"] as? [[String: Any]])?.first)
  let words = #""script": ["# + "\n    { \"relaunch\": true }\n  ]"
  #expect((lost["scenario"] as? String)?.contains(words) == true, "\(lost)")
}
