import Expressions
import Testing

/// Holds which places a text has under the names `pin` and `Key`: each stands between `<` and `>` in what is expected.
private func checkPlaces(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let text = String(expected.filter { $0 != "<" && $0 != ">" })
  var shown = Array(text.utf8)
  for place in NamedPlaces.places(in: text, under: Names(["pin", "Key", "code"])).reversed() {
    shown.insert(UInt8(ascii: ">"), at: place.range.upperBound)
    shown.insert(UInt8(ascii: "<"), at: place.range.lowerBound)
  }
  #expect(String(decoding: shown, as: UTF8.self) == expected, sourceLocation: sourceLocation)
}

@Suite struct NamedPlacesTests {
  @Test func addressesAndForms() {
    checkPlaces("https://a.example/?x=1&pin=<abc>&y=2")
    checkPlaces("pin=<a%26b%20c>&Key=<d>")
    checkPlaces("to=https%3A%2F%2Fa.example%2F%3Fpin%3D<a%2526b>%26y%3D2&z=3")
    checkPlaces("to=https%253A%252F%252Fa.example%253Fpin%253D<ab>")
    checkPlaces("%70in=<ä>&x=ö")
    checkPlaces("d=50%25+code=<1>&e=%+code=<2>")
    checkPlaces("pin[]=<a>&pin[0]=<b>&user[pin]=<c>&user%5Bpin%5D%5Bx%5D=<d>")
    checkPlaces("PIN=<a>&key=b&KEY=b")
  }

  @Test func jsonHoweverOftenItIsEscaped() {
    checkPlaces(#"{"pin":"<abc>","x":"y"}"#)
    checkPlaces(#"{"pin" : "<a\"b>", "Key": <12.5>, "x": 1}"#)
    checkPlaces(#"{\"pin\": \"<a\\\"b>\", \"x\": 1}"#)
    checkPlaces(#"{"x": "{\u0022pin\u0022:\u0022<ab>\u0022}", "y": 1}"#)
    checkPlaces("%7B%22pin%22%3A+%22<ab>%22%2C%22x%22%3A1%7D")
    checkPlaces("{'pin': '<a>', 'x': 1}")
    checkPlaces(#"{"pin[0]": <true>, "x": null}"#)
  }

  @Test func headers() {
    checkPlaces(#"Bearer realm="x", pin="<abc>", error="no""#)
    checkPlaces(#"Bearer pin=<abc, error="no">"#)
  }

  /// Nothing behind it is shown where its end is not sure.
  @Test func whatHasNoEndGoesOnToTheLast() {
    checkPlaces(#"{"pin": "<ab>"#)
    checkPlaces(#"{"pin": <["a", "b"], "x": 1}>"#)
    checkPlaces(#"{"pin": "<a"b", "x": 1}>"#)
    checkPlaces(#"{"pin": <12/3, "x": 1}>"#)
    checkPlaces(#"pin=<a "b" c>"#)
    checkPlaces(#"{"pin": "<a\\", "x": "y"}>"#)
  }

  @Test func bracketsInOneAnother() {
    checkPlaces("pin[pin[x][Key]=<a>&pin[y [pin=<b>&pin['pin[']: <c>")
    checkPlaces(#"pin"[pin:<1>&"pin"[x: <2>, pin: 3"#)
  }

  /// Each of very many is looked at once.
  @Test func aTextThatNamesThemOverAndOver() {
    let names = Names([], inTexts: ["pin", "Key"], secrets: [("zzzz", "said")])
    let text = Text(String(repeating: "pin=abc&zzzz&", count: 40_000)).marked(under: names)
    var places: [Range<Int>] = []
    for start in stride(from: 0, to: 520_000, by: 13) { places += [start + 4..<start + 7, start + 8..<start + 12] }
    #expect(text.secretRanges == places)
    #expect(Value.string(text).secretTexts.count == 80_000)
    let open = Text("\"" + String(repeating: "pin[", count: 60_000))
    #expect(open.marked(under: names) == open)
  }

  /// What is known to be secret in a part of it cannot be told apart from the rest.
  @Test func aTextThatIsSecretInPart() {
    func marked(_ string: String, _ range: Range<Int>, knowing secret: String = "....") -> [Text.Span] {
      Text(string: string, spans: [Text.Span(range: range, kind: .secret(name: "own"))])
        .marked(under: Names([], inTexts: ["pin"], secrets: [(secret, "said")])).spans
    }
    func secret(_ range: Range<Int>, _ name: String) -> Text.Span { Text.Span(range: range, kind: .secret(name: name)) }
    #expect(marked("pin=abc&x", 4..<7) == [secret(4..<7, "own")])
    #expect(marked("pin=abc&x", 2..<8) == [secret(2..<8, "own")])
    #expect(marked("pin=abc&x", 5..<6) == [secret(0..<9, "pin")])
    #expect(marked("pin=abc&x", 8..<9) == [secret(4..<7, "pin"), secret(8..<9, "own")])
    #expect(marked("x pin=abc&x", 0..<1, knowing: "n=ab") == [secret(0..<11, "said")])
  }

  /// A peer chooses how deep they stand, and the stack ends somewhere.
  @Test func tokensInOneAnother() {
    func token(levels: Int, _ text: String) -> String {
      (0..<levels).reduce(text) { text, _ in base64URL(Array(#"{"a":"\#(text)"}"#.utf8)) }
    }
    func isHidden(levels: Int, _ text: String) -> Bool {
      !Text(token(levels: levels, text)).marked(under: Names([], inTexts: ["pin"])).secretRanges.isEmpty
    }
    for levels in 1...4 { #expect(isHidden(levels: levels, "pin=1") && !isHidden(levels: levels, "pins=1")) }
    // What nobody looks into may hold one.
    for levels in [5, 12] { #expect(isHidden(levels: levels, "pins=1")) }
  }

  @Test func whatNamesNothing() {
    for text in [
      "response_type=pin&x=1", "pins=1&my-pin=2&pin_code=3&äpin=4", "your pin: 1234", "pin", "pin=", #"{"pin": ""}"#,
      #"["pin", "x"]"#, #"{"x": "pin"}"#, "100%", "%", "%2", "%25", #"\"#, #"pin\"#, "pin%3D", "pin=",
      #"pin=""#, "[pin=",
    ] {
      checkPlaces(text)
    }
  }
}
