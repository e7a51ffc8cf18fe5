import Testing

/// What a command line that cannot be meant so says, and its code.
private func checkRefusal(
  _ line: String, code: Int32 = 64, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try Workshop().flowrun.shell("\"$FLOWRUN\" \(line)")
  #expect(result.code == code, sourceLocation: sourceLocation)
  #expect(result.output == "", sourceLocation: sourceLocation)
  #expect(result.errors.hasPrefix("flowrun: "), sourceLocation: sourceLocation)
  for words in words {
    #expect(result.errors.contains(words), "\(result.errors)", sourceLocation: sourceLocation)
  }
}

@Test func aTypoInACommandGetsTheNearestName() throws {
  try checkRefusal("tset", "there is no command \"tset\"", "did you mean \"flowrun test\"?", "usage: ")
  try checkRefusal("help chekc", "did you mean \"flowrun check\"?")
  try checkRefusal(
    "prove hello.json", "there is no command \"prove\"", "the commands are run, test, check, explore, draw, bench, help"
  )
}

@Test func aTypoInAnOptionGetsTheNearestName() throws {
  try checkRefusal("hello.json --scenaro x", "there is no option --scenaro", "did you mean --scenario?", "usage: ")
  try checkRefusal("-x hello.json", "there is no option -x", "usage: ")
  // One of the command's own comes first.
  try checkRefusal("explore hello.json --mots 3", "did you mean --most?", "usage: flowrun explore FLOW")
  try checkRefusal("check --acept", "--accept would belong to \"flowrun test\"", "usage: flowrun check [PATH…]")
}

@Test func aTypoInAScenarioGetsTheNearestName() throws {
  try checkRefusal("hello.json --scenario offline-frist", code: 66, "did you mean \"offline-first\"?")
  try checkRefusal("hello.json --scenario zzz", code: 66, "it has offline-first")
  try checkRefusal("hello.json --scenario offline-first.json", code: 66, "did you mean \"offline-first\"?")
}

@Test func anOptionWithoutItsValueIsRefused() throws {
  try checkRefusal("hello.json --scenario", "--scenario needs a value", "NAME|FILE", "usage: ")
  try checkRefusal("hello.json --trace=", "--trace needs a value")
  try checkRefusal("hello.json --trace --json", "--trace needs a value")
  try checkRefusal("hello.json --json=yes", "--json takes no value")
  try checkRefusal(
    "explore hello.json --json=yes", "--json: print one JSON object: counts", "usage: flowrun explore FLOW")
  try checkRefusal("draw hello.json --as", "--as needs a value", "usage: flowrun draw FLOW|TRACE")
  try checkRefusal("test --update", "did you mean --accept?")
  try checkRefusal("timeline hello.json", "did you mean \"flowrun run\"?")
  try checkRefusal("version", "did you mean \"flowrun --version\"?")
  try checkRefusal("check --jsn", "did you mean --json?", "usage: flowrun check [PATH…]")
}

@Test func anOptionOfAnotherCommandSaysWhose() throws {
  try checkRefusal("hello.json --accept", "has no option --accept", "belongs to \"flowrun test\"", "usage: flowrun run")
  try checkRefusal(
    "draw hello.json --json", "\"flowrun run\", \"flowrun test\", \"flowrun check\", \"flowrun explore\"")
}

/// The general help lists no option of a command.
@Test func whereTheOptionsAreExplainedIsSaid() throws {
  try checkRefusal("hello.json --scenaro x", "flowrun --help lists the commands, flowrun help run says more")
  try checkRefusal("check --jsn", "flowrun help check says more")
  try checkRefusal("draw", "FLOW|TRACE is missing", "flowrun help draw says more")
  try checkRefusal("", "flowrun help run says more", "flowrun --help lists the commands")
}

@Test func tooManyOrTooFewArgumentsAreRefused() throws {
  try checkRefusal("run hello.json other.json", "\"other.json\" is one argument too many", "usage: flowrun run FLOW")
  try checkRefusal("hello.json s=canary", "\"s=…\" is one argument too many")
  try checkRefusal("hello.json --config s Zq9kTw4x", "what stands behind the others is one argument too many")
  try checkRefusal("--config s Zq9kTw4x hello.json", "the first argument is no command")
  try checkRefusal("", "FLOW is missing", "usage: flowrun run FLOW")
  try checkRefusal("run ''", "an argument is empty")
  try checkRefusal("--json --json hello.json", "--json is given twice")
}

@Test func aColourIsOneOfThree() throws {
  try checkRefusal("hello.json --color alway", "did you mean always?")
}

@Test func secretsAreShownOnATerminalOnly() throws {
  try checkRefusal("hello.json --show-secrets", "standard output is none")
  try checkRefusal("hello.json --show-secrets --json", "does not go with --json")
  try checkRefusal("hello.json --show-secrets --trace x", "does not go with --trace")
}

@Test func whatIsNoFileSaysWhatItIs() throws {
  try checkRefusal("none.json", code: 66, "there is no file none.json")
  try checkRefusal("hello", code: 66, "hello is a folder", "did you mean hello.json?")
  try checkRefusal("services", code: 66, "services is a folder", "flowrun test services runs all scenarios in it")
  try checkRefusal(".", code: 66, "flowrun test . runs all scenarios in it; flowrun hello.json runs one flow")
  try checkRefusal("explore .", code: 66, ". is a folder", "one flow at a time is explored: flowrun explore hello.json")
  try checkRefusal("draw ./", code: 66, "one flow at a time is drawn: flowrun draw hello.json")
  try checkRefusal("bench services/", code: 66, "one flow at a time is measured: flowrun bench FLOW")
  try checkRefusal("test nowhere", code: 66, "there is no file or folder nowhere")
  try checkRefusal("-- test", code: 66, "there is no file test")
}

@Test func aTypoInAPathGetsTheNearestName() throws {
  try checkRefusal("helo.json", code: 66, "there is no file helo.json", "did you mean hello.json?")
  try checkRefusal("./helo", code: 66, "did you mean hello.json?")
  try checkRefusal("check servises", code: 66, "there is no file or folder servises", "did you mean services?")
  try checkRefusal(
    "hello.json --scenario hello/offline-frist.json", code: 66, "did you mean hello/offline-first.json?")
}

@Test func noDocumentIsReplacedByWhatARunWrites() throws {
  try checkRefusal("hello.json --trace hello.json", "--trace would replace the document hello.json")
  try checkRefusal("test . --junit services/greeter.json", "--junit would replace the document services/greeter.json")
}

@Test func noFileIsNamedForTwoThings() throws {
  for (options, words) in [
    ("--trace x --store x", "--trace and --store"), ("--trace x.lock --store x", "--trace and --store"),
    ("--trace ./x --answers x", "--trace and --answers"), ("--store x --answers ../$(basename $PWD)/x", "--store and"),
    ("--trace x --live greeter --ca x", "--trace and --ca"), ("--trace x --config-file x", "--trace and --config-file"),
  ] {
    try checkRefusal("hello.json \(options)", words, "name the same file", "give each a file of its own")
  }
}

@Test func aFlowIsFoundWhereFlowsAre() throws {
  let workshop = try Workshop()
  try workshop.write(try workshop.read("hello.json"), to: "flows/hi.json")
  for word in ["hi", "hi.json", "flows/hi"] {
    let result = try workshop.flowrun(word)
    #expect(result.code == 66 && result.errors.contains("did you mean flows/hi.json?"), "\(result.errors)")
  }
}

@Test func aPipeIsNotWaitedFor() throws {
  for line in ["run pipe.json", "check pipe.json", "draw pipe.json", "explore pipe.json"] {
    let result = try Workshop().flowrun.shell("mkfifo pipe.json && \"$FLOWRUN\" \(line)")
    #expect(result.code == 66)
    #expect(result.errors.contains("pipe.json is a pipe, and nothing was written into it"), "\(result.errors)")
  }
}

/// What a person names may be a pipe; what is found by its name may not.
@Test func aPipeThatSomebodyWritesIntoIsRead() throws {
  let checked = try Workshop().flowrun.shell(#"cat services/greeter.json | "$FLOWRUN" check /dev/stdin"#)
  #expect(checked.code == 0, "\(checked.errors)")
  #expect(checked.output.contains("1 service"), "\(checked.output)")
  // What was written stays in the pipe while somebody may read it; a writer in the background might come too late.
  let run = try Workshop().flowrun.shell(
    #"mv hello.json kept && mkfifo hello.json && exec 3<>hello.json 4<hello.json && cat kept >&3 && exec 3>&-; "$FLOWRUN" hello.json"#
  )
  #expect(run.code == 0, "\(run.errors)")
  for path in ["services/greeter.json", "hello/default.json"] {
    let found = try Workshop().flowrun.shell(
      """
      mkdir -p hello && rm -f \(path) && mkfifo \(path)
      cat hello.json > \(path) & "$FLOWRUN" hello.json
      code=$?; kill $! 2>&-; exit $code
      """)
    #expect(found.code != 0 && found.errors.contains("is a pipe or a device"), "\(found.errors)")
  }
}

@Test func aPipeIsReadNoFurtherThanADocumentMayBeLong() throws {
  let result = try Workshop().flowrun.shell(
    #"cat /dev/zero 2>&- | "$FLOWRUN" check /dev/stdin"#)
  #expect(result.code == 65 && result.output.contains("too-large"), "\(result.output)\(result.errors)")
}

@Test func onlyAFlowCanBeRun() throws {
  try checkRefusal("hello/offline-first.json", "flowrun hello.json --scenario hello/offline-first.json")
  try checkRefusal("services/greeter.json", "only a flow can be run")
  try checkRefusal(
    "hello/offline-first.trace.jsonl", "is a golden trace", "flowrun hello.json --scenario hello/offline-first.json")
  for (command, done) in [("explore", "explored"), ("draw", "drawn"), ("bench", "measured")] {
    try checkRefusal("\(command) services/greeter.json", "is a service; only a flow can be \(done)")
    let way = command == "bench" ? "only a flow can be measured" : "it is \(done) with its flow"
    try checkRefusal("\(command) hello/offline-first.json", "is a scenario; \(way)")
  }
  let rest = "--scenario hello/offline-first.json"
  for path in ["hello/offline-first.json", "hello/offline-first.trace.jsonl"] {
    try checkRefusal("explore \(path)", "\n  flowrun explore hello.json \(rest)\n")
    try checkRefusal("bench \(path)", "\n  flowrun bench hello.json\n")
  }
  try checkRefusal("test services/greeter.json", "is a service; only a flow can be tested")
  try checkRefusal("test services", code: 66, "there is no flow to test", "flowrun check services/greeter.json")
}

/// What a flow's members are helps nobody whose file is none.
@Test(arguments: ["run", "explore", "draw", "bench"]) func whatIsOfNoKindIsToldAsByCheck(command: String) throws {
  let workshop = try Workshop()
  try workshop.write(#"{"x": 1}"#, to: "x.json")
  try workshop.checkShell(
    "\"$FLOWRUN\" \(command) x.json", code: 65,
    says: ["This document is neither a flow nor a service nor a scenario", "flowrun: x.json has 1 error"],
    never: ["its members are"])
}

@Test func whatOtherToolsCallTheirCommandsIsUnderstood() throws {
  try checkRefusal("accept", "there is no command \"accept\"", "did you mean \"flowrun test --accept\"?")
  try checkRefusal("lint hello.json", "did you mean \"flowrun check\"?")
  try checkRefusal(
    "draw hello/offline-first.json", "flowrun draw hello.json --as sequence --scenario hello/offline-first.json")
  try checkRefusal("test . --scenario offline-first", "flowrun test flows/FLOW/offline-first.json")
}

@Test func aTraceIsToldFromAFlow() throws {
  let made = #""$FLOWRUN" hello.json --json >kept.jsonl && "$FLOWRUN""#
  for (command, done) in [("run", "run"), ("explore", "explored"), ("bench", "measured")] {
    let found = try Workshop().flowrun.shell("\(made) \(command) kept.jsonl")
    #expect(found.code == 64 && found.errors.contains("kept.jsonl is a trace; only a flow can be \(done)"))
    #expect(found.errors.contains("flowrun draw kept.jsonl"))
  }
  for command in ["check", "test"] {
    let found = try Workshop().flowrun.shell("\(made) \(command) kept.jsonl")
    #expect(found.code != 0 && found.output.contains("flowrun draw kept.jsonl"), "\(found.output)")
  }
}

@Test(arguments: ["--trace", "--store", "--answers", "--scenario", "--config-file"])
func aDashIsNoFile(option: String) throws {
  try checkRefusal("hello.json \(option) -", "\(option) takes a file, and \"-\" is none", "/dev/stdout")
  try checkRefusal("hello.json \(option)=-", "\"./-\"")
}

@Test func nothingIsAcceptedWhereCIIsSet() throws {
  let workshop = try Workshop()
  let result = try workshop.flowrun("test", ".", "--accept", environment: ["CI": "true"])
  #expect(result.code == 64)
  #expect(result.errors.contains("CI"))
  #expect(!workshop.exists("hello/offline-first.trace.jsonl"))
  for off in ["", "false", "0"] {
    let result = try workshop.flowrun("test", ".", "--accept", environment: ["CI": off])
    #expect(result.code == 0 && workshop.exists("hello/offline-first.trace.jsonl"), "\(result)")
  }
}

private func checkHelp(
  _ arguments: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try Workshop().flowrun.shell("\"$FLOWRUN\" \(arguments)")
  #expect(result.code == 0 && result.errors == "", sourceLocation: sourceLocation)
  for words in words { #expect(result.output.contains(words), "\(result.output)", sourceLocation: sourceLocation) }
  #expect(result.output.split(separator: "\n").allSatisfy { $0.count <= 110 }, sourceLocation: sourceLocation)
}

@Test func helpTellsEveryCommandAndExitCode() throws {
  let all = [
    "run FLOW", "test [PATH…]", "check [PATH…]", "explore FLOW", "draw FLOW|TRACE", "bench FLOW", "help [COMMAND]",
    "exit codes:", "64", "65", "66", "69", "70", "example:",
  ]
  for words in all { try checkHelp("--help", words) }
  try checkHelp("help", "exit codes:")
  try checkHelp("-h", "exit codes:")
}

@Test(arguments: ["run", "test", "check", "explore", "draw", "bench", "help"])
func everyCommandHasHelpWithAnExample(command: String) throws {
  try checkHelp("help \(command)", "usage: flowrun \(command)", "example")
  try checkHelp("\(command) --help", "usage: flowrun \(command)", "example")
}

@Test func theVersionIsOneLine() throws {
  try checkHelp("--version", "flowrun 0.1.0\n")
}
