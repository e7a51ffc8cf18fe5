import FlowSpec
import Testing

/// What is said of an order with an id that is kept there, of which this is asked where its answer was lost.
private func told(
  kept area: String = "memory", asked: String = "/orders/${memory.id}", lost: String = "asking", method: String = "get",
  retry: String = "", done: String = "", entry: String = "", made: String = "newId('order')",
  went: String = #""do": [{"clear": ["id"]}], "#
) -> [String] {
  let keys = ["store": "", "memory": ""].merging([area: #""id": {"type": "string"}, "old": {"type": "string"}"#]) { $1 }
  let asked = asked.replacing("memory.id", with: "\(area).id")
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {\#(keys["store"] ?? "")}, "memory": {\#(keys["memory"] ?? "")},
     "events": {"user.orders": {}, "user.asks": {}}, "start": "home", "flows": {"renew": {"ends": ["renewed"], "start": "renewing", "states": {"renewing": {"request": {"to": "id", "post": "/renew"}, "next": [{"end": "renewed"}]}}}}, "states": {
       "home": {"goal": true, "on": {"user.orders": {"do": [{"set": {"id": "${\#(made)}"}}], "goto": "ordering"}}},
       "ordering": {"request": {"to": "id", "post": "/orders", "json": {"id": "${\#(area).id}"}\#(retry)}, "next": [
         {"when": "response.failure == 'lost'", \#(done)"goto": "\#(lost)"}, {\#(went)"goto": "home"}]},
       "deciding": {"next": [{"when": "present(\#(area).id)", "goto": "asking"}, {"goto": "home"}]},
       "trouble": {"rest": true, \#(entry)"on": {"user.asks": {"goto": "asking"}}},
       "asking": {"request": {"to": "id", "\#(method)": "\#(asked)"}, "next": [{"goto": "home"}]}}}
    """#
  ])
  return documents.told("forgotten-request", beside: ["unreachable-state", "unused-flow"]).map {
    $0.labels.map(\.text).joined(separator: ", ")
  }
}

/// What only an app that was not killed can ask.
@Suite struct ForgottenRequestTests {
  private static let found = ["asks by it, sends it"]

  @Test func whatIsAskedByAKeyOfTheMemoryIsTold() {
    #expect(told() == Self.found)
    #expect(told(lost: "deciding") == Self.found)
  }

  @Test func whatIsStoredIsNot() { #expect(told(kept: "store") == []) }

  @Test func whatAPersonAsksOrSomethingElseIsNot() {
    #expect(told(lost: "trouble") == [])
    #expect(told(asked: "/orders") == [])
    #expect(told(method: "put") == [])
  }

  @Test func aRetryForSomethingElseDoesNotMatter() {
    #expect(told(retry: #", "retry": {"when": "response.status == 401", "call": "renew", "most": 1}"#) == Self.found)
  }

  @Test func anIdThatIsClearedWhereNoAnswerCameIsTold() {
    let (cleared, found) = (#""do": [{"clear": ["id"]}], "#, ["is taken where no answer came, sends it"])
    for area in ["store", "memory"] {
      #expect(told(kept: area, lost: "home", done: cleared) == found)
      #expect(told(kept: area, lost: "trouble", entry: cleared) == found)
    }
    #expect(told(kept: "store", lost: "home", done: #""do": [{"set": {"id": "${newId('other')}"}}], "#) == found)
    #expect(told(kept: "store", lost: "home", done: cleared, went: "") == [])
  }

  @Test func anIdThatIsPutAsideOrWasNotMadeForItIsNot() {
    #expect(
      told(kept: "store", lost: "home", done: #""do": [{"set": {"old": "${store.id}", "id": null}}], "#) == [])
    #expect(told(kept: "store", lost: "home", done: #""do": [{"clear": ["id"]}], "#, made: "string(now)") == [])
    #expect(
      told(
        kept: "store", lost: "home",
        done: #""do": [{"set": {"id": "${present(store.id) ? store.id : newId('order')}"}}], "#) == [])
  }
}
