import FlowSpec
import Testing

@testable import FlowEngine

@Suite struct RememberedAnswerTests {
  @Test func whatIsRememberedOfAnswersIsWhatTheyLeadTo() throws {
    // What differs is what an answer says, whether a service holds what it brings, when, and whether mail comes with it.
    let sketch = Sketch(
      flow: #"""
        "store": {"t": {"type": "string"}, "until": {"type": "timestamp"}}, "events": {"user.turn": {}, "user.ask": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.turn": {"goto": "turn"}, "user.ask": {"goto": "ask"}}},
          "turn": {"request": {"to": "api", "post": "/turn"}, "next": [{"goto": "home"}]},
          "ask": {"request": {"to": "api", "post": "/ask", "json": {"t": "${store.?t}"}}, "next": [
            {"when": "response.status == 0", "do": [{"set": {"t": "${fresh('t')}"}}], "goto": "home"},
            {"when": "response.status != 200", "goto": "home"}, {"when": "response.json.?t == store.?t", "goto": "same"},
            {"do": [{"set": {"t": "${response.json.t}", "until": "${timestamp(response.headers.at)}"}}], "goto": "wait"}]},
          "same": {"goal": true, "on": {"user.turn": {"goto": "turnSame"}}},
          "turnSame": {"request": {"to": "api", "post": "/turn"}, "next": [{"goto": "same"}]},
          "wait": {"rest": true, "after": [{"at": "${store.until}", "goto": "home"}], "on": {"user.turn": {"goto": "turnWait"}}},
          "turnWait": {"request": {"to": "api", "post": "/turn"}, "next": [{"goto": "wait"}]}}
        """#,
      services: [
        "api": #"""
        "store": {"n": {"type": "int", "initial": 0}, "last": {"type": "string"}}, "routes": [
          {"on": "POST /turn", "next": [{"do": [{"set": {"n": "${(store.n + 1) % 6}"}}], "reply": {"status": 200}}]},
          {"on": "POST /ask", "next": [
            {"when": "store.n == 0", "reply": {"status": 200, "headers": {"at": "${now + duration('10s')}"}, "json": {"t": "${fresh('t')}"}}},
            {"when": "store.n == 1", "do": [{"set": {"last": "${fresh('t')}"}}],
              "reply": {"status": 200, "headers": {"at": "${now + duration('10s')}"}, "json": {"t": "${store.last}"}}},
            {"when": "store.n == 2", "reply": {"status": 200, "headers": {"at": "${now + duration('10s')}"}, "json": {"t": "${request.json.?t}"}}},
            {"when": "store.n == 3", "reply": {"status": 200, "headers": {"at": "${now + duration('20s')}"}, "json": {"t": "${fresh('t')}"}}},
            {"when": "store.n == 4", "do": [{"send": {"note": {}}}],
              "reply": {"status": 200, "headers": {"at": "${now + duration('10s')}"}, "json": {"t": "${fresh('t')}"}}},
            {"reply": {"status": 500}}]}]
        """#
      ])
    checkMemory(World(try sketch.load()), most: 3000)
  }

  @Test func anAnswerWhoseDateIsReadLeadsToThatDate() throws {
    // A service counts, at once or with a pause: what differs then is only when it answers.
    let sketch = Sketch(
      flow: #"""
        "store": {"at": {"type": "string"}}, "events": {"user.turn": {}, "user.pause": {}, "user.ask": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.pause": {"goto": "turn"}, "user.ask": {"goto": "ask"}}},
          "turn": {"request": {"to": "api", "post": "/turn"}, "next": [{"goto": "pause"}]},
          "pause": {"after": [{"wait": "3s", "goto": "home"}]},
          "ask": {"request": {"to": "api", "post": "/ask"}, "next": [
            {"when": "response.status == 200", "do": [{"set": {"at": "${response.headers.at}"}}], "goto": "seen"}, {"goto": "home"}]},
          "seen": {"goal": true, "on": {"user.turn": {"goto": "turnSeen"}}},
          "turnSeen": {"request": {"to": "api", "post": "/turn"}, "next": [{"goto": "seen"}]}}
        """#,
      services: [
        "api": #"""
        "store": {"n": {"type": "int", "initial": 0}}, "routes": [
          {"on": "POST /turn", "next": [{"do": [{"set": {"n": "${(store.n + 1) % 3}"}}], "reply": {"status": 200}}]},
          {"on": "POST /ask", "next": [{"reply": {"status": 200, "headers": {"at": "${now}"}}}]}]
        """#
      ])
    checkMemory(World(try sketch.load()), most: 300)
  }

  @Test func whatAnAnswerLeadsToMayTakeMoreThanIsLeft() throws {
    let list = "[" + (0..<55).map { "\($0)" }.joined(separator: ", ") + "]"
    let long = "\(list).all(a, \(list).all(b, a + b >= 0 || '\(String(repeating: "x", count: 3200))' == ''))"
    let sketch = Sketch(
      flow: #"""
        "events": {"user.turn": {}, "user.ask": {}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"user.turn": {"goto": "turn"}, "user.ask": {"goto": "ask"}}},
          "turn": {"request": {"to": "api", "post": "/turn"}, "next": [{"goto": "home"}]},
          "ask": {"request": {"to": "api", "post": "/ask"}, "next": [{"when": "\#(long)", "goto": "home"}, {"goto": "home"}]}}
        """#,
      services: [
        "api": #"""
        "store": {"n": {"type": "int", "initial": 0}}, "routes": [
          {"on": "POST /turn", "next": [{"do": [{"set": {"n": "${1 - store.n}"}}], "reply": {"status": 200}}]},
          {"on": "POST /ask", "next": [
            {"when": "store.n == 0", "reply": {"status": 200}}, {"when": "\#(long)", "reply": {"status": 200}}, {"reply": {"status": 200}}]}]
        """#
      ])
    var explorer = Explorer(world: World(try sketch.load()), most: 100)
    explorer.explore()
    #expect(explorer.failures.map(\.diagnostic.code) == ["too-costly"])
  }
}
