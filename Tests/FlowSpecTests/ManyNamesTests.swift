import FlowSpec
import Testing

/// What is looked up by its name is found among many, and what has no name there is told as among few.
@Suite struct ManyNamesTests {
  private static let many = 0..<200

  /// A flow with as many links, ends, pages and mails, and what is found in it and in a scenario with these steps.
  private func checked(
    on more: String = "", end: String = "e0", _ steps: [String] = []
  ) throws -> (flow: Flow?, found: [String]) {
    func list(_ name: (Int) -> String) -> String { Self.many.map(name).joined(separator: ",\n") }
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "start": "a", "participants": {"user": {"kind": "person"}, "inbox": {"kind": "inbox"},
          "browser": {"kind": "browser"}, "api": {"kind": "service", "url": "https://api.example", "model": "api.json"},
          "app": {"kind": "app", "links": {\#(list { #""link\#($0)": "https://x.example/l\#($0)/{id}""# })}}},
        "events": {"user.goes": {}, "user.waits": {}},
        "flows": {"f": {"ends": [\#(list { #""e\#($0)""# })], "start": "s",
          "states": {"s": {"on": {"user.goes": {"end": "\#(end)"}, "user.waits": {"end": "e199"}}}}}},
        "states": {"a": {"on": {\#(list { #""link.link\#(199 - $0)": {"end": "m\#($0 / 2)"}"# })\#(more),
          "user.goes": {"goto": "b"}}}, "b": {"call": "f", "next": [{"goto": "c"}]}, "c": {"goal": true}}}
      """#,
      "api.json": #"""
      {"service": "api", "routes": [\#(list { #"""
        {"on": "GET /p\#($0)", "next": [{"do": [{"send": {"mail\#($0)": {"text": "t", "links": {"go\#($0)": "https://x.example/l1/i"}}}}],
          "reply": {"page": {"title": "t", "links": {"next\#($0)": {"get": "/p1"}},
            "forms": {"form\#($0)": {"get": "/p1", "fields": {"field\#($0)": {"type": "string"}}}}}}}]}
        """# })]}
      """#,
      "s.json": #"{"scenario": "s", "script": [\#(steps.joined(separator: ",\n"))]}"#,
    ])
    let checked = documents.flow("x.json")
    var found = checked.diagnostics
    if let flow = checked.value { found += Loading.scenario(at: "s.json", for: flow, reader: &documents).diagnostics }
    return (checked.value, found.filter { $0.severity == .error }.map { "\($0.code): \($0.help ?? "")" })
  }

  @Test func linksHaveTheirEventsAndEndsTheirOrder() throws {
    let (flow, found) = try checked()
    #expect(found == [])
    let app = try #require(flow).app
    #expect(flow?.links.map { $0.event.map { app.events[$0].name } } == Self.many.map { "link.link\($0)" })
    // Each is named twice.
    #expect(app.routines[0].ends == Self.many.prefix(100).map { "m\($0)" })
    #expect(app.routines[1].ends == Self.many.map { "e\($0)" })
  }

  @Test func whatIsNotAmongThemIsTold() throws {
    #expect(try checked(on: #", "link.lnik7": {"goto": "b"}"#).found == [#"unknown-link: did you mean "link7"?"#])
    #expect(try checked(end: "s").found == [#"unknown-end: it is a state: write "goto": "s""#])
  }

  @Test func stepsNameWhatModelsOffer() throws {
    let steps = Self.many.flatMap { number in
      [
        #"{"submit": "form\#(number)", "with": {"field\#(number)": "x"}}"#, #"{"follow": "next\#(number)"}"#,
        #"{"open mail": "mail\#(number)", "link": "go\#(number)"}"#, #"{"event": "user.goes"}"#,
      ]
    }
    #expect(try checked(steps + [#"{"follow": "again"}"#]).found == [])
    #expect(
      try checked([
        #"{"submit": "from7"}"#, #"{"submit": "form7", "with": {"field8": "x"}}"#, #"{"follow": "nxet7"}"#,
        #"{"open mail": "mial7"}"#,
        #"{"open mail": "mail7", "link": "go8"}"#, #"{"event": "goes"}"#,
      ]).found == [
        #"unknown-form: did you mean "form7"?"#, #"unknown-field: did you mean "field7"?"#,
        #"unknown-link: did you mean "next7"?"#, #"unknown-mail: did you mean "mail7"?"#,
        #"unknown-link: did you mean "go7"?"#, #"unknown-event: did you mean "user.goes"?"#,
      ])
  }
}
