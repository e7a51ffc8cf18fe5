import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// Section 4: where a secret must not stand, as far as only running shows it.
@Suite struct RefusedSecretTests {
  /// Each part of a request by itself, as a message names it where it would go out unencrypted.
  @Test func everyPartOfARequestIsLookedAt() {
    func part(_ change: (inout Request.Parts) -> Void) -> String? {
      var parts = Request.Parts(method: "POST", service: 0, path: [Text("open")])
      change(&parts)
      return Request(parts).secretPart
    }
    let secret = Text("c4n4ry").marked(secret: "t")
    let field = NamedValue(name: "a", value: .string(secret))
    #expect(part { _ in } == nil)
    #expect(part { $0.path.append(secret) } == "the path")
    #expect(part { $0.query = [NamedValue(key: .string(secret), value: .string(Text("open")))] } == "the query")
    #expect(part { $0.query = [field] } == "query member \"a\"")
    #expect(part { $0.bearer = secret } == "the bearer token")
    #expect(part { $0.headers = [field] } == "header \"a\"")
    #expect(part { $0.cookies = [field] } == "cookie \"a\"")
    for body in [Body.json(.list([.string(secret)])), .form([field]), .text(Text("is ") + secret)] {
      #expect(part { $0.body = body } == "the body")
    }
  }

  /// What the service has been told is secret by its name there, though the key that keeps it says nothing of it.
  private static func answering(_ reply: String) -> Sketch {
    Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/x", "json": {"t": "c4n4ry"}}, "next": [{"goto": "done"}]}, "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "secrets": ["t"], "store": {"kept": {"type": "string"}},
        "routes": [{"on": "POST /x", "next": [{"do": [{"set": {"kept": "${request.json.t}"}}], "reply": {\#(reply)}}]}]
        """#
      ], refusesSecretsInURLs: true)
  }

  @Test func noPartOfAnAddressMayBeSecret() throws {
    for (uri, part) in [
      ("https://other.example/${store.kept}", "path"), ("https://other.example/in?a=${store.kept}", "query member"),
      ("https://${store.kept}.example/in", "host"),
    ] {
      try checkProblem(
        Self.answering(#""redirect": {"uri": "\#(uri)"}"#), is: "secret-in-url", at: "\"\(uri)\"".prefix40,
        says: "in the \(part)")
      try checkProblem(
        Self.answering(#""headers": {"Location": "\#(uri)"}"#), is: "secret-in-url",
        at: #"{"headers": {"Location": "\#(uri)"}}"#.prefix40, says: "in the \(part)")
    }
  }

  @Test func whatIsOpenedIsSecretByItsNameToo() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"goal": true, "do": [{"open": {"to": "api", "get": "/x", "query": {"t": "c4n4ry"}}}]}}
        """#, services: ["api": #""secrets": ["t"], "routes": []"#])
    try checkStory(sketch, has: "open https://api.example/x?t=<t>", masking: true)
  }

  @Test func whereThereIsNoRouteTheAnswerHidesTheSecretInThePath() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"t": {"type": "string", "secret": true, "initial": "c4n4ry"}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/none/${store.t}"}, "next": [{"do": [{"show": {"got": {"text": "${response.text}"}}}], "goto": "done"}]}, "done": {"goal": true}}
        """#, services: ["api": #""routes": []"#])
    try checkStory(sketch, has: "show got {text=The model has no route GET /none/…}")
  }
}

extension String {
  fileprivate var prefix40: String { String(decoding: utf8.prefix(40), as: UTF8.self) }
}
