import JSONSyntax
import Testing

@Suite struct RefusedTests {
  /// Each text with the code of its problem and where it is.
  static let refused: [(text: String, code: String, range: Range<Int>)] = [
    ("", "empty-document", 0..<0), ("  ", "empty-document", 2..<2), ("\u{FEFF}{}", "byte-order-mark", 0..<3),
    ("[1,]", "trailing-comma", 2..<3), (#"{"a":1 , }"#, "trailing-comma", 7..<8), ("[,1]", "unexpected", 1..<2),
    ("[1,,2]", "unexpected", 3..<4), ("[1 2]", "missing-comma", 2..<2), (#"{"a":1 "b":2}"#, "missing-comma", 6..<6),
    (#"{"a" 1}"#, "missing-colon", 4..<4), (#"{"a"}"#, "missing-colon", 4..<4), ("[1\n  ", "unclosed", 2..<2),
    (#"{"a" = 1}"#, "missing-colon", 5..<6), ("[1 /x/]", "missing-comma", 3..<4),
    ("{\"a\": 1\r\n\"b\": 2}", "missing-comma", 7..<7), ("{a:1}", "unexpected", 1..<2),
    ("{'a':1}", "single-quotes", 1..<2), ("'a'", "single-quotes", 0..<1), ("[1", "unclosed", 2..<2),
    (#"{"a":[1,"#, "unclosed", 8..<8), (#"{"a":"#, "unclosed", 5..<5), ("{", "unclosed", 1..<1),
    ("[1}", "wrong-bracket", 2..<3), (#"{"a":1]"#, "wrong-bracket", 6..<7), ("1 2", "text-after-end", 2..<3),
    ("{}}", "text-after-end", 2..<3), ("// x\n1", "comment", 0..<1), ("[1 /* x */]", "comment", 3..<4),
    ("1 # x", "comment", 2..<3), ("NaN", "invalid-number", 0..<3),
    ("{\n<<<<<<< HEAD\n}", "merge-conflict", 2..<9), ("[1\n=======\n2]", "merge-conflict", 3..<10),
    ("{\"a\": 1,\n>>>>>>> x\n}", "merge-conflict", 9..<16), ("[ <<<<<<< HEAD", "unexpected", 2..<3),
    ("True", "unexpected", 0..<4),
    ("-Infinity", "invalid-number", 0..<9), ("nul", "unexpected", 0..<3), ("truex", "unexpected", 0..<5),
    ("01", "leading-zero", 0..<1), ("-01", "leading-zero", 1..<2), ("+1", "invalid-number", 0..<1),
    (".5", "invalid-number", 0..<1), ("1.", "invalid-number", 0..<2), ("1.e1", "invalid-number", 0..<2),
    ("1e", "invalid-number", 0..<2), ("0x10", "invalid-number", 0..<4), ("1e999", "number-out-of-range", 0..<5),
    ("\"a", "unclosed-string", 2..<2), ("\"a\nb\"", "unclosed-string", 2..<2), ("\"\t\"", "control-character", 1..<2),
    (#""\x""#, "invalid-escape", 1..<3), (#""\u12G4""#, "invalid-escape", 1..<5), (#""\u12"#, "invalid-escape", 1..<5),
    (#""\ud800""#, "lone-surrogate", 1..<7), (#""\udc00""#, "lone-surrogate", 1..<7),
    (#""\ud800\u0041""#, "lone-surrogate", 1..<7), ("[\u{E9}]", "unexpected", 1..<3), ("\u{A0}1", "unexpected", 0..<2),
  ]

  @Test(arguments: refused) func refusesWhatRFC8259DoesNotAllow(text: String, code: String, range: Range<Int>) {
    checkProblem(Array(text.utf8), code, range)
  }

  @Test(arguments: [[0xFF, 0xFE, 0x7B, 0], [0xFE, 0xFF, 0, 0x7B], [0x7B, 0, 0x7D, 0], [0, 0x7B]])
  func tellsUTF16(bytes: [UInt8]) {
    checkProblem(bytes, "not-utf8", 0..<2)
  }

  @Test func refusesBytesThatAreNoUTF8() {
    checkProblem([0x22, 0x61, 0xFF, 0x22], "invalid-utf8", 2..<3)
    checkProblem([0x22, 0xC0, 0xAF, 0x22], "invalid-utf8", 1..<2)
    checkProblem([0x22, 0xED, 0xA0, 0x80, 0x22], "invalid-utf8", 1..<2)
    checkProblem([0xFF], "unexpected", 0..<1)
  }

  @Test func refusesTooManyLevels() {
    checkProblem(Array(String(repeating: "[", count: 100_000).utf8), "too-deep", 128..<129)
  }

  @Test func refusesTooManyBytes() {
    checkProblem([UInt8](repeating: 0x20, count: JSONParser.largestSize + 1), "too-large", 0..<0)
  }

  @Test func aPartOfATextIsBoundedByItsOwnSize() throws {
    let lines = [UInt8](repeating: 0x20, count: JSONParser.largestSize) + Array("1".utf8)
    let whole = try JSONParser.parse(lines, within: JSONParser.largestSize..<lines.count, as: .body)
    #expect(whole.range == JSONParser.largestSize..<lines.count)
  }

  @Test func pointsAtTheBracketThatIsOpen() {
    let problem = problem(of: Array(#"{"a":[1"#.utf8))
    #expect(problem?.related?.range == 5..<6)
    #expect(problem?.message == #"the text ends inside an array, where "]" is missing"#)
  }

  @Test func aQuoteThatEndsAStringTooEarlyIsTold() {
    let quotes = #"a double quote in a string is written \""#
    #expect(problem(of: Array(#"{"a":"b == "c""}"#.utf8))?.help?.hasPrefix(quotes) == true)
    #expect(problem(of: Array(#"{"a":"b" "c":1}"#.utf8))?.help == #"write "," between the two members"#)
    #expect(problem(of: Array(#"["a""b"]"#.utf8))?.help == #"write "," between the two elements"#)
  }

  /// Where a bracket is missing, or one too many stands, is seen by how the lines are indented.
  @Test(arguments: [
    ("{\n  \"a\": {\n    \"b\": { \"\\\"}\": 1,\n    \"c\": 2\n  }\n}", "unclosed", "\"c\"", "{ \""),
    ("{\n  \"a\": [\n    { \"b\": 1 },\n  \"c\"\n", "unclosed", "\"c\"", "[\n"),
    ("{\n  \"a\": {\n    \"b\": {\n      \"c\": 1\n  }\n}", "unclosed", "}\n}", "{\n      "),
    (
      "{\n  \"a\": {\n    \"b\": { } },\n    \"d\": { }\n  },\n  \"c\": 2\n}", "text-after-end", "},\n  \"c\"",
      ",\n  \"c\""
    ),
    ("{\n\"a\": {\n\"b\": {\n}\n}", "unclosed", "", "{\n\"a\""),
  ])
  func pointsAtTheLineThatIsIndentedOtherwise(text: String, code: String, place: String, related: String) throws {
    let problem = try #require(self.problem(of: Array(text.utf8)))
    func rest(_ range: Range<Int>?) -> String {
      String(Substring(text.utf8.dropFirst(range?.lowerBound ?? text.utf8.count)))
    }
    #expect(problem.code == code && rest(problem.range).hasPrefix(place), "\(problem)")
    #expect(!place.isEmpty || rest(problem.range).isEmpty, "\(problem)")
    let second = problem.related?.range
    #expect(rest(second).hasPrefix(related), "\(problem)")
  }

  @Test func neverCrashesOnAPieceOfADocument() throws {
    let sample = Array(#"{"é\ud83d\ude00\n":[1,-2.5e+3,true,null,"\\"],"b":{"c":{}}} "#.utf8)
    for end in 0..<(sample.count - 1) {
      let piece = Array(sample[..<end])
      #expect(problem(of: piece) != nil)
      for byte: UInt8 in [0x00, 0x22, 0x2C, 0x5C, 0x7D, 0xC3, 0xFF] {
        let problem = problem(of: piece + [byte] + sample[(end + 1)...])
        #expect(problem.map { $0.range.upperBound <= sample.count } ?? true)
      }
    }
  }

  private func checkProblem(_ bytes: [UInt8], _ code: String, _ range: Range<Int>) {
    let problem = problem(of: bytes)
    #expect(problem?.code == code)
    #expect(problem?.range == range)
    #expect(problem?.message.isEmpty == false)
  }

  private func problem(of bytes: [UInt8]) -> JSONSyntaxError? {
    do {
      _ = try JSONParser.parse(bytes, as: .document)
      return nil
    } catch { return error }
  }
}
