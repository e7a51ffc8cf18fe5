import FlowSpec
import Testing

@testable import FlowEngine

/// What a simulated browser would take to an address over `http`, where only a run knows that it is secret.
@Suite struct BrowserExposureTests {
  /// A page at `https`, from which something leads to another address of the same service.
  private static func site(
    _ reply: String, _ elsewhere: String = "http://web.example", opens query: String = ""
  ) -> Sketch {
    Sketch(
      flow: #"""
        "config": {"url": {"type": "string", "value": "\#(elsewhere)"}, "pin": {"type": "string", "value": "c4n4ry", "secret": true}},
        "memory": {"kept": {"type": "string"}}, "start": "a",
        "states": {"a": {"goal": true, "do": [{"set": {"kept": "x${config.pin}"}}, {"open": {"to": "web", "get": "${config.url}/page"\#(query)}}]}}
        """#,
      services: [
        "web": #"""
        "memory": {"kept": {"type": "string"}},
        "config": {"pin": {"type": "string", "value": "c4n4ry", "secret": true}, "there": {"type": "string", "value": "http://web.example"}},
        "routes": [{"on": "GET /page", "next": [{"do": [{"set": {"kept": "x${config.pin}"}}], "reply": \#(reply)}]},
          {"on": "GET /next", "next": [{"reply": {"status": 200}}]}, {"on": "POST /next", "next": [{"reply": {"status": 200}}]}]
        """#
      ], participants: ["web": #", "origins": ["http://web.example"]"#])
  }

  private static let waiting = #""script": [{"advance": "1s"}]"#

  @Test(arguments: [
    (#"{"redirect": {"uri": "http://web.example/next", "query": {"a": "${memory.kept}"}}}"#, "query member \"a\""),
    (#"{"redirect": {"uri": "http://web.example/next?a=${memory.kept}"}}"#, "query member \"a\""),
    (#"{"status": 302, "headers": {"location": "http://web.example/next?a=${memory.kept}"}}"#, "query member \"a\""),
    (#"{"redirect": {"uri": "http://web.example/${memory.kept}"}}"#, "the path"),
    (#"{"redirect": {"uri": "http://nobody.example/next?a=${memory.kept}"}}"#, "query member \"a\""),
    (#"{"cookies": {"sid": "${memory.kept}"}, "redirect": {"uri": "http://web.example/next"}}"#, "cookie \"sid\""),
    (
      #"{"page": {"title": "P", "links": {"on": {"uri": "http://web.example/next?a=${memory.kept}"}}}}"#,
      "query member \"a\""
    ),
  ]) func aPageLeadsNoSecretIntoTheOpen(reply: String, part: String) throws {
    let outcome = try Self.site(reply, "https://web.example").run(Self.waiting)
    let problem = try #require(outcome.problems.first, "\(reply)")
    #expect(
      problem.code == "secret-over-http" && problem.message.hasPrefix("A secret in \(part) would go to "), "\(problem)")
    let safe = reply.replacing("http://", with: "https://")
    #expect(try Self.site(safe, "https://web.example").run(Self.waiting).problems.isEmpty, "\(safe)")
  }

  @Test func theAppOpensNoSecretInTheOpen() throws {
    let query = #", "query": {"a": "${memory.kept}"}"#
    let outcome = try Self.site(#"{"status": 200}"#, opens: query).run()
    #expect(outcome.problems.map(\.code) == ["secret-over-http"])
    let overruled = query + #", "despite": {"secret-over-http": "it is so"}"#
    #expect(try Self.site(#"{"status": 200}"#, opens: overruled).run().problems.isEmpty)
    #expect(try Self.site(#"{"status": 200}"#, "https://web.example", opens: query).run().problems.isEmpty)
  }

  @Test(arguments: ["post", "get"]) func aFormSendsNoSecretInTheOpen(method: String) throws {
    let form =
      #"{"\#(method)": "${config.there}/next", "fields": {"a": {"type": "string", "example": "${memory.kept}"}}}"#
    let page = #"{"page": {"title": "P", "forms": {"f": \#(form)}}}"#
    let script = #""script": [{"submit": "f"}]"#
    let outcome = try Self.site(page, "https://web.example").run(script)
    #expect(outcome.problems.map(\.message) == ["A secret in the field \"a\" would go to \"web\" without encryption"])
    let safe = page.replacing("${config.there}", with: "")
    #expect(try Self.site(safe, "https://web.example").run(script).problems.isEmpty)
  }
}
