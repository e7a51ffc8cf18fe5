import FlowSpec
import Testing

@Suite struct UnusedParticipantTests {
  /// A shop whose model asks the bank by the name that the bank's model gives itself.
  private static func shop(asks bank: String, more: String = "") -> Documents {
    Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"ada": {"kind": "person"}, \#(more) "app": {"kind": "app"},
        "shop": {"kind": "service", "url": "https://shop.example", "model": "shop.json"},
        "house": {"kind": "service", "url": "https://bank.example", "model": "bank.json"}}, "start": "ask",
        "states": {"ask": {"request": {"to": "shop", "post": "/buy"}, "next": [{"goto": "done"}]}, "done": {"goal": true}}}
      """#,
      "shop.json": #"""
      {"service": "shop", "routes": [{"on": "POST /buy", "next": [{"goto": "asking"}]}], "states": {"asking": {
        "request": {"to": "\#(bank)", "post": "/pay"}, "next": [{"reply": {}}]}}}
      """#,
      "bank.json": #"{"service": "bank", "routes": [{"on": "POST /pay", "next": [{"reply": {}}]}]}"#,
    ])
  }

  @Test func aServiceMayBeNamedAsItsModelIs() {
    var named = Self.shop(asks: "bank")
    #expect(named.flow("x.json").diagnostics.map(\.summary) == [])
    var unnamed = Self.shop(asks: "shop")
    #expect(unnamed.flow("x.json").diagnostics.map(\.summary).contains("unused-participant x.json:3:3"))
  }

  /// The first opens the app, whatever else there is for her to do.
  @Test func ofSeveralPersonsTheFirstHasSomethingToDo() {
    var documents = Self.shop(asks: "bank", more: #""bob": {"kind": "person"},"#)
    #expect(documents.flow("x.json").diagnostics.map(\.summary) == ["unused-participant x.json:1:73"])
  }
}
