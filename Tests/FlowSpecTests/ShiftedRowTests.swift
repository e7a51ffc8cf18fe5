import FlowSpec
import Testing

/// What is said of a renewal whose answer goes into this row, while this is heard around it, and done.
private func told(
  row: String = "store.who", heard: String = #""do": [{"set": {"who": "${event.name}"}}]"#, within: String = "",
  given: String = "${string(response.json.token)}"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"who": {"type": "string", "initial": "ada"}, "accounts": {"rows": {"token": {"type": "string", "secret": true}, "at": {"type": "timestamp"}}}},
     "memory": {"asking": {"type": "string", "initial": "ada"}},
     "events": {"user.switches": {"fields": {"name": {"type": "string"}}}, "user.renews": {}},
     "start": "home", "on": {"user.switches": {\#(heard)}}, "states": {
       "home": {"goal": true, "on": {"user.renews": {"do": [{"set": {"asking": "${store.who}"}}], "goto": "renewing"}}},
       "renewing": {"call": "renew", "next": [{"goto": "home"}]}},
     "flows": {"renew": {"ends": ["done"], "start": "asking", "states": {
       "asking": {\#(within)"request": {"to": "id", "post": "/renew"}, "next": [
         {"when": "response.status == 200", "do": [{"set": {"accounts[\#(row)].token": "\#(given)"}}], "end": "done"}, {"end": "done"}]}}}}}
    """#
  ])
  return documents.told("shifted-row").map { "\($0.labels[0].text), \($0.labels[1].text)" }
}

/// An answer that is put into the row of whoever is chosen by then.
@Suite struct ShiftedRowTests {
  private static let found = ["goes into the row that is named then, changes it"]

  @Test func aRowWhoseNameMayChangeMeanwhileIsTold() { #expect(told() == Self.found) }

  @Test func aNameThatWasPutAsideIsNot() { #expect(told(row: "memory.asking") == []) }

  @Test func whatIsNotHeardThenOrLeavesTheRequestIsNot() {
    #expect(told(within: #""on": {"user.switches": {}}, "#) == [])
    #expect(told(heard: #""do": [{"set": {"who": "${event.name}"}}], "goto": "home""#) == [])
    #expect(told(heard: #""do": [{"set": {"asking": "${event.name}"}}]"#) == [])
  }

  /// What else the app knows may keep it from that; who is known, and who is chosen already, does not.
  @Test func whatAConditionOfTheAppsOwnDecidesIsNot() {
    let does = #""do": [{"set": {"who": "${event.name}"}}]"#
    #expect(told(heard: #""when": "memory.asking != event.name", \#(does)"#) == [])
    #expect(told(heard: #""when": "event.name in store.accounts", \#(does)"#) == Self.found)
    #expect(told(heard: #""when": "event.name != store.who", \#(does)"#) == Self.found)
  }

  @Test func whatIsNotOfTheAnswerIsNot() { #expect(told(given: "${store.who}") == []) }
}
