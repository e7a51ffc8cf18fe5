import FlowSpec
import Testing

/// What a sign-out leaves in the store for good.
@Suite struct LastingSecretTests {
  /// What is told of an app that stores what an answer gives like this, and clears like that behind it.
  private static func told(set: String = #""refresh": "${response.json.refresh}""#, clear: String) -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
          "api": {"kind": "service", "url": "https://api.example"}},
        "store": {"access": {"type": "string", "secret": true, "group": "session"},
          "refresh": {"type": "string", "secret": true}, "name": {"type": "string"}},
        "events": {"user.leaves": {}},
        "start": "a", "states": {
          "a": {"request": {"to": "api", "get": "/token"}, "next": [
            {"do": [{"set": {"access": "${response.json.access}"}}, {"set": {\#(set)}}], "goto": "b"}]},
          "b": {"goal": true, "on": {"user.leaves": {"do": [\#(clear)], "goto": "c"}}}, "c": {"goal": true}}}
      """#
    ])
    let found = documents.flow("x.json").diagnostics
    return found.filter { $0.code == "lasting-secret" || $0.severity == .error }.map(\.message)
  }

  @Test(arguments: [
    #"{"clear": "session"}"#, #"{"clear": ["access"]}"#, #"{"set": {"access": null}}"#, #"{"set": {"access": ""}}"#,
    #"{"set": {"access": "${null}"}}"#,
  ])
  func aSecretThatIsNeverClearedBesideOneThatIsIsTold(clear: String) {
    let message = #"nothing ever takes the secret "refresh" out of the store, though "access" is cleared"#
    #expect(Self.told(clear: clear) == [message])
    #expect(Self.told(set: #""refresh": "r-${response.json.refresh}""#, clear: clear) == [message])
  }

  @Test(arguments: [
    #"{"clear": ["session", "refresh"]}"#, #"{"clear": "session"}, {"set": {"refresh": null}}"#,
    // Nobody signs out.
    #"{"clear": "name"}"#,
  ])
  func whatIsClearedIsNot(clear: String) {
    #expect(Self.told(clear: clear) == [])
  }

  /// What the app makes itself may name the device.
  @Test func whatIsOfNoAnswerIsNot() {
    #expect(Self.told(set: #""refresh": "${newId('device')}""#, clear: #"{"clear": "session"}"#) == [])
    #expect(Self.told(set: #""name": "${response.json.name}""#, clear: #"{"clear": "session"}"#) == [])
  }
}
