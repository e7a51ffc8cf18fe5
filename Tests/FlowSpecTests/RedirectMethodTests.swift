import FlowSpec
import Testing

/// What is said of a form whose answer leads on, and the routes that are asked for.
private func looked(status: Int, redirect: String, routes: String) throws -> (told: [String], asked: [[Bool]]) {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "browser": {"kind": "browser"}, "s": {"kind": "service", "url": "https://s.example", "model": "s.json"}},
      "start": "home", "states": {"home": {"goal": true, "do": [{"open": {"to": "s", "get": "/"}}]}}}
    """#,
    "s.json": #"""
    {"service": "s", "routes": [
      {"on": "GET /", "next": [{"reply": {"page": {"title": "P", "forms": {"in": {"post": "/in"}}}}}]},
      {"on": "POST /in", "next": [{"reply": {"status": \#(status), "redirect": \#(redirect)}}]}, \#(routes)]}
    """#,
  ])
  let flow = documents.flow("x.json")
  return (flow.diagnostics.filter { $0.code == "unanswered-request" }.map(\.message), flow.value?.askedRoutes() ?? [])
}

/// RFC 9110, sections 15.4.8 and 15.4.9: who is sent on with 307 or 308 comes as before.
@Suite struct RedirectMethodTests {
  private static let post = #"{"on": "POST /v2", "next": [{"reply": {"status": 204}}]}"#
  private static let get = #"{"on": "GET /v2", "next": [{"reply": {"status": 204}}]}"#

  @Test(arguments: [#"{"get": "/v2"}"#, #"{"uri": "https://s.example/v2"}"#])
  func aPostThatIsSentOnStaysOne(redirect: String) throws {
    for status in [307, 308] {
      #expect(try looked(status: status, redirect: redirect, routes: Self.post).told == [])
      #expect(try looked(status: status, redirect: redirect, routes: Self.get).told == [])
    }
    #expect(try looked(status: 303, redirect: redirect, routes: Self.post).told.count == 1)
    let nowhere = redirect.replacing("/v2", with: "/v3")
    #expect(try looked(status: 307, redirect: nowhere, routes: Self.post).told.count == 1)
  }

  @Test func theRouteThatItComesToIsAskedFor() throws {
    let both = Self.post + ", " + Self.get
    #expect(try looked(status: 307, redirect: #"{"get": "/v2"}"#, routes: both).asked == [[true, true, true, true]])
    #expect(try looked(status: 302, redirect: #"{"get": "/v2"}"#, routes: both).asked == [[true, true, false, true]])
  }
}
