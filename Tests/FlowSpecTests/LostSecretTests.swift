import FlowSpec
import Testing

/// What is said of a flow that keeps two tokens and has a new pair for one of them, with this behind its answers.
private func told(
  next: String, request: String = #""json": {"refresh": "${store.?refresh}"}"#, states: String = "",
  isModelled: Bool = true, issues: String = #"{"access": "${fresh('a')}", "refresh": "${fresh('r')}"}"#
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"\#(isModelled ? ", \"model\": \"api.json\"" : "")}},
      "store": {"refresh": {"type": "string", "secret": true, "group": "session"},
        "access": {"type": "string", "secret": true, "group": "session"}},
      "let": {"good": "response.status == 200 && present(response.json.?access)"},
      "start": "asking", "states": {
        "asking": {"request": {"to": "api", "post": "/token", \#(request)}, "next": [\#(next)]},
        \#(states) "out": {"rest": true, "do": [{"clear": "session"}]}, "later": {"rest": true},
        "home": {"goal": true, "do": [{"show": {"s": {"a": "${present(store.access)}"}}}]}},
      "screens": {"s": {"fields": {"a": {"type": "bool"}}}}}
    """#,
    "api.json": #"""
    {"service": "api", "routes": [{"on": "POST /token", "next": [
      {"when": "request.json.?refresh.orValue('') == 'r'", "goto": "issuing"}, {"reply": {"status": 401}}]},
      {"on": "POST /other", "next": [{"goto": "elsewhere"}]}],
      "states": {"issuing": {"next": [{"reply": {"json": \#(issues)}}]},
        "elsewhere": {"next": [{"reply": {"json": {"refresh": "${fresh('o')}"}}}]}}}
    """#,
  ])
  let codes = ["cleared-on-failure", "dropped-rotation", "split-group", "unsafe-retry", "useless-retry"]
  let others = ["unreachable-state", "no-way-to-goal"]
  return documents.flow("x.json").diagnostics.filter { found in
    codes.contains(found.code) || found.severity == .error && !others.contains(found.code)
  }.map { "\($0.code): \($0.message)" }
}

/// Faults by which people are signed out though nobody refused them.
@Suite struct LostSecretTests {
  private static let both =
    #"{"when": "good", "do": [{"set": {"access": "${response.json.access}", "refresh": "${response.json.refresh}"}}], "goto": "home"}"#
  private static let cleared =
    "cleared-on-failure: where the service cannot be reached this clears the secret \"refresh\", though nobody has refused it"

  @Test func aTunnelThatSignsOutIsTold() {
    #expect(told(next: Self.both + #", {"goto": "out"}"#) == [Self.cleared])
    #expect(told(next: Self.both + #", {"do": [{"set": {"refresh": null}}], "goto": "later"}"#) == [Self.cleared])
    let down = #", {"when": "response.failure != null", "goto": "later"}, {"goto": "out"}"#
    #expect(told(next: Self.both + down) == [Self.cleared.replacing("cannot be reached", with: "is down")])
  }

  @Test func whoWasRefusedIsSignedOut() {
    let refused = #", {"when": "response.status in [400, 401]", "goto": "out"}, {"goto": "later"}"#
    #expect(told(next: Self.both + refused) == [])
    // A code that was lost on the way may be used up.
    let lost = #", {"when": "response.failure == 'lost'", "goto": "out"}, {"goto": "later"}"#
    #expect(told(next: Self.both + lost) == [])
  }

  /// Any good status that a condition asks for is one where all went well.
  @Test func goodIsMoreThan200() throws {
    let created = Self.both.replacing("good", with: "response.status == 201 && present(response.json.?access)")
    #expect(told(next: created + #", {"goto": "out"}"#, isModelled: false) == [Self.cleared])
    let left =
      #"{"when": "response.status in [204, 401]", "goto": "out"}, {"when": "response.failure == 'unreachable'", "goto": "out"}, {"goto": "later"}"#
    #expect(told(next: left, isModelled: false) == [])
  }

  /// A decision that clears the same whatever it comes to.
  @Test func whatIsClearedOneDecisionLaterIsClearedToo() throws {
    let next = #"{"when": "good", "goto": "checking"}, {"do": [{"clear": "refresh"}], "goto": "later"}"#
    let checking =
      #""checking": {"next": [{"when": "present(store.access)", "do": [{"clear": "session"}], "goto": "home"}, {"do": [{"clear": "session"}], "goto": "later"}]},"#
    #expect(told(next: next, states: checking).filter { $0.hasPrefix("cleared") } == [])
  }

  @Test func whoSignsOutClearsWhateverComes() {
    #expect(
      told(next: #"{"when": "response.status == 200", "goto": "out"}, {"goto": "out"}"#).filter { $0.hasPrefix("c") }
        == [])
  }

  @Test func aTokenThatIsNewAndNotTakenIsTold() {
    let accessAlone =
      #"{"when": "good", "do": [{"set": {"access": "${response.json.access}"}}], "goto": "home"}, {"goto": "later"}"#
    let dropped =
      "dropped-rotation: each good answer of POST /token of \"api\" has a new \"refresh\", which nothing takes"
    #expect(told(next: accessAlone) == [dropped])
    #expect(told(next: accessAlone, issues: #"{"access": "${fresh('a')}"}"#) == [])
    #expect(told(next: accessAlone, issues: #"{"access": "a", "refresh": "${request.json.refresh}"}"#) == [])
    // Another grant of the same route rotates, this one does not.
    let other =
      #"{"access": "a"}}}, {"name": "o", "sometimes": true, "reply": {"json": {"access": "b", "refresh": "${fresh('r')}"}"#
    #expect(told(next: accessAlone, issues: other) == [])
    // Who asks whether it is there does not have it yet.
    let asked = accessAlone.replacing("good", with: "good && isString(response.json.?refresh)")
    #expect(told(next: asked) == [dropped])
    let whole =
      #"{"when": "good", "do": [{"set": {"access": "${response.json.access + string(size(response.json))}"}}], "goto": "home"}, {"goto": "later"}"#
    #expect(told(next: whole) == [])
  }

  @Test func halfOfAGroupIsTold() {
    let apart =
      #"{"when": "good", "do": [{"set": {"access": "${response.json.access}"}}, {"set": {"refresh": "${response.json.refresh}"}}], "goto": "home"}, {"goto": "later"}"#
    #expect(told(next: apart).map { $0.prefix(11) } == ["split-group"])
    let derived = apart.replacing("response.json.refresh}", with: "store.access}")
    #expect(told(next: derived).filter { $0.hasPrefix("split") } == [])
  }

  /// A kill behind the `clear` loses what came, and what was there.
  @Test func aGroupThatIsClearedBeforeItIsSetIsTold() {
    func told(_ actions: String) -> [String] {
      let sets = #"{"set": {"access": "${response.json.access}", "refresh": "${response.json.refresh}"}}"#
      let next =
        #"{"when": "good", "do": [\#(actions.replacing("SETS", with: sets))], "goto": "home"}, {"goto": "later"}"#
      return FlowSpecTests.told(next: next).filter { $0.hasPrefix("split") }.map { String($0.prefix(64)) }
    }
    for (clear, key) in [("\"session\"", "access"), ("[\"refresh\"]", "refresh"), ("[\"access\"]", "access")] {
      let found = [#"split-group: "\#(key)" of the group "session" is cleared before it is set"#].map {
        String($0.prefix(64))
      }
      #expect(told(#"{"clear": \#(clear)}, SETS"#) == found, "\(clear)")
      #expect(told(#"{"clear": \#(clear)}, {"show": {"s": {"a": true}}}, SETS"#) == found, "\(clear)")
      #expect(told(#"SETS, {"clear": \#(clear)}"#) == [], "\(clear)")
    }
    #expect(told("SETS") == [])
    // What is made then can be made once more.
    #expect(told(#"{"clear": "session"}, {"set": {"access": "${fresh('a')}"}}"#) == [])
  }

  @Test func aPostThatIsSentAgainByItselfIsTold() {
    let lost = #", {"when": "response.failure == 'lost'", "goto": "pause"}, {"goto": "later"}"#
    let pause = #""pause": {"after": [{"wait": "5s", "goto": "asking"}]},"#
    let again = "this POST is sent again by itself where its answer was lost, and the server may have done it already"
    #expect(told(next: Self.both + lost, states: pause) == ["unsafe-retry: \(again)"])
    let key = #""headers": {"Idempotency-Key": "${store.?refresh}"}, "json": {"refresh": "${store.?refresh}"}"#
    #expect(told(next: Self.both + lost, request: key, states: pause) == [])
    let asked =
      #""pause": {"after": [{"wait": "5s", "goto": "looking"}]},"#
      + #""looking": {"request": {"to": "api", "post": "/other"}, "next": [{"when": "response.status == 404", "goto": "asking"}, {"goto": "later"}]},"#
    #expect(told(next: Self.both + lost, states: asked) == [])
    let poll =
      #", {"when": "response.status == 400", "goto": "pause"}, {"when": "response.failure == 'lost'", "goto": "pause"}, {"goto": "later"}"#
    #expect(told(next: Self.both + poll, states: pause) == [])
    let deciding =
      #""pause": {"after": [{"wait": "5s", "goto": "deciding"}]}, "deciding": {"next": [{"when": "present(store.access)", "goto": "home"}, {"goto": "asking"}]},"#
    #expect(told(next: Self.both + lost, states: deciding) == [])
    let timed = #""json": {"refresh": "${store.?refresh}", "at": "${string(now)}"}"#
    #expect(told(next: Self.both + lost, request: timed, states: pause) == [])
    let tapped = #""pause": {"rest": true, "on": {"user.again": {"goto": "asking"}}},"#
    #expect(told(next: Self.both + lost, states: tapped).filter { $0.hasPrefix("unsafe") } == [])
  }
}
