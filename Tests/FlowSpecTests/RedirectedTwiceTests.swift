import FlowSpec
import Testing

/// What is said of a sign-in that goes on with a code behind this condition and does this, where the flow hears of it, and of
/// the state that redeems it.
private func told(
  when: String = "same(event.state, memory.state)", also: String = "", redeeming: String = "",
  grant: String = "authorization_code", event: String = "browser.redirected", entry: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "browser": {"kind": "browser"}, "app": {"kind": "app", "links": {"in": "https://app.example/in"}, "redirectUris": ["https://app.example/back"]},
       "id": {"kind": "service", "url": "https://id.example"}},
     "memory": {"code": {"type": "string", "secret": true}, "state": {"type": "string"}},
     "events": {"browser.redirected": {"fields": {"code": {"type": "string", "secret": true}, "state": {"type": "string"}}}, "link.in": {"fields": {"code": {"type": "string", "secret": true}, "state": {"type": "string"}}}, "user.in": {}},
     "start": "out", "on": {"\#(event)": [{"when": "\#(when)", "do": [{"set": {"code": "${event.code}"}}\#(also)], "goto": "redeeming"}]}, "states": {
       "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"state": "${fresh('state')}"}}], "goto": "browsing"}}},
       "browsing": {"rest": true, "do": [{"open": {"to": "id", "get": "/authorize", "query": {"response_type": "code", "state": "${memory.state}"}}}]},
       "redeeming": {\#(redeeming)"do": [\#(entry)], "request": {"to": "id", "post": "/token", "form": {"grant_type": "\#(grant)", "code": "${memory.code}"}},
         "next": [{"when": "response.status == 200", "goto": "home"}, {"do": [{"clear": ["code"]}], "goto": "out"}]},
       "home": {"goal": true}}}
    """#
  ])
  return documents.told("unsafe-retry").map { "\($0.labels[0].text), \($0.labels[1].text)" }
}

/// A code that is redeemed once more where its redirect comes twice.
@Suite struct RedirectedTwiceTests {
  private static let found = ["is taken then, too, sends it"]

  @Test func aCodeThatComesTwiceIsTold() {
    #expect(told() == Self.found)
    #expect(told(when: "present(event.code)") == Self.found)
    #expect(told(event: "link.in") == Self.found)
  }

  @Test func whatIsHeardOrAskedForOnceIsNot() {
    #expect(told(redeeming: #""on": {"browser.redirected": {}}, "#) == [])
    #expect(told(also: #", {"clear": ["state"]}"#) == [])
    #expect(told(entry: #"{"clear": ["state"]}"#) == [])
    #expect(told(when: "same(event.state, memory.state) && !present(memory.code)") == [])
  }

  @Test func anotherGrantIsNot() { #expect(told(grant: "urn:example:code") == []) }
}
