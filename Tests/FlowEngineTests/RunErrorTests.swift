import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// Run errors point at their place in the document; runs are the same each time; the deciding line is known.
@Suite struct RunErrorTests {
  private static func deciding(_ next: String) -> Sketch {
    Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 2}, "s": {"type": "string"}, "raw": {"type": "json", "initial": {"a": 1}}}, "let": {"big": "store.n > 1"}, "start": "d", "states": {
          "d": {"next": [\#(next) {"goto": "b"}]}, "a": {"goal": true}, "b": {"goal": true}}
        """#)
  }

  @Test func aGuardThatFailsToEvaluateIsAnErrorAndNeverFalse() throws {
    try checkProblem(
      Self.deciding(#"{"when": "1 / (store.n - 2) > 0", "goto": "a"},"#), is: "division-by-zero",
      at: "1 / (store.n - 2)")
    try checkProblem(
      Self.deciding(#"{"when": {"any": ["store.n > 5", {"not": "store.raw.b == 1"}]}, "goto": "a"},"#),
      is: "no-such-key", at: "store.raw.b")
    try checkProblem(
      Self.deciding(#"{"when": "store.raw.a", "goto": "a"},"#), is: "no-such-overload", at: "store.raw.a")
  }

  @Test func whatIsMissingIsNamedAsItIsWritten() throws {
    try checkProblem(
      Self.deciding(#"{"when": "store.raw['b'] == 1", "goto": "a"},"#), is: "no-such-key", at: "store.raw['b']",
      says: "there is no entry \"store.raw['b']\"; a.?b and a[?b] look without failing")
    try checkProblem(
      Self.deciding(#"{"when": "store.raw.b == 1", "goto": "a"},"#), is: "no-such-key", at: "store.raw.b",
      says: "there is no member \"b\"; a.?b")
  }

  @Test func aNumberThatMeetsATimeIsToldWhatMakesADuration() throws {
    try checkProblem(
      Self.deciding(#"{"when": "now + store.raw.a > now", "goto": "a"},"#), is: "no-such-overload",
      at: "now + store.raw.a", says: "seconds(…) or duration('60s') makes a duration of a number")
  }

  @Test func errorsAreAbsorbedAsCELSays() throws {
    try checkStory(Self.deciding(#"{"when": "1 / (store.n - 2) > 0 || big", "goto": "a"},"#), has: "in d\nin a")
  }

  @Test func aTemplatePointsInsideItsString() throws {
    try checkProblem(
      Self.deciding(#"{"do": [{"show": {"x": {"t": "it is ${store.raw.nothing} here"}}}], "goto": "a"},"#),
      is: "no-such-key",
      at: "store.raw.nothing")
  }

  /// What is wrong in a let is shown there, and where it is used.
  @Test func aLetPointsInsideItself() throws {
    var sketch = Self.deciding(#"{"when": "store.n > 0 && has", "goto": "a"},"#)
    sketch.flow.replace(
      "\"let\": {", with: #""let": {"has": {"is": "!(deep == 2)"}, "deep": "1 + store.raw.nothing", "#)
    try checkProblem(sketch, is: "no-such-key", at: "store.raw.nothing")
    let outcome = try sketch.run()
    let use = try #require(outcome.problems.first?.labels.last)
    #expect(use.text == "the let is used here")
    #expect(String(decoding: use.site.document.bytes[use.site.range], as: UTF8.self) == "has")
  }

  @Test func aMachineWithoutAModelCannotBeSimulated() throws {
    let sketch = Sketch(
      flow:
        #""start": "a", "states": {"a": {"request": {"to": "live", "get": "/x"}, "next": [{"goto": "b"}]}, "b": {"goal": true}}"#,
      participants: ["user": #"}, "live": {"kind": "service", "url": "https://live.example""#])
    try checkProblem(sketch, is: "no-model", at: "\"live\"")
  }

  @Test func theLinesThatDecidedAreKnown() throws {
    func decisions(_ next: String) throws -> [String] {
      try Self.deciding(next).run().happenings.flatMap { happening -> [String] in
        guard case .transition(let taken) = happening.fact else { return [] }
        return taken.decisions.map { "\($0.condition.source) is \($0.holds)" }
      }
    }
    #expect(try decisions(#"{"when": "store.n > 5", "goto": "a"}, {"when": "big", "goto": "a"},"#) == ["big is true"])
    #expect(try decisions(#"{"when": "store.n > 5", "goto": "a"},"#) == ["store.n > 5 is false"])
    #expect(
      try decisions(#"{"when": {"all": ["store.n > 0", {"any": ["store.n > 7", "store.n == 2"]}]}, "goto": "a"},"#)
        == ["store.n > 0 is true", "store.n == 2 is true"])
    #expect(
      try decisions(#"{"when": {"all": ["store.n > 0", {"not": "store.n == 2"}, "store.n > 1"]}, "goto": "a"},"#) == [
        "store.n == 2 is true"
      ])
  }

  @Test func aKnownDecisionReadsItsValuesOnce() throws {
    let outcome = try Self.deciding(#"{"when": "store.n > 1 && store.n < 9 && store.s == null", "goto": "a"},"#).run()
    let readings = outcome.happenings.compactMap { happening -> [String]? in
      guard case .transition(let taken) = happening.fact else { return nil }
      return taken.decisions.first?.condition.readings.map(\.name)
    }
    #expect(readings.first == ["store.n", "store.s"])
  }

  @Test func twoRunsAreEqual() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"t": {"type": "string"}, "u": {"type": "string"}}, "start": "ask", "states": {
          "ask": {"do": [{"set": {"t": "${fresh('t')}", "u": "${newId('u')}"}}], "request": {"to": "api", "post": "/x", "json": {"t": "${store.t}"}}, "next": [{"goto": "done"}]}, "done": {"goal": true}}
        """#, services: ["api": #""routes": [{"on": "POST /x", "next": [{"reply": {"json": "${fresh('code')}"}}]}]"#])
    let first = try sketch.run()
    let second = try sketch.run()
    func trace(_ outcome: RunOutcome) -> [UInt8] { TraceWriter.trace(of: outcome, scenario: nil) }
    #expect(trace(first) == trace(second))
    #expect(first.snapshot == second.snapshot)
    #expect(Story.storeValues(of: first)[0].hasPrefix("\"t-1"))
    #expect(Story.storeValues(of: first)[0].count == 45)
  }
}
