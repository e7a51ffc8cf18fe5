import FlowEngine
import Testing

/// A form sends text: what has no text is an error, and is not left out.
@Suite struct FormTextTests {
  private static func form(_ example: String, value: String) -> Sketch {
    Sketch(
      flow: #"""
        "config": {"v": {"type": "json", "value": \#(value)}}, "start": "a", "states": {
          "a": {"rest": true, "do": [{"open": {"to": "api", "get": "/"}}], "on": {"browser.closed": {"goto": "b"}}}, "b": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "config": {"v": {"type": "json", "value": \#(value)}}, "routes": [
          {"on": "GET /", "next": [{"reply": {"page": {"title": "P", "forms": {"f": {"post": "/in", "fields": {"j": {"type": "json"\#(example)}}}}}}}]},
          {"on": "POST /in", "next": [{"reply": {"page": {"title": "${request.form.?j.orValue('none')}"}}}]}]
        """#
      ])
  }

  private static let example = #", "example": "${config.v}""#
  private static let submitting = #""script": [{"submit": "f"}], "ends": "a""#
  private static let filling = #""script": [{"submit": "f", "with": {"j": "${config.v}"}}], "ends": "a""#

  @Test(arguments: [("7", "7"), ("true", "true"), (#""x""#, "x"), ("null", "none")])
  func aScalarIsSentAsItsText(value: String, title: String) throws {
    try checkStory(Self.form(Self.example, value: value), Self.submitting, has: "page \(title)")
    try checkStory(Self.form("", value: value), Self.filling, has: "page \(title)")
  }

  @Test(arguments: ["[1]", #"{"a": 1}"#]) func aListOrAMapIsARunError(value: String) throws {
    try checkProblem(
      Self.form(Self.example, value: value), Self.submitting, is: "text-needed", at: "\"${config.v}\"")
    try checkProblem(Self.form("", value: value), Self.filling, is: "text-needed", at: "\"${config.v}\"")
  }
}
