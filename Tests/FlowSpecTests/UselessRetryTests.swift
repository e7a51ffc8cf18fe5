import FlowSpec
import Testing

/// What is said of a request with this `retry`, to a service that answers a lock with this status and these headers, or
/// that has no model.
private func told(
  when: String, and rest: String = "", answering status: Int = 423, locked headers: String = "", hasModel: Bool = true
) -> [String] {
  let model = hasModel ? #", "model": "id.json""# : ""
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"\#(model)}},
     "memory": {"code": {"type": "string", "secret": true, "initial": "1"}},
     "let": {"shutOut": "response.status == 423"},
     "start": "asking", "states": {
       "asking": {"request": {"to": "id", "post": "/code", "json": {"code": "${memory.code}"},
           "retry": {"when": "\#(when)", "most": 3\#(rest)}},
         "next": [{"when": "response.status == 204", "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "after": [{"wait": "1h", "goto": "asking"}]}, "home": {"goal": true}}}
    """#,
    "id.json": #"""
    {"service": "id", "routes": [{"on": "POST /code", "next": [
      {"when": "request.json.?code.orValue('') == '1'", "reply": {"status": 204}},
      {"reply": {"status": \#(status), "headers": {\#(headers)}}}]}]}
    """#,
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "useless-retry" || $0.severity == .error }
    .map { "\($0.code): \($0.labels.first?.text ?? "")" }
}

/// The same is asked again where the server has refused it.
@Suite struct UselessRetryTests {
  @Test(arguments: [400, 401, 422])
  func whatIsWrongIsRefusedAlike(status: Int) {
    #expect(told(when: "response.status == \(status)") == ["useless-retry: holds for \(status)"])
    #expect(told(when: "response.status == \(status)", and: Self.waits) == ["useless-retry: holds for \(status)"])
  }

  private static let waits = #", "wait": "1s""#

  @Test(arguments: [402, 405, 406, 410, 411, 412, 414, 415, 416, 417, 426, 428, 431, 451])
  func whatNoTimeChangesIsToldWithAWaitToo(status: Int) {
    let found = ["useless-retry: holds for \(status)"]
    #expect(told(when: "response.status in [\(status), 503]") == found)
    #expect(told(when: "response.failure != null || response.status == \(status)", and: Self.waits) == found)
  }

  @Test(arguments: [403, 404, 409, 413, 423])
  func whatSomeTimeMayChangeIsToldWithoutAWait(status: Int) {
    let found = ["useless-retry: holds for \(status)"]
    #expect(told(when: "response.status in [\(status), 503]", answering: status) == found)
    #expect(told(when: "response.status == \(status)", and: Self.waits, answering: status) == [])
  }

  /// Where no model says otherwise, a real service may ask for a wait.
  @Test(arguments: [403, 404, 409, 413, 423])
  func whatNoModelAnswersIsNotTold(status: Int) {
    let when = "response.status in [\(status), 503]"
    #expect(told(when: when, answering: status, hasModel: false) == [])
    #expect(told(when: when, answering: 429) == [])
  }

  @Test(arguments: [
    "response.status in [408, 425, 429, 503]", "response.failure != null", "response.status >= 500",
    // A range may reach there for the sake of others.
    "response.status >= 423 && response.status < 500 || response.status == 503",
    "response.status == 423 && response.json.?locked.orValue('') == 'soon'",
    "response.status == 403 && present(response.headers[?'retry-after'])",
  ])
  func whatMayHelpIsNotTold(when: String) { #expect(told(when: when) == []) }

  @Test func howItAsksDoesNotMatter() {
    #expect(told(when: "shutOut") == ["useless-retry: holds for 423"])
    #expect(told(when: "423 == response.status") == ["useless-retry: holds for 423"])
    #expect(told(when: "!(response.status != 423)") == ["useless-retry: holds for 423"])
    #expect(told(when: "response.status != 423 && response.status >= 500") == [])
  }

  @Test func whatChangesSomethingBetweenIsNotTold() {
    #expect(told(when: "response.status == 423", and: #", "do": [{"set": {"code": "2"}}]"#) == [])
  }

  /// Each try waits for so long as the service asks for.
  @Test func aServiceThatSaysWhenIsWaitedFor() {
    #expect(told(when: "response.status == 423", locked: #""retry-after": "30""#) == [])
    #expect(told(when: "response.status == 423", locked: #""Retry-After": "30""#) == [])
    #expect(told(when: "response.status == 403", locked: #""retry-after": "30""#) == [])
    #expect(
      told(when: "response.status in [403, 423]", answering: 403, locked: #""retry-after": "30""#) == [])
  }
}
