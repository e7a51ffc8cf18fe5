import FlowSpec
import Testing

/// What is said of a request that is tried again behind a 401, as this says, once a sub-flow was called that begins so.
private func told(
  do actions: String = "", when: String = "response.status == 401", first: String = unlessGood, entry: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"access": {"type": "string", "secret": true}, "refresh": {"type": "string", "secret": true, "initial": "r"}, "until": {"type": "timestamp"}},
     "memory": {"tries": {"type": "int", "initial": 0}},
     "start": "loading", "states": {
       "loading": {"request": {"to": "id", "get": "/me", "bearer": "${present(store.access) ? store.access : ''}",
           "retry": {"when": "\#(when)", "do": [\#(actions)], "call": "getAccess", "most": 1}},
         "next": [{"when": "response.status == 200", "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "after": [{"wait": "1h", "goto": "loading"}]}, "home": {"goal": true}},
     "flows": {"getAccess": {"ends": ["access", "none"], "start": "first", "states": {
       "first": {\#(entry)"next": [\#(first), {"when": "memory.tries > 5", "end": "none"}, {"goto": "refreshing"}]},
       "refreshing": {"request": {"to": "id", "post": "/token", "form": {"refresh_token": "${store.refresh}"}}, "next": [
         {"when": "response.status == 200", "do": [{"set": {"access": "${string(response.json.access_token)}", "until": "${now + duration('1h')}"}}], "end": "access"},
         {"end": "none"}]}}}}}
    """#
  ])
  return documents.told("useless-retry").map { $0.labels.map(\.text).joined(separator: ", ") }
}

private let unlessGood = #"{"when": "present(store.access) && !expired(store.until)", "end": "access"}"#

/// A try behind a 401 that may send the same token.
@Suite struct UselessCallTests {
  private static let found = ["holds for 401, changes nothing"]

  @Test func aSubflowThatMayEndAtOnceIsTold() {
    #expect(told() == Self.found)
    #expect(told(when: "response.status == 401 && response.challenge.?bearer.hasValue()") == Self.found)
    #expect(told(do: #"{"set": {"tries": "${memory.tries + 1}"}}"#) == Self.found)
  }

  @Test func whatIsClearedFirstIsNot() {
    #expect(told(do: #"{"clear": ["access"]}"#) == [])
    #expect(told(do: #"{"set": {"until": null}}"#) == [])
  }

  @Test func whatAlwaysGetsAnotherIsNot() {
    #expect(told(first: #"{"when": "!present(store.refresh)", "end": "none"}"#) == [])
    #expect(
      told(first: #"{"when": "present(store.until)", "do": [{"set": {"access": "${fresh('a')}"}}], "end": "access"}"#)
        == [])
  }

  @Test func anotherStatusIsNot() { #expect(told(when: "response.status == 503") == []) }

  /// What the `retry` writes may have it go another way first.
  @Test func whatIsTurnedBeforeIsNot() {
    #expect(
      told(do: #"{"set": {"tries": 1}}"#, first: #"{"when": "memory.tries > 0", "goto": "refreshing"}, \#(unlessGood)"#)
        == [])
    #expect(
      told(
        do: #"{"clear": "until"}"#,
        first:
          #"{"when": "!present(store.until)", "goto": "refreshing"}, {"when": "present(store.access)", "end": "access"}"#
      )
        == [])
    #expect(told(entry: #""do": [{"clear": ["access"]}], "#) == [])
  }
}
