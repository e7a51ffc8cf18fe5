import FlowSpec
import Testing

/// What a scenario fills into a form is held against the form's fields, as far as its pages agree on them.
@Suite struct FilledFormTests {
  /// The login of the sample, with a number and words to choose from.
  private static let fields =
    #""fields": {"age": {"type": "int"}, "since": {"type": "timestamp"}, "kind": {"one of": ["a", "b"]}, "more": {"type": "json"}, "name""#

  private func found(filling with: String, terms: String? = nil) throws -> [Diagnostic] {
    var documents = try Documents.sample()
    documents.texts["services/auth.json"]?.replace("\"fields\": {\"name\"", with: Self.fields)
    if let terms {
      documents.texts["services/auth.json"]?.replace(
        #"{"text": "Terms for ${request.headers.?host.orValue('you')}"}"#,
        with: #"{"page": {"title": "T", "forms": {"login": {"post": "/login/x", "fields": {\#(terms)}}}}}"#)
    }
    documents.texts["scenario.json"]?.replace("{\"name\": \"ada\"}", with: with)
    let flow = try #require(documents.flow().value)
    return Loading.scenario(at: "scenario.json", for: flow, reader: &documents).diagnostics
  }

  @Test(arguments: [
    #"{"age": 7, "since": "2026-01-01T00:00:00Z", "kind": "b"}"#, #"{"age": null, "kind": null, "more": 7}"#,
    #"{"age": "seven", "since": "no day", "more": "m"}"#, #"{"age": "${'7'}", "since": "${now}", "more": "${now}"}"#,
    #"{"age": "${config.authUrl}", "name": "${config.authUrl}/x"}"#,
  ]) func takesTextsAndWhatTheFieldTakes(with: String) throws {
    #expect(try found(filling: with).map(\.message) == [])
  }

  @Test(arguments: [
    (#"{"age": true}"#, #""age" takes an int, not true"#), (#"{"age": [7]}"#, #""age" takes an int, not a list"#),
    (#"{"age": "${now}"}"#, #""age" takes an int, not a timestamp"#), (#"{"kind": "c"}"#, #""kind" cannot be "c""#),
    (#"{"kind": 1}"#, #""kind" takes a string, not a whole number"#),
    (#"{"more": [7]}"#, #""more" takes a string, not a list"#),
    (#"{"more": {"a": 7}}"#, #""more" takes a string, not an object"#),
    (#"{"more": "${[now]}"}"#, #""more" takes a string, not a list"#),
  ]) func refusesTheRest(with: String, message: String) throws {
    #expect(try found(filling: with).map(\.message) == [message])
  }

  /// Which of the forms will be filled in is not known.
  @Test func whereFormsDisagreeOnlyListsAndObjectsAreRefused() throws {
    let other = #""age": {"type": "bool"}, "kind": {"one of": ["c"]}, "name": {"type": "string"}"#
    #expect(try found(filling: #"{"age": 1.5, "kind": "d", "name": "n"}"#, terms: other).isEmpty)
    let told = try found(filling: #"{"age": [], "kind": {}, "name": 5}"#, terms: other)
    #expect(told.map(\.code) == ["type-mismatch", "type-mismatch", "type-mismatch"])
  }

  /// In a form of that name that has not the field, it is not filled in.
  @Test func formsWithoutTheFieldDoNotCount() throws {
    #expect(try found(filling: #"{"age": true}"#, terms: "").map(\.code) == ["type-mismatch"])
  }

  @Test func whatASecretFieldCanBeIsNotTold() throws {
    let other = #""kind": {"one of": ["a", "b"], "secret": true}"#
    let told = try found(filling: #"{"kind": "Zq9kTw4xPm"}"#, terms: other)
    let shown = DiagnosticRenderer().text(of: told)
    #expect(told.map(\.message) == ["\"kind\" cannot be this"] && !shown.contains("Zq9kTw4xPm"), "\(shown)")
  }
}
