import FlowSpec
import Testing

@testable import FlowEngine

/// What is secret because its declaration says so, or the list of a service, where no value carries a mark of its own.
@Suite struct DeclaredSecretTests {
  private static func login(_ members: String, _ participant: String = "", form: String) -> Sketch {
    Sketch(
      flow: #""start": "a", "states": {"a": {"goal": true, "do": [{"open": {"to": "web", "get": "/login"}}]}}"#,
      services: [
        "web": #"""
        \#(members)"routes": [{"on": "GET /login", "next": [{"reply": {"page": {"title": "Login", "forms": {"in": {\#(form),
          "fields": {"code": {"type": "string", "example": "hunter2"}}}}}}}]},
          {"on": "POST /login", "next": [{"reply": {"status": 200}}]}, {"on": "GET /in", "next": [{"reply": {"status": 200}}]}]
        """#
      ], participants: ["web": participant])
  }

  private static let submitted = #""script": [{"submit": "in"}]"#

  @Test func aFormsFieldIsSecretUnderANameThatItsServiceLists() throws {
    let (post, get) = (#""post": "/login""#, #""get": "/in""#)
    for sketch in [
      Self.login(#""secrets": ["code"], "#, form: post), Self.login("", #", "secrets": ["form.code"]"#, form: post),
      Self.login(#""secrets": ["query.code"], "#, form: get),
    ] {
      let trace = try Self.trace(of: sketch, Self.submitted)
      #expect(trace.contains(#""form":"in","with":{"code":"<code#1>"}"#) && !trace.contains("hunter2"), "\(trace)")
    }
    // In another part of a message the name is none.
    let shown = try Self.trace(of: Self.login(#""secrets": ["query.code"], "#, form: post), Self.submitted)
    #expect(shown.contains(#""form":"in","with":{"code":"hunter2"}"#), "\(shown)")
  }

  private static func trace(of sketch: Sketch, _ scenario: String? = nil) throws -> String {
    String(decoding: TraceWriter.trace(of: try sketch.run(scenario), scenario: nil), as: UTF8.self)
  }

  @Test func aFieldOfAScreenOrAnEmitIsSecretWhereItSaysSo() throws {
    let sketch = Sketch(
      flow: #"""
        "config": {"c": {"type": "string", "value": "hunter2"}},
        "emits": {"got": {"pin": {"type": "string", "secret": true}, "name": {"type": "string"}}},
        "screens": {"home": {"fields": {"pin": {"type": "string", "secret": true}, "all": {"type": "json", "secret": true}}}},
        "start": "a", "states": {"a": {"goal": true, "do": [
          {"show": {"home": {"pin": "${config.c}", "all": {"in": ["${config.c}"]}}}}, {"emit": {"got": {"pin": "${config.c}", "name": "Ada"}}}]}}
        """#)
    let trace = try Self.trace(of: sketch)
    #expect(!trace.contains("hunter2") && trace.contains(#""name":"Ada""#), "\(trace)")
    #expect(trace.contains(#""with":{"pin":"<pin#1>","all":{"<all#1>":["<pin#1>"]}}"#), "\(trace)")
  }

  private static func sending(_ url: String, _ despite: String = "") -> Sketch {
    Sketch(
      flow: #"""
        "config": {"url": {"type": "string", "value": "\#(url)"}},
        "store": {"token": {"type": "string", "secret": true}, "plain": {"type": "string"}}, "start": "a",
        "states": {"a": {"next": [{"do": [{"set": {"token": "t0k3n"}}, {"set": {"plain": "${store.token}"}}], "goto": "b"}]},
          "b": {\#(despite)"request": {"to": "api", "post": "/x", "json": {"it": "${store.plain}"}}, "next": [{"goto": "c"}]}, "c": {"goal": true}}
        """#, services: ["api": #""routes": [{"on": "POST /x", "next": [{"reply": {"status": 200}}]}]"#],
      participants: ["api": #", "origins": ["${config.url}"]"#])
  }

  @Test func aSimulatedRunSendsNoSecretInTheOpenEither() throws {
    var sketch = Self.sending("http://api.example")
    sketch.flow = sketch.flow.replacing(#""post": "/x""#, with: #""post": "${config.url}/x""#)
    try checkProblem(
      sketch, is: "secret-over-http", at: #"{"to": "api", "post": "${config.url}/x","#
    )
    var overruled = Self.sending("http://api.example", #""despite": {"secret-over-http": "it is so"}, "#)
    overruled.flow = overruled.flow.replacing(#""post": "/x""#, with: #""post": "${config.url}/x""#)
    try checkStory(overruled, has: "in c")
    for url in ["https://other.example", "http://127.0.0.1:8080"] {
      var safe = Self.sending(url)
      safe.flow = safe.flow.replacing(#""post": "/x""#, with: #""post": "${config.url}/x""#)
      try checkStory(safe, has: "in c")
    }
  }

  /// It is in the name that is looked up, and in the `Host` header.
  @Test func noSecretHostIsAskedInTheOpen() throws {
    for scheme in ["http", "https"] {
      let sketch = Sketch(
        flow: #"""
          "memory": {"origin": {"type": "string", "secret": true, "initial": "\#(scheme)://t3nant.api.example"}},
          "start": "a", "states": {"c": {"goal": true},
            "a": {"request": {"to": "api", "get": "${memory.origin}/x"}, "next": [{"goto": "c"}]}}
          """#, services: ["api": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#],
        participants: ["api": #", "origins": ["${memory.origin}"]"#])
      if scheme == "https" {
        try checkStory(sketch, has: "in c")
      } else {
        try checkProblem(sketch, is: "secret-over-http", at: #"{"to": "api", "get": "${memory.origin}/x"#)
      }
    }
  }

  /// An address of the service that is learned, so that only a run knows how its answers come.
  private static func answering(_ reply: String, from url: String = "http://api.example", keeps value: String) -> Sketch
  {
    Sketch(
      flow: #"""
        "config": {"url": {"type": "string", "value": "\#(url)"}}, "start": "a",
        "states": {"a": {"request": {"to": "api", "get": "${config.url}/x"}, "next": [{"goto": "c"}]}, "c": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "secrets": ["pin"], "memory": {"kept": {"type": "string"}},
        "routes": [{"on": "GET /x", "next": [{"do": [{"set": {"kept": "\#(value)"}}], "reply": \#(reply)}]}]
        """#
      ], participants: ["api": #", "origins": ["${config.url}"]"#])
  }

  @Test(arguments: [
    (#"{"cookies": {"sid": "${memory.kept}"}}"#, "cookie \"sid\""),
    (#"{"json": {"pin": "${memory.kept}"}}"#, "the body"),
    (#"{"headers": {"pin": "${memory.kept}"}}"#, "header \"pin\""), (#"{"text": "pin=${memory.kept}"}"#, "the body"),
  ]) func aSimulatedServiceAnswersNoSecretInTheOpen(reply: String, part: String) throws {
    try checkProblem(
      Self.answering(reply, keeps: "c4n4ry"), is: "secret-over-http", at: String(reply.prefix(40)),
      says: "A secret in \(part) would come from \"api\" without encryption")
    try checkStory(Self.answering(reply, from: "https://other.example", keeps: "c4n4ry"), has: "in c")
    let overruled = String(reply.dropLast()) + #", "despite": {"secret-over-http": "it is so"}}"#
    try checkStory(Self.answering(overruled, keeps: "c4n4ry"), has: "in c")
  }

  @Test func whatIsNoSecretComesOverHTTP() throws {
    try checkStory(Self.answering(#"{"json": {"name": "${memory.kept}"}}"#, keeps: "Ada"), has: "in c")
    try checkStory(Self.answering(#"{"cookies": {"sid": null}, "json": "${memory.kept}"}"#, keeps: "Ada"), has: "in c")
  }
}

/// Nobody says that it is one where it is compared.
@Test(arguments: [
  "request.json.a == 'c4n4ry'", "'c4n4ry' != request.json.?a.orValue('')", "request.json.a.startsWith('c4n4ry')",
  "request.json.a in ['c4n4ry', 'b'] || request.method == 'GET'", "request.json.a < 'c4n4ry'",
  "string(request.json.a) == 'c4n4ry'", "[request.json.a].exists(i, i == 'c4n4ry')", "(request.json.a) == 'c4n4ry'",
  "urlEncode(request.json.a) == 'c4n4ry'", "request.method == 'PUT' || base64url(request.json.a) == 'c4n4ry'",
]) func whatItIsComparedWithIsHiddenWhereItIsRead(guardText: String) throws {
  let sketch = Sketch(
    flow: #"""
      "store": {"t": {"type": "string", "secret": true}}, "start": "a", "states": {
        "a": {"request": {"to": "api", "post": "/x", "json": {"a": "${store.t}"}}, "next": [{"goto": "b"}]},
        "b": {"goal": true}}
      """#,
    services: [
      "api": #"""
      "routes": [{"on": "POST /x", "next": [
        {"when": "\#(guardText)", "reply": {"status": 200}}, {"when": "request.method == 'PUT'", "reply": {}}, {"reply": {}}]}]
      """#
    ])
  let trace = try checkHidden(sketch, SecretLeakTests.given)
  #expect(trace.contains("'…'"), "\(trace)")
}
