import Testing

@testable import FlowEngine

extension SecretLeakTests {
  /// What a message says under a name inside of a text: `pin` is secret by that name.
  static let texts: [(request: String, reply: String, shows: String)] = [
    (
      #""post": "/x/1", "form": {"to": "https://a.example/?a=1&pin=c4n4ry%26%2F4ry"}"#,
      #"{"json": "${request.form.to}"}"#, "response.json"
    ),
    (
      #""post": "/x/1", "headers": {"x-to": "https://a.example/?to=https%3A%2F%2Fb.example%3Fpin%3Dc4n%2526c4n"}"#,
      #"{"headers": {"x-to": "${request.headers['x-to']}"}}"#, "response.headers['x-to']"
    ),
    (
      #""post": "/x/1""#, #"{"redirect": {"uri": "https://api.example/?to=https%3A%2F%2Fb.example%3Fpin%3Dc4n4ry"}}"#,
      "response.redirect.query.to"
    ),
    (
      #""post": "/x/1""#,
      #"{"json": {"deep": ["{\"a\": {\"pin\" : \"\#(quoted.replacing("\\", with: "\\\\\\"))\"}}"]}}"#,
      "response.json"
    ),
    (
      #""post": "/x/1""#, #"{"json": {"deep": "{\"deep\": \"{\\\"pin\\\": \\\"c4n4ry\\\\\\\"4ry\\\"}\"}"}}"#,
      "response.json.deep"
    ),
    (#""post": "/x/1""#, #"{"json": {"deep": "{\"pin\": [1, \"c4n4ry\"]}"}}"#, "response.json.deep"),
    (#""post": "/x/1""#, #"{"json": {"deep": "{\"pin\": \"c4n4ry"}}"#, "response.json.deep"),
    (#""post": "/x/1""#, #"{"text": "{\"pin\": 1, \"pin\": \"c4n4ry\"}"}"#, "response.text"),
    (
      #""post": "/x/1""#, #"{"text": "{\"https://a.example/?pin=c4n4ry\": 1, \"pin\": null}"}"#, "response.json"
    ),
    (#""post": "/x/1""#, #"{"text": "pin=c4n4ry&a=1"}"#, "response.text"),
    (#""post": "/x/1", "query": {"pin[]": "c4n4ry"}"#, #"{"json": "${request.query['pin[]']}"}"#, "response.json"),
    (#""post": "/x/1", "form": {"u[pin]": "c4n4ry"}"#, #"{"json": "${request.form['u[pin]']}"}"#, "response.json"),
    (#""post": "/x/1""#, #"{"json": {"pin[0]": "c4n4ry"}}"#, "response.json['pin[0]']"),
    (
      #""post": "/x/1""#, #"{"headers": {"www-authenticate": "Bearer error=\"no\", pin=c4n4ry"}}"#,
      "response.headers['www-authenticate']"
    ),
    (
      #""post": "/x/1""#, #"{"headers": {"www-authenticate": "Bearer error=\"no\", pin=\"c4n4ry\""}}"#,
      "response.challenge.bearer.pin"
    ),
    (
      #""post": "/x/1""#, #"{"headers": {"link": "<https://a.example/?pin=c4n4ry>; rel=next"}}"#,
      "response.headers.link"
    ),
  ]

  @Test(arguments: texts) func isHiddenInsideOfTexts(request: String, reply: String, shows: String) throws {
    let request = #"\#(request), "despite": {"secret-in-url": "it is looked for there"}"#
    let trace = try checkHidden(Self.asking(request, secrets: #""pin""#, reply: reply, shows: shows), Self.given)
    #expect(trace.contains(/<(u_)?pin|<text/) && trace.contains(#""path":"plain""#), "\(trace)")
  }
}
