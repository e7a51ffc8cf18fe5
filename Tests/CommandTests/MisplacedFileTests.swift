import Foundation
import Testing

/// The folder of the flows is not that of a flow, and no command can run what lies there.
@Test(arguments: [("", "hello/"), ("cd other && ", "hello/")])
func aScenarioBesideTheFlowsIsSentToTheFolderOfOne(start: String, folder: String) throws {
  let workshop = try Workshop()
  try workshop.write(workshop.read("hello.json"), to: "other/hello.json")
  for path in ["lost.json", "other/lost.json"] { try workshop.write("{\"scenario\": \"lost\"}", to: path) }
  let help = "a scenario stands in the folder that is named like its flow: move it into \(folder)"
  let message = "This scenario lies beside the flows, not in the folder of one"
  for (command, code, words) in [
    ("", Int32(64), "lost.json is a scenario; it is run with its flow\n  \(help)\n"), ("draw", 64, "\n  \(help)\n"),
    ("check", 65, "error[scenario-without-flow]: \(message)\n"), ("check", 65, "= help: \(help)\n"),
    ("test", 65, "invalid   lost.json\n          \(message): \(help).\n"),
  ] {
    try workshop.checkShell(
      "\(start)\"$FLOWRUN\" \(command) lost.json", code: code, says: [words],
      never: ["--scenario", ".json for"])
  }
  try workshop.checkShell(
    "mv lost.json lost.trace.jsonl; \"$FLOWRUN\" lost.trace.jsonl", code: 64, says: ["is a golden trace"],
    never: ["--scenario"])
}

@Test func severalScenariosBesideTheFlowsAreToldTogether() throws {
  let workshop = try Workshop()
  for name in ["a", "b"] { try workshop.write("{\"scenario\": \"\(name)\"}", to: "\(name).json") }
  try workshop.write(workshop.read("hello.json").replacing("\"hello\"", with: "\"bye\""), to: "bye.json")
  let words = "2 scenarios lie beside the flows, not in the folder of one"
  for command in ["check", "test"] {
    try workshop.checkShell(
      "\"$FLOWRUN\" \(command) a.json b.json", code: 65, says: [words, "move it into one of bye/, hello/"])
  }
}

@Test func aFolderInPlaceOfADocumentIsToldAsOne() throws {
  let workshop = try Workshop()
  try workshop.checkShell(
    "mkdir hello/paid.json; \"$FLOWRUN\" check .", code: 65,
    says: ["error[missing-document]: hello/paid.json is a folder, not a file", "call the folder otherwise"],
    never: ["did you mean", "there is no"])
  try workshop.checkShell("mv hello/paid.json hello/paid; \"$FLOWRUN\" check .", code: 0, says: ["no problems"])
  try workshop.replace("services/greeter.json", with: "services", in: "hello.json")
  try workshop.checkShell(
    "\"$FLOWRUN\" check .", code: 65,
    says: ["services is a folder, not a file\n", "= help: name a file in it\n"], never: ["there is no"])
}

/// The folder of the flow stands before it, where none is found by it.
@Test func aModelThatBeginsAtTheRootIsShownAsItIsWritten() throws {
  let workshop = try Workshop()
  try workshop.replace("services/greeter.json", with: "/else/greeter.json", in: "hello.json")
  try workshop.checkShell(
    "mkdir flows; mv hello.json services flows; \"$FLOWRUN\" check flows", code: 65,
    says: [
      "no document is found by the path /else/greeter.json, which begins at the root", "begin it without \"/\"",
    ])
}

/// A machine reads standard output alone.
@Test func machinesAreToldWhatCannotBeRead() throws {
  for (line, path, message) in [
    (
      "ln -s nowhere hello/gone.json; \"$FLOWRUN\" check . --json", "hello/gone.json",
      "hello/gone.json is a link that leads nowhere"
    ),
    ("\"$FLOWRUN\" check hello.json nowhere --json", "nowhere", "there is no file or folder nowhere"),
  ] {
    let result = try Workshop().flowrun.shell(line)
    #expect(result.code == 66 && result.errors == "flowrun: \(message)\n", "\(result)")
    let place = #""file":"\#(path)","line":1,"column":1,"endLine":1,"endColumn":1"#
    let entry = #"[{"code":"unreadable-document","severity":"error",\#(place),"message":"\#(message)","help":null}]"#
    let output = result.output.filter { $0 != "\n" }.replacing("  ", with: "").replacing(": ", with: ":")
    #expect(output == entry, "\(result)")
  }
}

@Test(arguments: ["hello/..", "./hello/../../WORKSHOP", "services/../."])
func whatIsNamedByADetourIsLookedAtOnce(detour: String) throws {
  let workshop = try Workshop()
  let path = detour.replacing("WORKSHOP", with: workshop.folder.lastPathComponent)
  try workshop.checkShell(
    "\"$FLOWRUN\" check \(path)", code: 0, says: ["no problems in 1 flow, 1 service, 1 scenario\n"])
}

@Test func aFileThatIsNearlyNamedLikeADocumentIsTold() throws {
  let workshop = try Workshop()
  let words = "is not looked at, since its name does not end in \".json\"\n= help: rename it to"
  try workshop.checkShell(
    "touch hello/a.JSON hello/b.json.txt hello/notes.txt; \"$FLOWRUN\" check .", code: 0,
    says: [
      "warning[misnamed-document]: hello/a.JSON \(words) a.json", "hello/b.json.txt \(words) b.json", "2 warnings in",
    ])
}

/// Dots stand for secrets, and the mark of an encoding is none.
@Test func aByteOrderMarkIsNotShownAsASecret() throws {
  let workshop = try Workshop()
  let flow = #"{"flow": "x", "config": {"key": {"type": "string", "secret": true, "value": "canary"}}}"#
  try workshop.write("\u{FEFF}" + flow, to: "x.json")
  try workshop.checkShell(
    "\"$FLOWRUN\" check x.json", code: 65,
    says: ["error[byte-order-mark]", "1│ \u{FFFD}{\"flow\": ", "\"value\": \"••••••••\""], never: ["canary"])
}

@Test func whoeverWritesADocumentAnewIsToldHowItBegins() throws {
  let workshop = try Workshop()
  for (path, words) in [
    ("x.json", "write {\"flow\": …} or {\"service\": …} or {\"scenario\": …}"),
    ("hello/x.json", "write {\"scenario\": …}"), ("services/greeter.json", "write {\"service\": …}"),
  ] {
    try workshop.write(" \n", to: path)
    try workshop.checkShell(
      "\"$FLOWRUN\" check \(path == "services/greeter.json" ? "hello.json" : path)", code: 65,
      says: ["error[empty-document]", "= help: \(words)\n"])
  }
}

/// A scenario whose golden was accepted is called otherwise, or put elsewhere: that is a slip, and no reason to delete.
@Test(arguments: [
  ("hello/offline-first.jsonc", ""), ("hello/offline-first.JSON", ""), ("hello/offline-first.json.txt", ""),
  ("hello/.offline-first.json", ""), ("hello/offline-first.json.bak", ""),
  ("hello/offline-first.json5", "echo '// a comment' >> hello/offline-first.json5;"),
  ("hello/more/offline-first.json", ""), ("hello/Offline-First.jsonc", ""),
  // The other flow cannot read it.
  ("bye/offline-first.json", "sed -i.old 's/\"greeted\"/\"welcomed\"/g' bye.json; rm bye/again.*;"),
  ("offline-first.json", ""),
  ("services/offline-first.json", ""), ("hello/more/offline-first.jsonc", ""),
])
func aGoldenIsKeptForAScenarioThatIsMisnamedOrMisplaced(path: String, change: String) throws {
  let workshop = try Workshop()
  try workshop.write("{\"scenario\": \"again\"}", to: "hello/again.json")
  try workshop.write(workshop.read("hello.json").replacing("\"hello\"", with: "\"bye\""), to: "bye.json")
  try workshop.write("{\"scenario\": \"again\"}", to: "bye/again.json")
  #expect(try workshop.flowrun("test", ".", "--accept").code == 0)
  let isHere = !path.dropFirst("hello/".count).contains("/") && path.hasPrefix("hello/")
  let words =
    "orphan    hello/offline-first.trace.jsonl\n          No scenario of hello.json has this golden.\n          "
    + (isHere
      ? "\(path) lies here, and nothing looks at it: rename it to offline-first.json, or otherwise"
      : "\(path) is called like it: move it to hello/offline-first.json, or rename it")
  let move = "mkdir -p hello/more; mv hello/offline-first.json \(path); \(change)"
  for (before, operands) in [(move, "hello.json --accept"), ("", "."), ("", ". --accept")] {
    let result = try workshop.flowrun.shell("\(before) \"$FLOWRUN\" test \(operands)")
    #expect(result.code != 0 && result.output.contains(words), "\(result)")
    #expect(!result.output.contains("delete it") && !result.output.contains("removed"), "\(result)")
  }
  #expect(workshop.exists("hello/offline-first.trace.jsonl"))
}

/// One that has its own golden where it is, notes and other documents are no scenario of this golden.
@Test func aNamesakeThatIsInItsPlaceKeepsNoGolden() throws {
  let workshop = try Workshop()
  try workshop.write("{\"scenario\": \"again\"}", to: "hello/again.json")
  try workshop.write(workshop.read("hello.json").replacing("\"hello\"", with: "\"bye\""), to: "bye.json")
  try workshop.write("{\"scenario\": \"offline-first\"}", to: "bye/offline-first.json")
  #expect(try workshop.flowrun("test", ".", "--accept").code == 0)
  try workshop.checkShell(
    """
    rm hello/offline-first.json; echo notes > hello/offline-first.md; echo '{"a": 1}' > hello/offline-first.jsonc
    echo '{"scenario": "x"}' > hello/offline-first-again.jsonc; "$FLOWRUN" test hello.json --accept
    """, code: 0, says: ["removed   hello/offline-first.trace.jsonl"])
}

/// Its name begins with that of the golden and a dot.
@Test func aScenarioOfTheFlowItselfKeepsNoOthersGolden() throws {
  let workshop = try Workshop()
  try workshop.write("{\"scenario\": \"offline-first.v2\"}", to: "hello/offline-first.v2.json")
  #expect(try workshop.flowrun("test", ".", "--accept").code == 0)
  try workshop.checkShell(
    "rm hello/offline-first.json; \"$FLOWRUN\" test hello.json --accept", code: 0,
    says: ["removed   hello/offline-first.trace.jsonl", "ok        hello/offline-first.v2.json"],
    never: ["nothing looks at it"])
}

@Test func aNewScenarioOfAnotherFlowKeepsNoGolden() throws {
  let workshop = try Workshop()
  try workshop.write("{\"scenario\": \"again\"}", to: "hello/again.json")
  try workshop.write(workshop.read("hello.json").replacing("\"hello\"", with: "\"bye\""), to: "bye.json")
  #expect(try workshop.flowrun("test", ".", "--accept").code == 0)
  try workshop.checkShell(
    """
    mkdir -p bye; rm bye/*; mv hello/offline-first.json bye; "$FLOWRUN" test . --accept
    """, code: 0,
    says: ["removed   hello/offline-first.trace.jsonl", "accepted  new: bye/offline-first.trace.jsonl"],
    never: ["is called like it"])
}

@Test func aDocumentThatIsHiddenOrHasCommentsIsTold() throws {
  let workshop = try Workshop()
  let words = "is not looked at, since its name"
  for operand in [".", "hello.json"] {
    try workshop.checkShell(
      """
      cp hello/offline-first.json hello/.a.json; echo '{"x": 1}' > hello/.settings.json
      echo '{"service": "x", "port": 1 /* y */}' > .devcontainer.json; echo '{"flow": "main"}' > .gitflow.json
      echo '{"flow": "f", "$schema": "https://schemas.example/tool.json"}' > .tool.json
      echo '{"$schema": "schemas/flow.schema.json", "flow": "f" /* y */}' > hello/.d.json
      echo '{"scenario": "b", "script": [] /* a comment */}' > hello/b.jsonc; echo '{"x": 1 /* y */}' > hello/tsconfig.jsonc
      touch hello/c.JSON; "$FLOWRUN" check \(operand)
      """, code: 0,
      says: [
        "warning[misnamed-document]: hello/.a.json \(words) begins with a dot\n= help: rename it to a.json",
        "hello/b.jsonc \(words) does not end in \".json\"\n= help: rename it to b.json", "hello/c.JSON \(words)",
        "hello/.d.json \(words)", "4 warnings in",
      ], never: ["settings", "tsconfig", "devcontainer", "gitflow", ".tool"])
  }
}

@Test(arguments: ["Hello", "helo"])
func theScenariosOfARenamedFolderGetNoSecondFolder(folder: String) throws {
  let workshop = try Workshop()
  let hint = "did you mean hello.json? A scenario stands in hello/"
  try workshop.checkShell("mv hello \(folder); \"$FLOWRUN\" check .", code: 65, says: ["= help: \(hint)\n"])
  for (operand, code) in [(".", Int32(65)), ("hello.json", 1)] {
    try workshop.checkShell(
      "\"$FLOWRUN\" test \(operand) --accept", code: code,
      says: [
        "missing   hello.json\n",
        "Its scenarios likely lie in \(folder): rename that to hello. Until then nothing is accepted here.",
      ], never: ["accepted  "])
  }
  #expect(!workshop.exists("hello/default.trace.jsonl"))
  // A folder without scenarios, and one of another name, are none of this flow.
  try workshop.checkShell(
    """
    rm -r \(folder); mkdir Hello bye; echo '{"scenario": "x"}' > bye/x.json; "$FLOWRUN" test hello.json --accept
    """, code: 0,
    says: ["accepted  new: hello/default.trace.jsonl"])
}
