import Foundation
import Testing

@Test func aGoldenIsReadToItsEndHoweverLarge() throws {
  let workshop = try Workshop()
  // Each of 2000 lines has the title.
  let title = String(repeating: "a long title ", count: 800)
  try workshop.write(
    """
    {"flow": "long", "title": "Long", "participants": {"app": {"kind": "app"}}, "start": "here", "states": {"here":
    {"title": "\(title)", "goal": true, "after": [{"name": "again", "wait": "1s", "goto": "here"}]}}}
    """, to: "long.json")
  try workshop.write(
    "{\"scenario\": \"default\", \"script\": [{\"advance\": \"2000s\"}], \"ends\": \"here\"}", to: "long/default.json")
  try workshop.checkShell(
    "\"$FLOWRUN\" test long --accept && \"$FLOWRUN\" test long", code: 0,
    says: ["accepted  new", "ok        long/default.json\n"])
  let golden = try workshop.read("long/default.trace.jsonl")
  #expect(golden.utf8.count > 17 << 20)
  try workshop.write(golden + "{}\n", to: "kept.jsonl")
  let last = golden.utf8.count { $0 == UInt8(ascii: "\n") } + 1
  try workshop.checkShell(
    "\"$FLOWRUN\" draw kept.jsonl --as sequence", code: 65,
    says: ["kept.jsonl:\(last): a line of a trace has"])
}

@Test(arguments: [("./-x", "./-x"), ("it's here", "'it'\\''s here")])
func whatIsProposedCanBeTyped(folder: String, shown: String) throws {
  let workshop = try Workshop()
  for document in ["hello.json", "services/greeter.json", "hello/offline-first.json"] {
    try workshop.write(try workshop.read(document), to: "\(folder)/\(document)")
  }
  for (arguments, proposed) in [
    (["test", folder], "flowrun test \(shown)"), ([folder + "/"], "flowrun test \(shown)"),
    (["test", folder + "/services"], "flowrun check \(shown)"),
    ([folder + "/hello/offline-first.json"], "flowrun \(shown)"),
  ] {
    let result = try workshop.flowrun.run(arguments)
    #expect(result.code != 0 && (result.output + result.errors).contains(proposed), "\(result)")
  }
}

@Test func aPipeHasNoNameToBeFoundBy() throws {
  try Workshop().checkShell(
    "sed s/hello/other/ hello.json | \"$FLOWRUN\" check /dev/fd/0", code: 65,
    says: ["missing-document"], never: ["misnamed-flow"])
}

@Test func noGoldenIsReplacedByWhatARunWrites() throws {
  let workshop = try Workshop.acceptedTwice()
  let golden = try workshop.read("hello/again.trace.jsonl")
  let help = "give it a file of its own"
  for (command, option) in [("test .", "--junit"), ("hello.json", "--trace"), ("hello.json", "--store")] {
    for path in ["hello/again.trace.jsonl", "link", "hello/new.trace.jsonl"] {
      try workshop.checkShell(
        "ln -sf hello/again.trace.jsonl link; \"$FLOWRUN\" \(command) \(option) \(path)", code: 64,
        says: ["\(option) would replace the golden \(path)", help])
    }
  }
  #expect(try workshop.read("hello/again.trace.jsonl") == golden)
  try workshop.checkShell("\"$FLOWRUN\" hello.json --trace kept.trace.jsonl", code: 0, says: [])
}

@Test func aScenarioFolderThatCannotBeListedIsNoEmptyOne() throws {
  let workshop = try Workshop.acceptedTwice()
  let golden = try workshop.read("hello/again.trace.jsonl")
  try workshop.write(workshop.read("hello.json"), to: "next.json")
  for (command, words) in [
    ("test hello.json --accept", "failed    hello.json\n          hello cannot be read: "),
    ("test . --accept", "accepted  new: next/default.trace.jsonl\n"), ("test hello .", "ok        next.json\n"),
    ("hello.json --scenario x", "flowrun: hello"), ("check hello.json", "flowrun: hello"),
    ("check .", "1 unreadable in 1 flow, 1 service"),
  ] {
    try workshop.checkShell(
      "chmod 311 hello; \(asAnybody)\"$FLOWRUN\" \(command); code=$?; chmod 755 hello; exit $code",
      code: 66, says: ["hello cannot be read: ", words])
  }
  #expect(!workshop.exists("hello/default.trace.jsonl"))
  #expect(try workshop.read("hello/again.trace.jsonl") == golden)
  try workshop.checkShell(
    "mv hello kept; ln -s nowhere hello; \"$FLOWRUN\" test hello.json --accept", code: 66,
    says: ["failed    hello.json\n          hello is a link that leads nowhere"])
}

@Test func whatCannotBeOpenedByItsNameIsToldAsWhatItIs() throws {
  let workshop = try Workshop.acceptedTwice()
  let link = "is a link that leads nowhere"
  let name = "cannot be opened: its name is not UTF-8"
  try workshop.checkShell(
    #"""
    ln -s nowhere dd.json; ln -s nowhere hello/zz.json; ln -s nowhere notes
    cp -r hello "$(printf 'caf\351')"; cp hello.json "$(printf '\377.json')"
    cp hello/again.json "$(printf 'hello/o\377.json')"
    "$FLOWRUN" test .
    """#, code: 66,
    says: [
      "failed    dd.json\n          dd.json \(link)\n", "failed    hello/zz.json\n          hello/zz.json \(link)\n",
      "failed    notes\n          notes \(link)\n", "caf\u{FFFD} \(name)\n          rename it\n",
      "\u{FFFD}.json \(name)\n",
      "failed    hello/o\u{FFFD}.json\n          hello/o\u{FFFD}.json \(name)\n", "ok        hello/again.json\n",
      "2 passed, 6 failed\n",
    ], never: ["did you mean"])
  for command in ["check dd.json", "dd.json", "hello.json --scenario zz", "test hello.json"] {
    try workshop.checkShell("\"$FLOWRUN\" \(command)", code: 66, says: [link], never: ["did you mean"])
  }
  try workshop.checkShell(
    "rm services/greeter.json; ln -s nowhere services/greeter.json; \"$FLOWRUN\" hello.json", code: 66,
    says: ["flowrun: services/greeter.json \(link)"])
  try Workshop.acceptedTwice().checkShell(
    "ln -s nowhere hello/default.json; \"$FLOWRUN\" hello.json", code: 66,
    says: ["hello/default.json \(link)"])
}

@Test func oneFileThatCannotBeReadDoesNotHideTheOthers() throws {
  for (file, command, words) in [
    ("hello/again.trace.jsonl", "mkdir", "hello/again.trace.jsonl is a folder, not a file"),
    ("hello/again.trace.jsonl", "mkfifo", "hello/again.trace.jsonl is a pipe or a device, not a file"),
    ("hello/again.trace.jsonl", "ln -s nowhere", "hello/again.trace.jsonl is a link that leads nowhere"),
    ("hello/again.json", "mkdir", "hello/again.json is a folder, not a file"),
    ("hello/again.json", "mkfifo", "hello/again.json is a pipe or a device, not a file"),
  ] {
    let workshop = try Workshop.acceptedTwice()
    try workshop.checkShell(
      "rm \(file); \(command) \(file); echo old > j.xml; \"$FLOWRUN\" test . --accept --junit j.xml",
      code: 66,
      says: [
        "failed    hello/again.json\n          \(words)\n", "ok        hello/offline-first.json\n",
        "1 passed, 1 failed",
      ])
    #expect(try workshop.read("j.xml").contains("message=\"\(words)\""))
    try workshop.checkShell(
      "\"$FLOWRUN\" test . --json", code: 66, says: ["\"message\": \"\(words)\"", "\"passed\": 1"])
  }
}

@Test func oneFlowThatCannotBeReadDoesNotHideTheNext() throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.checkShell(
    """
    cp hello.json second.json; cp hello.json first.json; mkfifo pipe.json services/away.json
    sed -i 's/greeter.json/away.json/' first.json; "$FLOWRUN" test . --accept
    """, code: 66,
    says: [
      "failed    pipe.json\n          pipe.json is a pipe or a device, not a file\n",
      "failed    first.json\n          services/away.json is a pipe or a device, not a file\n",
      "accepted  new: second/default.trace.jsonl\n", "ok        hello/again.json\n", "3 passed, 3 failed",
    ])
}

@Test func aGoldenThatCannotBeWrittenDoesNotHideTheOthers() throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.checkShell(
    "mkdir hello/old.trace.jsonl; cp hello.json second.json; echo > second; \"$FLOWRUN\" test . --accept",
    code: 66,
    says: [
      "It is no trace of this flow, and --accept leaves it alone.",
      "failed    second.json\n          second/default.trace.jsonl cannot be written: ", "2 passed, 2 failed",
    ])
}

@Test func whereNoResultsCanBeWrittenNothingIsTested() throws {
  let workshop = try Workshop()
  for path in ["services", "no/such/place"] {
    try workshop.checkShell(
      "\"$FLOWRUN\" test . --accept --junit \(path)", code: 66, says: ["\(path) cannot be written: "],
      never: ["accepted"])
  }
  #expect(!workshop.exists("hello/offline-first.trace.jsonl"))
}

@Test func theMessageOfAnInvalidFlowIsItsFirstError() throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.replace("\"Ada\"", with: "\"{store.greeting}\"", in: "hello.json")
  try workshop.replace("\"goto\": \"greeted\"", with: "\"goto\": \"greetd\"", in: "hello.json")
  try workshop.checkShell(
    "\"$FLOWRUN\" test . --json --junit j.xml", code: 65,
    says: ["\"message\": \"error[unknown-state]: ", "\"details\": \"warning["])
  #expect(try workshop.read("j.xml").contains("message=\"error[unknown-state]: "))
}

@Test func aBrokenScenarioIsToldOnceWithItsFlow() throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.write("{", to: "hello/bad.json")
  try workshop.checkShell("\"$FLOWRUN\" test .", code: 65, says: ["invalid   hello/bad.json\n", "2 passed, 1 failed"])
  for path in [".", "hello/bad.json"] {
    try workshop.checkShell(
      "\"$FLOWRUN\" test \(path) --json", code: 65, says: ["\"flow\": \"hello.json\""],
      never: ["\"flow\": \"hello/bad.json\""])
  }
}

@Test func aPathThatIsWrittenOtherwiseIsTestedOnce() throws {
  let workshop = try Workshop.acceptedTwice()
  for paths in [
    ". ./", "hello ./hello//", "hello.json ./hello/again.json", "./hello/again.json hello", "./hello.json .",
    "hello.json services/../hello.json", "services/../hello/again.json hello.json", ".to/up/hello.json hello",
    ".to/up . \"$PWD\"",
  ] {
    try workshop.checkShell(
      "mkdir -p .to; ln -sfn .. .to/up; \"$FLOWRUN\" test \(paths)", code: 0, says: ["2 passed, 0 failed"])
  }
  try workshop.write("{", to: "hello/bad.json")
  try workshop.checkShell(
    "\"$FLOWRUN\" test services/../hello/bad.json hello/bad.json hello.json", code: 65,
    says: ["2 passed, 1 failed"])
  try workshop.remove("hello/bad.json")
  try workshop.checkShell("cat services/greeter.json | \"$FLOWRUN\" check /dev//./stdin", code: 0, says: ["1 service"])
  try workshop.checkShell("cd hello; \"$FLOWRUN\" test .", code: 0, says: ["2 passed"])
}

/// Where the system takes both names for one file there is nothing to tell apart.
@Test func filesWhoseNamesLookAlikeAreTwo() throws {
  let workshop = try Workshop()
  for name in ["caf\u{E9}.json", "cafe\u{301}.json"] { try workshop.write("{", to: name) }
  guard try workshop.flowrun.shell("ls | grep -c caf").output == "2\n" else { return }
  try workshop.checkShell("\"$FLOWRUN\" check .", code: 65, says: ["caf\u{E9}.json:1", "2 errors in"])
}

@Test func scenariosAreCountedAndNothingElse() throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.write("old\n", to: "hello/old.trace.jsonl")
  try workshop.checkShell("\"$FLOWRUN\" test . --json", code: 1, says: ["\"scenarios\": 2,"])
  try workshop.checkShell("rm -r hello; \"$FLOWRUN\" test . --json", code: 1, says: ["\"scenarios\": 1,"])
  try workshop.replace("\"start\": \"asking\"", with: "\"start\": \"askin\"", in: "hello.json")
  try workshop.checkShell("\"$FLOWRUN\" test . --json", code: 65, says: ["\"scenarios\": 0,"])
}

@Test func whatIsAcceptedKeepsTheModeOfTheGolden() throws {
  let workshop = try Workshop.acceptedTwice()
  try workshop.replace("Hello ", with: "Good day ", in: "services/greeter.json")
  try workshop.checkShell(
    """
    chmod 444 hello/again.trace.jsonl; chmod 660 hello/offline-first.trace.jsonl
    "$FLOWRUN" test . --accept && ls -l hello
    """, code: 0, says: ["-r--r--r--", "-rw-rw----"])
}

/// Who accepts what a stranger wrote does not write where the stranger says.
@Test func nothingIsAcceptedThroughALinkOutOfTheFolder() throws {
  let workshop = try Workshop.acceptedTwice()
  _ = try workshop.flowrun.shell("mkdir in out; mv hello.json hello services in")
  try workshop.write("kept\n", to: "out/file")
  let words = "is a link out of the flow's folder"
  try workshop.checkShell(
    "ln -sf ../../out/file in/hello/again.trace.jsonl; \"$FLOWRUN\" test in --accept", code: 66,
    says: ["failed    in/hello/again.json\n          in/hello/again.trace.jsonl \(words)", "1 passed, 1 failed"])
  #expect(try workshop.read("out/file") == "kept\n")
  try workshop.checkShell(
    """
    mv in/hello/again.trace.jsonl out; mv in/hello in/kept; ln -s kept in/hello
    "$FLOWRUN" test in/hello.json --accept
    """, code: 0,
    says: ["accepted  new: in/hello/again.trace.jsonl"])
  try workshop.write(workshop.read("in/kept/again.trace.jsonl"), to: "in/kept/old.trace.jsonl")
  try workshop.checkShell(
    """
    mv in/kept out/hello; ln -sfn ../out/hello in/hello; rm out/hello/again.trace.jsonl
    "$FLOWRUN" test in --accept
    """, code: 66, says: ["in/hello/again.trace.jsonl \(words)", "in/hello/old.trace.jsonl \(words)"])
  #expect(!workshop.exists("out/hello/again.trace.jsonl") && workshop.exists("out/hello/old.trace.jsonl"))
}

@Test func aGoldenOfNoFlowIsTold() throws {
  let workshop = try Workshop.acceptedTwice()
  for path in ["top.trace.jsonl", "hello/sub/in.trace.jsonl", "gone/default.trace.jsonl"] {
    try workshop.write("old\n", to: path)
  }
  for options in ["", "--accept"] {
    try workshop.checkShell(
      "\"$FLOWRUN\" test . \(options)", code: 1,
      says: [
        "orphan    gone/default.trace.jsonl\n          There is no flow gone.json for this golden: delete it.\n",
        "There is no flow hello/sub.json for this golden", "orphan    top.trace.jsonl\n", "2 passed, 3 failed",
      ])
  }
  #expect(workshop.exists("gone/default.trace.jsonl"))
}
