import FlowSpec
import Testing

/// What the checks follow may be long: chains of decisions, and of models that ask.
@Suite struct LongChainTests {
  /// Each decides at once, so that nobody sees the first screen before the last.
  @Test func aScreenBehindManyDecisionsIsReplacedAtOnce() {
    let count = 20_000
    let states = (0..<count).map { #""s\#($0)": {"next": [{"goto": "s\#($0 + 1)"}]}"# }
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "screens": {"one": {}, "two": {}}, "start": "a", "states": {
         "a": {"do": [{"show": {"one": {}}}], "next": [{"goto": "s0"}]}, \#(states.joined(separator: ", ")),
         "s\#(count)": {"goal": true, "do": [{"show": {"two": {}}}]}}}
      """#
    ])
    #expect(documents.flow("x.json").diagnostics.map(\.code) == ["unused-screen"])
  }

  /// Of a chain that ends in what is fresh all are, of a circle none.
  @Test func aFreshValueIsFollowedThroughManyCopies() {
    let count = 500
    let names = (0...count).map { "k\($0)" } + ["one", "other"]
    let keys = names.map { #""\#($0)": {"type": "string"}"# }.joined(separator: ", ")
    let copies = (0..<count).map { ("k\($0)", "k\($0 + 1)") } + [("one", "other"), ("other", "one")]
    let sets = copies.map { #""\#($0)": "${store.\#($1)}""# } + [#""k\#(count)": "${fresh('x')}""#]
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
       "store": {\#(keys)}, "events": {"user.goes": {"title": "goes on"}}, "start": "a", "states": {
         "a": {"do": [{"set": {\#(sets.joined(separator: ", "))}}], "on": {"user.goes": [
           {"when": "store.k0.startsWith('a')", "goto": "b"}, {"when": "store.one.startsWith('a')", "goto": "b"}]}},
         "b": {"goal": true}}}
      """#
    ])
    let found = documents.told("looks-into-fresh")
    #expect(found.map { $0.message.prefix { $0 != " " } } == [#""store.k0""#])
  }

  /// In a circle, and in a chain whose last one replies.
  @Test(arguments: [true, false])
  func ofManyRoutesThatAskOneAnotherAFewAreNamed(isCircle: Bool) {
    let count = 3000
    let routes = (0..<count).map { #"{"on": "GET /r\#($0)", "next": [{"goto": "s\#($0)"}]}"# }
    let states = (0..<count).map { index in
      let next = isCircle && index == count - 1 ? 0 : index + 1
      return #""s\#(index)": {"request": {"to": "api", "get": "/r\#(next)"}, "next": [{"reply": {}}]}"#
    }
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}},
        "start": "ask", "states": {"ask": {"request": {"to": "api", "get": "/r0"}, "next": [{"goto": "done"}]},
        "done": {"goal": true}}}
      """#,
      "api.json": #"""
      {"service": "api", "routes": [\#(routes.joined(separator: ", ")), {"on": "GET /r\#(count)", "next": [{"reply": {}}]}],
        "states": {\#(states.joined(separator: ", "))}}
      """#,
    ])
    let found = documents.told("loop-without-wait")
    let names = (0..<4).map { #"GET /r\#($0) of "api""# } + ["\(count - 4) others", #"GET /r0 of "api""#]
    let help = names.joined(separator: " → ") + ": let one of them reply without asking the next"
    #expect(found.map(\.help) == (isCircle ? [help] : []))
  }
}
