import FlowSpec
import Testing

/// What a state or a list of actions has set needs no test for null.
@Suite struct SurelySetTests {
  private static func flow(entry: String = "", then actions: String = "", when: String = "true") -> String {
    """
    {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "device": {"kind": "device", "capabilities": {"sign": {"input": {"soon": {"type": "bool"}}}}}},
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

  /// What the state sends is made at once; while it waits, others may have cleared what it has set.
  @Test(arguments: [(#""perform""#, 0), (#""on""#, 1)])
  func whatTheStateHasSetAsItWasEntered(place: String, told: Int) {
    let perform = #""perform": {"sign": {"soon": "${memory.at < now}"}}, "next": [{"goto": "a"}]"#
    let on = #""on": {"user.a": {"when": "memory.at < now", "goto": "a"}}"#
    let flow = Self.flow().replacing(
      #""start": "a", "states": {"#,
      with: #""start": "b", "states": {"b": {"do": [\#(Self.now)], \#(place == #""on""# ? on : perform)}, "#)
    #expect(Self.told(flow) == told)
  }

  @Test func whatAnActionBeforeItHasSet() {
    #expect(Self.told(Self.flow(then: "\(Self.now), \(Self.shows)", when: "memory.at == null")) == 0)
    #expect(Self.told(Self.flow(then: "\(Self.shows), \(Self.now)", when: "memory.old == null")) == 1)
    #expect(
      Self.told(Self.flow(then: #"\#(Self.now), {"clear": ["at"]}, \#(Self.shows)"#, when: "memory.old == null")) == 1)
  }

  /// A copy may be as null as what it is of, and what is chosen as what it is chosen from.
  @Test(arguments: [#"null"#, #""${memory.old}""#, #""${memory.old == null ? memory.old : now}""#, #""${known}""#])
  func whatMayBeNullTakesItAway(value: String) {
    let sets = #"\#(Self.now), {"set": {"at": \#(value)}}, \#(Self.shows)"#
    let flow = Self.flow(then: sets, when: "memory.at != null && memory.old == null").replacing(
      #""start":"#, with: #""let": {"known": "memory.old == null ? memory.old : now"}, "start":"#)
    #expect(Self.told(flow) == 1)
  }

  @Test func nowIsNeverNull() {
    #expect(Self.told(Self.flow(then: #"{"set": {"at": "${now}"}}, \#(Self.shows)"#, when: "memory.old == null")) == 0)
  }

  @Test func aCopyMayBeNull() {
    #expect(
      Self.told(Self.flow(then: #"{"set": {"at": "${memory.old}"}}, \#(Self.shows)"#, when: "memory.old == null")) == 1)
  }
}
