import JSONSyntax
import Testing

@Suite struct AcceptedTests {
  /// Each text with what it means, written compactly.
  static let accepted: [(text: String, meaning: String)] = [
    ("null", "null"), (" \t\r\ntrue ", "true"), ("false", "false"), ("0", "0"), ("-0", "0"), ("-0.0", "-0.0"),
    ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
    ("1.0", "1.0"), ("1e2", "100.0"), ("1E+2", "100.0"), ("1e-2", "0.01"), ("0e0", "0.0"), ("5e-324", "5e-324"),
    ("1e-999", "0.0"), ("0.1", "0.1"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
    (#""""#, #""""#), (#""a""#, #""a""#), (#""\"\\\/\b\f\n\r\t""#, #""\"\\/\u0008\u000c\n\r\t""#),
    (#""\u0041\u00e9\u20AC""#, #""Aé€""#), (#""\ud83d\uDE00""#, #""😀""#), (#""\u0000""#, #""\u0000""#),
    (#""\uFFFE""#, "\"\u{FFFE}\""),
    ("\"\u{7F}\"", #""\u007f""#), ("\"eight or \u{7F} more\"", #""eight or \u007f more""#),
    ("\"\u{2028}\"", #""\u2028""#),
    ("[]", "[]"), ("[ ]", "[]"), ("{}", "{}"), ("{ }", "{}"), ("[1,[2,[]]]", "[1,[2,[]]]"),
    (#"{"b":1,"a":[true,null],"":{}}"#, #"{"b":1,"a":[true,null],"":{}}"#),
    (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#),
  ]

  @Test(arguments: accepted) func readsWhatRFC8259Allows(text: String, meaning: String) throws {
    try checkMeaning(text, meaning)
  }

  @Test func readsManyLevels() throws {
    let text = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    try checkMeaning(text, text)
  }

  @Test func tellsNumbersBeyondSixtyFourBits() throws {
    let large = Array("9223372036854775808".utf8)
    guard case .wholeNumberTooLarge = try JSONParser.parse(large, as: .document).kind else {
      Issue.record("not reported in a document")
      return
    }
    guard case .double(9_223_372_036_854_775_808) = try JSONParser.parse(large, as: .body).kind else {
      Issue.record("no double in a body")
      return
    }
  }

  @Test func ignoresAByteOrderMarkOfAPeerAlone() throws {
    let body = try JSONParser.parse(Array("\u{FEFF} {}".utf8), as: .body)
    #expect(body.range == 4..<6)
    for (text, purpose) in [
      ("\u{FEFF}{}", JSONParser.Purpose.written), ("\u{FEFF}\u{FEFF}{}", .body), ("\u{FEFF}", .body),
    ] {
      #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(Array(text.utf8), as: purpose) }
    }
  }

  @Test func findsDuplicatesAtAnyDepth() throws {
    let text = #"{"a":1,"b":[{"c":1,"c":2,"c":3}],"a":2}"#
    let found = try JSONParser.parse(Array(text.utf8), as: .document).duplicateMembers()
    #expect(found.map(\.name) == ["c", "c", "a"])
    #expect(found.map(\.first) == [13..<16, 13..<16, 1..<4])
    #expect(found.map(\.again) == [19..<22, 25..<28, 33..<36])
  }

  @Test func findsDuplicatesAmongMany() throws {
    let many = (0..<70).map { "\"m\($0)\":0" }.joined(separator: ",")
    let text = "{\(many),\"\u{E9}\":1,\"e\u{301}\":2,\"m69\":3,\"e\u{301}\":4,\"m0\":5,\"m0\":6}"
    let node = try JSONParser.parse(Array(text.utf8), as: .document)
    let found = node.duplicateMembers()
    let names = if case .object(let members) = node.kind { members.map(\.nameRange) } else { [] as [Range<Int>] }
    #expect(names.count == 76)
    #expect(found.map(\.first) == [69, 71, 0, 0].map { names[$0] })
    #expect(found.map(\.again) == (72...75).map { names[$0] })
  }

  @Test func tellsComposedFromDecomposedNames() throws {
    let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
    #expect(try JSONParser.parse(Array(text.utf8), as: .body).duplicateMembers().isEmpty)
  }

  @Test func knowsWhereEverythingStands() throws {
    let node = try JSONParser.parse(Array(#" {"é": [12, "x"]} "#.utf8), as: .document)
    guard case .object(let members) = node.kind, case .array(let elements) = members[0].value.kind else {
      Issue.record("no object with an array")
      return
    }
    #expect(node.range == 1..<18)
    #expect(members[0].nameRange == 2..<6)
    #expect(members[0].value.range == 8..<17)
    #expect(elements.map(\.range) == [9..<11, 13..<16])
  }

  private func checkMeaning(_ text: String, _ meaning: String) throws {
    let node = try JSONParser.parse(Array(text.utf8), as: .document)
    var writer = JSONWriter()
    writer.write(node)
    #expect(writer.text == meaning)
    #expect(text.utf8.count >= node.range.upperBound)
  }
}

extension JSONWriter {
  mutating func write(_ node: JSONNode) {
    switch node.kind {
    case .null: null()
    case .bool(let value): bool(value)
    case .int(let value): int(value)
    case .double(let value): double(value)
    case .string(let value): string(value)
    case .wholeNumberTooLarge: string("too large")
    case .array(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        name(member.name)
        write(member.value)
      }
      endObject()
    }
  }
}
