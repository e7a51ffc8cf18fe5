import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

private func checkTimeline(
  _ happenings: [Happening], _ expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let trace = try Trace(reading: Sample.bytes(happenings))
  #expect(Timeline(trace).text == expected, sourceLocation: sourceLocation)
}

@Test func aTimelineTellsTheRun() throws {
  let begins = EventHappening(
    from: Sample.person, to: Sample.app, name: "user.begins", fields: [Sample.named("name", .string("Ada"))],
    outcome: .taken)
  try checkTimeline(
    [
      Sample.happening(.launched(from: Sample.person, to: Sample.app), refs: ["1"]),
      Sample.happening(Sample.state("start")), Sample.happening(.event(begins)),
      Sample.happening(Sample.request(), at: 100, refs: ["1.2", "1.3"]), Sample.happening(Sample.answer(), at: 200),
      Sample.happening(Sample.transition("refreshed"), at: 200),
      Sample.happening(.clock(.seconds(7200)), at: 7_200_200),
      Sample.happening(Sample.state("ready", title: "Ready", isGoal: true), at: 7_200_200),
      Sample.happening(Sample.ended(), at: 7_200_200),
    ],
    """
    A sample · first

    +0s       1         User → App    opens the app
    +0s                 User → App    The person begins (name: Ada)
    +0.1s     1.2, 1.3  App → Server  POST /token
    +0.2s               Server → App  200 issued
    +0.2s               App           decides: refreshed
    +2h 0.2s                          time passes: 2h
    +2h 0.2s            App           is in: Ready (the goal)

    Stopped at +2h 0.2s in "ready" (Ready): that is the goal.

    """)
}

@Test func aTimelineTellsWhatAMailSays() throws {
  let mail = MailArrived(
    from: Sample.server, to: Sample.person, name: "code", address: nil, subject: .string("Hello"),
    text: .string(Text("Your code is ") + Sample.secret("493817", "code")), links: [])
  let trace = try Trace(reading: Sample.bytes([Sample.happening(.mail(mail))]))
  #expect(Timeline(trace).text.contains("mail \"code\": Hello (text: Your code is <code#1>)"))
}

@Test(arguments: [
  ("https://a.example/reset/<linkToken#1>", 30, ["https://a.example/reset/", "<linkToken#1>"]),
  ("at https://a.example/reset/<linkToken#1>/x", 30, ["at", "https://a.example/reset/", "<linkToken#1>/x"]),
  ("<first#1><second#1>", 10, ["<first#1>", "<second#1>"]), ("ab<first#1>", 11, ["ab<first#1>"]),
  // What has no room on a line of its own is broken where the line ends.
  ("ab<aNameThatIsLong#1>", 10, ["ab<aNameTh", "atIsLong#1", ">"]), ("<<<<<<<<<<<<", 5, ["<<<<<", "<<<<<", "<<"]),
])
func anAliasIsNotBrokenWhereItHasRoom(text: String, width: Int, lines: [String]) {
  #expect(wrapped(text, width: width) == lines)
}

/// Where a flag begins is told from all the letters of flags before it.
@Test func manyFlagsAreWrappedAsOtherText() {
  let flags = String(repeating: "\u{1F1E6}", count: 18_000)
  let lines = wrapped("name: <name#1> \(flags)", width: 60)
  #expect(lines.count == 1 + 18_000 / 60 && lines.joined() == "name: <name#1>" + flags)
  #expect(flags.split(separator: " ").first?.cells == 18_000)
}

/// A line that was told is read back however long it is: an answer may be, and each of its bytes may take six.
@Test func aLineOfItsOwnTraceMayBeLongerThanADocument() throws {
  let line = Array(#"{"n":1,"at":0,"kind":"choice","choice":"\#(String(repeating: "x", count: 17 << 20))"}"#.utf8)
  let header = Sample.bytes([])
  #expect(throws: TraceError.self) { try Trace(reading: header + line) }
  #expect(try Trace(reading: header + line, mostInLine: .max).lines.count == 1)
  var timeline = Timeline(try Trace(reading: header))
  #expect(try timeline.add(line).isEmpty && timeline.lastLine?.number == 1)
}

/// East Asian characters and emoji take two cells each: the columns behind them stand below one another all the same.
@Test func columnsAreMeasuredInCells() throws {
  let show = Happening.Fact.show(
    from: Sample.app, to: Sample.person, screen: "home", [Sample.named("text", .string("登録が完了しました🎉❤️"))])
  let happenings = [
    Sample.happening(.launched(from: Sample.person, to: Sample.app), refs: ["登録"]),
    Sample.happening(Sample.state("ready", title: "準備"), refs: ["1.2"]), Sample.happening(show),
  ]
  try checkTimeline(
    happenings,
    """
    A sample · first

    +0s  登録  User → App  opens the app
    +0s  1.2   App         is in: 準備
    +0s        App → User  shows "home" (text: 登録が完了しました🎉❤️)

    The trace ends before its run does.

    """)
}

@Test func wideCharactersAreBrokenWithinTheWidth() throws {
  let word = Happening.Fact.fault(String(repeating: "登録が完了しました", count: 20))
  let trace = try Trace(reading: Sample.bytes([Sample.happening(word)]))
  let lines = Timeline(trace, width: 60).text.split(separator: "\n")
  #expect(lines.count > 6 && lines.allSatisfy { $0.cells <= 60 } && lines.contains { $0.cells > 57 })
}

@Test func longTextWrapsWithinAHundredColumns() throws {
  let fields = [Sample.named("text", .string(String(repeating: "a long text ", count: 20)))]
  let show = Happening.Fact.show(from: Sample.app, to: Sample.person, screen: "home", fields)
  let word = Happening.Fact.fault(String(repeating: "x", count: 250))
  let trace = try Trace(reading: Sample.bytes([Sample.happening(show), Sample.happening(word)]))
  let lines = Timeline(trace).text.split(separator: "\n")
  #expect(lines.count > 6)
  #expect(lines.allSatisfy { $0.count <= 100 })
  #expect(Timeline(trace, width: 60).text.split(separator: "\n").allSatisfy { $0.count <= 60 })
}

@Test func textCannotSteerTheTerminal() throws {
  let trace = try Trace(reading: Sample.bytes([Sample.happening(.fault("\u{1B}[2J\u{202E}"))]))
  let text = Timeline(trace, style: .coloured).text
  #expect(text.contains("\\u{1B}[2J\\u{202E}"))
}

@Test func coloursAreOnlyForThoseWhoWantThem() throws {
  let trace = try Trace(reading: Sample.bytes([Sample.happening(Sample.state("ready", title: "Ready"))]))
  #expect(!Timeline(trace).text.contains("\u{1B}"))
  #expect(Timeline(trace, style: .coloured).text.contains("\u{1B}[1mis in: Ready\u{1B}[0m"))
}

@Test(arguments: [
  (0, "0s"), (30_000, "30s"), (50, "0.05s"), (59_999, "59.999s"), (60_000, "1m"), (125_000, "2m 5s"),
  (3_600_000, "1h"), (93_600_000, "1d 2h"), (86_460_000, "1d 1m"), (7_230_000, "2h 30s"),
  (2_685_630_500, "31d 2h 30.5s"),
])
func timeHidesNothingThatPassed(milliseconds: Int, words: String) {
  #expect(elapsedWords(milliseconds) == words)
}

@Test func whatTheDeviceWasAskedForIsCalledAlikeWhenItAnswers() throws {
  let asked = Happening.Fact.perform(from: Sample.app, to: Sample.server, capability: "sign", input: [])
  let fields = [Sample.named("text", .string("signed"))]
  let done = Happening.Fact.result(
    from: Sample.server, to: Sample.app, capability: "sign", failure: nil, fields: fields)
  let failed = Happening.Fact.result(
    from: Sample.server, to: Sample.app, capability: "sign", failure: "cancelled", fields: [])
  try checkTimeline(
    [asked, done, failed].map { Sample.happening($0) },
    """
    A sample · first

    +0s  App → Server  sign with the key
    +0s  Server → App  done: sign with the key (text: signed)
    +0s  Server → App  failed (cancelled): sign with the key

    The trace ends before its run does.

    """)
}

private func checkWords(_ facts: Happening.Fact..., words: String..., sourceLocation: SourceLocation = #_sourceLocation)
  throws
{
  let trace = try Trace(reading: Sample.bytes(facts.map { Sample.happening($0) }))
  #expect(trace.lines.map(\.words) == words, sourceLocation: sourceLocation)
}

@Test func eventsWithoutATitleAreToldInWords() throws {
  func event(_ name: String, _ outcome: EventHappening.Outcome = .taken) -> Happening.Fact {
    .event(EventHappening(from: Sample.browser, to: Sample.app, name: name, fields: [], outcome: outcome))
  }
  try checkWords(
    event("browser.closed"), event("browser.redirected"), event("device.online"), event("device.offline", .ignored),
    event("device.offline", .kept), event("link.welcome"), event("user.waits"),
    words: "is closed", "comes back to the app", "is online", "is offline",
    "is offline, kept for the next wait that names it",
    "comes by the link \"welcome\"", "user.waits")
}

@Test func aKillSaysWhatOfItsStepIsStored() throws {
  try checkWords(
    .killed(Sample.app, keeping: nil), .killed(Sample.app, keeping: 0), .killed(Sample.app, keeping: 1),
    .killed(Sample.app, keeping: 2),
    words: "is killed", "is killed, before anything of its step is stored",
    "is killed, when one change of its step is stored", "is killed, when 2 changes of its step are stored")
}

@Test func aTimeOutSaysSoOnce() throws {
  try checkWords(
    Sample.lost(reason: "no answer in time"), Sample.lost(reason: "the device went offline"), Sample.lost(reason: nil),
    words: "no answer came in time", "no answer came: the device went offline", "no answer came")
}

@Test func aPageThatNobodyHasClosedSaysWhyItCountsAsClosed() throws {
  try checkWords(
    .close(from: Sample.person, to: Sample.browser),
    .close(from: Sample.browser, to: Sample.app, reason: "nobody came back in 5m"),
    words: "closes the browser", "counts as closed: nobody came back in 5m")
}

@Test func whatIsUnsetIsCleared() throws {
  func change(_ path: String, to new: Value) -> Change {
    Change(path: .init(key: path), old: .null, new: new)
  }
  try checkWords(
    .set(Sample.app, [change("a", to: .int(1)), change("b", to: .null), change("c", to: .string(Text("x")))]),
    .set(Sample.app, [change("b", to: .null)]), .set(Sample.app, []),
    .set(Sample.app, [change("rows", to: .map(ValueMap())), change("list", to: .list([])), change("b", to: .int(0))]),
    words: "sets a, c and clears b", "clears b", "keeps everything as it is", "sets b and clears rows, list")
}

@Test func aStateInWhichAnotherScenarioEndedIsCalledByItsTitle() throws {
  let sketch = Sketch(
    flow: #""start": "a", "states": {"a": {"rest": true, "title": "Waiting"}}"#, scenarios: ["first": #""script": []"#])
  let outcome = try sketch.run(#""given": {"after": "first"}, "script": []"#)
  let trace = TraceWriter.trace(of: outcome, scenario: nil)
  let text = try Timeline(Trace(reading: trace), of: sketch.load()).text
  #expect(text.contains("Stopped at +0s in \"a\" (Waiting), where"), "\(text)")
}

@Test func theEndIsShownWhereItCarriesAStep() throws {
  let trace = try Trace(reading: Sample.bytes([Sample.happening(Sample.ended(), refs: ["7"])]))
  #expect(Timeline(trace).text.contains("+0s  7  App  the run ends as its scenario says\n"))
}
