import Testing

@testable import FlowSpec

/// Composed and decomposed letters are two texts: a run compares by Unicode scalars, and so do the checks.
@Suite struct ComposedLetterTests {
  private static let (composed, decomposed) = ("/caf%C3%A9", "/cafe%CC%81")

  private func errors(routes: [String], asked path: String, value: String = "'x'") -> [String] {
    let routes = routes.map { #"{"on": "GET \#($0)", "next": [{"reply": {}}]}"# }.joined(separator: ", ")
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "model": "api.json"}}, "events": {"user.looks": {}},
        "memory": {"b": {"type": "bool", "initial": true}, "k": {"one of": ["WORD", "x"], "initial": "x"}},
        "start": "s", "states": {
          "s": {"request": {"to": "api", "get": "\#(path)"}, "next": [{"goto": "g"}]},
          "g": {"goal": true, "on": {"user.looks": {"do": [{"set": {"k": "${\#(value)}"}}], "goto": "s"}}}}}
      """#.replacing("WORD", with: "\u{E9}"),
      "api.json": #"{"service": "api", "routes": [\#(routes)]}"#,
    ])
    let codes = ["unanswered-request", "duplicate-route", "unknown-value"]
    return documents.flow("x.json").diagnostics.filter { codes.contains($0.code) || $0.severity == .error }.map(\.code)
  }

  @Test func aRouteIsAskedByItsOwnLetters() {
    let (composed, decomposed) = (Self.composed, Self.decomposed)
    #expect(errors(routes: [composed], asked: composed) == [])
    #expect(errors(routes: [decomposed], asked: decomposed) == [])
    #expect(errors(routes: [composed], asked: decomposed) == ["unanswered-request"])
    #expect(errors(routes: [decomposed], asked: composed) == ["unanswered-request"])
    #expect(errors(routes: [composed, decomposed], asked: decomposed) == [])
  }

  @Test func aRouteTakesWhatBeginsAndEndsWithItsBytes() {
    let (composed, decomposed) = (Self.composed, Self.decomposed)
    #expect(errors(routes: [composed + "{a}", decomposed + "{a}"], asked: composed + "1") == [])
    #expect(errors(routes: ["/{a}%C3%A9", "/{a}e%CC%81"], asked: "/1%C3%A9") == [])
    // A mark alone goes on behind the letter.
    #expect(errors(routes: ["/cafe{a}", decomposed + "{a}"], asked: "/cafe1") == ["duplicate-route"])
    #expect(errors(routes: ["/{a}%CC%81", "/{a}e%CC%81"], asked: "/1%CC%81") == ["duplicate-route"])
  }

  @Test func aPathOfWhichAPartIsKnownIsComparedLikewise() {
    let literal = [PathPattern.Segment.literal("cafe\u{301}s")]
    for text in ["cafe\0", "cafe\u{301}\0", "\0\u{301}s", "cafe\u{301}s"] {
      #expect(literal.start(with: [text]), "\(text)")
    }
    for text in ["caf\u{E9}\0", "caf\u{E9}s", "\0\u{E9}s"] { #expect(!literal.start(with: [text]), "\(text)") }
  }

  @Test(arguments: [
    ("memory.b ? '\u{E9}' : 'x'", true), ("memory.b ? 'e\u{301}' : 'x'", false),
    ("memory.b ? '\u{E9}' : 'e\u{301}'", false), ("memory.b ? 'e\u{301}' : '\u{E9}'", false),
    ("memory.b ? memory.k : 'x'", true),
  ])
  func aKeyTakesTheWordsOfItsOwnLetters(value: String, isTaken: Bool) {
    #expect(errors(routes: ["/a"], asked: "/a", value: value) == (isTaken ? [] : ["unknown-value"]))
  }
}
