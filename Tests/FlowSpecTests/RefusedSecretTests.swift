import FlowSpec
import Testing

/// What is said of a refresh in a sub-flow whose refusal does this, and whose caller then does this and comes to a state in
/// which a person does this.
private func told(
  refused: String = "", ended: String = "", person: String = "", sent: String = "store.refresh",
  taken: String = #""refresh": "${string(response.json.refresh_token)}""#
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"aside": {"type": "string", "secret": true}, "refresh": {"type": "string", "secret": true}}, "memory": {"code": {"type": "string", "secret": true}},
     "events": {"user.in": {"fields": {"code": {"type": "string", "secret": true}}}, "user.out": {}},
     "start": "launch", "states": {
       "launch": {"next": [{"when": "present(store.refresh)", "goto": "getting"}, {"goto": "over"}]},
       "getting": {"call": "get", "next": [{"when": "result.ended == 'got'", "goto": "home"},
         {"when": "result.ended == 'refused'", "do": [\#(ended)], "goto": "over"}, {"goto": "home"}]},
       "over": {"rest": true, "on": {"user.in": {"do": [{"set": {"refresh": "${event.code}"}}\#(person)], "goto": "home"}}},
       "home": {"goal": true, "on": {"user.out": {"do": [{"clear": ["refresh"]}], "goto": "over"}}}},
     "flows": {"get": {"ends": ["got", "refused", "later"], "start": "refreshing", "states": {
       "refreshing": {"request": {"to": "id", "post": "/token", "form": {"grant_type": "refresh_token", "refresh_token": "${\#(sent)}"}}, "next": [
         {"when": "response.status == 200", "do": [{"set": {\#(taken)}}], "end": "got"},
         {"when": "response.status in [400, 401]", "do": [\#(refused)], "end": "refused"}, {"end": "later"}]}}}}}
    """#
  ])
  return documents.told("refused-secret", beside: ["may-be-null", "lasting-secret"]).map {
    $0.labels.map(\.text).joined(separator: ", ")
  }
}

/// A secret that the server has refused, and that is sent again.
@Suite struct RefusedSecretTests {
  private static let found = ["may take a refusal, sends it"]

  @Test func whatStaysBehindARefusalIsTold() {
    #expect(told() == Self.found)
    #expect(told(refused: #"{"set": {"code": "x"}}"#) == Self.found)
  }

  @Test func whatIsClearedByItOrBehindItsEndIsNot() {
    #expect(told(refused: #"{"clear": ["refresh"]}"#) == [])
    #expect(told(refused: #"{"set": {"refresh": null}}"#) == [])
    #expect(told(ended: #"{"clear": ["refresh"]}"#) == [])
  }

  @Test func whatEachWayOnClearsIsNot() { #expect(told(person: #", {"clear": ["refresh"]}"#) == []) }

  @Test func whatGetsNothingNewOrIsNotStoredIsNot() {
    #expect(told(taken: #""code": "x""#) == [])
    #expect(told(sent: "memory.code") == [])
  }

  /// What is kept for a revocation is no new one.
  @Test func whatIsPutAsideAndClearedIsNot() {
    #expect(told(refused: #"{"set": {"aside": "${store.refresh}"}}, {"clear": ["refresh"]}"#) == [])
    #expect(told(refused: #"{"set": {"aside": "${store.refresh}", "refresh": null}}"#) == [])
    #expect(told(refused: #"{"set": {"aside": "${store.refresh}"}}"#) == Self.found)
  }
}
