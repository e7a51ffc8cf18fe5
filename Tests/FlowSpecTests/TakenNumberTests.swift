import FlowSpec
import Testing

@Suite struct TakenNumberTests {
  /// What is told of a flow that does this with an answer whose `pin` is secret, by a service that no document describes.
  private static func told(_ actions: String, secrets: String = #"["pin"]"#, retry: String = "") -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "secrets": \#(secrets)}}, "start": "ask",
        "store": {"n": {"type": "int"}, "part": {"type": "double"}, "all": {"type": "json", "secret": true},
          "rows": {"rows": {"n": {"type": "int"}, "m": {"type": "string"}}}},
        "memory": {"m": {"type": "int"}},
        "screens": {"s": {"fields": {"n": {"type": "int"}}}}, "emits": {"came": {"with": {"type": "double"}}},
        "let": {"pin": "isInt(response.json.?pin) ? response.json.pin : 0"},
        "states": {"ask": {"request": {"to": "api", "post": "/x"\#(retry)}, "next": [
          {"when": "response.status == 200", "do": [\#(actions)], "goto": "done"}, {"goto": "done"}]},
          "done": {"goal": true}}}
      """#
    ])
    return documents.flow("x.json").diagnostics.filter { $0.code == "secret-number" || $0.severity == .error }
      .map { $0.severity == .remark ? $0.message : "\($0)" }
  }

  private static func words(_ place: String) -> [String] {
    ["the secret \"pin\" \(place) as a number, and only strings carry the mark of a secret"]
  }

  @Test(arguments: [
    (#"{"set": {"n": "${response.json.pin}"}}"#, #"is stored in "n""#),
    (#"{"set": {"n": "${response.json.card.pin}"}}"#, #"is stored in "n""#),
    (#"{"set": {"part": "${response.json.?pin.orValue(0.0)}"}}"#, #"is stored in "part""#),
    (#"{"set": {"n": "${pin}"}}"#, #"is stored in "n""#),
    (#"{"set": {"m": "${response.json.pin}"}}"#, #"is stored in "m""#),
    (#"{"set": {"rows['a']": {"n": "${response.json.pin}"}}}"#, #"is stored in "n""#),
    (#"{"show": {"s": {"n": "${response.json.pin}"}}}"#, #"is told to the screen "s" in "n""#),
    (#"{"emit": {"came": {"with": "${response.json.pin}"}}}"#, #"is told to the listeners of "came" in "with""#),
  ]) func aNumberThatIsTakenIsTold(action: String, place: String) { #expect(Self.told(action) == Self.words(place)) }

  @Test(arguments: [
    #"{"set": {"all": "${response.json.pin}"}}"#, #"{"set": {"n": "${response.json.count}"}}"#,
    #"{"set": {"n": "${size(string(response.json.pin))}"}}"#, #"{"set": {"n": "${response.status}"}}"#,
    #"{"set": {"n": "${response.json.pin == 7 ? 1 : 2}"}}"#, #"{"set": {"rows['a']": {"m": "${response.json.pin}"}}}"#,
    #"{"set": {"n": 7}}"#,
  ]) func whatIsNoneIsNot(action: String) { #expect(Self.told(action) == []) }

  @Test func aNameOfAnotherPartHidesNoNumber() {
    for (secrets, isTold) in [(#"["json.pin"]"#, true), (#"["header.pin"]"#, false), (#"["query.pin"]"#, false)] {
      let told = Self.told(#"{"set": {"n": "${response.json.pin}"}}"#, secrets: secrets)
      #expect(told == (isTold ? Self.words(#"is stored in "n""#) : []), "\(secrets)")
    }
  }
}
