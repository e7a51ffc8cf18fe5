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
  return documents.told(code, beside: ["unreachable-state"]).map(\.message)
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
    (#""json": {"code1": "c", "kind": "b"}"#, "!present(request.json.?code2)"),
    (#""json": {"codes": "c"}"#, "\(reads) || present(request.json.?codes)"),
    (#""form": {"coed": "c"}"#, reads), (#""json": {"coed": "c"}"#, "present(request.json)"),
  ])
  func whatIsNoSlipIsNotTold(sends: String, reads: String) {
    #expect(told("near-miss", sends: sends, reads: reads).isEmpty)
  }
}

/// What is said of a flow whose second request has this in it, beside the token that the first has, and of a model whose
/// routes go so.
private func told(
  _ request: String, route: String, next: String = "", more: String = "", states: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
      "store": {"token": {"type": "string", "secret": true, "initial": "t"}},
      "states": {"ask": {"request": {"to": "api", "get": "/me", "bearer": "${store.token}"}, "next": [{"goto": "end"}]},
        "end": {"request": {"to": "api", "delete": "/me"\#(request)}, "next": [\#(next){"goto": "done"}]}, \#(more)"done": {"goal": true}}}
    """#,
    "api.json": #"""
    {"service": "api", "store": {"tokens": {"rows": {"user": {"type": "string"}}}}, "memory": {"m": {"type": "string"}},
      "let": {"known": "present(request.bearer) && request.bearer in store.tokens", "id": "request.json.?id.orValue('')",
        "sent": "[request.bearer].filter(b, present(b))[?0].orValue('')", "token": "request.bearer"},
      "routes": [{"on": "GET /me", "next": [{"when": "known", "reply": {}}, {"reply": {"status": 401}}]},
        {"on": "POST /tokens", "next": [{"reply": {}}]},
        {"on": "DELETE /me", "next": [\#(route)]}], "states": {\#(states)
        "asking": {"request": {"to": "api", "post": "/tokens", "form": {"token": "${request.bearer}"}}, "next": [{"reply": {}}]},
        "passing": {"request": {"to": "api", "get": "/me", "bearer": "${request.bearer}"}, "next": [{"reply": {}}]}}}
    """#,
  ])
  return documents.told("unsent-member", beside: ["unreachable-state"]).map(\.message)
}

@Suite struct UnsentBearerTests {
  private static let none = [#"DELETE /me of "api" reads a token, and this request has none"#]
  private static let refuses = #"{"when": "!known", "reply": {"status": 401}}, {"reply": {}}"#

  @Test(arguments: [
    refuses, #"{"when": "known", "reply": {}}, {"reply": {"status": 401}}"#,
    #"{"when": "request.bearer == null", "reply": {"status": 401}}, {"reply": {}}"#,
    #"{"when": "known && id == 'x'", "reply": {}}, {"reply": {"status": 401}}"#,
    #"{"do": [{"set": {"m": "${request.bearer}"}}], "reply": {}}"#, #"{"goto": "asking"}"#,
    #"{"when": "known", "reply": {}}, {"goto": "asking"}"#, #"{"do": [{"set": {"m": "${token}"}}], "reply": {}}"#,
    #"{"do": [{"set": {"m": "${'present(' + request.bearer}"}}], "reply": {}}"#,
  ])
  func aForgottenTokenIsTold(route: String) {
    #expect(told("", route: route) == Self.none)
    #expect(told(#", "bearer": "${store.token}""#, route: route) == [])
  }

  /// Through states that other requests go through, too, and with others before them.
  @Test func manyRequestsThroughTheSameStatesAreTold() {
    let states = #"""
      "one": {"next": [{"when": "id == 'y'", "reply": {}}, {"goto": "two"}]}, "first": {"next": [{"goto": "two"}]},
      "two": {"next": [{"goto": "three"}]}, "three": {"next": [{"reply": {"status": 401}}]},
      "round": {"next": [{"goto": "about"}]}, "about": {"next": [{"goto": "round"}]},
      """#
    let again = #"{"when": "response.status == 200", "goto": "more"}, "#
    func told(_ route: String) -> [String] {
      FlowSpecTests.told(
        "", route: route, next: again,
        more: #""more": {"request": {"to": "api", "delete": "/me"}, "next": [{"goto": "done"}]}, "#, states: states)
    }
    #expect(told(#"{"when": "known", "reply": {}}, {"goto": "first"}"#) == Self.none + Self.none)
    #expect(told(#"{"when": "known", "goto": "one"}, {"goto": "two"}"#) == Self.none + Self.none)
    // None reads it, or what is asked for beside it decides, or it goes round for ever.
    #expect(told(#"{"goto": "first"}"#) == [])
    #expect(told(#"{"when": "known", "reply": {}}, {"goto": "one"}"#) == [])
    #expect(told(#"{"when": "known", "reply": {}}, {"goto": "round"}"#) == [])
  }

  /// The route may do without, pass on what comes, or not look at it.
  @Test(arguments: [
    #"{"when": "known", "reply": {}}, {"reply": {}}"#, #"{"when": "id == 'x'", "reply": {}}, \#(refuses)"#,
    #"{"goto": "passing"}"#, #"{"reply": {"status": 401}}"#,
    #"{"do": [{"set": {"m": "${present(request.bearer) ? request.bearer : ''}"}}], "reply": {}}"#,
    #"{"do": [{"set": {"m": "${[request.bearer].filter(b, present(b))[?0].orValue('')}"}}], "reply": {}}"#,
    #"{"do": [{"set": {"m": "${[request.bearer].exists(b, !present(b)) ? '' : request.bearer}"}}], "reply": {}}"#,
    #"{"do": [{"set": {"m": "${[request.bearer, 'x'].filter(b, present(b))[0]}"}}], "reply": {}}"#,
    #"{"do": [{"set": {"m": "${sent}"}}], "reply": {}}"#, #"{"do": [{"set": {"m": "${[sent][0]}"}}], "reply": {}}"#,
  ])
  func whatMayBeLeftOutIsNot(route: String) { #expect(told("", route: route) == []) }

  /// Who decides on the refusal asks for it.
  @Test func whoWantsToBeRefusedIsNotTold() {
    #expect(told("", route: Self.refuses, next: #"{"when": "response.status == 401", "goto": "done"}, "#) == [])
    let challenged = #"{"when": "present(response.challenge.?bearer)", "goto": "done"}, "#
    #expect(told("", route: Self.refuses, next: challenged) == [])
    #expect(told(#", "headers": {"authorization": "Basic ${store.token}"}"#, route: Self.refuses) == [])
  }
}
