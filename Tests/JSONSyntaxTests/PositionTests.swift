import JSONSyntax
import Testing

@Suite struct PositionTests {
  @Test func countsLinesAndCharacters() {
    let text = SourceText(Array("a\r\n👩‍👩‍👧é\u{65}\u{301}x\n".utf8))
    checkPosition(text, "", 1, 1)
    checkPosition(text, "a", 1, 2)
    checkPosition(text, "a\r\n", 2, 1)
    checkPosition(text, "a\r\n👩‍👩‍👧", 2, 2)
    checkPosition(text, "a\r\n👩‍👩‍👧é\u{65}\u{301}", 2, 4)
    checkPosition(text, "a\r\n👩‍👩‍👧é\u{65}\u{301}x\n", 3, 1)
    let lines = [1, 2, 3, 9].map { text.text(in: text.lineRange($0)) }
    #expect(lines == ["a", "👩‍👩‍👧é\u{65}\u{301}x", "", ""])
  }

  @Test func stringsThatOnlyLookAlikeAreTwoKeys() {
    let (composed, decomposed) = (ScalarString("caf\u{E9}"), ScalarString("cafe\u{301}"))
    #expect(composed.string == decomposed.string && composed != decomposed)
    #expect(Set([composed, decomposed, ScalarString("cafe\u{301}")]).count == 2)
  }

  @Test func mapsDecodedOffsetsBackThroughEscapes() throws {
    let bytes = Array(#"  "a\n\u00e9\ud83d\ude00b" "#.utf8)
    let offsets = StringTokenOffsets(ofStringToken: 2..<26, in: bytes)
    // a, \n, two bytes of é, four bytes of the smiling face, b, end
    #expect((0...9).map(offsets.documentOffset) == [3, 4, 6, 6, 12, 12, 12, 12, 24, 25])
    #expect(offsets.documentRange(1..<4) == 4..<12)
  }

  @Test func writesCompactAndPretty() {
    checkWriting(.compact, #"{"a":[1,-2.5,"x\"\\\u001f/é"],"b":{},"c":[]}"#)
    checkWriting(
      .pretty, "{\n  \"a\": [\n    1,\n    -2.5,\n    \"x\\\"\\\\\\u001f/é\"\n  ],\n  \"b\": {},\n  \"c\": []\n}")
  }

  @Test func writesDoublesThatReadBackTheSame() {
    let doubles = [0.1, 1, -0.0, 1e21, .leastNonzeroMagnitude, 1.7976931348623157e308, .infinity]
    #expect(doubles.map(written) == ["0.1", "1.0", "-0.0", "1e+21", "5e-324", "1.7976931348623157e+308", "null"])
    #expect(written(.nan) == "null")
  }

  private func written(_ value: Double) -> String {
    var writer = JSONWriter()
    writer.double(value)
    return writer.text
  }

  private func checkPosition(_ text: SourceText, _ before: String, _ line: Int, _ column: Int) {
    #expect(text.position(of: before.utf8.count) == SourceText.Position(line: line, column: column))
  }

  private func checkWriting(_ layout: JSONWriter.Layout, _ expected: String) {
    var writer = JSONWriter(layout)
    writer.beginObject()
    writer.name("a")
    writer.beginArray()
    writer.int(1)
    writer.double(-2.5)
    writer.string("x\"\\\u{1F}/é")
    writer.endArray()
    writer.name("b")
    writer.beginObject()
    writer.endObject()
    writer.name("c")
    writer.beginArray()
    writer.endArray()
    writer.endObject()
    #expect(writer.text == expected)
  }
}
