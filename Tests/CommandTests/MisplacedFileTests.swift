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
