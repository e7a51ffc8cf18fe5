import Testing

@testable import FlowSpec

/// What is said of a row that is set or cleared behind an answer with `id`, with its help.
private func told(_ name: String, when: String? = nil, before: String = "", isCleared: Bool = false) -> [String] {
  let action = isCleared ? #"{"clear": "rows[\#(name)]"}"# : #"{"set": {"rows[\#(name)].n": 1}}"#
  let condition = when.map { #""when": "\#($0)", "# } ?? ""
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example"}},
      "memory": {"rows": {"rows": {"n": {"type": "int"}}}, "id": {"type": "string"}}, "let": {"it": "response.json.?id"},
      "start": "a", "states": {
        "a": {"request": {"to": "api", "get": "/a"}, "next": [\#(before)
          {\#(condition)"do": [\#(action)], "goto": "b"}, {"goto": "b"}]},
        "b": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "may-be-null" || $0.severity == .error }.map {
    "\($0.message); \($0.help ?? "")"
  }
}

@Suite struct UnnamedRowTests {
  private static func words(_ name: String) -> [String] {
    [
      "\"\(name)\" may find nothing, and a row needs a name; come here only where present(\(name)) holds, or write "
        + "\(name).orValue('…') with a name for what has none"
    ]
  }

  @Test(arguments: ["response.json.?id", "response.json.user.?id", "response.json[?'id']", "response.headers[?'x-id']"])
  func aNameThatMayNotComeIsTold(name: String) {
    #expect(told(name) == Self.words(name))
    #expect(told(name, isCleared: true) == Self.words(name))
    #expect(told(name, when: "response.status == 200") == Self.words(name))
  }

  @Test func aNameThatIsThereIsNotTold() {
    for name in [
      "response.json.id", "response.json.?id.orValue('none')", "memory.?id", "'x'", "string(response.status)",
    ] {
      #expect(told(name) == [], "\(name)")
    }
    let name = "response.json.user.?id"
    for asked in [
      "present(response.json.user.?id)", "has(response.json.user.id)", "response.json.user.?id.orValue('') != ''",
      "response.json.?user.?id.hasValue()", "present(response.json.user)",
    ] {
      #expect(told(name, when: asked) == [], "\(asked)")
      #expect(told(name, before: #"{"when": "!(\#(asked))", "goto": "b"}, "#) == [], "\(asked)")
    }
    for (name, asked) in [
      ("response.json.?id", "present(response.json['id'])"), ("response.json[?'id']", "present(response.json.?id)"),
      ("response.headers.?etag", "present(response.headers[?'etag'])"),
    ] {
      #expect(told(name, when: asked) == [], "\(asked)")
    }
    #expect(told("it", when: "present(it)") == [])
  }

  /// The states within hear an event first.
  @Test func whatAStateWithinHasAskedIsNotTold() {
    for (isAsked, count) in [(true, 0), (false, 1)] {
      let when = isAsked ? #""when": "!present(event.m.?id)", "# : #""when": "memory.rows == {}", "#
      var documents = Documents(texts: [
        "x.json": #"""
        {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
          "memory": {"rows": {"rows": {"n": {"type": "int"}}}},
          "events": {"user.x": {"fields": {"m": {"type": "json", "example": {"id": "7"}}}}},
          "start": "a", "states": {"a": {"start": "b",
            "on": {"user.x": {"do": [{"set": {"rows[event.m.?id].n": 1}}]}},
            "states": {"b": {"goal": true, "on": {"user.x": {\#(when)"goto": "b"}}}}}}}
        """#
      ])
      let found = documents.flow("x.json").diagnostics
      #expect(found.filter { $0.severity == .error }.map(\.message) == [])
      #expect(found.filter { $0.code == "may-be-null" }.count == count)
    }
  }

  @Test func whatAsksForSomethingElseIsNoTest() {
    for asked in ["present(response.json.?ids)", "present(response.text)", "present(response.json.?user)"] {
      #expect(told("response.json.?id", when: asked) == Self.words("response.json.?id"), "\(asked)")
    }
    #expect(told("it") == Self.words("response.json.?id"))
  }
}
