import Foundation
import Testing

/// Runs the small sign-in in its simulated world, led by answers; what it tells has these parts in this order.
private func check(
  _ arguments: String, code: Int32 = 0, files: [String: String] = [:], tells parts: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let workshop = try Workshop(of: "Tests/SignIn")
  for (name, text) in files { try workshop.write(text, to: name) }
  let result = try workshop.flowrun.shell("\"$FLOWRUN\" sign-in.json \(arguments)")
  #expect(result.code == code, "\(result)", sourceLocation: sourceLocation)
  let told = result.output + result.errors
  var rest = told[...]
  for part in parts {
    let found = rest.range(of: part)
    #expect(found != nil, "\(part) is not told in\n\(told)", sourceLocation: sourceLocation)
    if let found { rest = rest[found.upperBound...] }
  }
}

@Suite(.timeLimit(.minutes(20))) struct AnswerTests {
  @Test func anAnswerLeadsASimulatedRun() throws {
    try check(
      "--answer user.signsIn --answer user.asks", tells: "signs in in the browser", "submits \"login\" (user: ada)",
      "asks who it is", "shows \"hello\" (name: Ada)", "Stopped at +0s in \"in\" (Signed in): that is the goal.")
  }

  @Test func fieldsThatAreNotGivenHaveTheirExamples() throws {
    try check("--answer user.givesPassword", tells: "(name: ada, password: <password#1>)", "200", "the goal")
    try check(
      "--answer 'user.givesPassword={\"password\": \"wrong\"}'", tells: "(name: ada, password: <password#1>)", "401",
      "the person can go on: --answer user.signsIn, or --answer 'user.givesPassword={\"name\": …, \"password\": …}'")
  }

  @Test func timePassesOnlyInTheAnswers() throws {
    // An hour in the goal, and nobody waits for it.
    try check(
      "--answer user.givesPassword --answer '{\"advance\": \"2h\"}'", tells: "the goal", "+1h", "is in: Signed out",
      "+2h", "Stopped at +2h in \"out\"")
    try check("--answer user.givesPassword", tells: "Stopped at +0s in \"in\"")
  }

  @Test func aFileHasTheStepsOfAScript() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    try workshop.write(
      """
      [
        { "event": "user.signsIn" }, { "submit": "login", "with": { "user": "grace" } },
        { "kill": true }, { "launch": true }, { "relaunch": { "after": "1h" } }, { "offline": true },
        { "event": "user.givesPassword" }, { "online": true }, { "event": "user.signsIn" }, { "close": "browser" },
        { "event": "user.signsIn" }, { "arrive": "http://127.0.0.1/back?code=forged&state=mine" }
      ]
      """, to: "steps.json")
    let line = "chmod 600 steps.json; \"$FLOWRUN\" sign-in.json --answers steps.json --json"
    let result = try workshop.flowrun.shell(line)
    #expect(result.code == 0, "\(result)")
    for part in [
      #""with":{"user":"grace"}"#, #""at":3600000"#, #""failure":"unreachable""#, "browser.closed", "mine",
    ] {
      #expect(result.output.contains(part), "\(part) is not told in \(result.output)")
    }
  }

  /// The README has passwords stand in such a file.
  @Test func aFileWithASecretIsForItsOwnerAlone() throws {
    let workshop = try Workshop()
    for (declared, code) in [(#", "secret": true"#, Int32(66)), ("", 0)] {
      try workshop.write(
        """
        {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "a",
          "store": {"kept": {"type": "string"\(declared)}},
          "events": {"user.signs": {"fields": {"pin": {"type": "string"\(declared)}}}},
          "states": {"g": {"next": [{"when": "store.kept == null", "goto": "a"}, {"end": "g"}]}, "a": {"rest": true, "on": {
            "user.signs": {"do": [{"set": {"kept": "${event.pin}"}}], "goto": "g"}}}}}
        """, to: "f.json")
      try workshop.write(#"[{"event": "user.signs", "with": {"pin": "c4nary-0123456789"}}]"#, to: "steps.json")
      let told = try workshop.flowrun.shell("chmod 644 steps.json; \"$FLOWRUN\" f.json --answers steps.json")
      #expect(told.code == code && told.errors.contains("chmod 600 steps.json") == (code == 66), "\(told)")
      let own = try workshop.flowrun.shell("chmod 600 steps.json; \"$FLOWRUN\" f.json --answers steps.json")
      #expect(own.code == 0, "\(own)")
    }
  }

  @Test(arguments: [("", 2), (#", "nth": 1"#, 1), (#", "nth": 2, "link": "sign in""#, 2)])
  func anOlderMailIsOpenedByItsNumber(more: String, number: Int) throws {
    let workshop = try Workshop(of: "Tests/Guide")
    let send = #"{"event": "user.entersEmail"}, {"relaunch": true}, {"event": "user.entersEmail"}"#
    try workshop.write(#"[\#(send), {"open mail": "your link"\#(more)}]"#, to: "steps.json")
    let result = try workshop.flowrun("mail-link.json", "--answers", "steps.json")
    #expect(result.code == 0 && result.output.contains("(token: <token#\(number)>)"), "\(result)")
    try workshop.write(#"[\#(send), {"open mail": "your link", "nth": 3}]"#, to: "steps.json")
    let refused = try workshop.flowrun("mail-link.json", "--answers", "steps.json")
    #expect(refused.code == 1 && refused.errors.contains(#"open mail your link ("nth" 1 to 2)"#), "\(refused)")
  }

  @Test func aLinkThatTheMailHasNotIsToldOf() throws {
    let workshop = try Workshop(of: "Tests/Guide")
    try workshop.replace(
      #"{ "name": "busy", "#,
      with: #"""
        { "name": "bare", "when": "size(store.links) > 0", "do": [{ "send": { "your link": {} } }],
          "reply": { "status": 202 } },
        { "name": "busy", 
        """#, in: "services/mail-link-server.json")
    let send = #"{"event": "user.entersEmail"}, {"relaunch": true}, {"event": "user.entersEmail"}"#
    try workshop.write(#"[\#(send), {"open mail": "your link", "link": "sign in"}]"#, to: "steps.json")
    let refused = try workshop.flowrun("mail-link.json", "--answers", "steps.json")
    let words = #"The mail "your link" that is there has no link "sign in""#
    #expect(refused.code == 1 && refused.errors.contains(words), "\(refused)")
    #expect(refused.errors.contains("it has none: leave \"link\" out"), "\(refused)")
  }

  @Test(arguments: [
    (#""reply": "busy""#, "is answered \"busy\""), (#""lost": true"#, "is received, and its answer is lost"),
    (#""unreachable": true"#, "cannot be sent"),
    (#""answer": {"status": 500}"#, "is answered 500 in place of the model"),
    (#""lost": true, "answer": {"status": 504}"#, "is received, and answered 504 on the way"),
    (#""delay": "20s", "reply": "busy""#, "is answered \"busy\", after 20s"),
  ]) func somethingGoesWrongFromAnAnswerOn(effect: String, words: String) throws {
    let workshop = try Workshop(of: "Tests/Guide")
    let ask = #"{"event": "user.entersEmail"}"#
    try workshop.write(
      #"[\#(ask), {"fault": {"request": "POST /links", \#(effect)}}, {"relaunch": true}, \#(ask)]"#, to: "steps.json")
    let result = try workshop.flowrun("mail-link.json", "--answers", "steps.json")
    #expect(result.code == 0, "\(result)")
    let parts = result.output.components(separatedBy: "fault: POST /links \(words)\n")
    #expect(parts.count == 2 && parts[0].contains("202 link mailed") && parts[1].contains("no link now"), "\(result)")
  }

  @Test func aFaultInAnAnswerThatNeverStrikesIsAnErrorAtItsPlace() throws {
    let fault = #"--answer '{"fault": {"request": "POST /login", "lost": true}}'"#
    try check(fault, code: 1, tells: "error[fault-never-struck]", "--answer, number 1:1:12", "what was to go wrong")
    try check(
      "\(fault) \(fault) --answer user.givesPassword", code: 1, tells: "by an error", "error[two-faults]",
      "--answer, number 1:1:12", "--answer, number 2:1:12")
    try check(
      #"--answer '{"fault": {"request": "POST /logn", "lost": true}}'"#, code: 64, tells: "error[unknown-route]",
      "did you mean \"POST /login\"?")
    try check(
      "--live id=https://localhost:1 \(fault)", code: 64, tells: "error[wrong-step]", "--answer, number 1:1:2",
      "a fault cannot strike \"id\", which is live")
  }

  @Test func aTraceIsWrittenAsItGoes() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    let result = try workshop.flowrun("sign-in.json", "--answer", "user.signsIn", "--json", "--trace", "t.jsonl")
    #expect(
      result.code == 0 && result.output.hasSuffix(#""kind":"ended","who":"app","how":"goal","state":"in"}"# + "\n"))
    #expect(try workshop.read("t.jsonl") == result.output)
    let failed = try workshop.flowrun("sign-in.json", "--answer", "user.asks", "--trace", "t.jsonl")
    #expect(failed.code == 1)
    #expect(try workshop.read("t.jsonl").split(separator: "\n").last?.contains(#""how":"rest""#) == true)
  }

  @Test func configIsGivenInEveryRun() throws {
    try check("--json", tells: "lang=en")
    try check("--json --config language=de", tells: "lang=de")
    try check("--json --config language=de --answer user.signsIn", tells: "lang=de")
  }
}

@Suite(.timeLimit(.minutes(20))) struct AnswerRefusalTests {
  @Test func anAnswerThatNothingBringsIsAnErrorAtItsPlace() throws {
    try check(
      "--answer user.givesPassword --answer user.signsIn", code: 1, tells: "the goal", "error[step-not-offered]",
      "--answer, number 2:1", "offered now: event user.asks")
  }

  /// What the time brings is no offer, and nobody would think of it.
  @Test func aTimerThatIsSetIsToldWithIt() throws {
    let workshop = try Workshop()
    try workshop.write(
      #"""
      {"flow": "waits", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "events": {"user.goes": {}},
        "start": "first", "states": {"first": {"rest": true, "after": [{"wait": "1m", "goto": "second"}]},
          "second": {"goal": true, "on": {"user.goes": {"goto": "second"}}}}}
      """#, to: "waits.json")
    let result = try workshop.flowrun("waits.json", "--answer", "user.goes")
    #expect(result.code == 1)
    let help = #"the timer "first: goes to second" is still set: {"advance": "1m"} lets it go off, at +1m"#
    #expect(result.errors.contains("error[step-not-offered]") && result.errors.contains(help), "\(result.errors)")
    try workshop.write(#"[{"advance": "1m"}, {"event": "user.goes"}]"#, to: "answers.json")
    #expect(try workshop.flowrun("waits.json", "--answers", "answers.json").code == 0)
  }

  @Test func mistakesInAnswersAreShownWithTheirPlaces() throws {
    try check(
      "--answer user.signIn", code: 64, tells: "error[unknown-event]", "--answer, number 1:1",
      "did you mean \"user.signsIn\"?")
    try check("--answer 'user.givesPassword={\"nam\": 1}'", code: 64, tells: "did you mean \"name\"?")
    try check("--answer 'user.givesPassword={\"name\": 1}'", code: 64, tells: "error[type-mismatch]")
    try check("--answer 'user.givesPassword={'", code: 64, tells: "--answer, number 1, is no JSON")
    try check(
      "--answer 'user.signsIn{}'", code: 64, tells: "number 1, has no \"=\" before its fields", "write EVENT={…}")
    try check(
      "--answer 'user.asks={}}, {\"kill\": true'", code: 64, tells: "--answer, number 1, says more than one thing")
    try check("--answers sign-in.json", code: 65, tells: "the script takes a list, not an object")
    try check(
      "--answers steps.json", code: 65, files: ["steps.json": #"[{"event": "user.signIn"}]"#],
      tells: "error[unknown-event]", "steps.json:1:12")
    try check(
      "--answers scenario.json", code: 64, files: ["scenario.json": #"{"scenario": "scenario", "script": []}"#],
      tells: "scenario.json is a scenario, and --answers takes the list of steps alone",
      "flowrun sign-in.json --scenario scenario.json runs it")
    try check("--answers none.json", code: 66, tells: "there is no file none.json")
    try check("--answer '{\"kill\": {\"keeping\": 1}}'", code: 64, tells: "write {\"kill\": true}")
    try check("--answer '{\"launch\": true}'", code: 1, tells: "error[already-running]")
    try check("--answer '{\"arrive\": \"https://x.example\"}'", code: 1, tells: "error[foreign-address]")
  }

  @Test func noMistakeBesideASecretTellsIt() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    for fields in [
      #"{"nam": "x", "password": "canary"}"#, #"{"password": "canary", "name": 1}"#, #"{"password": "canary""#,
      #"{"password": ["canary"]}"#,
    ] {
      let result = try workshop.flowrun("sign-in.json", "--answer", "user.givesPassword=\(fields)")
      #expect(result.code == 64 && !result.errors.contains("canary"), "\(result.errors)")
      try workshop.write(#"[{"event": "user.givesPassword", "with": \#(fields)}]"#, to: "steps.json")
      let file = try workshop.flowrun("sign-in.json", "--answers", "steps.json")
      #expect(file.code == 65 && !file.errors.contains("canary"), "\(file.errors)")
    }
  }

  @Test(arguments: [
    #"{"online": true}"#, #"{"offline": true}, {"offline": true}, {"online": true}"#,
    #"{"kill": true}, {"online": true}, {"launch": true}"#,
  ]) func aNetworkThatIsAsItIsIsNothing(steps: String) throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    try workshop.write(#"[\#(steps), {"event": "user.givesPassword", "with": {"name": "ada"}}]"#, to: "steps.json")
    let result = try workshop.flowrun("sign-in.json", "--answers", "steps.json")
    #expect(result.code == 0 && result.output.contains("POST /login"), "\(result)")
  }

  @Test func answersComeThroughAPipe() throws {
    let result = try Workshop(of: "Tests/SignIn").flowrun.shell(
      #"echo '[{"event": "user.givesPassword", "with": {"name": "ada"}}]' | "$FLOWRUN" sign-in.json --answers /dev/stdin"#
    )
    #expect(result.code == 0 && result.output.contains("POST /login"), "\(result)")
  }

  @Test func optionsThatMeanNothingHereAreRefused() throws {
    for option in ["--ca x", "--max-body 1", "--connect-timeout 1s", "--browser x", "--browser-wait 1s"] {
      try check(option, code: 64, tells: "there is none", "make one live with --live NAME")
      try check("\(option) --answer user.signsIn", code: 64, tells: "make one live with --live NAME")
    }
    try check("--answer user.signsIn --scenario x", code: 64, tells: "--scenario is for simulated runs without answers")
    try check("--answer user.signsIn --answers x", code: 64, tells: "--answer and --answers are given both")
    try check("--answer user.signsIn --show-secrets", code: 64, tells: "--show-secrets is for ")
  }

  @Test func anAddressThatIsMadeOfTheConfigIsLookedAtFirst() throws {
    for issuer in ["localhost:4593", "id.example", "ftp://id.example", "", "https://hé.example", "http://[::1"] {
      let result = try Workshop(of: "flows").flowrun(
        "oidc-native.json", "--live", "provider", "--config", "issuer=\(issuer)")
      #expect(result.code == 64 && result.output.isEmpty, "\(issuer): \(result)")
      #expect(
        result.errors.contains("the address of service \"provider\" is no http or https address with a host"),
        "\(result)")
      #expect(result.errors.contains("write the host in ASCII, as xn--…"), "\(result)")
    }
  }

  @Test func whatLiveServicesAreGivenIsLookedAtFirst() throws {
    try check("--live idd", code: 64, tells: "the flow has no service \"idd\"", "did you mean \"id\"?")
    for given in ["https://me:canary@x.example", "id:https://x.example", "me:canary@x"] {
      try check("--live \(given)", code: 64, tells: "--live takes NAME or NAME=URL", "the services are")
    }
    try check("--live id --live id=https://x.example", code: 64, tells: "--live names \"id\" twice")
    for url in [
      "ftp://x", "x", "https://u@x.example", "https://x.example?a=b", "https://x.example#a", "https://", "https://:1",
      "https://a:99999", "https://a:b", "https://a:-0", "https:///a", "https://a b", "https://a.example/b c",
    ] {
      try check(
        "--live 'id=\(url)'", code: 64, tells: "the address of service \"id\" is no http or https address")
    }
    try check("--live id=http://id.example", code: 64, tells: "secrets are sent to service \"id\"")
    try check("--live id --ca none.pem", code: 66, tells: "there is no file none.pem")
    try check("--live id --ca /dev/zero", code: 66, tells: "/dev/zero is a device or a pipe, not a file")
    try check("--live id --ca .", code: 66, tells: ". is a folder, not a file")
    try check("--live id --ca sign-in.json", code: 66, tells: "sign-in.json is no PEM file of certificate authorities")
    for size in ["0", "-1", "+5", "+5KiB", "x", "1MB", "2GiB", "9999999999GiB"] {
      try check("--live id --max-body \(size)", code: 64, tells: "--max-body takes a number of bytes")
    }
    for time in ["0s", "10", "+5s", "soon"] {
      try check("--live id --connect-timeout \(time)", code: 64, tells: "--connect-timeout takes a duration")
    }
  }

  @Test func configIsHeldAgainstTheFlow() throws {
    try check(
      "--config languge=de", code: 64, tells: "the flow has no config \"languge\"", "did you mean \"language\"?")
    try check("--config language=fr", code: 64, tells: "does not fit what the flow declares", "one of en, de")
    try check("--config language", code: 64, tells: "--config takes NAME=VALUE")
    try check("--config language=de --config language=en", code: 64, tells: "--config gives \"language\" twice")
  }
}
