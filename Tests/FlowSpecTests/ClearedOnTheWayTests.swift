import FlowSpec
import Testing

/// What is said of a flow that signs out with a request, by these ways to that.
private func told(
  leaving: String, home: String = "", revoking: String = #"{"token": "${store.?token}"}"#, entry: String = "",
  more: String = "", retry: String = "", whole: String = "", states: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "browser": {"kind": "browser"},
       "device": {"kind": "device", "capabilities": {"sign": {"input": {"text": {"type": "string"}}}}},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"token": {"type": "string", "group": "session"}, "old": {"type": "string"},
       "count": {"type": "int", "initial": 0, "group": "session"}},
     "screens": {"bye": {"fields": {"token": {"type": "string"}}}},
     "actions": {"remembering": [{"set": {"old": "${store.?token}"}}]},
     "flows": {"renew": {"ends": ["done"], "start": "renewing", "states": {
       "renewing": {"request": {"to": "id", "post": "/renew"},
         "next": [{"do": [{"set": {"token": "new"}}], "end": "done"}]}}}},
     "events": {"user.in": {}, "user.out": {}, "user.later": {}},
     "start": "launch", \#(whole) "states": {
       "launch": {"next": [{"when": "present(store.token)", "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"token": "a"}}], "goto": "home"}}},
       "home": {"goal": true, \#(home) "on": {"user.out": {\#(leaving)} \#(more)}},
       \#(states) "revoking": {"do": [\#(entry)],
         "request": {"to": "id", "post": "/revoke", "form": \#(revoking) \#(retry)}, "next": [{"goto": "out"}]}}}
    """#
  ])
  let found = documents.flow("x.json").diagnostics.filter {
    $0.code == "may-be-null" && $0.message.contains("cleared") || $0.severity == .error
  }
  return found.map { "\($0.code): \($0.message)" }
}

/// What every way to a state has cleared is not there for what it sends.
@Suite struct ClearedOnTheWayTests {
  private static let isNull = ["may-be-null: store.token is null here: each way to this state has cleared it"]
  private static let clears = #""do": [{"clear": "token"}], "goto": "revoking""#
  private static let keeps = #", "user.later": {"goto": "revoking"}"#

  @Test(arguments: [
    clears, #""do": [{"clear": "session"}], "goto": "revoking""#,
    #""do": [{"clear": ["session"]}], "goto": "revoking""#,
    #""do": [{"set": {"token": null}}], "goto": "revoking""#,
    #""do": [{"set": {"token": "b"}}, {"clear": "token"}], "goto": "revoking""#,
  ])
  func whatIsSentBehindItIsTold(leaving: String) {
    #expect(told(leaving: leaving) == Self.isNull)
    #expect(told(leaving: leaving, revoking: #"{"token": "${string(store.token)}"}"#) == Self.isNull)
  }

  @Test func whatTheStateDoesFirstIsToldToo() {
    let other = #"{"token": "x"}"#
    #expect(told(leaving: Self.clears, revoking: other, entry: #"{"set": {"old": "${store.?token}"}}"#) == Self.isNull)
    let opens = #"{"open": {"to": "id", "get": "/out", "query": {"hint": "${store.?token}"}}}"#
    #expect(told(leaving: Self.clears, revoking: other, entry: opens) == Self.isNull)
    let signs =
      #""signing": {"perform": {"capability": "sign", "with": {"text": "for ${store.token}"}}, "next": [{"goto": "out"}]},"#
    let toSigning = Self.clears.replacing("revoking", with: "signing")
    #expect(told(leaving: toSigning, more: Self.keeps, states: signs) == Self.isNull)
  }

  @Test func decisionsAndWaitsOnTheWayChangeNothing() {
    let toNear = Self.clears.replacing("revoking", with: "near")
    let decides = #""near": {"next": [{"when": "store.count > 1", "goto": "out"}, {"goto": "revoking"}]},"#
    #expect(told(leaving: toNear, states: decides) == Self.isNull)
    let waits = #""near": {"rest": true, "after": [{"wait": "1s", "goto": "revoking"}]},"#
    #expect(told(leaving: toNear, states: waits) == Self.isNull)
    let around =
      #""near": {"start": "inner", "states": {"inner": {"do": [{"clear": "old"}], "next": [{"goto": "revoking"}]}}},"#
    #expect(told(leaving: toNear, states: around) == Self.isNull)
    let cleared = #""near": {"do": [{"clear": "token"}], "next": [{"goto": "revoking"}]},"#
    #expect(told(leaving: #""goto": "near""#, states: cleared) == Self.isNull)
    // Two ways that both clear it.
    #expect(told(leaving: Self.clears, more: #", "user.later": {\#(Self.clears)}"#) == Self.isNull)
  }

  @Test func whatOneWayHasIsNot() {
    #expect(told(leaving: Self.clears, more: Self.keeps) == [])
    #expect(told(leaving: #""goto": "revoking""#) == [])
    let set = #""do": [{"clear": "token"}, {"set": {"token": "b"}}], "goto": "revoking""#
    #expect(told(leaving: set) == [])
    let anyway = #""on": {"user.later": {"goto": "revoking"}},"#
    #expect(told(leaving: Self.clears, whole: anyway) == [])
    let toNear = Self.clears.replacing("revoking", with: "near")
    let sets = #""near": {"do": [{"set": {"token": "b"}}], "next": [{"goto": "revoking"}]},"#
    #expect(told(leaving: toNear, states: sets) == [])
    let asks = #""near": {"next": [{"when": "present(store.token)", "goto": "revoking"}, {"goto": "out"}]},"#
    #expect(told(leaving: toNear, states: asks) == [])
    let calls = #""near": {"call": "renew", "next": [{"goto": "revoking"}]},"#
    #expect(told(leaving: toNear, states: calls) == [])
    let meanwhile =
      #""near": {"rest": true, "on": {"user.in": {"do": [{"set": {"token": "b"}}]}}, "after": [{"wait": "1s", "goto": "revoking"}]},"#
    #expect(told(leaving: toNear, states: meanwhile) == [])
  }

  @Test func whatIsTestedOrMeantToBeAbsentIsNot() {
    for text in ["${store.?token.orValue('none')}", "${present(store.token) ? store.token : 'none'}", "${store.?old}"] {
      #expect(told(leaving: Self.clears, revoking: #"{"token": "\#(text)"}"#) == [], "\(text)")
    }
    #expect(
      told(leaving: #""do": [{"clear": "session"}], "goto": "revoking""#, revoking: #"{"n": "${string(store.count)}"}"#)
        == [])
    // Others may use the list, or see the screen, where it is there.
    let other = #"{"token": "x"}"#
    #expect(told(leaving: Self.clears, revoking: other, entry: #""remembering""#) == [])
    #expect(
      told(leaving: Self.clears, revoking: other, entry: #"{"show": {"bye": {"token": "${store.?token}"}}}"#) == [])
  }

  /// Who looks whether it is there may do so in a let.
  @Test func whatALetGuardsIsNot() {
    for text in ["store.?token.orValue('none')", "present(store.token) ? string(store.token) : 'none'"] {
      let lets = #""let": {"maybe": "\#(text)"},"#
      #expect(told(leaving: Self.clears, revoking: #"{"token": "${maybe}"}"#, whole: lets) == [], "\(text)")
      let both = #"{"t": "${maybe}", "u": "${store.?token}"}"#
      #expect(told(leaving: Self.clears, revoking: both, whole: lets) == Self.isNull)
    }
  }

  /// The first try is to be refused.
  @Test func whatIsSetBetweenTriesIsNot() {
    let calls = #", "retry": {"when": "response.status == 401", "most": 1, "call": "renew"}"#
    #expect(told(leaving: Self.clears, retry: calls) == [])
    let sets = #", "retry": {"when": "response.status == 401", "most": 1, "do": [{"set": {"token": "b"}}]}"#
    #expect(told(leaving: Self.clears, retry: sets) == [])
  }

  /// What the state or the list clears itself is told where that is.
  @Test func whatIsToldElsewhereIsNotToldTwice() {
    let own = ["may-be-null: store.token is null here: it was cleared just before"]
    #expect(told(leaving: Self.clears, entry: #"{"clear": "token"}"#) == own)
  }

  /// A key that one way back sets is not known to be cleared, in whichever order the ways are written.
  @Test(arguments: [true, false]) func whatAWayBackSetsIsNot(wayOnFirst: Bool) {
    #expect(Self.toldOfChain(wayOnFirst: wayOnFirst) == 0)
  }

  /// A chain of states each of which sets a key and goes back to the first, behind one that clears them all.
  private static func toldOfChain(wayOnFirst: Bool) -> Int {
    let numbers = 0..<240
    let chain = numbers.map { number in
      let ways = [
        #""user.on": {"goto": "c\#(number + 1)"}"#,
        #""user.back": {"do": [{"set": {"k\#(number)": "a"}}], "goto": "c0"}"#,
      ]
      let written = (wayOnFirst ? ways : ways.reversed()).joined(separator: ", ")
      return #""c\#(number)": {"goal": true, "on": {\#(written)}}, "#
    }
    let keys = numbers.map { #""k\#($0)": {"type": "string"}"# }.joined(separator: ", ")
    let cleared = numbers.map { "\"k\($0)\"" }.joined(separator: ", ")
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
         "api": {"kind": "service", "url": "https://api.example"}},
       "store": {\#(keys)}, "events": {"user.on": {}, "user.back": {}}, "start": "launch", "states": {
         "launch": {"do": [{"clear": [\#(cleared)]}], "next": [{"goto": "c0"}]}, \#(chain.joined())
         "c240": {"request": {"to": "api", "post": "/x", "form": {"t": "${store.?k5}"}}, "next": [{"goto": "c0"}]}}}
      """#
    ])
    return documents.flow("x.json").diagnostics.filter { $0.code == "may-be-null" || $0.severity == .error }.count
  }
}
