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
    return documents.told("may-be-null", of: "f.json").count
  }

  private static let now = #"{"set": {"at": "${now + duration('5m')}"}}"#
  private static let shows = #"{"show": {"x": {"t": "${memory.at < now}"}}}"#

  private static let reads = #""when": "memory.at < now", "goto": "a""#

  /// With a state before the others that sets it and then does this.
  private static func set(and rest: String, elsewhere actions: String = "") -> String {
    flow(then: actions).replacing(
      #""start": "a", "states": {"#, with: #""start": "b", "states": {"b": {"do": [\#(now)], \#(rest)}, "#)
  }

  @Test(arguments: [
    #""perform": {"capability": "sign", "with": {"soon": "${memory.at < now}"}}, "next": [{"goto": "a"}]"#,
    #""perform": {"capability": "sign", "with": {"soon": true}}, "next": [{\#(reads)}, {"goto": "a"}]"#,
    #""on": {"user.a": {\#(reads)}}"#, #""after": [{"wait": "1s", \#(reads)}]"#,
    #""next": [{\#(reads)}, {"goto": "a"}]"#,
    #""on": {"user.a": [{\#(reads)}, {"do": [{"clear": ["at"]}], "goto": "a"}]}"#,
    #""on": {"user.a": [{\#(reads)}, {"do": [{"set": {"at": "${now}"}}]}]}"#,
  ])
  func whatTheStateHasSetAsItWasEntered(rest: String) {
    #expect(Self.told(Self.set(and: rest)) == 0)
  }

  /// While it waits, others may take away what it has set, and it may itself.
  @Test func whatIsTakenAwayWhileItWaits() {
    let clears = #"{"clear": ["at"]}"#
    #expect(Self.told(Self.set(and: #""on": {"user.a": {\#(Self.reads)}}"#, elsewhere: clears)) == 1)
    for action in [clears, #"{"set": {"at": "${memory.old}"}}"#] {
      #expect(
        Self.told(Self.set(and: #""on": {"user.a": [{\#(Self.reads)}, {"do": [\#(action)]}]}"#)) == 1, "\(action)")
    }
    let called = Self.set(and: #""call": "f", "next": [{\#(Self.reads)}, {"goto": "a"}]"#)
    let sub =
      #""flows": {"f": {"ends": ["e"], "start": "s", "states": {"s": {"do": [\#(clears)], "end": "e"}}}}, "start":"#
    #expect(Self.told(called.replacing(#""start":"#, with: sub, maxReplacements: 1)) == 1)
    let inner = #""start": "i", "states": {"i": {"do": [\#(clears)]}}, "on": {"user.a": {\#(Self.reads)}}"#
    #expect(Self.told(Self.set(and: inner)) == 1)
    let cleared = #""on": {"user.a": {"do": [\#(clears), {"show": {"x": {"t": "${memory.at < now}"}}}], "goto": "a"}}"#
    #expect(Self.told(Self.set(and: cleared)) == 1)
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
