import FlowSpec
import Testing

/// What is said of a wait behind 429 that is made so of a header, where this holds.
private func told(
  _ value: String, when: String = "response.status == 429", type: String = "timestamp",
  timer: String = #""at": "${memory.until}""#
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "memory": {"until": {"type": "\#(type)"}},
     "let": {"inSeconds": "int(response.headers[?'retry-after'].orValue('1'))", "reset": "timestamp(int(response.headers['x-rate-limit-reset']))",
       "resetIsNear": "present(response.headers[?'x-rate-limit-reset']) && reset <= now + duration('60s')"},
     "start": "asking", "states": {
       "asking": {"request": {"to": "id", "get": "/me"}, "next": [{"when": "response.status == 200", "goto": "home"},
         {"when": "\#(when)", "do": [{"set": {"until": "\#(value)"}}], "goto": "waiting"}, {"goto": "home"}]},
       "waiting": {"rest": true, "after": [{\#(timer), "goto": "asking"}]}, "home": {"goal": true}}}
    """#
  ])
  return documents.told("long-wait", beside: ["may-be-null", "unused-let"]).map { $0.labels[0].text }
}

/// A wait for as long as a server says.
@Suite struct UnboundedWaitTests {
  @Test(arguments: [
    "${now + seconds(inSeconds)}", "${reset}", "${timestamp(int(response.headers['x-rate-limit-reset']))}",
    "${now + seconds(int(response.headers['retry-after']) + 1)}",
  ])
  func whatHasNoBoundIsTold(value: String) { #expect(told(value) == ["has no bound"]) }

  @Test func aSpanIsToldToo() {
    #expect(told("${seconds(inSeconds)}", type: "duration", timer: #""wait": "${memory.until}""#) == ["has no bound"])
  }

  @Test(arguments: ["${now + seconds(inSeconds > 600 ? 600 : inSeconds)}", "${now + duration('1m')}"])
  func whatHasABoundIsNot(value: String) { #expect(told(value) == []) }

  @Test func whatAConditionBoundsIsNot() {
    #expect(told("${reset}", when: "response.status == 429 && resetIsNear") == [])
    #expect(told("${reset}", when: "response.status == 429 && reset > now") == ["has no bound"])
  }

  @Test func whatNoTimerReadsIsNot() {
    #expect(told("${reset}", timer: #""wait": "1m", "when": "expired(memory.until)""#) == [])
  }

  @Test(arguments: ["response.status == 503", "response.status in [500, 503]", "response.status >= 500"])
  func aServerThatIsDownMaySaySoToo(when: String) {
    #expect(told("${now + seconds(inSeconds)}", when: when) == ["has no bound"])
  }
}
