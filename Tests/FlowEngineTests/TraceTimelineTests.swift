import Expressions
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

    +0.0s  1         User → App    opens the app
    +0.0s            User → App    The person begins (name: Ada)
    +0.1s  1.2, 1.3  App → Server  POST /token
    +0.2s            Server → App  200 issued
    +0.2s            App           decides: refreshed
    +2h                            time passes: 2h
    +2h              App           is in: Ready (the goal)

    Stopped at +2h in "ready" (Ready): that is the goal.

    """)
}

@Test func longTextWrapsWithinAHundredColumns() throws {
  let fields = [Sample.named("text", .string(String(repeating: "a long text ", count: 20)))]
  let show = Happening.Fact.show(from: Sample.app, to: Sample.person, screen: "home", fields)
  let word = Happening.Fact.fault(String(repeating: "x", count: 250))
  let trace = try Trace(reading: Sample.bytes([Sample.happening(show), Sample.happening(word)]))
  let lines = Timeline(trace).text.split(separator: "\n")
  #expect(lines.count > 6)
  #expect(lines.allSatisfy { $0.count <= 100 })
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
  (0, "0.0s"), (59_999, "59.9s"), (60_000, "1m"), (125_000, "2m 5s"), (3_600_000, "1h"), (93_600_000, "1d 2h"),
  (86_460_000, "1d 1m"),
])
func timeIsToldInItsTwoLargestUnits(milliseconds: Int, words: String) {
  #expect(elapsedWords(milliseconds) == words)
}
