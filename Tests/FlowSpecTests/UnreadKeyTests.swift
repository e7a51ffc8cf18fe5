import FlowSpec
import Testing

@Suite struct UnreadKeyTests {
  /// What is told of a counter that is set to this, where a transition has this `when`.
  private static func told(_ value: String, when: String = "device.online", set: String = "") -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "home",
        "memory": {"n": {"type": "int", "initial": 0}, "m": {"type": "int", "initial": 0},
          "rows": {"rows": {"n": {"type": "int"}}}},
        "let": {"next": "memory.n + 1", "isMany": "memory.n > 3"}, "events": {"user.asks": {}},
        "states": {"home": {"goal": true, "on": {"user.asks": [
          {"when": "\#(when)", "do": [{"set": {"n": "\#(value)"\#(set)}}], "goto": "home"}, {"do": [{"set": {"n": 0}}]}]}}}}
      """#
    ])
    return documents.flow("x.json").diagnostics.filter { $0.code == "unread-key" || $0.severity == .error }
      .map(\.message)
  }

  @Test(arguments: ["${memory.n + 1}", "${next}", "${memory.n > 3 ? 0 : next}", "${isMany ? 0 : memory.n}"])
  func toCountIsNoLook(value: String) {
    #expect(Self.told(value) == [#"nothing reads "n" but to set it anew"#])
    #expect(Self.told(value, when: "memory.n < 3") == [])
    #expect(Self.told(value, when: "!isMany") == [])
  }

  @Test func whatIsNeverReadIsToldAsEver() { #expect(Self.told("${1 + 1}") == [#"nothing reads "n""#]) }

  @Test func whatAnotherKeyIsSetToIsALook() {
    #expect(Self.told("${memory.n + 1}", when: "memory.m < 3", set: #", "m": "${memory.n}""#) == [])
    #expect(
      Self.told("${memory.m}", when: "memory.m < 3", set: #", "m": "${memory.m + 1}""#) == [#"nothing reads "n""#])
  }

  /// A row may be counted up that others name, and what names it is looked at.
  @Test func whatIsCountedInARowIsRead() {
    let counts = #", "rows['a'].n": "${memory.rows[?'a'].?n.orValue(0) + 1}""#
    #expect(Self.told("${0}", when: "memory.n < 3", set: counts) == [])
    #expect(Self.told("${memory.n + 1}", set: #", "rows[string(memory.n)].n": 1"#) == [#"nothing reads "rows""#])
  }
}
