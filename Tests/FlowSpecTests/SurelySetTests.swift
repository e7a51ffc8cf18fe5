import FlowSpec
import Testing

/// What a state or a list of actions has set needs no test for null.
@Suite struct SurelySetTests {
  private static func flow(entry: String = "", then actions: String = "", when: String = "true") -> String {
    """
    {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
     "memory": {"at": {"type": "timestamp"}, "old": {"type": "timestamp"}}, "screens": {"x": {"fields": {"t": {"type": "bool"}}}},
     "events": {"user.a": {}}, "start": "a", "states": {"a": {"goal": true, "do": [\(entry)],
       "on": {"user.a": {"when": "\(when)", "do": [\(actions)]}}}}}
    """
  }

  private static func told(_ flow: String) -> Int {
    var documents = Documents(texts: ["f.json": flow])
    return documents.flow("f.json").diagnostics.count { $0.code == "may-be-null" }
  }

  private static let now = #"{"set": {"at": "${now + duration('5m')}"}}"#
  private static let shows = #"{"show": {"x": {"t": "${memory.at < now}"}}}"#

  @Test func whatTheStateHasSetAsItWasEntered() {
    #expect(Self.told(Self.flow(entry: Self.now, when: "memory.at < now")) == 0)
    #expect(Self.told(Self.flow(when: "memory.at < now")) == 1)
  }

  @Test func whatAnActionBeforeItHasSet() {
    #expect(Self.told(Self.flow(then: "\(Self.now), \(Self.shows)", when: "memory.at == null")) == 0)
    #expect(Self.told(Self.flow(then: "\(Self.shows), \(Self.now)", when: "memory.old == null")) == 1)
    #expect(
      Self.told(Self.flow(then: #"\#(Self.now), {"clear": ["at"]}, \#(Self.shows)"#, when: "memory.old == null")) == 1)
  }

  /// A copy may be as null as what it is of.
  @Test func aCopyMayBeNull() {
    #expect(
      Self.told(Self.flow(then: #"{"set": {"at": "${memory.old}"}}, \#(Self.shows)"#, when: "memory.old == null")) == 1)
  }
}
