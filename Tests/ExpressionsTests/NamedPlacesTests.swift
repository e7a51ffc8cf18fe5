import Expressions
import Testing

/// Holds which places a text has under the names `pin` and `Key`: each stands between `<` and `>` in what is expected.
private func checkPlaces(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let text = String(expected.filter { $0 != "<" && $0 != ">" })
  var shown = Array(text.utf8)
  for (place, _) in NamedPlaces.places(in: text, under: Names(["pin", "Key"])).reversed() {
    shown.insert(UInt8(ascii: ">"), at: place.upperBound)
    shown.insert(UInt8(ascii: "<"), at: place.lowerBound)
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
