import JSONSyntax
import Testing

/// What a text that is no JSON is told: what to do about it, and where.
@Suite struct HelpTests {
  static let slips: [(text: String, words: String)] = [
    (#"{"a":1,,"b":2}"#, "remove this comma"), ("[1,,2]", "remove this comma"), ("{\u{A0}\"a\":1}", "a usual blank"),
    ("{\"a\"\u{2003}:1}", "a usual blank"), ("[1\u{A0},2]", "a usual blank"), ("[\u{E9}]", "double quotes"),
    (#"{"a" "b"}"#, #"write ":" between the name and its value"#), (#"{"a" => 1}"#, #"write ":" in its place"#),
    (#"{"a", "b"}"#, "put what is a list in [ ]"), (#"{"a: "b"}"#, "end the name with a double quote"),
    ("[1 2]", #"write "," between the two elements"#), (#"{"a":1 "b":2}"#, #"write "," between the two members"#),
    (#"{"a":1; "b":2}"#, #"write "," in its place"#), (#"["a":1]"#, "stand in an object"),
    (#"["a" + "b"]"#, "JSON joins no strings"), (#"{"a": 1 b: 2}"#, "text and names stand in straight double quotes"),
    (#"{"a": 2026-01-01}"#, "what is no number stands in straight double quotes"), ("[5%]", "what is no number"),
    (#"{"a":[1, 2}"#, #"write "]" before it"#), ("[1}, 2", #"write "]" in its place"#),
    (#"{"a":[1}, "b":2"#, #"write "]" in its place, or remove it"#), ("{\"a\":[1}\n", #"write "]" before it"#),
    (#"{"a":[1,{"b":"]"#, "end the string with a straight double quote"),
    (#"{"a":[1,{"b":2"#, #"write "}]}" at the end"#),
    ("{}\n{}", "a document is one value"), ("{}}", "remove it"), (#"{"a":{}}, "b":1}"#, "or the bracket before it"),
    ("NaN", "null can stand for none"), ("-Infinity", "null can stand for none"), ("+inf", "null can stand for none"),
    ("['a']", "straight double quotes"), ("{'a':1}", "straight double quotes"),
    ("[`a`]", "straight double quotes"), ("```json\n{}\n```", "Markdown"), ("<html>", "HTML or XML"),
    ("{...}", "write out what it stands for"), ("[...]", "write out what it stands for"), ("[/x]", "double quotes"),
    (#"{"a":}"#, "put a value before it"), (#"{"a"::1}"#, "remove this colon"),
    ("{{}}", #"put a name and ":" before it"#), ("{[1]}", #"put a name and ":" before it"#),
    (#"{"a": {"b": 1}, {"b": 2}}"#, #"put a name and ":" before it, or both objects in [ ]"#),
    (#"[{"a": {}, {"b": 1}]"#, "or both objects in [ ]"),
    (#"[{"a": [{}], {}}]"#, #"put a name and ":" before it"#), (#"{"a": {}, ["b"]}"#, #"put a name and ":" before it"#),
    ("{:1}", "put a name before it"), ("{]", #"write "}" in its place"#), (#"{"a":1,5}"#, "JSON numbers have a point"),
    ("[+1]", "JSON numbers are decimal"), ("[1.]", "JSON numbers are decimal"), ("[30s]", "stands in double quotes"),
    ("[007]", "if its zeros count"), ("\"a\nb\"", "end the string with a straight double quote"),
    (#""\users""#, #"a backslash itself is written "\\""#), (#""\ud800""#, "both halves"), ("\"\u{1F}\"", #"\u001f"#),
    ("[\u{1}]", "remove it"),
  ]

  @Test(arguments: slips) func saysHowToMendASlip(text: String, words: String) {
    let help = problem(of: text)?.help
    #expect(help?.contains(words) == true, "\(text): \(help ?? "")")
  }

  /// Each text with what it is told and what it is when that is done.
  static let mended: [(text: String, help: String, mended: String)] = [
    (
      "{\n  \"a\": [\n    1\n  },\n  \"b\": 2\n}", #"write "]" in its place"#,
      "{\n  \"a\": [\n    1\n  ],\n  \"b\": 2\n}"
    ),
    (#"{"a":[1},"b":2}"#, #"write "]" in its place"#, #"{"a":[1],"b":2}"#), ("[1}", #"write "]" in its place"#, "[1]"),
    (#"[{"a":1],"}"]"#, #"write "}" in its place"#, #"[{"a":1},"}"]"#),
    (#"{"a":{"b":[1},"c":2}"#, #"write "]" before it"#, #"{"a":{"b":[1]},"c":2}"#),
    (#"{"a":[[1}"#, #"write "]]" before it"#, #"{"a":[[1]]}"#), (#"{"a":[1}]}"#, "remove it", #"{"a":[1]}"#),
    ("[{]", #"write "}" before it"#, "[{}]"), (#"{"a":[}}"#, #"write "]" in its place"#, #"{"a":[]}"#),
    (
      "{\n  \"a\": {\n    \"b\": 1,\n  \"c\": 2\n}", #"write "}" before the comma that stands before it"#,
      "{\n  \"a\": {\n    \"b\": 1},\n  \"c\": 2\n}"
    ),
    (
      "{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n  }\n}", #"write "}" before it"#,
      "{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n  }}\n}"
    ),
    (
      #"{"a": "b": "c"}"#,
      "a member has one name and one value: remove the others, or put the member that is a value in { }",
      #"{"a": {"b": "c"}}"#
    ),
    (#"{"a": 1: "b": 2}"#, #"write "," in its place"#, #"{"a": 1, "b": 2}"#),
    (#"{"a": 1;}"#, "remove it", #"{"a": 1}"#),
    (#"["a": 1]"#, "members with a name stand in an object: { }", #"[{"a": 1}]"#),
    (#"{"a": ]}"#, #"write "[" before it, or put a value in its place"#, #"{"a": []}"#),
    ("}", #"write "{" before it, or remove it"#, "{}"),
    (#""a": 1, "b": 2"#, "put all members in { }", #"{"a": 1, "b": 2}"#),
    (#"{"a"; 1}"#, #"write ":" in its place"#, #"{"a": 1}"#),
    (#"{"a" => 1}"#, #"write ":" in its place"#, #"{"a" : 1}"#),
    (#"{"a" -> 1}"#, #"write ":" in its place"#, #"{"a" : 1}"#),
  ]

  @Test(arguments: mended) func whatIsToldMendsTheText(text: String, help: String, mended: String) {
    #expect(problem(of: text)?.help == help)
    #expect(problem(of: mended) == nil)
  }

  /// Of a sign of two characters both are pointed at.
  @Test func pointsAtTheWholeSignThatStandsForAColon() {
    let problem = problem(of: #"{"a" => 1}"#)
    #expect(problem?.range == 5..<7 && problem?.message == #""=>" stands where ":" was expected"#)
  }

  /// A line that closes an object was lost with its comma, as the lines are indented.
  @Test func tellsABracketThatIsMissingWithItsComma() {
    let text = "{\n  \"a\": {\n    \"b\": 1\n  \"c\": 2\n}"
    let problem = problem(of: text)
    #expect(problem?.code == "missing-comma" && problem?.label == #""}," is missing here"#)
    #expect(
      problem.map { text.utf8.prefix($0.range.lowerBound).elementsEqual("{\n  \"a\": {\n    \"b\": 1".utf8) } == true)
    #expect(problem?.help == #"write "}," there: as the lines are indented, the object ends"#)
  }

  /// Of a part of a text the brackets before it are another's.
  @Test func tellsTheBracketsOfThePartThatIsRead() {
    let bytes = Array("[[[\n{\"a\":".utf8)
    #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes, within: 4..<bytes.count, as: .written) }
    do { _ = try JSONParser.parse(bytes, within: 4..<bytes.count, as: .written) } catch {
      #expect(error.help?.hasPrefix(#"write "}" at the end"#) == true)
    }
  }

  /// The place is that of the bracket, not of the second object.
  @Test(arguments: [
    #"{"a": {"b": [1]}, {"b": 2}]}"#, #"{"a": {"b": "}"} , {"b": 2}]}"#, #"[{"x": 1, "a":{},{}, {}]}]"#,
  ])
  func tellsWhereTheObjectsOfAMemberLackTheirBracket(text: String) throws {
    let problem = try #require(self.problem(of: text))
    let first = try #require(text.firstRange(of: "\"a\":")).upperBound
    let object = try #require(text[first...].firstIndex(of: "{"))
    #expect(problem.range.lowerBound == text.utf8.distance(from: text.startIndex, to: object))
    #expect(problem.label == #""[" is missing before this"# && problem.help?.hasPrefix(#"write "[" there"#) == true)
    let mended = String(text[..<object]) + "[" + text[object...]
    #expect(self.problem(of: mended) == nil)
  }

  private func problem(of text: String) -> JSONSyntaxError? {
    do {
      _ = try JSONParser.parse(Array(text.utf8), as: .document)
      return nil
    } catch { return error }
  }
}
