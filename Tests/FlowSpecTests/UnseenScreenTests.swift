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
  return documents.flow("x.json").diagnostics.filter { $0.code == "unused-screen" }.map(\.summary)
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
