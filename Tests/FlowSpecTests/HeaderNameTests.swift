import FlowSpec
import Testing

/// What is said of a flow that asks this of an answer.
private func told(_ condition: String) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
      "states": {"ask": {"request": {"to": "api", "get": "/me"}, "next": [{"when": "\#(condition)", "goto": "done"}, {"goto": "done"}]}, "done": {"goal": true}}}
    """#,
    "api.json": #"{"service": "api", "routes": [{"on": "GET /me", "next": [{"reply": {"status": 401}}]}]}"#,
  ])
  return documents.told("header-name").map(\.message)
}

@Suite struct HeaderNameTests {
  /// What is said of a flow that sends this header to a service, by itself or with a model whose route looks at that.
  private static func found(header: String, model when: String?) -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example"\#(when == nil ? "" : #", "model": "api.json""#)}}, "start": "ask",
        "store": {"token": {"type": "string", "secret": true, "initial": "t"}},
        "states": {"ask": {"request": {"to": "api", "get": "/me", "headers": {"\#(header)": "${store.token}"}}, "next": [{"goto": "done"}]}, "done": {"goal": true}}}
      """#,
      "api.json":
        #"{"service": "api", "routes": [{"on": "GET /me", "next": [{"when": "\#(when ?? "")", "reply": {}}, {"reply": {"status": 401}}]}]}"#,
    ])
    return documents.told("near-miss").map(\.message)
  }

  @Test(arguments: ["bearer", "Bearer", "authentication"])
  func aTokenInAHeaderOfAnotherNameIsTold(header: String) {
    let name = header.lowercased()
    #expect(
      Self.found(header: header, model: "present(request.bearer)") == [
        "no service takes a token from a header \"\(name)\""
      ])
    #expect(Self.found(header: header, model: "'\(name)' in request.headers") == [])
    #expect(Self.found(header: "x-\(name)", model: "present(request.bearer)") == [])
    #expect(Self.found(header: header, model: "'x-a' in request.headers").count == 1)
  }

  /// Nobody knows what it reads: it has no model, or one that goes through all headers.
  @Test(arguments: [
    nil, "request.headers.exists(h, h == 'authentication')", "size(request.headers) > 1",
    "present(request.headers[request.query.name])",
  ]) func whatMayBeReadIsNotTold(model: String?) {
    #expect(Self.found(header: "authentication", model: model) == [])
  }

  @Test(arguments: [
    ("present(response.challenge.?Bearer)", "no scheme is ever found as \"Bearer\""),
    ("present(response.challenge['DPoP'].error)", "no scheme is ever found as \"DPoP\""),
    ("'Bearer' in response.challenge", "no scheme is ever found as \"Bearer\""),
    ("present(response.challenge.?bearer.?Error)", "no parameter is ever found as \"Error\""),
    ("'Error' in response.challenge.bearer", "no parameter is ever found as \"Error\""),
  ])
  func whatAChallengeNeverHasIsTold(condition: String, message: String) { #expect(told(condition) == [message]) }

  /// What a parameter is compared with is a value, and may have capitals; a member of JSON may, too.
  @Test(arguments: [
    "present(response.challenge.?bearer.?error)", "'bearer' in response.challenge",
    "response.challenge.?bearer.?realm.orValue('') == 'Example'", "'Example' == response.challenge.bearer.realm",
    "present(response.json.?Bearer)",
  ])
  func whatItMayHaveIsNotTold(condition: String) { #expect(told(condition).isEmpty) }
}
