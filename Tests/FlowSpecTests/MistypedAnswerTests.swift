import FlowSpec
import Testing

/// What is said of a flow that sets a key of this type from an answer of `GET /me`, whose replies have these bodies.
private func told(
  _ type: String, from template: String = "${response.json.?it}", where condition: String = "response.status == 200",
  after earlier: String = "", retry: String = "", last: String = #"{"status": 404}"#, _ bodies: String...
) -> [Diagnostic] {
  let replies = bodies.enumerated().map { index, body in
    "{\"when\": \"size(request.query) == \(index)\", \"reply\": {\"json\": {\"it\": \(body)}}}, "
  }
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "device": {"kind": "device"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}},
      "let": {"isGood": "response.status == 200"}, "memory": {"key": {"type": "\#(type)"}}, "start": "ask", "states": {
        "ask": {"request": {"to": "api", "get": "/me"\#(retry)}, "next": [
          \#(earlier){"when": "\#(condition)", "do": [{"set": {"key": "\#(template)"}}], "goto": "done"}, {"goto": "done"}]},
        "done": {"goal": true, "on": {"device.offline": {"when": "present(memory.key)", "goto": "ask"}}}}}
    """#,
    "api.json": #"""
    {"service": "api", "store": {"kept": {"type": "int"}},
      "routes": [{"on": "GET /me", "next": [\#(replies.joined()){"reply": \#(last)}]}]}
    """#,
  ])
  return documents.told("type-mismatch", beside: ["status-without-failure"])
}

@Suite struct MistypedAnswerTests {
  @Test func whatNoAnswerHasTheTypeOfIsTold() {
    let found = told("duration", "5", "7.5")
    #expect(found.map(\.severity) == [.warning])
    #expect(
      found.map(\.message) == [
        #"every answer of GET /me of "api" that has response.json.?it has an int there, where a duration is needed"#
      ])
    #expect(found.map(\.help) == ["seconds(…) makes a duration of a number of seconds"])
    #expect(told("timestamp", #""2026-01-01T00:00:00Z""#).map(\.help) == ["timestamp(…) makes a timestamp of it"])
    #expect(told("string", "7").map(\.help) == ["string(…) makes a string of it"])
  }

  @Test func nothingIsSaidWhereAnAnswerMayFit() {
    #expect(told("double", "5").isEmpty)
    #expect(told("string", "5", #""five""#).isEmpty)
    #expect(told("duration", "null").isEmpty)
    #expect(told("duration", "5", #""${store.kept}""#).isEmpty)
    #expect(told("duration", from: "${seconds(response.json.it)}", "5").isEmpty)
    #expect(told("duration", from: "${response.json.?other}", "5").isEmpty)
  }

  /// The one answer that has it is a refusal, in words or as a number.
  private static let refusal = #"{"status": 400, "json": {"it": 7}}"#

  @Test(arguments: [
    "response.status == 200", "response.status < 300", "response.status / 100 == 2", "isGood",
    "response.status == 200 && device.online", "response.status / 100 == 2 && device.online",
    "!(response.status >= 400) && device.online", "present(response.json.?other)",
    "response.status == 400 && present(response.json.?other)",
  ])
  func nothingIsSaidWhereAnotherStatusIsAskedForThanAnswersThatHaveItHave(condition: String) {
    #expect(told("string", where: condition, last: Self.refusal).isEmpty)
  }

  @Test(arguments: [
    "response.status == 400", "response.status >= 400", "!isGood", "response.failure == null", "device.online",
    "response.status in [400, 401] && device.online",
  ])
  func whatComesThereIsTold(condition: String) {
    #expect(told("string", where: condition, last: Self.refusal).count == 1)
  }

  @Test func nothingIsSaidWhereAnEarlierTransitionMayTakeIt() {
    func told(after earlier: String) -> Bool {
      let condition = "response.failure == null"
      return !FlowSpecTests.told(
        "string", where: condition, after: "{\(earlier)\"goto\": \"done\"}, ", last: Self.refusal
      ).isEmpty
    }
    #expect(!told(after: #""when": "response.status >= 400", "#))
    #expect(!told(after: #""when": "present(response.json.?it)", "#))
    #expect(told(after: #""when": "response.status == 401", "#))
    #expect(told(after: #""when": "response.status == 401 && present(response.json.?it)", "#))
    #expect(told(after: #""when": "device.online", "#))
  }

  @Test func whatIsSetBeforeAFurtherTryIsToldByTheConditionOfThat() {
    func told(_ condition: String) -> Bool {
      let retry = #""when": "\#(condition)", "do": [{"set": {"key": "${response.json.?it}"}}]"#
      return !FlowSpecTests.told("string", retry: #", "retry": {"most": 1, \#(retry)}"#, last: Self.refusal).isEmpty
    }
    #expect(told("response.status == 400") && !told("response.status == 503"))
  }
}
