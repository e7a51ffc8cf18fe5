import Foundation
import Testing

/// What a person does by hand is saved as a scenario, which others run.
@Suite struct SavedScenarioTests {
  /// What was saved, and how the run of it ended.
  private struct Saved {
    let document: String
    let told: String
    let replay: Flowrun.Result
  }

  /// Plays a flow in its folder, answering each line of the menu with the next of `answers`.
  private func play(
    _ flow: String, in workshop: Workshop, options: [String] = [], _ answers: [String], signal: Int32? = nil
  ) throws -> Saved {
    let path = "\(flow)/saved.json"
    let sitting = try Sitting(
      ["\(flow).json", "--interactive", "--save", path, "--color=never"] + options, in: workshop)
    for answer in answers {
      let isOfField = answer.hasPrefix("=")
      try sitting.answer(isOfField ? "]: " : "\n> ", answer.dropFirst(isOfField ? 1 : 0) + "\n")
    }
    if let signal {
      try sitting.wait(for: "\n> ")
      kill(sitting.processIdentifier, signal)
    } else {
      try sitting.answer("\n> ", "q\n")
    }
    _ = try sitting.end()
    return Saved(
      document: try workshop.read(path), told: sitting.seen.split(separator: "\n").last.map { String($0) } ?? "",
      replay: try workshop.flowrun("\(flow).json", "--scenario", path))
  }

  private func workshop(_ flow: String) throws -> Workshop {
    let workshop = try Workshop(of: "flows")
    #expect(workshop.exists("\(flow).json"))
    return workshop
  }

  private func check(
    _ saved: Saved, has lines: String..., ends: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let document = saved.document
    for line in lines { #expect(document.contains(line), "\(document)", sourceLocation: sourceLocation) }
    #expect(document.hasSuffix("  \"ends\": \"\(ends)\"\n}\n"), "\(document)", sourceLocation: sourceLocation)
    let isWhole = saved.told.contains("/saved.json has what was done; flowrun test --accept ")
    #expect(isWhole, "\(saved.told)", sourceLocation: sourceLocation)
    #expect(saved.replay.code == 0, "\(saved.replay)", sourceLocation: sourceLocation)
  }

  @Test func whatIsDoneAndWhatGoesWrongIsInIt() throws {
    let saved = try play(
      "teos-device", in: try workshop("teos-device"),
      ["f POST /connect/token lost", "login", "=ada", "=", "=", "n", "n 10m", "o", "o", "k 2h"])
    check(
      saved, has: #"{ "submit": "login" }"#, #"{ "advance": "10m30s" }"#, #"{ "offline": true },"#,
      #"{ "online": true },"#, #"{ "relaunch": { "after": "2h" } }"#,
      #"{ "request": "POST /connect/token", "lost": true }"#, ends: "signingIn")
  }

  @Test func whatWasToGoWrongAndHasNotIsNotInIt() throws {
    let saved = try play(
      "teos-device", in: try workshop("teos-device"),
      ["f POST /connect/token lost", "f withdraw", "login", "=", "=", "=", "f POST /connect/token lost"])
    check(saved, has: #"{ "submit": "login" }"#, ends: "ready")
    #expect(!saved.document.contains("faults"), "\(saved.document)")
  }

  @Test func whatTheDeviceDoesIsInIt() throws {
    let workshop = try workshop("teos-device")
    let begin = ["login", "=", "=", "=", "1", "=Gold"]
    check(
      try play("teos-device", in: workshop, begin + ["it fails: cancelled"]),
      has: #"{ "perform": "signTransaction", "fails": "cancelled" }"#, ends: "ready")
    try workshop.remove("teos-device/saved.json")
    // It takes as long as the person lets it.
    check(
      try play("teos-device", in: workshop, begin + ["n 20s", "1", "=mine"]), has: #"{ "advance": "20s" }"#,
      #"{ "perform": "signTransaction", "result": { "transaction": "mine" }, "delay": "20s" }"#, ends: "assetNotCreated"
    )
    try workshop.remove("teos-device/saved.json")
    // The app is killed while the device is at it.
    check(
      try play("teos-device", in: workshop, begin + ["k 1m"]),
      has: #"{ "perform": "signTransaction", "delay": "1h" }"#, ends: "ready")
  }

  @Test func mailIsInItAndThePlayedRunIsTheScenariosOwn() throws {
    let workshop = try Workshop(of: "Tests/Guide")
    try FileManager.default.createDirectory(
      at: workshop.folder.appendingPathComponent("mail-link"), withIntermediateDirectories: true)
    let saved = try play(
      "mail-link", in: workshop, options: ["--trace", "played.jsonl"],
      ["user.entersEmail", "=${x}@mail.example", "k", "l", "user.entersEmail", "=", "2"])
    check(
      saved, has: #"{ "event": "user.entersEmail", "with": { "email": "$${x}@mail.example" } }"#,
      #"{ "open mail": "your link", "nth": 1 }"#, ends: "signedIn")
    // Line by line the same, but for the words that announce a choice, and the end.
    func facts(_ trace: String) -> [Substring] {
      trace.split(separator: "\n").dropFirst().filter {
        !$0.contains(#""kind":"choice""#) && !$0.contains(#""kind":"ended""#)
      }
    }
    let replayed = try workshop.flowrun("mail-link.json", "--scenario", "mail-link/saved.json", "--json").output
    #expect(facts(try workshop.read("played.jsonl")) == facts(replayed))
  }

  @Test func whoPlaysGoesOnAfterAScenario() throws {
    let workshop = try workshop("teos-device")
    let saved = try play(
      "teos-device", in: workshop, options: ["--scenario", "default"],
      ["f POST /api/Device/RefreshDeviceToken lost", "k 2h", "n"])
    check(
      saved, has: #""given": { "after": "default" }"#, #"{ "relaunch": { "after": "2h" } },"#,
      #"{ "request": "POST /api/Device/RefreshDeviceToken", "lost": true }"#, ends: "tryLater")
    #expect(saved.replay.output.contains("goes on where \"default\" ended"))
    try workshop.remove("teos-device/saved.json")
    // One that lets time pass: the clock goes on from there.
    let later = try play(
      "teos-device", in: workshop, options: ["--scenario", "teos-device/refresh-lost.json"],
      ["user.createsAsset", "=", "it does so", "="])
    check(later, has: #""given": { "after": "refresh-lost" }"#, #"{ "event": "user.createsAsset" }"#, ends: "ready")
  }

  @Test(arguments: [
    (["--scenario", "nothing"], 66, "has no scenario \"nothing\""),
    (["--scenario", "broken"], 1, "nothing goes on after \"broken\", which does not succeed itself"),
    (["--scenario", "default", "--store", "s"], 64, "--store does not go with --interactive and --scenario"),
    (["--scenario", "default", "--config-file", "c.json"], 64, "--config-file does not go with --interactive"),
    (["--scenario", "default", "--live", "authserver"], 64, "--live does not go with --interactive and --scenario"),
    (["--scenario", "other/away.json", "--save", "new.json"], 64, "--save goes on after a scenario of the flow's own"),
    (
      ["--scenario", "refresh-lost", "--save", "other/default.json"], 64,
      "\"default\" cannot go on after \"refresh-lost\""
    ),
  ]) func whereThePlayerCannotGoOnIsTold(options: [String], code: Int32, words: String) throws {
    let workshop = try workshop("teos-device")
    try workshop.write(
      #"{"scenario": "broken", "script": [{"event": "user.createsAsset"}]}"#, to: "teos-device/broken.json")
    try workshop.write(#"{"scenario": "away", "script": [{"submit": "login"}]}"#, to: "other/away.json")
    try workshop.write("{}", to: "c.json")
    let sitting = try Sitting(["teos-device.json", "--interactive", "--color=never"] + options, in: workshop)
    #expect(try sitting.end() == code)
    #expect(sitting.seen.contains(words), "\(sitting.seen)")
  }

  @Test func whatIsTypedAsASecretIsNotInIt() throws {
    let saved = try play(
      "teos-device", in: try workshop("teos-device"),
      [
        "login", "=", "=hunter22", "=", "login", "=bob", "=hunter22", "=",
        "a com.example.wallet:/signed-in?code=c4n4ry",
      ])
    #expect(!saved.document.contains("hunter22") && !saved.document.contains("c4n4ry"), "\(saved.document)")
    check(
      saved, has: #"{ "submit": "login", "with": { "password": "password-1" } }"#,
      #"{ "submit": "login", "with": { "username": "bob", "password": "password-1" } }"#, "?code=code-2",
      ends: "signInOffered")
  }

  /// Who types it into the wrong field first has typed a secret all the same.
  @Test func aSecretIsNotInItWhereItStandsInAnotherText() throws {
    let saved = try play(
      "teos-device", in: try workshop("teos-device"),
      ["login", "=it is battery-staple-4711", "=battery-staple-4711", "="])
    #expect(!saved.document.contains("staple"), "\(saved.document)")
    #expect(
      saved.document.contains(#""with": { "username": "it is password-1", "password": "password-1" }"#),
      "\(saved.document)")
  }

  @Test func whatIsForNobodyElsesEyesIsNotSaved() throws {
    let workshop = try workshop("oidc-native")
    try workshop.write(#"{"clientSecret": "canary"}"#, to: "c.json")
    let secret = try workshop.flowrun.shell(
      "chmod 600 c.json && \"$FLOWRUN\" oidc-native.json --interactive --save new.json --config-file c.json")
    #expect(secret.code == 64 && secret.errors.contains("--save does not go with the config \"clientSecret\""))
    #expect(!secret.errors.contains("canary") && !workshop.exists("new.json"))
  }

  @Test func aScenarioOfOneFlowIsNotSavedBesideThoseOfAnother() throws {
    let workshop = try workshop("teos-device")
    try workshop.write("{}", to: "other.json")
    try workshop.write("{}", to: "other/default.json")
    let result = try workshop.flowrun("teos-device.json", "--interactive", "--save", "other/new.json")
    #expect(result.code == 64 && result.errors.contains("other/new.json would be a scenario of other.json"))
    #expect(result.errors.contains("save to the folder of teos-device.json") && !workshop.exists("other/new.json"))
  }

  @Test func whatAScenarioCannotSayIsTold() throws {
    // The stand-in is not what the server knows of him.
    let saved = try play(
      "teos-device", in: try workshop("teos-device"), ["login", "=bob", "=battery staple", "="])
    #expect(!saved.document.contains("staple"))
    let words = #"another way: here Auth server decides "signed in", there Auth server decides "wrong password"; "#
    #expect(saved.told.contains(words), "\(saved.told)")
  }

  @Test func anInterruptedRunIsSavedToo() throws {
    let saved = try play("teos-device", in: try workshop("teos-device"), ["login", "=", "=", "="], signal: SIGINT)
    check(saved, has: #"{ "submit": "login" }"#, ends: "ready")
    #expect(!saved.document.contains("kill"))
  }

  @Test func aRunThatFailsIsSavedToo() throws {
    let workshop = try Workshop()
    try workshop.write(
      #"""
      { "flow": "failing", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "config": {"answer": {"type": "json", "value": {}}}, "store": {"n": {"type": "int"}},
        "events": {"user.goes": {}}, "start": "a", "states": {
          "a": {"on": {"user.goes": {"do": [{"set": {"n": "${config.answer.n}"}}], "goto": "b"}}},
          "b": {"goal": true, "do": [{"show": {"n": {"n": "${store.n}"}}}]}} }
      """#, to: "failing.json")
    try FileManager.default.createDirectory(
      at: workshop.folder.appendingPathComponent("failing"), withIntermediateDirectories: true)
    let sitting = try Sitting(
      ["failing.json", "--interactive", "--save", "failing/saved.json", "--color=never"], in: workshop)
    try sitting.answer("\n> ", "1\n")
    #expect(try sitting.end() == 1)
    #expect(
      sitting.seen.contains("failing/saved.json has what was done, and fails as this run did; "), "\(sitting.seen)")
    let replay = try workshop.flowrun("failing.json", "--scenario", "saved")
    #expect(replay.code == 1 && replay.errors.contains("error[no-such-key]"), "\(replay)")
  }

  @Test(arguments: [
    (["--save", "new.json"], "--save is for --interactive"),
    (["--interactive", "--save", "new.json", "--live", "authserver"], "--save does not go with --live"),
    (["--interactive", "--save", "new.json", "--store", "s"], "--save does not go with --store"),
    (["--interactive", "--save", "new.jsn"], "--save takes the name of a file that ends in .json"),
    (["--interactive", "--save", "teos-device.json"], "teos-device.json is there already"),
    (["--interactive", "--save", "new.json", "--trace", "new.json"], "--trace and --save name the same file"),
  ]) func whatItDoesNotGoWithIsTold(options: [String], words: String) throws {
    let workshop = try workshop("teos-device")
    let result = try workshop.flowrun.run(["teos-device.json"] + options)
    #expect(result.code == 64 && result.errors.contains(words), "\(result)")
    #expect(!workshop.exists("new.json"))
  }

  @Test func aFolderThatIsNotThereIsToldBeforeTheRun() throws {
    let result = try workshop("teos-device").flowrun(
      "teos-device.json", "--interactive", "--save", "nowhere/new.json")
    #expect(result.code == 66 && result.errors.contains("nowhere/new.json cannot be written"), "\(result)")
  }
}
