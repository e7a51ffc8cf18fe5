import FlowSpec
import Testing

/// What is said of a flow that sends this to a route which reads that, by the name of what it finds.
private func told(
  _ code: String, sends: String, reads: String, more: String = "", others: String = "", field: String = "code"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "out",
      "memory": {"\#(field)": {"type": "string"}},
      "events": {"user.enters": {"fields": {"\#(field)": {"type": "string", "example": "KMX"}}}},
      "states": {
        "out": {"rest": true, "on": {"user.enters": {"do": [{"set": {"\#(field)": "${event.\#(field)}"}}], "goto": "ask"}}},
        "ask": {"request": {"to": "api", "post": "/codes", \#(sends)}, "next": [{"goto": "done"}]},\#(more)
        "done": {"goal": true}}}
    """#,
    "api.json": #"""
    {"service": "api", "store": {"n": {"type": "int", "initial": 0}}, "routes": [\#(others)
      {"on": "POST /codes", "next": [{"when": "\#(reads)", "reply": {}}, {"reply": {"status": 404}}]}]}
    """#,
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == code }.map(\.message)
}

@Suite struct UnsentMemberTests {
  private static let reads = "request.json.?code.orValue('') == 'KMX'"
  private static let needs = "request.json.code == 'KMX'"
  private static let unsent = [#"nothing here sends "code" to POST /codes of "api", which reads it"#]

  @Test(arguments: [
    // The value is called as what is read.
    (#""json": {"mark": "${memory.code}", "kind": "b"}"#, "request.json.?kind.orValue('') == 'b' && \(reads)", "code"),
    // One name is a part of the other.
    (#""json": {"activationCode": "${memory.typed}", "kind": "b"}"#, "request.json.kind == 'b' && \(needs)", "typed"),
    (#""json": {"code_sent": "${memory.typed}", "kind": "b"}"#, "request.json.kind == 'b' && \(needs)", "typed"),
    // Nothing of the body is read.
    (#""json": {"pin": "${memory.typed}", "kind": "b"}"#, needs, "typed"),
    (#""json": {"pin": "${memory.typed}"}"#, needs, "typed"),
  ])
  func whatIsSentInPlaceOfWhatIsReadIsTold(sends: String, reads: String, field: String) {
    #expect(told("unsent-member", sends: sends, reads: reads, field: field) == Self.unsent)
  }

  @Test(arguments: [
    // It is sent.
    (#""json": {"code": "${memory.code}", "activationCode": "${memory.code}"}"#, reads),
    // An app need not send all that may be, nor a model look at all that is sent.
    (#""json": {"kind": "b"}"#, "request.json.?kind.orValue('') == 'b' && \(reads)"),
    (#""json": {"kind": "b", "device": "d"}"#, "request.json.?kind.orValue('') == 'b' && \(reads)"),
    (#""json": {"kind": "b", "id": "d"}"#, "request.json.?kind.orValue('') == 'b' && present(request.json.?card_id)"),
    (#""query": {"device": "d"}"#, "present(request.query.?page)"),
    (#""json": {"device_code": "d"}"#, reads), (#""json": {"locale": "de"}"#, "present(request.json.?force)"),
    // It may be any, or all of it is read.
    (#""json": "${dyn({'a': memory.code})}""#, reads), (#""text": "{\"pin\": 1}""#, reads),
    (#""json": {"pin": "${memory.code}"}"#, "\(reads) || 'pin' in request.json"),
    (#""json": {"pin": "${memory.code}"}"#, "\(reads) || request.json[request.method] == 1"),
    (#""json": {"pin": "${memory.code}"}"#, "\(reads) || request.text == ''"),
  ])
  func whatMayBeMeantIsNotTold(sends: String, reads: String) {
    #expect(told("unsent-member", sends: sends, reads: reads) == [])
  }

  /// What one request sends another need not send.
  @Test func whatAnotherRequestOrFormSendsIsNotTold() {
    let sends = #""json": {"pin": "${memory.code}"}"#
    func more(_ sends: String) -> String {
      #" "more": {"request": {"to": "api", "post": "/codes", \#(sends)}, "next": [{"goto": "done"}]},"#
    }
    #expect(told("unsent-member", sends: sends, reads: Self.reads, more: more(#""json": {"code": "c"}"#)).isEmpty)
    #expect(told("unsent-member", sends: sends, reads: Self.reads, more: more(#""json": {"pin": "c"}"#)) == Self.unsent)
    let form = #""form": {"pin": "${memory.code}"}"#
    let reads = Self.needs.replacing("json", with: "form")
    func page(_ field: String) -> String {
      #"""
      {"on": "GET /page", "next": [{"reply": {"page": {"title": "P", "forms": {
        "f": {"post": "/codes", "fields": {"\#(field)": {"type": "string", "example": "c"}}}}}}}]},
      """#
    }
    #expect(told("unsent-member", sends: form, reads: reads, others: page("code")).isEmpty)
    // The form sends no such thing either.
    #expect(told("unsent-member", sends: form, reads: reads, others: page("pin")) == Self.unsent + Self.unsent)
  }

  /// Whatever an event, a key or another route call theirs.
  @Test func aSlipIsToldThoughOthersHaveTheName() {
    let other = #"{"on": "GET /other", "next": [{"reply": {"json": {"code": "c"}}}]}, "#
    #expect(
      told("near-miss", sends: #""json": {"coed": "${memory.code}"}"#, reads: Self.reads, others: other) == [
        #"POST /codes reads "code", and is sent "coed""#
      ])
    #expect(told("unsent-member", sends: #""json": {"coed": "${memory.code}"}"#, reads: Self.reads).isEmpty)
    let more =
      #" "more": {"request": {"to": "api", "post": "/codes", "json": {"code": "c"}}, "next": [{"goto": "done"}]},"#
    #expect(
      told("near-miss", sends: #""json": {"coed": "${memory.code}"}"#, reads: Self.reads, more: more).count == 1)
  }

  @Test(arguments: [
    (#""json": {"code": "c", "codes": "d"}"#, reads),
    (#""json": {"code1": "c", "kind": "b"}"#, "request.json.?code2 == null"),
    (#""json": {"codes": "c"}"#, "\(reads) || present(request.json.?codes)"),
    (#""form": {"coed": "c"}"#, reads), (#""json": {"coed": "c"}"#, "present(request.json)"),
  ])
  func whatIsNoSlipIsNotTold(sends: String, reads: String) {
    #expect(told("near-miss", sends: sends, reads: reads).isEmpty)
  }
}
