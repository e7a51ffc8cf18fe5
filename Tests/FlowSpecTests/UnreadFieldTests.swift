import FlowSpec
import Testing

@Suite struct UnreadFieldTests {
  /// Of which events the password is told as unread, where each is heard with this.
  private static func told(signsIn: String, confirms: String, elsewhere: String = "") -> [String] {
    let password = #""fields": {"password": {"type": "string", "secret": true}}"#
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "out",
        "memory": {"password": {"type": "string", "secret": true}, "other": {"type": "string", "secret": true}},
        "events": {"user.signsIn": {\#(password)}, "user.confirms": {\#(password)}, "user.quits": {\#(password)}},
        "screens": {"s": {"fields": {"a": {"type": "string", "secret": true}, "b": {"type": "string", "secret": true}}}},
        "let": {"typed": "event.password", "isTyped": "typed != ''"},
        "actions": {"keep": [{"set": {"password": "${event.password}"}}], "keepIt": ["keep"]},
        "states": {
          "out": {"rest": true, "on": {"user.signsIn": [\#(signsIn), {"goto": "in"}]}},
          "in": {"goal": true, "do": [{"show": {"s": {"a": "${memory.password}", "b": "${memory.other}"}}}],
            "on": {"user.confirms": [\#(confirms), {"goto": "out"}]\#(elsewhere)}}}}
      """#
    ])
    let found = documents.flow("x.json").diagnostics.filter { $0.code == "unread-field" || $0.severity == .error }
    #expect(found.allSatisfy { $0.message.hasSuffix(#" reads "event.password""#) })
    return found.map { String($0.message.split(separator: "\"")[1]) }
  }

  private static let reads = #"{"when": "event.password != ''", "do": ["keep"], "goto": "in"}"#
  private static let reading = [
    reads, #"{"do": ["keepIt"]}"#, #"{"do": [{"set": {"other": "${typed}"}}]}"#, #"{"when": "isTyped", "goto": "in"}"#,
    #"{"when": {"not": {"any": ["memory.other == ''", "event.?password.hasValue()"]}}, "goto": "in"}"#,
  ]

  /// That another event's password is read does not help the one that is typed in vain.
  @Test(arguments: reading) func whatIsReadOfOneEventIsNotReadOfAnother(reads: String) {
    #expect(Self.told(signsIn: reads, confirms: #"{"do": [{"set": {"other": "x"}}]}"#) == ["user.confirms"])
    #expect(Self.told(signsIn: #"{"do": [{"set": {"other": "x"}}]}"#, confirms: reads) == ["user.signsIn"])
  }

  @Test(arguments: reading) func whatIsReadOfEachIsNotTold(reads: String) {
    #expect(Self.told(signsIn: Self.reads, confirms: reads) == [])
  }

  /// It may be typed in several places, and what nothing hears is told as that.
  @Test func oneThatIsReadInOnePlaceIsNotTold() {
    let again = #", "user.signsIn": {"do": [{"set": {"other": "x"}}]}"#
    #expect(Self.told(signsIn: Self.reads, confirms: Self.reads, elsewhere: again) == [])
  }
}
