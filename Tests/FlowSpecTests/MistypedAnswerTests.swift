import FlowSpec
import Testing

/// What is said of a flow that sets a key of this type from an answer of `GET /me`, whose replies have these bodies.
private func told(_ type: String, from template: String = "${response.json.?it}", _ bodies: String...) -> [Diagnostic] {
  let replies = bodies.enumerated().map { index, body in
    "{\"when\": \"size(request.query) == \(index)\", \"reply\": {\"json\": {\"it\": \(body)}}}, "
  }
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "device": {"kind": "device"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}},
      "memory": {"key": {"type": "\#(type)"}}, "start": "ask", "states": {
        "ask": {"request": {"to": "api", "get": "/me"}, "next": [
          {"when": "response.status == 200", "do": [{"set": {"key": "\#(template)"}}], "goto": "done"}, {"goto": "done"}]},
        "done": {"goal": true, "on": {"device.offline": {"when": "present(memory.key)", "goto": "ask"}}}}}
    """#,
    "api.json": #"""
    {"service": "api", "store": {"kept": {"type": "int"}},
      "routes": [{"on": "GET /me", "next": [\#(replies.joined()){"reply": {"status": 404}}]}]}
    """#,
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "type-mismatch" }
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
}
