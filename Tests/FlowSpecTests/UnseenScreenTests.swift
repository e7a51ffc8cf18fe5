import FlowSpec
import Testing

/// What is said of a flow that begins in `a`, with a screen `first` there; `second` is shown in `b`, none in `c`.
private func told(_ next: String, more: String = "") -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "device": {"kind": "device"}}, "screens": {"first": {}, "second": {}}, "start": "a", "states": {
      "a": {"do": [{"show": {"first": {}}}], \#(next)}, "b": {"goal": true, "do": [{"show": {"second": {}}}]},
      "around": {"start": "in", "do": [{"show": {"second": {}}}], "states": {"in": {"goal": true}}},
      "again": {"next": [{"when": "device.native", "goto": "b"}, {"goto": "around"}]},
      "c": {"goal": true, "on": {"device.online": {"goto": "again"}, "device.offline": {"goto": "a"}}}\#(more)}}
    """#
  ])
  return documents.told("unused-screen", beside: ["unreachable-state"]).map(\.summary)
}

@Suite struct UnseenScreenTests {
  private static let native = #"{"when": "device.native", "#

  /// By the state that it leads to, one around that, a transition, or another decision.
  @Test(arguments: [
    #"{"goto": "b"}"#, #"{"goto": "in"}"#, #"{"do": [{"show": {"second": {}}}], "goto": "c"}"#, #"{"goto": "again"}"#,
    native + #""goto": "b"}, {"goto": "around"}"#,
  ])
  func whatIsReplacedAtOnceIsTold(next: String) {
    #expect(told("\"next\": [\(next)]") == ["unused-screen x.json:3:3"])
  }

  @Test(arguments: [
    #"{"goto": "c"}"#, native + #""goto": "c"}, {"goto": "b"}"#, native + #""goto": "b"}, {"goto": "c"}"#,
  ])
  func whatMayStayIsNotTold(next: String) {
    #expect(told("\"next\": [\(next)]") == [])
  }

  @Test func whatIsWaitedInIsSeen() {
    #expect(told(#""next": [{"when": "device.native", "goto": "b"}], "on": {"device.offline": {"goto": "c"}}"#) == [])
    #expect(told(#""after": [{"wait": "0s", "goto": "b"}]"#) == [])
  }
}

/// What is said of a flow that begins in `a`; each of its states stands in a line of its own, from the fourth on.
private func told(of states: String...) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "device": {"kind": "device"}}, "screens": {"first": {}, "second": {}}, "start": "a",
      "actions": {"notice": [{"show": {"first": {}}}]}, "on": {"device.online": {"goto": "a"}}, "states": {
    \#(states.joined(separator: ",\n"))}}
    """#
  ])
  return documents.told("unused-screen", beside: ["unreachable-state"]).map(\.summary)
}

/// Screens that another replaces without a decision between the two.
@Suite struct ReplacedScreenTests {
  private static let show = (first: #"{"show": {"first": {}}}"#, second: #"{"show": {"second": {}}}"#)
  private static let inner = #""in": {"goal": true, "do": [\#(show.second)]}, "quiet": {"goal": true}"#
  private static let around = #""a": {"do": [\#(show.first)], "start": "in", "states": {\#(inner)}}"#

  @Test func ofTwoInOneListTheLastIsSeen() {
    let both = "\(Self.show.first), \(Self.show.second)"
    #expect(told(of: #""a": {"goal": true, "do": [\#(both)]}"#) == ["unused-screen x.json:4:38"])
    #expect(
      told(of: #""a": {"goal": true, "on": {"device.offline": {"do": [\#(both)]}}}"#) == ["unused-screen x.json:4:64"])
  }

  @Test func thatOfACompoundStateIsReplacedByItsStart() {
    #expect(told(of: Self.around) == ["unused-screen x.json:4:1"])
    let decides = #""in": {"next": [{"goto": "b"}]}"#
    let shows = #""b": {"goal": true, "do": [\#(Self.show.second)]}"#
    let states = #""a": {"do": [\#(Self.show.first)], "start": "in", "states": {\#(decides)}}"#
    #expect(told(of: states, shows) == ["unused-screen x.json:4:1"])
  }

  @Test func thatOfACompoundStateIsSeenWhereItIsEnteredPastItsStart() {
    #expect(told(of: Self.around, #""b": {"goal": true, "on": {"device.offline": {"goto": "quiet"}}}"#) == [])
  }

  /// By the state that it leads to, which may be its own and show the same, by one around or in that, and by a decision.
  @Test(arguments: [
    #""b": {"goal": true, "do": [\#(show.second)]}"#,
    #""b": {"goal": true, "do": [\#(show.first)]}, "c": {"goal": true, "do": [\#(show.second)]}"#,
    #""b": {"do": [\#(show.second)], "start": "quiet", "states": {"quiet": {"goal": true}}}"#,
    #""b": {"start": "in", "states": {\#(inner)}}"#,
    #""b": {"next": [{"goto": "c"}]}, "c": {"goal": true, "do": [\#(show.second)]}"#,
  ])
  func thatOfATransitionIsReplacedWhereItLeads(target: String) {
    let offline = #""a": {"goal": true, "on": {"device.offline": {"do": [\#(Self.show.first)], "goto": "b"}}}"#
    #expect(told(of: offline, target) == ["unused-screen x.json:4:64"])
    // Who stays enters nothing, and a notice that a named list shows may lie over the other.
    #expect(told(of: offline.replacing(#", "goto": "b""#, with: ""), target).filter { $0.hasSuffix(":4:64") } == [])
    #expect(told(of: offline.replacing(Self.show.first, with: #""notice""#), target) == [])
  }

  /// Nor is a notice of a state that leads on at once.
  @Test func aNoticeOfAStateMayLieOverTheOther() {
    let shows = #""b": {"goal": true, "do": [\#(Self.show.second)]}"#
    let leads = #""a": {"do": [\#(Self.show.first)], "next": [{"goto": "b"}]}"#
    #expect(told(of: leads, shows) == ["unused-screen x.json:4:1"])
    #expect(told(of: leads.replacing(Self.show.first, with: #""notice""#), shows) == [])
  }

  @Test func thatOfATransitionIsReplacedByItsOwnState() {
    let again = #"{"device.offline": {"do": [\#(Self.show.first)], "goto": "a"}}"#
    #expect(
      told(of: #""a": {"goal": true, "do": [\#(Self.show.second)], "on": \#(again)}"#) == ["unused-screen x.json:4:98"])
  }

  /// As a compound state is not entered again from within, and who decides otherwise shows nothing.
  @Test func thatOfATransitionMayStay() {
    let leaves = #"{"goal": true, "on": {"device.offline": {"do": [\#(Self.show.first)], "goto": "quiet"}}}"#
    let within = #""leaves": \#(leaves), "quiet": {"goal": true}"#
    #expect(told(of: #""a": {"do": [\#(Self.show.second)], "start": "leaves", "states": {\#(within)}}"#) == [])
    let decides = #""b": {"next": [{"when": "device.native", "goto": "in"}, {"goto": "quiet"}]}, \#(Self.inner)"#
    #expect(told(of: #""a": \#(leaves.replacing("quiet", with: "b"))"#, decides) == [])
  }
}
