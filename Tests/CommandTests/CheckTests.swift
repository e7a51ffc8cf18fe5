import Testing

private func checkFindings(
  _ workshop: Workshop, _ arguments: String = ".", code: Int32, _ words: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try workshop.flowrun.shell("\"$FLOWRUN\" check \(arguments)")
  #expect(result.code == code && result.errors == "", sourceLocation: sourceLocation)
  for words in words { #expect(result.output.contains(words), "\(result.output)", sourceLocation: sourceLocation) }
}

@Test func aCheckWithoutProblemsSaysWhatItLookedAt() throws {
  try checkFindings(try Workshop(), code: 0, "no problems in 1 flow, 1 service, 1 scenario\n")
  try checkFindings(try Workshop(), "--json .", code: 0, "[]\n")
}

@Test func aStrictCheckLetsNoWarningPass() throws {
  let workshop = try Workshop()
  try checkFindings(workshop, "--strict .", code: 0, "no problems")
  try workshop.replace("\"start\":", with: "\"let\": {\"unused\": \"true\"}, \"start\":", in: "hello.json")
  try checkFindings(workshop, code: 0, "warning[unused-let]", "1 warning in 1 flow")
  try checkFindings(workshop, "--strict .", code: 65, "warning[unused-let]", "1 warning in 1 flow")
  #expect(try workshop.flowrun("check", ".", "--strict", "--json").code == 65)
}

@Test func aRemarkPassesAStrictCheck() throws {
  let workshop = try Workshop()
  try workshop.replace(
    "\"start\":", with: "\"despite\": {\"unused-let\": \"soon\"}, \"let\": {\"unused\": \"true\"}, \"start\":",
    in: "hello.json")
  try checkFindings(workshop, "--strict .", code: 0, "remark[unused-let]", "1 remark in 1 flow")
}

@Test func aBrokenFlowIsOneErrorAndNotOneForEachScenario() throws {
  let workshop = try Workshop()
  try workshop.replace("\"title\":", with: "\"title\"", in: "hello.json")
  try checkFindings(workshop, code: 65, "hello.json:3:", "1 error in ")
  let tested = try workshop.flowrun("test", ".")
  #expect(tested.code == 65 && tested.output.hasPrefix("invalid   hello.json\n"))
  #expect(tested.output.hasSuffix("0 passed, 1 failed\n"))
}

@Test func ofABrokenFlowsScenariosTheShapeIsTold() throws {
  let workshop = try Workshop()
  try workshop.replace("\"goto\": \"asking\"", with: "\"goto\": \"askin\"", in: "hello.json")
  try workshop.write("{\"scenario\": \"a\", \"scrpt\": [], \"ends\": \"nowhere\"}", to: "hello/a.json")
  try workshop.write("{\"scenario\": \"b\" \"script\": []}", to: "hello/b.json")
  try workshop.write(
    "{\"scenario\": \"c\", \"faults\": [{\"request\": \"GET /\", \"answer\": {\"status\": 199}}],"
      + " \"script\": [{\"kill\": {\"keeping\": -1}}]}", to: "hello/c.json")
  try checkFindings(
    workshop, code: 65, "error[unknown-state]", "hello/a.json:1:19", "error[missing-comma]",
    "\"status\" is from 200 to 599", "\"keeping\" is 0 or more", "5 errors in 1 flow")
}

@Test func theServicesOfABrokenFlowAreCounted() throws {
  let workshop = try Workshop()
  try workshop.replace("\"title\":", with: "\"titel\":", in: "hello.json")
  try checkFindings(workshop, "hello.json", code: 65, "1 error in 1 flow, 1 service, ")
}

@Test func aMistypedKindGetsTheNearestName() throws {
  let workshop = try Workshop()
  try workshop.write("{\"flwo\": \"x\"}", to: "x.json")
  try checkFindings(workshop, "x.json", code: 65, "x.json:1:2", "did you mean \"flow\"?")
}

@Test func aCheckFindsWhatIsWrongInEveryKindOfDocument() throws {
  let workshop = try Workshop()
  try workshop.write("{\"scenario\": \"bad\", \"ends\": \"nowhere\"}", to: "hello/bad.json")
  try workshop.write("{\"service\": \"x\", \"routs\": []}", to: "services/x.json")
  try workshop.write("{\"scenario\": \"lost\"}", to: "elsewhere/lost.json")
  try workshop.write("{\"what\": 1}", to: "what.json")
  try workshop.write("{", to: "broken.json")
  try checkFindings(
    workshop, code: 65, "hello/bad.json:1:", "services/x.json:1:", "elsewhere/lost.json:1:1", "what.json:1:1",
    "broken.json:1:", "errors")
  try checkFindings(workshop, "--json .", code: 65, "\"file\": \"hello/bad.json\"", "\"line\": 1", "\"code\": ")
}

@Test func aModelThatIsNotThereGetsTheNearestFile() throws {
  let workshop = try Workshop()
  try workshop.replace("services/greeter.json", with: "services/greter.json", in: "hello.json")
  try checkFindings(workshop, code: 65, "error[missing-document]", "did you mean services/greeter.json?")
  try workshop.replace("services/greter.json", with: "greeter.json", in: "hello.json")
  try checkFindings(workshop, code: 65, "error[missing-document]", "did you mean services/greeter.json?")
  try workshop.replace("greeter.json", with: "service/greeter.json", in: "hello.json")
  try checkFindings(workshop, code: 65, "error[missing-document]", "did you mean services/greeter.json?")
  try workshop.replace("service/greeter.json", with: "services/nothing.json", in: "hello.json")
  let told = try workshop.flowrun.shell("\"$FLOWRUN\" check hello.json").output
  #expect(told.contains("error[missing-document]") && !told.contains("did you mean"), "\(told)")
}

@Test func aFolderWithoutDocumentsIsNothingToCheck() throws {
  let workshop = try Workshop()
  for command in ["check", "test"] {
    let result = try workshop.flowrun.shell("mkdir -p empty && \"$FLOWRUN\" \(command) empty")
    #expect(result.code == 66 && result.output == "", "\(result)")
    #expect(result.errors.contains("there is no flow, service or scenario in empty"), "\(result.errors)")
  }
}

@Test func whatCannotBeReadIsToldBesideWhatIsWrong() throws {
  let workshop = try Workshop()
  try workshop.write("{\"flow\": \"bad\"}", to: "bad.json")
  for (operands, options) in [(".", ""), ("a.json b.json bad.json hello.json", "--json")] {
    let result = try workshop.flowrun.shell(
      """
      ln -sf nowhere a.json; ln -sf nowhere b.json; ln -sf nowhere hello/gone.json; mkdir -p sub
      ln -sfn nowhere services/greeter.json; "$FLOWRUN" check \(operands) \(options)
      """)
    #expect(result.code == 66, "\(result)")
    for path in ["a.json", "b.json", "services/greeter.json"] {
      #expect(
        result.errors.split(separator: "\n").count { $0 == "flowrun: \(path) is a link that leads nowhere" } == 1,
        "\(result.errors)")
    }
    #expect(result.output.contains("missing-member") && !result.output.contains("missing-document"))
    #expect(options.isEmpty == result.output.contains(", 3 unreadable in 2 flows"), "\(result.output)")
  }
}

@Test(arguments: [
  ("hello", "hello/sub/back"), (".", "hello/sub/back"), ("hello/sub", "hello/sub/back"),
  ("other", "hello/sub/back/on"),
]) func aLinkThatLeadsBackIsNamed(target: String, named: String) throws {
  let workshop = try Workshop()
  _ = try workshop.flowrun.shell(
    "mkdir -p hello/sub other && ln -s \"$PWD/\(target)\" hello/sub/back && ln -s ../hello other/on")
  for command in ["check", "test"] {
    let result = try workshop.flowrun.shell("\"$FLOWRUN\" \(command) hello")
    #expect(result.code == 66 && result.output == "", "\(result)")
    #expect(result.errors.contains("flowrun: \(named) leads back to a folder that it lies in\n"), "\(result.errors)")
  }
}

@Test func aFolderThatLiesTooDeepIsNamed() throws {
  let workshop = try Workshop()
  let deep = (1...16).map { "\($0)" }.joined(separator: "/")
  let result = try workshop.flowrun.shell("mkdir -p \(deep) && \"$FLOWRUN\" check .")
  #expect(result.code == 66 && result.errors.contains("\(deep) lies too deep"), "\(result)")
}

/// A key of a service that only a scenario can fill, and that the flow's answer is made of.
@Test func aKeyThatOnlyScenariosGiveIsSetByThem() throws {
  let workshop = try Workshop()
  try workshop.replace(
    "\"routes\"", with: "\"store\": {\"word\": {\"type\": \"string\"}}, \"routes\"", in: "services/greeter.json")
  try workshop.replace("Hello ${", with: "Hello ${string(present(store.word))} ${", in: "services/greeter.json")
  try checkFindings(workshop, code: 0, "warning[unset-key]: nothing sets \"word\"", "1 warning in ")
  let given = "{\"scenario\": \"given\", \"given\": {\"services\": {\"greeter\": {\"word\": \"Hi\"}}}}"
  try workshop.write(given, to: "hello/given.json")
  try checkFindings(workshop, code: 0, "no problems in 1 flow, 1 service, 2 scenarios\n")
}

/// A workshop with a scenario that starts where another ends.
private func workshop(with scenario: String, named name: String = "later") throws -> Workshop {
  let workshop = try Workshop()
  try workshop.write(scenario, to: "hello/\(name).json")
  return workshop
}

@Test func aScenarioIsCheckedAloneWhereverItStarts() throws {
  let later = try workshop(with: "{\"scenario\": \"later\", \"given\": {\"after\": \"offline-first\"}}")
  try checkFindings(later, "hello/later.json", code: 0, "no problems in 1 flow, 1 service, 1 scenario\n")
  let lost = try workshop(with: "{\"scenario\": \"later\", \"given\": {\"after\": \"offline-frist\"}}")
  try checkFindings(lost, "hello/later.json", code: 65, "hello/later.json:1:", "did you mean \"offline-first\"?")
  try checkFindings(lost, "hello/offline-first.json", code: 0, "no problems in 1 flow, 1 service, 1 scenario\n")
}

@Test func aScenarioIsCheckedAndTestedFromItsFolder() throws {
  let workshop = try workshop(with: "{\"scenario\": \"later\", \"given\": {\"after\": \"offline-first\"}}")
  for command in ["check", "test --accept"] {
    let result = try workshop.flowrun.shell("cd hello && \"$FLOWRUN\" \(command) later.json")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
  }
  #expect(workshop.exists("hello/later.trace.jsonl"))
}

/// Whatever the command, a document with an error is a document with an error.
private func checkEveryCommand(
  _ workshop: Workshop, finds words: String, sourceLocation: SourceLocation = #_sourceLocation
)
  throws
{
  for command in ["run hello.json --scenario later", "test hello.json", "test hello/later.json", "check hello.json"] {
    let result = try workshop.flowrun.shell("\"$FLOWRUN\" \(command)")
    #expect(result.code == 65, "\(command)", sourceLocation: sourceLocation)
    #expect((result.output + result.errors).contains(words), "\(result)", sourceLocation: sourceLocation)
  }
}

@Test func everyCommandRefusesScenariosOutOfOrder() throws {
  let circle = "{\"scenario\": \"later\", \"given\": {\"after\": \"later\"}}"
  try checkEveryCommand(try workshop(with: circle), finds: "later → later")
  let nowhere = "{\"scenario\": \"later\", \"given\": {\"after\": \"nowhere\"}}"
  try checkEveryCommand(try workshop(with: nowhere), finds: "error[unknown-scenario]")
  let otherName = "{\"scenario\": \"sooner\"}"
  try checkEveryCommand(try workshop(with: otherName), finds: "error[misnamed-scenario]")
  let itself = "{\"scenario\": \"sooner\", \"given\": {\"after\": \"later\"}}"
  try checkEveryCommand(try workshop(with: itself), finds: "error[misnamed-scenario]")
}

@Test func everyCommandRefusesALongChainOfScenariosAtItsFirstLinkTooMany() throws {
  let workshop = try workshop(with: "{\"scenario\": \"later\", \"given\": {\"after\": \"s101\"}}")
  try workshop.write("{\"scenario\": \"s1\"}", to: "hello/s1.json")
  for number in 2...101 {
    let scenario = "{\"scenario\": \"s\(number)\", \"given\": {\"after\": \"s\(number - 1)\"}}"
    try workshop.write(scenario, to: "hello/s\(number).json")
  }
  try checkFindings(workshop, "hello/s101.json", code: 0, "no problems in 1 flow, 1 service, 1 scenario\n")
  try workshop.write("{\"scenario\": \"last\", \"given\": {\"after\": \"later\"}}", to: "hello/last.json")
  try checkFindings(workshop, code: 65, "hello/later.json:1:42", "error[too-deep]", "1 error in")
  for command in ["run hello.json --scenario later", "test hello/later.json", "explore hello.json --scenario last"] {
    let result = try workshop.flowrun.shell("\"$FLOWRUN\" \(command)")
    #expect(result.code == 65 && (result.output + result.errors).contains("error[too-deep]"), "\(result)")
  }
}

@Test func aCircleOfScenariosIsToldOnceWhicheverIsAskedFor() throws {
  let workshop = try workshop(with: "{\"scenario\": \"later\", \"given\": {\"after\": \"sooner\"}}")
  try workshop.write("{\"scenario\": \"sooner\", \"given\": {\"after\": \"later\"}}", to: "hello/sooner.json")
  for path in ["hello.json", "hello/later.json", "hello/sooner.json"] {
    try checkFindings(workshop, path, code: 65, "later → sooner → later", "hello/sooner.json:1:", "1 error in")
  }
  try workshop.write("{\"scenario\": \"sooner\", \"given\": {\"after\": \"nope\"}}", to: "hello/sooner.json")
  try checkFindings(workshop, code: 65, "there is later, offline-first, sooner")
  for number in 1...9 { try workshop.write("{\"scenario\": \"s\(number)\"}", to: "hello/s\(number).json") }
  try checkFindings(workshop, code: 65, "there is later, offline-first, s1, s2, s3, s4, s5, s6 and 4 more")
}

@Test func aScenarioOutOfOrderIsToldBesideOneThatIsBroken() throws {
  let workshop = try workshop(with: "{\"scenario\": \"later\", \"given\": {\"after\": \"offline-frist\"}}")
  try workshop.replace("\"ends\"", with: "\"end\"", in: "hello/offline-first.json")
  try checkFindings(
    workshop, "hello.json", code: 65, "error[unknown-scenario]", "did you mean \"offline-first\"?", "2 errors")
}

@Test func whatAScenarioStartsFromIsShownWhenItIsBroken() throws {
  let workshop = try workshop(with: "{\"scenario\": \"later\", \"given\": {\"after\": \"offline-first\"}}")
  try workshop.replace("\"ends\"", with: "\"end\"", in: "hello/offline-first.json")
  let result = try workshop.flowrun("hello.json", "--scenario", "later")
  #expect(result.code == 65 && result.errors.contains("hello/offline-first.json:"), "\(result.errors)")
}

@Test func aDocumentThatMayNotBeReadIsNoMissingOne() throws {
  try Workshop().checkShell(
    "chmod 000 services/greeter.json; \(asAnybody)\"$FLOWRUN\" hello.json", code: 66,
    says: ["flowrun: services/greeter.json cannot be read: "])
}

@Test func aServiceHasOneNameWhoeverNamesIt() throws {
  let workshop = try Workshop()
  let text = try workshop.read("hello.json")
  for (path, model) in [("deep/hello.json", "../services/greeter.json"), ("hello.json", "./services/greeter.json")] {
    try workshop.write(text.replacing("\"services/greeter.json\"", with: "\"\(model)\""), to: path)
  }
  try checkFindings(workshop, code: 0, "no problems in 2 flows, 1 service, 1 scenario\n")
  try workshop.replace("\"status\": 200", with: "\"status\": 9403", in: "services/greeter.json")
  try checkFindings(workshop, code: 65, " services/greeter.json:4:", "1 error in 2 flows, 1 service, ")
}

/// Behind a link `..` is not the folder that it reads as.
@Test func aModelBehindALinkIsWhereTheSystemFindsIt() throws {
  let workshop = try Workshop()
  let text = try workshop.read("hello.json").replacing("services/", with: "../services/")
  let model = try workshop.read("services/greeter.json")
  try workshop.write(text, to: "other/flows/hello.json")
  try workshop.write(model.replacing("\"routes\"", with: "\"rotes\""), to: "other/services/greeter.json")
  let made = try workshop.flowrun.shell("ln -s other/flows link && \"$FLOWRUN\" check link/hello.json")
  #expect(made.output.contains("link/../services/greeter.json"), "\(made)")
}

/// Some systems keep both.
@Test func filesWhoseNamesDifferInHowLettersAreComposedAreTwo() throws {
  let workshop = try Workshop()
  for name in ["caf\u{E9}", "cafe\u{301}"] {
    try workshop.write(
      #"{"service": "\#(name)", "routes": [{"on": "GET /", "next": [{"reply": {}}]}]}"#, to: "other/\(name).json")
  }
  try checkFindings(workshop, "other", code: 0, "no problems in 0 flows, 2 services, 0 scenarios\n")
}
