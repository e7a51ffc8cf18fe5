import FlowSpec
import Testing

/// What is said of a flow with these pieces in it, each code with its help.
private func told(store: String = "", event: String = "user.types", action: String = "", state: String = "")
  -> [String]
{
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "start": "a",
      "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "browser": {"kind": "browser"},
        "api": {"kind": "service", "url": "https://api.example"},
        "device": {"kind": "device", "capabilities": {"sign": {"result": {"signature": {"type": "string"}}, "example": {"signature": "s"}}}}},
      "store": {"why": {"one of": ["late", "wrong"]}, "verifier": {"type": "string", "secret": true}\#(store)},
      "events": {"user.types": {"fields": {"text": {"type": "string", "example": "t"}}}},
      "states": {"a": {"rest": true, "on": {"\#(event)": {\#(action)"goto": "b"}}},
        "b": {"perform": {"capability": "sign"}, \#(state)"next": [{"when": "result.signature == 's'", "goto": "c"}, {"when": "present(store.why)", "goto": "a"}, {"goto": "c"}]},
        "c": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.severity == .error }.map { "\($0.code): \($0.help ?? "")" }
}

@Suite struct HelpTests {
  /// Three are as near: which of them is named is no matter of chance.
  @Test func ofChecksAsNearTheFirstIsNamed() {
    for word in ["unused-xx", "unused-qq"] {
      let found = told(state: #""despite": {"\#(word)": "why"}, "#)
      #expect(found == [#"unknown-check: did you mean "unused-end"?"#])
    }
  }

  private static let rows = #"unknown-member: write {"rows": {…}} around them"#

  /// Of a table without `rows` no field is told for itself, nor what is done with its rows.
  @Test(arguments: [
    #""users": {"name": {"type": "string"}, "kind": {"one of": ["a"]}}"#,
    #""users": {"name": {"type": "string"}, "age": {}}"#,
  ])
  func fieldsOfATableWithoutRowsAreToldAsOne(table: String) {
    #expect(told(store: ", \(table)") == [Self.rows])
    #expect(told(store: ", \(table)", action: #""do": [{"set": {"users['a'].name": "Ada"}}], "#) == [Self.rows])
  }

  /// What has members of a key, or no fields, is something else.
  @Test(arguments: [
    #""users": {"title": "Users", "name": {"type": "string"}}"#, #""users": {"name": {"a": 1}}"#,
    #""users": {"name": "string"}"#,
  ])
  func whatIsNoTableIsToldByItsMembers(key: String) {
    #expect(!told(store: ", \(key)").contains(Self.rows))
  }

  @Test func aTableIsNoType() {
    let found = told(store: #", "users": {"type": "table"}"#)
    #expect(found.count == 1 && found[0].contains(#"write "rows": {…} in place of it"#))
  }

  @Test(arguments: [
    ("types", "user.types"), ("typess", "user.types"), ("redirected", "browser.redirected"),
  ])
  func anEventWithoutItsPersonIsFound(name: String, event: String) {
    #expect(told(event: name) == ["unknown-event: did you mean \"\(event)\"?"])
  }

  @Test func anythingElseIsToldWhatEventsThereAre() {
    #expect(told(event: "quits").first?.hasPrefix("unknown-event: events are user.…") == true)
  }

  @Test func nothingIsWrittenWithoutQuotes() {
    let help = "nothing is written null, without quotes"
    #expect(told(action: #""do": [{"set": {"why": "null"}}], "#) == ["unknown-value: \(help)"])
    #expect(
      told(store: #", "at": {"type": "timestamp"}"#, action: #""do": [{"set": {"at": "null"}}], "#)
        == ["type-mismatch: \(help)"])
  }

  @Test func whatClearTakesIsSaidWhole() throws {
    #expect(
      told(action: #""do": [{"clear": {"why": true}}], "#) == ["wrong-type: write one in its place, or some in [ ]"])
  }

  /// Nothing is said of the hash, nor is another secret taken for a verifier.
  @Test(arguments: [
    (#""query": {"code_challenge": "${store.verifier}"}"#, true), (#""query": {"token": "${store.verifier}"}"#, false),
    (#""query": {"code_challenge": "a${store.verifier}"}"#, false),
  ])
  func aVerifierIsSentAsItsHash(query: String, isTold: Bool) {
    let open = #""do": [{"open": {"to": "api", "get": "/authorize", \#(query)}}], "#
    let found = told(action: open)
    #expect(found.count == 1 && found[0].contains("${s256(store.verifier)}") == isTold, "\(found)")
    #expect(told(action: open.replacing("store.verifier", with: "s256(store.verifier)")).isEmpty)
  }

  /// What either of two would answer is not told behind that both stand there.
  @Test(arguments: [
    #""request": {"to": "api", "get": "/a"}, "#, #""call": "part", "#,
    #""start": "in", "states": {"in": {"goal": true}}, "#,
  ])
  func whatCannotStandTogetherIsToldAlone(other: String) {
    let found = told(state: other)
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("conflicting-members: ") }, "\(found)")
  }
}

/// What is secret at its place is hidden in the help, too; a question of which no more than that is left is no help.
@Test func aQuestionForWhatIsHiddenIsNotAsked() {
  let text = #"{"flow": "f", "t": {"secret": true, "initial": "qzxkvw"}}"#
  func shown(help: String) -> String {
    let document = Document(path: "f.json", bytes: Array(text.utf8))
    let label = Diagnostic.Label(site: Site(document: document, range: 47..<55), text: "here")
    return DiagnosticRenderer().text(of: [Diagnostic(code: "c", message: "m", labels: [label], help: help)])
  }
  #expect(!shown(help: #"did you mean "qzxkvw"?"#).contains("help"))
  #expect(shown(help: #"did you mean "f"?"#).contains(#"help: did you mean "f"?"#))
  #expect(shown(help: #"write "qzxkvw" as a text"#).contains(#"help: write "••••••••" as a text"#))
}
