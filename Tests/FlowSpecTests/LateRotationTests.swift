import FlowSpec
import Testing

/// What is said of a refresh that does this with its answer, and of which this state stores what came.
private func told(
  taken: String = #""next": "${string(response.json.refresh_token)}""#, behind: String = "loading",
  loaded: String = #"{"set": {"refresh": "${memory.next}"}}"#, decided: String = "",
  model: String = "${fresh('refresh')}", flows: String = "", also: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example", "model": "id.json"}},
     "store": {"pending": {"type": "string", "secret": true}, "refresh": {"type": "string", "secret": true, "initial": "r"}}, "memory": {"next": {"type": "string", "secret": true}},
     "start": "refreshing", \#(flows) "states": { \#(also)
       "refreshing": {"request": {"to": "id", "post": "/token", "form": {"grant_type": "refresh_token", "refresh_token": "${store.refresh}"}}, "next": [
         {"when": "response.status == 200", "do": [{"set": {\#(taken)}}], "goto": "\#(behind)"},
         {"when": "response.status == 400", "do": [{"clear": ["refresh"]}], "goto": "out"}, {"goto": "out"}]},
       "deciding": {"next": [{"when": "memory.next == 'x'"\#(decided), "goto": "home"}, {"do": [\#(loaded)], "goto": "home"}]},
       "loading": {"request": {"to": "id", "get": "/me"}, "next": [{"do": [\#(loaded)], "goto": "home"}]},
       "out": {"rest": true, "after": [{"wait": "1h", "goto": "refreshing"}]}, "home": {"goal": true}}}
    """#,
    "id.json": #"""
    {"service": "id", "secrets": ["refresh_token"], "routes": [{"on": "GET /me", "next": [{"reply": {"status": 200}}]}, {"on": "POST /token", "next": [
      {"when": "request.form.?refresh_token.orValue('') == 'r'", "reply": {"status": 200, "json": {"refresh_token": "\#(model)"}}},
      {"reply": {"status": 400}}]}]}
    """#,
  ])
  return documents.told("dropped-rotation", beside: ["unreachable-state", "lasting-secret"]).map { $0.labels[0].text }
}

/// A new secret that the memory alone keeps for a while.
@Suite struct LateRotationTests {
  @Test func whatIsStoredBehindAnotherAnswerIsTold() {
    #expect(told() == ["is kept here first"])
    #expect(
      told(loaded: #"{"set": {"refresh": "${present(memory.next) ? memory.next : store.refresh}"}}"#) == [
        "is kept here first"
      ])
  }

  @Test func whatIsStoredByADecisionIsNot() {
    let stored = #", "do": [{"set": {"refresh": "${memory.next}"}}]"#
    #expect(told(behind: "deciding", decided: stored) == [])
    #expect(told(behind: "deciding") == ["is kept here first"])
  }

  @Test func whatIsStoredAtOnceTooIsNot() {
    let both = #""next": "${string(response.json.refresh_token)}", "refresh": "${string(response.json.refresh_token)}""#
    #expect(told(taken: both) == [])
  }

  @Test func whatIsNotMadeAnewIsNot() { #expect(told(model: "r") == []) }

  @Test func whatASubflowStoresAtOnceIsNot() {
    let storing =
      #""flows": {"store": {"ends": ["done"], "start": "storing", "states": {"storing": {"next": [{"do": [{"set": {"refresh": "${memory.next}"}}], "end": "done"}]}}}},"#
    #expect(
      told(behind: "calling", flows: storing, also: #""calling": {"call": "store", "next": [{"goto": "loading"}]},"#)
        == [])
  }

  @Test func whatAnotherKeyOfTheStoreKeepsIsNot() {
    let both = #""next": "${string(response.json.refresh_token)}", "pending": "${string(response.json.refresh_token)}""#
    #expect(told(taken: both) == [])
  }
}
