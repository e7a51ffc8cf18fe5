import FlowSpec
import Testing

/// What is said of an app that renews its token at a model that keeps tokens itself.
private func told(
  takes: String = DroppedRotationTests.access, when: String = "response.status == 200", before: String = "",
  request: String = #""json": {"refresh": "${store.?refresh}"}"#, member: String = "refresh",
  renewing: String = #""goto": "issuing""#, issues: String = DroppedRotationTests.both,
  answer: String = #"{"access": "${store.access}", "refresh": "${store.refresh}"}"#, home: String = "",
  more: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "device": {"kind": "device"}, "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}},
      "store": {"refresh": {"type": "string", "secret": true}, "access": {"type": "string", "secret": true}},
      "memory": {"new": {"type": "string", "secret": true}}, "emits": {"renewed": {"to": {"type": "string", "secret": true}}},
      "start": "opening", "states": {
        "opening": {"request": {"to": "api", "post": "/open"}, "next": [{"when": "response.status == 200",
          "do": [{"set": {"access": "${response.json.access}", "refresh": "${response.json.\#(member)}"}}],
          "goto": "home"}, {"goto": "home"}]},
        "home": {"goal": true, \#(home) "after": [{"wait": "5m", "goto": "renewing"}]},
        "renewing": {"request": {"to": "api", "post": "/token", \#(request)}, "next": [\#(before)
          {"when": "\#(when)", "do": [\#(takes)], "goto": "home"}, {"goto": "home"}]}}}
    """#,
    "api.json": #"""
    {"service": "api", "store": {"refresh": {"type": "string"}, "access": {"type": "string"},
        "rows": {"rows": {"refresh": {"type": "string"}}}},
      "memory": {"new": {"type": "string"}, "row": {"type": "string"}},
      "routes": [{"on": "POST /open", "next": [{"do": [\#(DroppedRotationTests.both)], "goto": "issuing"}]},
        {"on": "POST /token", "next": [{"when": "request.json.?refresh.orValue('') == 'no'", "reply": {"status": 400}},
          {"do": [\#(issues)], \#(renewing)}]}],
      "states": {\#(more) "issuing": {"next": [{"reply": {"json": \#(answer)}}]}}}
    """#,
  ])
  return documents.flow("x.json").diagnostics.filter { found in
    found.code == "dropped-rotation" || found.severity == .error && found.code != "unreachable-state"
  }.map { "\($0.code): \($0.message)" }
}

/// A token that an answer has anew and the app does not take.
@Suite struct DroppedRotationTests {
  fileprivate static let access = #"{"set": {"access": "${response.json.access}"}}"#
  fileprivate static let both = #"{"set": {"access": "${fresh('access')}", "refresh": "${fresh('refresh')}"}}"#
  private static let taken =
    #"{"set": {"access": "${response.json.access}", "refresh": "${response.json.refresh}"}}"#
  private static func dropped(_ how: String, _ member: String = "refresh") -> String {
    "dropped-rotation: each good answer of POST /token of \"api\" has a new \"\(member)\", which \(how)"
  }
  private static let nothing = dropped("nothing takes")

  @Test func whatTheModelKeepsIsNew() {
    #expect(told() == [Self.nothing])
    #expect(told(renewing: #""reply": {"json": {"access": "a", "refresh": "${store.refresh}"}}"#) == [Self.nothing])
    let remembers =
      #"{"set": {"new": "${fresh('refresh')}"}}, {"set": {"refresh": "${memory.new}", "access": "a"}}"#
    #expect(told(issues: remembers) == [Self.nothing])
    #expect(told(issues: remembers, answer: #"{"access": "a", "refresh": "${memory.new}"}"#) == [Self.nothing])
    let row = #"{"set": {"row": "${newId('row')}"}}, {"set": {"rows[memory.row]": {"refresh": "${fresh('refresh')}"}}}"#
    let ofRow = #"{"access": "a", "refresh": "${store.rows[memory.row].refresh}"}"#
    #expect(told(issues: row, answer: ofRow) == [Self.nothing])
    let state = #""making": {"do": [\#(Self.both)], "next": [{"goto": "issuing"}]},"#
    #expect(told(renewing: #""goto": "making""#, issues: "", more: state) == [Self.nothing])
  }

  @Test func whatItGivesOnceMoreIsNot() {
    let access = #"{"set": {"access": "${fresh('access')}"}}"#
    #expect(told(issues: access) == [])
    #expect(told(issues: #"\#(access), {"set": {"refresh": "${request.json.refresh}"}}"#) == [])
    #expect(told(issues: #"\#(Self.both), {"set": {"refresh": "${request.json.refresh}"}}"#) == [])
    #expect(told(issues: #"\#(Self.both), {"clear": "refresh"}"#) == [])
    // A copy in the memory is as old as what it is of.
    #expect(
      told(issues: #"{"set": {"new": "${store.refresh}"}}"#, answer: #"{"access": "a", "refresh": "${memory.new}"}"#)
        == [])
    let other = #"{"set": {"row": "${newId('row')}"}}, {"set": {"rows['a']": {"refresh": "${fresh('refresh')}"}}}"#
    #expect(told(issues: other, answer: #"{"access": "a", "refresh": "${store.rows[memory.row].refresh}"}"#) == [])
    // On one of two ways alone.
    let ways =
      #""making": {"next": [{"when": "present(store.access)", "do": [\#(Self.both)], "goto": "issuing"}, {"goto": "issuing"}]},"#
    #expect(told(renewing: #""goto": "making""#, issues: "", more: ways) == [])
  }

  @Test func whateverNameItIsSentUnder() {
    let sent = #""json": {"refresh_token": "${store.?refresh}"}"#
    #expect(told(request: sent) == [Self.nothing])
    #expect(told(request: #""bearer": "${store.refresh}""#) == [Self.nothing])
    #expect(told(request: #""headers": {"x-token": "${store.refresh}"}"#) == [Self.nothing])
    let answer = #"{"access": "a", "refresh_token": "${store.refresh}"}"#
    let renamed = Self.dropped("nothing takes", "refresh_token")
    #expect(told(request: sent, member: "refresh_token", answer: answer) == [renamed])
    let inner = #"{"access": "a", "tokens": {"refresh": "${store.refresh}"}}"#
    #expect(told(member: "tokens.refresh", answer: inner) == [Self.nothing])
    // What has but the name in common is something else.
    let ofOther = #""reply": {"json": {"access": "a", "id": "${fresh('order')}"}}"#
    #expect(told(member: "id", renewing: ofOther, answer: #"{"access": "a", "id": "${store.refresh}"}"#) == [])
  }

  @Test func whatIsTakenIsNot() {
    #expect(told(takes: Self.taken) == [])
    #expect(told(takes: #"\#(Self.access), {"emit": {"renewed": {"to": "${response.json.refresh}"}}}"#) == [])
  }

  @Test func whatTheMemoryAloneTakesIsTold() {
    let remembers = #"\#(Self.access), {"set": {"new": "${response.json.refresh}"}}"#
    #expect(told(takes: remembers) == [Self.dropped("is taken into the memory alone")])
    #expect(told(takes: remembers, home: #""do": [{"set": {"refresh": "${memory.new}"}}],"#) == [])
    #expect(told(takes: remembers, home: #""do": [{"emit": {"renewed": {"to": "${memory.new}"}}}],"#) == [])
  }

  @Test func whatOneOfTwoTransitionsTakesIsTold() {
    let online =
      #"{"when": "response.status == 200 && device.online", "do": [\#(Self.access)], "goto": "home"},"#
    let left = Self.dropped("this does not take")
    #expect(told(takes: Self.taken, before: online) == [left])
    #expect(told(takes: Self.taken, before: online.replacing("200", with: "401")) == [])
    let clears = online.replacing(Self.access, with: #"\#(Self.access), {"clear": "refresh"}"#)
    #expect(told(takes: Self.taken, before: clears) == [])
    // Where it is asked for, what stands behind takes what lacks it.
    let asked =
      #"{"when": "response.status == 200 && has(response.json.refresh)", "do": [\#(Self.taken)], "goto": "home"},"#
    #expect(told(before: asked) == [])
    #expect(
      told(takes: Self.taken, before: online.replacing("device.online", with: "!has(response.json.refresh)")) == [])
  }
}
