import FlowSpec
import Testing

/// What is said of a flow that moves what a former version has stored, by these actions where this holds.
private func told(_ actions: String, when: String? = "store.version == 1", beside: String = "") -> [String] {
  let condition = when.map { #""when": "\#($0)", "# } ?? ""
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
     "store": {"version": {"type": "int", "initial": 1}, "old": {"type": "string", "secret": true},
       "token": {"type": "string", "secret": true}, "name": {"type": "string"},
       "refresh": {"type": "string", "secret": true, "group": "session"},
       "access": {"type": "string", "secret": true, "group": "session"}},
     "let": {"isOld": "store.version < 2"},
     "events": {"user.in": {}}, "start": "launch", "states": {
       "launch": {"next": [{\#(condition)"do": [\#(actions)], "goto": "opening"}, \#(beside){"goto": "opening"}]},
       "opening": {"next": [{"when": "present(store.refresh) && present(store.access)", "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"old": "a", "token": "b"}}], "goto": "launch"}}},
       "home": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "split-group" || $0.severity == .error }
    .map { "\($0.code): \($0.message)" }.filter { !$0.hasPrefix("unreachable") }
}

/// What is made of the store can be made once more, as long as it is asked for once more.
@Suite struct SplitMigrationTests {
  private static let split = [
    "split-group: \"access\" and \"refresh\" of the group \"session\" are set one after the other, and a kill between "
      + "them leaves half of it"
  ]
  private static let then = #"{"set": {"refresh": "${store.?old}", "old": null}}"#
  private static let first = #"{"set": {"access": "${store.?token}", "token": null, "version": 2}}"#

  @Test func aMoveThatIsNotGoneOnWithIsTold() {
    #expect(told("\(Self.first), \(Self.then)") == Self.split)
    #expect(told("\(Self.first), \(Self.then)", when: "isOld && present(store.old)") == Self.split)
    #expect(told("\(Self.first), \(Self.then)", when: "present(store.token)") == Self.split)
    let cleared = #"{"set": {"access": "${store.?token}"}}, {"clear": "token"}, \#(Self.then)"#
    #expect(told(cleared, when: "present(store.token)") == Self.split)
  }

  @Test func oneThatIsMadeOnceMoreIsNot() {
    #expect(told(#"{"set": {"access": "${store.?token}"}}, \#(Self.then), {"set": {"version": 2}}"#) == [])
    #expect(told("\(Self.first), \(Self.then)", when: "present(store.old)") == [])
    #expect(told("\(Self.first), \(Self.then)", when: "store.version == 1 || present(store.old)") == [])
    #expect(told("\(Self.first), \(Self.then)", when: nil) == [])
    // What is written there last counts, and what only a run knows may be anything.
    let back = #"{"set": {"access": "${store.?token}", "version": 2}}, {"set": {"version": 1}}, \#(Self.then)"#
    #expect(told(back) == [])
    let counted = Self.first.replacing(#""version": 2"#, with: #""version": "${store.version + 1}""#)
    #expect(told("\(counted), \(Self.then)") == [])
    let whole = #"{"set": {"access": "${store.?token}", "refresh": "${store.?old}", "version": 2}}"#
    #expect(told(whole) == [])
  }

  /// Another transition goes on with it.
  @Test func oneThatIsGoneOnWithElsewhereIsNot() {
    let later = #"{"when": "present(store.old)", "do": [\#(Self.then)], "goto": "opening"}, "#
    #expect(told("\(Self.first), \(Self.then)", beside: later) == [])
  }
}
