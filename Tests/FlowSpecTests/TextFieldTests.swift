import FlowSpec
import Testing

/// What a link, a redirect or a form brings is text, and no field of them is a list or a map.
@Suite struct TextFieldTests {
  private static let redirected = #""state": {"type": "string"}}}"#
  private static let form = #""name": {"type": "string", "example": "ada"}"#

  private func errors(
    _ replaced: String, by replacement: String, in path: String = "sample.json"
  ) throws -> [String] {
    var documents = try Documents.sample()
    let text = try #require(documents.texts[path])
    try #require(text.split(separator: replaced).count == 2, "\(replaced) stands once")
    documents.texts[path] = text.replacing(replaced, with: replacement)
    return documents.flow().diagnostics.filter { $0.severity == .error }.map { "\($0.code): \($0.message)" }
  }

  @Test(arguments: ["list", "map"]) func aListOrAMapIsRefused(type: String) throws {
    let declared = "{\"type\": \"\(type)\"}"
    let told = "wrong-field: \"more\" cannot be a \(type): all that "
    #expect(
      try errors(Self.redirected, by: "\"state\": {\"type\": \"string\"}, \"more\": \(declared)}}")
        == [told + "an address brings is text"])
    #expect(
      try errors(
        Self.redirected,
        by: Self.redirected
          + ", \"link.welcome\": {\"fields\": {\"token\": {\"type\": \"string\"}, \"more\": \(declared)}}"
      ) == [told + "an address brings is text"])
    #expect(
      try errors(Self.form, by: Self.form + ", \"more\": \(declared)", in: "services/auth.json")
        == [told + "a form brings is text"])
  }

  @Test(arguments: [
    #"{"type": "json"}"#, #"{"type": "int"}"#, #"{"type": "bool"}"#, #"{"type": "timestamp"}"#,
    #"{"type": "duration"}"#, #"{"type": "double"}"#, #"{"one of": ["list", "map"]}"#,
  ]) func whatIsReadOfATextIsNot(declared: String) throws {
    #expect(try errors(Self.redirected, by: "\"state\": {\"type\": \"string\"}, \"more\": \(declared)}}") == [])
    #expect(try errors(Self.form, by: Self.form + ", \"more\": \(declared)", in: "services/auth.json") == [])
  }

  @Test(arguments: ["list", "map"]) func whatAPersonGivesIsNot(type: String) throws {
    let name = #"{"name": {"type": "string", "example": "Bob"}, "kind""#
    #expect(try errors(name, by: name.replacing("\"kind\"", with: "\"more\": {\"type\": \"\(type)\"}, \"kind\"")) == [])
  }

  @Test func whereItIsReadIsTold() throws {
    var documents = try Documents.sample()
    documents.texts["services/auth.json"]?.replace(Self.form, with: Self.form + #", "tags": {"type": "list"}"#)
    let help = documents.flow().diagnostics.first { $0.code == "wrong-field" }?.help
    #expect(help == #"write "string", and take it apart where it is read, as with request.form.tags.split(',')"#)
  }

  /// A script cannot submit them either.
  @Test(arguments: [#"[1]"#, #"{"a": 1}"#, #""${[1]}""#]) func noExampleOfAFormIsAListOrAnObject(example: String) throws
  {
    let field = ", \"more\": {\"type\": \"json\", \"example\": \(example)}"
    let told = try errors(Self.form, by: Self.form + field, in: "services/auth.json")
    #expect(told.count == 1 && told[0].hasPrefix("type-mismatch: \"example\" takes a string, not "), "\(told)")
  }

  @Test(arguments: ["7", "true", "1.5", "\"x\"", "null", "\"${now}\"", "\"${memory.id}\""])
  func itIsAnyScalar(example: String) throws {
    let field = ", \"more\": {\"type\": \"json\", \"example\": \(example)}"
    #expect(try errors(Self.form, by: Self.form + field, in: "services/auth.json") == [])
  }
}
