import FlowSpec
import Testing

/// What is said of a code that is redeemed, where no answer came and this is done, to wait for the person in a state that
/// does this first.
private func told(
  lost: String = "", entry: String = "", grant: String = "authorization_code",
  when: String = "response.failure == 'lost'",
  again: String = #"{"goto": "redeeming"}"#, sent: String = "memory.code"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "links": {"in": "https://app.example/in"}},
       "id": {"kind": "service", "url": "https://id.example"}},
     "memory": {"code": {"type": "string", "secret": true}, "tries": {"type": "int", "initial": 0}},
     "events": {"link.in": {"fields": {"code": {"type": "string", "secret": true}}}, "user.again": {}, "user.out": {}},
     "start": "out", "states": {
       "out": {"rest": true, "on": {"link.in": {"do": [{"set": {"code": "${event.code}"}}], "goto": "redeeming"}}},
       "redeeming": {"request": {"to": "id", "post": "/token", "form": {"grant_type": "\#(grant)", "code": "${\#(sent)}"}},
         "next": [{"when": "response.status == 200", "goto": "home"}, {"when": "\#(when)", \#(lost)"goto": "trouble"},
           {"do": [{"clear": ["code"]}], "goto": "out"}]},
       "trouble": {"rest": true, \#(entry)"on": {"user.again": \#(again)}}, "home": {"goal": true}}}
    """#
  ])
  return documents.told("unsafe-retry").map { "\($0.labels[0].text), \($0.labels[1].text)" }
}

/// A code that is sent once more where its answer was lost.
@Suite struct SpentCodeTests {
  private static let found = ["is taken where no answer came, sends it"]

  @Test func aCodeThatAPersonSendsOnceMoreIsTold() {
    #expect(told() == Self.found)
    #expect(told(when: "response.failure != null") == Self.found)
  }

  @Test func whatIsClearedOrAskedForAnewIsNot() {
    #expect(told(lost: #""do": [{"clear": ["code"]}], "#) == [])
    #expect(told(entry: #""do": [{"clear": ["code"]}], "#) == [])
    #expect(told(again: #"{"goto": "out"}"#) == [])
    #expect(told(again: #"{"do": [{"set": {"code": "${fresh('code')}"}}], "goto": "redeeming"}"#) == [])
  }

  @Test func anotherGrantAndWhatWasNotSentAreNot() {
    #expect(told(grant: "urn:example:code") == [])
    #expect(told(when: "response.failure == 'unreachable'") == [])
  }

  /// What the app knows of it may keep it from that.
  @Test func whatAConditionOfTheAppsOwnDecidesIsNot() {
    #expect(told(again: #"{"when": "memory.tries < 1", "goto": "redeeming"}"#) == [])
    #expect(told(again: #"{"when": "present(memory.code)", "goto": "redeeming"}"#) == Self.found)
  }

  @Test func howTheCodeIsSentDoesNotMatter() { #expect(told(sent: "string(memory.code)") == Self.found) }
}
