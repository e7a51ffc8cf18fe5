import FlowSpec
import Testing

/// A flow whose service asks another, of these transitions of a route and states each.
private func asking(
  one: String = asks("two"), _ states: String = waits("two"), two: String = asks("one"), _ others: String = waits("one")
) -> Documents {
  Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "one": {"kind": "service", "url": "https://one.example", "model": "one.json"},
      "two": {"kind": "service", "url": "https://two.example", "model": "two.json"}}, "start": "ask",
      "states": {"ask": {"request": {"to": "one", "get": "/one"}, "next": [{"goto": "asked"}]},
        "asked": {"request": {"to": "two", "get": "/two"}, "next": [{"goto": "done"}]}, "done": {"goal": true}}}
    """#,
    "one.json": #"{"service": "one", "routes": [{"on": "GET /one", "next": [\#(one)]}], "states": {\#(states)}}"#,
    "two.json": #"{"service": "two", "routes": [{"on": "GET /two", "next": [\#(two)]}], "states": {\#(others)}}"#,
  ])
}

private func asks(_ other: String) -> String { "{\"goto\": \"ask-\(other)\"}" }

private func waits(_ other: String, _ more: String = "") -> String {
  #""ask-\#(other)": {\#(more)"request": {"to": "\#(other)", "get": "/\#(other)"}, "next": [{"reply": {}}]}"#
}

private let replies = #"{"reply": {}}"#

@Suite struct ServiceCircleTests {
  @Test func modelsThatAskOneAnotherForEverAreTold() {
    var documents = asking()
    let found = documents.flow("x.json").diagnostics
    #expect(found.map(\.summary) == ["loop-without-wait one.json:1:117"] && found.map(\.severity) == [.warning])
    #expect(
      found.first?.help == #"""
        GET /one of "one" → GET /two of "two" → GET /one of "one": let one of them reply without asking the next
        """#)
  }

  /// `sometimes` may answer where nothing else does.
  @Test func theMessageSaysWhatWouldAnswer() {
    var documents = asking()
    let message = documents.flow("x.json").diagnostics.first?.message
    #expect(message == #"requests of models go round in a circle, and without a "sometimes" none is ever answered"#)
  }

  @Test func aModelThatAsksItselfIsTold() {
    var documents = asking(one: asks("one"), waits("one"), two: replies, "")
    let found = documents.flow("x.json").diagnostics
    #expect(found.map(\.code) == ["loop-without-wait"])
    #expect(found.first?.help?.hasPrefix(#"GET /one of "one" → GET /one of "one": "#) == true)
  }

  /// What a scenario asks for ends none that goes past it.
  @Test func onlyWhatNeverEndsIsTold() {
    let maybe = #"{"name": "now", "sometimes": true, "reply": {}}, "#
    let either = #"{"when": "'a' in request.query", "goto": "ask-two"}, "#
    let deciding = #""deciding": {"next": [\#(either)\#(asks("two"))]}, "#
    for one in [maybe + asks("two"), either + asks("two"), "{\"goto\": \"deciding\"}"] {
      var documents = asking(one: one, deciding + waits("two"))
      #expect(documents.flow("x.json").diagnostics.map(\.code).contains("loop-without-wait"), "\(one)")
    }
    for (one, states, two) in [
      (either + replies, waits("two"), asks("one")), (asks("two"), waits("two"), replies),
    ] {
      var documents = asking(one: one, states, two: two)
      let found = documents.flow("x.json").diagnostics.filter { $0.code != "unreachable-state" }
      #expect(found.map(\.code) == [], "\(one) \(states)")
    }
  }

  /// What is missing may be what leads out.
  @Test func nothingIsSaidWhereADocumentHasAnError() {
    var documents = asking(two: #"{"when": "oops", "reply": {}}, "# + asks("one"))
    #expect(Set(documents.flow("x.json").diagnostics.filter { $0.severity != .error }.map(\.code)) == [])
  }

  /// By itself a service is not held against those that it asks.
  @Test func anyOfTheModelsMayOverruleIt() {
    var documents = asking(two: asks("one"), waits("one", #""despite": {"loop-without-wait": "as in reality"}, "#))
    #expect(documents.flow("x.json").diagnostics.map(\.severity) == [.remark])
    #expect(Loading.service(at: "two.json", reader: &documents).diagnostics.map(\.summary) == [])
  }
}
