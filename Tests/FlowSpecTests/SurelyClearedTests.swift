import FlowSpec
import Testing

/// What a list of actions has cleared is not there for what reads it just behind.
@Suite struct SurelyClearedTests {
  private static func told(
    then actions: String = "", entry: String = "", and rest: String = #""goal": true"#, lists: String = ""
  ) -> [String] {
    var documents = Documents(texts: [
      "f.json": #"""
      {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
         "api": {"kind": "service", "url": "https://api.example", "model": "api.json"},
         "device": {"kind": "device", "capabilities": {"sign": {"input": {"text": {"type": "string"}}}}}},
       "store": {"token": {"type": "string", "group": "all"}, "old": {"type": "string"},
         "count": {"type": "int", "initial": 0, "group": "all"}, "data": {"type": "json", "group": "all"}},
       "screens": {"x": {"fields": {"t": {"type": "string"}}}, "n": {"fields": {"n": {"type": "int"}}}, "b": {"fields": {"b": {"type": "bool"}}}},
       "actions": {"forget": [{"clear": "token"}], "showing": [{"show": {"x": {"t": "${store.?token}"}}}], \#(lists)
         "both": [{"clear": "token"}, {"show": {"x": {"t": "${store.?token}"}}}]},
       "events": {"user.a": {}, "user.b": {}}, "start": "a", "states": {
         "a": {"goal": true, "on": {"user.a": {"do": [\#(actions)], "goto": "a"}, "user.b": {"goto": "b"}}},
         "b": {"do": [\#(entry)], \#(rest)}}}
      """#,
      "api.json": #"""
      {"service": "api", "routes": [{"on": "POST /t", "next": [{"reply": {"status": 204}}]}]}
      """#,
    ])
    let found = documents.flow("f.json").diagnostics
    let others = ["idle-event", "no-way-to-goal"]
    return found.filter {
      $0.code == "may-be-null" && $0.message.contains("cleared") || $0.severity == .error && !others.contains($0.code)
    }.map { "\($0.code): \($0.message)" }
  }

  private static let isNull = ["may-be-null: store.token is null here: it was cleared just before"]
  private static let clears = #"{"clear": "token"}"#
  private static let shows = #"{"show": {"x": {"t": "${store.?token}"}}}"#
  private static let posts = #""request": {"to": "api", "post": "/t", "json": {"token": "${store.?token}"}}"#

  @Test(arguments: [
    clears, #"{"clear": "all"}"#, #"{"set": {"token": null}}"#, #""forget""#,
    #"{"set": {"token": "x"}}, {"clear": "token"}"#,
  ])
  func whatIsReadBehindItIsTold(cleared: String) {
    #expect(Self.told(then: "\(cleared), \(Self.shows)") == Self.isNull)
    #expect(Self.told(then: #"\#(cleared), {"set": {"old": "${store.token}"}}"#) == Self.isNull)
    #expect(Self.told(entry: cleared, and: Self.posts + #", "next": [{"goto": "a"}]"#) == Self.isNull)
    let signs =
      #""perform": {"capability": "sign", "with": {"text": "${'for ' + store.token}"}}, "next": [{"goto": "a"}]"#
    #expect(Self.told(entry: cleared, and: signs) == Self.isNull)
    let decides = #""next": [{"when": "store.token == 'x'", "goto": "b"}, {"goto": "a"}]"#
    #expect(Self.told(entry: cleared, and: decides) == Self.isNull)
  }

  @Test func whatIsInItIsToldToo() {
    let shows = #"{"clear": "all"}, {"show": {"x": {"t": "${string(store.data.name)}"}}}"#
    #expect(Self.told(then: shows) == ["may-be-null: store.data is null here: it was cleared just before"])
    #expect(Self.told(then: #""both""#) == Self.isNull)
  }

  @Test(arguments: [
    "\(shows), \(clears)", #"\#(clears), {"set": {"token": "y"}}, \#(shows)"#,
    #"\#(clears), {"set": {"token": "${store.?old}"}}, \#(shows)"#,
    #"{"clear": "all"}, {"show": {"n": {"n": "${store.count}"}}}"#,
    #"\#(clears), {"show": {"b": {"b": "${present(store.token)}"}}}"#,
    #"\#(clears), {"show": {"b": {"b": "${store.token == null}"}}}"#,
    #"\#(clears), {"show": {"x": {"t": "${store.?token.orValue('none')}"}}}"#,
    #"\#(clears), {"show": {"x": {"t": "${store.token == null ? 'none' : store.token}"}}}"#,
    // Others may use the list where the key is there.
    #"\#(clears), "showing""#,
  ])
  func whatIsThereOrTestedIsNot(actions: String) {
    #expect(Self.told(then: actions) == [])
  }

  /// Behind an answer, and while it waits, others may have set it.
  @Test func whatComesLaterIsNot() {
    let later = #""next": [{"when": "store.token == 'x'", "goto": "b"}, {"goto": "a"}]"#
    let plain = Self.posts.replacing("${store.?token}", with: "${store.?old}")
    #expect(Self.told(entry: Self.clears, and: "\(plain), \(later)") == [])
    let waits = #""goal": true, "on": {"user.a": {"when": "store.token == 'x'", "goto": "a"}}"#
    #expect(Self.told(entry: Self.clears, and: waits) == [])
    #expect(
      Self.told(
        entry: Self.clears,
        and: #""next": [{"when": "present(store.token)", "do": [\#(Self.shows)], "goto": "a"}, {"goto": "a"}]"#) == [])
  }
}
