import FlowSpec
import Testing

/// Secrets that come to something plain by way of the memory.
@Suite struct CarriedSecretTests {
  private static let token = "${string(response.json.token)}"

  /// What is told of a flow that keeps this of an answer whose `token` is secret, and later this.
  private static func told(_ first: String, _ later: String, more: String = "") -> [Diagnostic] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "secrets": ["token"]}}, "start": "ask",
        "store": {"kept": {"type": "string"}, "hidden": {"type": "string", "secret": true}, "n": {"type": "int"}},
        "memory": {"a": {"type": "string"}, "b": {"type": "json"}, "c": {"type": "string"},
          "safe": {"type": "string", "secret": true}, "rows": {"rows": {"a": {"type": "string"}}}},
        "screens": {"s": {"fields": {"text": {"type": "string"}}}}, "let": {"offered": "string(memory.a)"},
        "events": {"user.accepts": {}, "user.types": {"fields": {"pin": {"type": "string", "secret": true}}}},
        "states": {"ask": {"request": {"to": "api", "post": "/x"}, "next": [
          {"when": "response.status == 200", "do": [\#(first)], "goto": "terms"}, {"goto": "terms"}]},
          "terms": {"goal": true, "on": {"user.accepts": {"do": [\#(later)], "goto": "terms"},
            "user.types": {"do": [{"set": {"hidden": "${event.pin}"\#(more)}}], "goto": "ask"}}}}}
      """#
    ])
    return documents.flow("x.json").diagnostics.filter { $0.code == "secret-in-plain-key" || $0.severity == .error }
  }

  @Test(arguments: [
    "${memory.a}", "${string(memory.a)}", "${memory.?a.orValue('')}", "${present(memory.a) ? memory.a : 'none'}",
    "Bearer ${memory.a}", "${offered}",
  ]) func aTokenIsToldHoweverItIsHandedOn(text: String) {
    let found = Self.told(#"{"set": {"a": "\#(Self.token)"}}"#, #"{"set": {"kept": "\#(text)"}}"#)
    #expect(found.map(\.message) == [#"the secret "token" is stored in "kept", which is not secret"#])
    #expect(found.first?.labels.map(\.text) == [#"comes from "memory.a""#, #"is put into "memory.a" here"#])
  }

  /// The order in which they are set does not count: one may come to the next in another round.
  @Test func overManyKeys() {
    let on = #"{"set": {"kept": "${memory.c}"}}, {"set": {"c": "${string(memory.b)}"}}, {"set": {"b": "${memory.a}"}}"#
    let found = Self.told(#"{"set": {"a": "\#(Self.token)"}}"#, on)
    #expect(found.map(\.message) == [#"the secret "token" is stored in "kept", which is not secret"#])
    #expect(found.first?.labels.last?.text == #"is put into "memory.a" here"#)
  }

  @Test func whatIsTypedAndWhatIsShownAreTheSame() {
    let found = Self.told(
      #"{"set": {"c": "x"}}"#, #"{"show": {"s": {"text": "${memory.a}"}}}"#, more: #", "a": "${event.pin}""#)
    #expect(found.map(\.message) == [#"the secret "pin" is told to the screen "s" in "text", which is not secret"#])
  }

  @Test(arguments: [
    // What is made of it.
    ("a", "{\"set\": {\"kept\": \"${s256(memory.a)}\"}}"), ("a", "{\"set\": {\"n\": \"${size(memory.a)}\"}}"),
    ("a", "{\"set\": {\"kept\": \"${present(memory.a) ? 'yes' : 'no'}\"}}"),
    // What is secret, and what is kept no longer than the app runs.
    ("a", "{\"set\": {\"hidden\": \"${memory.a}\"}}"), ("a", "{\"set\": {\"c\": \"${memory.a}\"}}"),
    // A key that holds other things, too.
    ("a", "{\"set\": {\"kept\": \"${memory.a}\"}}, {\"set\": {\"a\": \"x\"}}"),
    // Another key.
    ("a", "{\"set\": {\"kept\": \"${memory.c}\"}}"), ("rows['x'].a", "{\"set\": {\"kept\": \"${memory.a}\"}}"),
  ]) func whatIsNotTold(key: String, later: String) {
    #expect(Self.told("{\"set\": {\"\(key)\": \"\(Self.token)\"}}", later).map(\.message) == [])
  }

  /// One that is secret is told as that.
  @Test func aSecretKeyIsToldOnce() {
    let found = Self.told(
      #"{"set": {"safe": "\#(Self.token)", "a": "\#(Self.token)"}}"#, #"{"set": {"kept": "${memory.safe + memory.a}"}}"#
    )
    #expect(found.map(\.message) == [#"the secret "safe" is stored in "kept", which is not secret"#])
  }
}
