import FlowSpec
import Testing

/// What is said of a flow that reads something of the answers of `GET /me`, whose replies are these.
private func told(
  reads: String, replies: String, more: String = "", other: String? = nil,
  beside errors: Set<String> = ["unreachable-state"]
) -> [String] {
  let others = other.map { #", {"on": "GET /other", "next": [\#($0)]}"# } ?? ""
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
      "states": {"ask": {"request": {"to": "api", "get": "/me"}, "next": [{"when": "present(\#(reads))", "goto": "done"}, {"goto": "done"}]}, "done": {"goal": true}}}
    """#,
    "api.json": #"""
    {"service": "api", "store": {"kept": {"type": "string", "initial": "k"}},
      "routes": [{"on": "GET /me", "next": [\#(replies)]}\#(others)]\#(more)}
    """#,
  ])
  return documents.told("unanswered-member", beside: errors).map(\.message)
}

@Suite struct UnansweredMemberTests {
  private static let person = #"{"reply": {"json": {"name": "Ada", "at": {"city": "${store.kept}"}}}}"#

  private static func missing(_ reading: String) -> [String] {
    [#"no answer of GET /me of "api" has \#(reading)"#]
  }

  @Test func whatNoAnswerHasIsTold() {
    #expect(told(reads: "response.json.?name", replies: Self.person).isEmpty)
    #expect(told(reads: "response.json.?at.?city", replies: Self.person).isEmpty)
    #expect(told(reads: "response.json.?id", replies: Self.person) == Self.missing("response.json.?id"))
    #expect(told(reads: "response.json.?at.?zip", replies: Self.person) == Self.missing("response.json.?at.?zip"))
    #expect(
      told(reads: "response.json.?id", replies: #"{"reply": {"status": 204}}"#) == Self.missing("response.json.?id"))
  }

  @Test func anyOfTheAnswersMayHaveIt() {
    let two = #"{"sometimes": true, "name": "other", "reply": {"json": {"id": 1}}}, "# + Self.person
    #expect(told(reads: "response.json.?id", replies: two).isEmpty)
    // What the states answer, and what every route may.
    let states = #", "states": {"deciding": {"next": [{"reply": {"json": {"id": 1}}}]}}"#
    #expect(told(reads: "response.json.?id", replies: #"{"goto": "deciding"}"#, more: states).isEmpty)
    let always = #", "sometimes": [{"name": "busy", "reply": {"status": 503, "json": {"id": 1}}}]"#
    #expect(told(reads: "response.json.?id", replies: Self.person, more: always).isEmpty)
  }

  /// Of the states those answer that can be reached: inside others, from these, and by what every route may do.
  @Test func statesOfOtherRoutesAnswerThoseAlone() {
    let states = #""deciding": {"next": [{"reply": {"json": {"name": "Ada"}}}]}"#
    let other = #""other": {"next": [{"reply": {"json": {"id": 1}}}]}"#
    let more = #", "states": {\#(states), \#(other)}"#
    #expect(
      told(reads: "response.json.?id", replies: #"{"goto": "deciding"}"#, more: more, other: #"{"goto": "other"}"#)
        == Self.missing("response.json.?id"))
    let inner = #"{"start": "in", "states": {"in": {"next": [{"reply": {"json": {"id": 1}}}]}}}"#
    let within = #", "states": {"deciding": \#(inner)}"#
    #expect(told(reads: "response.json.?id", replies: #"{"goto": "deciding"}"#, more: within).isEmpty)
    let often = #", "sometimes": [{"name": "busy", "goto": "other"}], "states": {\#(states), \#(other)}"#
    #expect(told(reads: "response.json.?id", replies: #"{"goto": "deciding"}"#, more: often).isEmpty)
    #expect(told(reads: "response.json.?id", replies: Self.person, more: often).isEmpty)
  }

  /// What a route that is wrong would answer once it is right is not known.
  @Test func nothingIsSaidOfAModelWithErrors() {
    let wrong = #"{"when": "present(request.query)"}, "#
    #expect(
      told(reads: "response.json.?id", replies: wrong + Self.person, beside: ["transition-without-target"]).isEmpty)
  }

  @Test func nothingIsSaidOfWhatIsNotWrittenOut() {
    #expect(told(reads: "response.json.?id", replies: #"{"reply": {"json": "${dyn({'a': 1})}"}}"#).isEmpty)
    #expect(told(reads: "response.json.?kept.?id", replies: #"{"reply": {"json": {"kept": "${store.kept}"}}}"#).isEmpty)
    #expect(told(reads: "response.json.?id", replies: #"{"reply": {"text": "${store.kept}"}}"#).isEmpty)
    #expect(told(reads: "response.json.?id", replies: #"{"reply": {"text": " {\"id\": 1}"}}"#).isEmpty)
    #expect(
      told(reads: "response.json.?id", replies: #"{"reply": {"text": "Not now"}}"#) == Self.missing("response.json.?id")
    )
  }

  /// What a scenario answers in place of the model is an answer, too.
  @Test func whatAScenarioAnswersIsNotTold() throws {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
        "states": {"ask": {"request": {"to": "api", "get": "/me"}, "next": [{"when": "present(response.json.?error)", "goto": "done"}, {"goto": "done"}]}, "done": {"goal": true}}}
      """#,
      "api.json": #"{"service": "api", "routes": [{"on": "GET /me", "next": [{"reply": {"json": {"id": 1}}}]}]}"#,
      "s.json": #"""
      {"scenario": "s", "script": [], "faults": [{"request": "GET /me", "answer": {"status": 403, "json": {"error": "no"}}}], "ends": "done"}
      """#,
    ])
    let checked = documents.flow("x.json")
    let flow = try #require(checked.value)
    let scenario = try #require(Loading.scenario(at: "s.json", for: flow, reader: &documents).value)
    #expect(Loading.diagnostics(checked.diagnostics, of: flow, given: []).map(\.code) == ["unanswered-member"])
    #expect(Loading.diagnostics(checked.diagnostics, of: flow, given: [scenario]).isEmpty)
  }
}
