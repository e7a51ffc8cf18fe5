import FlowSpec
import Testing

@testable import FlowEngine

/// Two participants with one model: which of them its own name means.
@Suite struct SharedModelTests {
  private static let model = #"""
    "store": {"n": {"type": "int", "initial": 0}},
    "routes": [
      {"on": "GET /n", "next": [{"do": [{"set": {"n": "${store.n + 1}"}}], "reply": {"json": "${store.n}"}}]},
      {"on": "GET /self", "next": [{"goto": "asking"}]},
      {"on": "GET /page", "next": [{"reply": {"page": {"title": "P",
        "links": {"to": {"to": "api", "get": "/there"}}, "forms": {"send": {"to": "api", "post": "/there"}}}}}]},
      {"on": "GET /there", "next": [{"reply": {"redirect": {"to": "api", "get": "/end"}}}]},
      {"on": "POST /there", "next": [{"reply": {"redirect": {"to": "api", "get": "/end"}}}]},
      {"on": "GET /end", "next": [{"reply": {"page": {"title": "End"}}}]}],
    "states": {"asking": {"request": {"to": "api", "get": "/n"}, "next": [{"reply": {"json": "${response.json}"}}]}}
    """#

  private static func sketch(_ state: String) -> Sketch {
    Sketch(
      flow: #""start": "a", "states": {"a": {\#(state)}, "b": {"goal": true}}"#,
      services: [
        "api": model,
        "other": #"""
        "routes": [{"on": "GET /via", "next": [{"goto": "asking"}]}],
        "states": {"asking": {"request": {"to": "api", "get": "/n"}, "next": [{"reply": {"json": "${response.json}"}}]}}
        """#,
      ],
      participants: [
        "api":
          #", "url": "https://api.example"}, "second": {"kind": "service", "url": "https://second.example", "model": "api.json""#
      ])
  }

  @Test func aModelThatNamesItsOwnServiceAsksItself() throws {
    let sketch = Self.sketch(#""request": {"to": "second", "get": "/self"}, "next": [{"goto": "b"}]"#)
    try checkStory(
      sketch,
      has: "app → second GET /self\nsecond → second GET /n\nsecond set n = 1\nsecond → second 200\nsecond → app 200"
    )
  }

  @Test func otherModelsAskTheFirst() throws {
    let sketch = Self.sketch(#""request": {"to": "other", "get": "/via"}, "next": [{"goto": "b"}]"#)
    try checkStory(sketch, has: "other → api GET /n\napi set n = 1")
  }

  @Test(arguments: [#"{"follow": "to"}"#, #"{"submit": "send"}"#])
  func soDoPagesAndRedirects(step: String) throws {
    let sketch = Self.sketch(#""rest": true, "do": [{"open": {"to": "second", "get": "/page"}}]"#)
    try checkStory(
      sketch, #""script": [\#(step)]"#, has: "browser → second GET /end\nsecond → browser 200\npage End",
      never: ["browser → api"])
  }
}
