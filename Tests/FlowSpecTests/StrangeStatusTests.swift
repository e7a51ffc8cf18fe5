import FlowSpec
import Testing

@Suite struct StrangeStatusTests {
  /// What is said of a flow that asks for 200 where the route answers 201, with this `retry` and these transitions.
  private func told(retry: String, next: String = "", model: String = #"[{"reply": {"status": 201}}]}]"#) -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
        "let": {"refused": "response.status == 401 && !wantsMore", "wantsMore": "response.status == 401 && present(response.challenge.?bearer)"},
        "states": {"ask": {"request": {"to": "api", "put": "/r", "retry": {"when": "\#(retry)", "most": 1, "wait": "1s"}},
          "next": [{"when": "response.status == 200", "goto": "done"}, \#(next){"goto": "done"}]}, "done": {"goal": true}}}
      """#,
      "api.json": #"{"service": "api", "routes": [{"on": "PUT /r", "next": \#(model)}"#,
    ])
    return documents.told("strange-status", beside: ["status-without-failure"]).map(\.message)
  }

  /// A part of a condition may hold for the answer, and the whole does not.
  @Test(arguments: [
    "response.status == 401", "response.status == 401 && !(response.status == 403)", "refused",
    "response.status == 401 && !(response.status == 401 && device.online)",
    "response.status in [401, 503] && response.status != 403 && present(response.json.?error)",
  ])
  func aStatusThatTheRouteNeverGivesIsTold(retry: String) {
    #expect(told(retry: retry) == [#"PUT /r of "api" never answers 200"#])
  }

  @Test func whatAsksForThatOfTheRouteIsNotTold() {
    #expect(told(retry: "response.status == 401 || !(response.status == 403) && device.online") == [])
    #expect(told(retry: "response.status == 401", next: #"{"when": "response.status == 201", "goto": "done"}, "#) == [])
    #expect(
      told(retry: "response.status == 401", next: #"{"when": "!(response.status >= 400)", "goto": "done"}, "#) == [])
  }

  /// Of the states of a model those answer that can be reached.
  @Test(arguments: [("other", "", true), ("deciding", "", false), ("around", "", false), ("other", "deciding", false)])
  func statesOfOtherRoutesAnswerThoseAlone(state: String, sometimes: String, isTold: Bool) {
    let model = #"""
      [{"goto": "\#(state)"}]}, {"on": "GET /a", "next": [{"goto": "deciding"}]}, {"on": "GET /b", "next": [{"goto": "other"}]},
        {"on": "GET /c", "next": [{"goto": "around"}]}],
        "sometimes": [{"name": "late", \#(sometimes.isEmpty ? #""reply": {"status": 503}"# : #""goto": "\#(sometimes)""#)}],
        "states": {"deciding": {"next": [{"reply": {"status": 200}}]}, "other": {"next": [{"reply": {"status": 201}}]},
          "around": {"start": "in", "states": {"in": {"next": [{"goto": "deciding"}]}}}}
      """#
    #expect(told(retry: "response.status == 401", model: model).isEmpty == !isTold)
  }

  /// What the route would answer then is not known.
  @Test func aStatusInQuotationMarksIsToldOnce() throws {
    var documents = try Documents.sample()
    documents.texts["sample.json"] = documents.texts["sample.json"]?.replacing(
      "response.status == 200", with: "response.status == 201")
    documents.texts["services/api.json"] = documents.texts["services/api.json"]?
      .replacing(#"{"reply": {"json": {"token""#, with: #"{"reply": {"status": "201", "json": {"token""#)
    #expect(documents.flow().diagnostics.map(\.summary) == ["wrong-type services/api.json:11:30"])
  }
}
