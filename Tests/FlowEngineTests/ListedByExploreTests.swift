import FlowSpec
import Testing

@testable import FlowEngine

/// What an exploration lists of kills and of events that lead to nothing.
@Suite struct ListedByExploreTests {
  /// Somebody signs in and out; `kept` is what is stored, and `forgotten` what is cleared.
  func signing(kept: String, forgotten: String) -> Sketch {
    Sketch(
      flow: #"""
        "store": {"token": {"type": "string", "secret": true}, "seen": {"type": "bool", "initial": false}},
        "events": {"user.in": {}, "user.out": {}, "link.welcome": {}}, "start": "launch", "states": {
          "launch": {"next": [{"when": "present(store.token)", "goto": "home"}, {"goto": "out"}]},
          "out": {"rest": true, "on": {"user.in": {"goto": "asking"}, "link.welcome": {"goto": "asking"}}},
          "asking": {"request": {"to": "api", "post": "/in", "json": {}}, "next": [
            {"when": "response.status == 200", "do": [{"set": {\#(kept)}}], "goto": "home"}, {"goto": "out"}]},
          "home": {"goal": true, "on": {"user.out": {"do": [{"clear": "\#(forgotten)"}], "goto": "out"}}}}
        """#,
      services: [
        "api": #"""
        "secrets": ["token"], "routes": [{"on": "POST /in", "next": [{
          "do": [{"send": {"hello": {"to": "ada@mail.example", "links": {"in": "https://app.example/welcome"}}}}],
          "reply": {"status": 200, "json": {"token": "t"}}}]}]
        """#
      ], participants: ["app": #", "links": {"welcome": "https://app.example/welcome"}"#])
  }

  let token = #""token": "${response.json.token}""#

  @Test func aGoalThatIsStoredIsNotLost() throws {
    let exploration = try Exploration.of(signing(kept: token, forgotten: "token").load())
    #expect(exploration.isComplete && exploration.findings.isEmpty)
    #expect(exploration.lostByKill.isEmpty && exploration.backAgain.isEmpty)
  }

  @Test func aGoalOfWhichNothingIsStoredIsLost() throws {
    let flow = try signing(kept: #""seen": true"#, forgotten: "seen").load()
    let exploration = Exploration.of(flow)
    let lost = try #require(exploration.lostByKill.first)
    #expect(exploration.lostByKill.count == 1 && lost.state == "home" && lost.target == "out")
    #expect(exploration.backAgain.isEmpty)
    let scenario = try #require(lost.scenario)
    #expect(scenario.contains(#"{ "event": "user.in" }"#) && scenario.contains(#"{ "relaunch": "#), "\(scenario)")
    #expect(World(flow).replay(scenario)?.outcome.snapshot.leaf.map { flow.app.states[$0].name } == "out")
  }

  /// A launch that asks for the token that expires finds it good at first; what renews it is stored still.
  @Test(arguments: [(gone: "", lost: ["home"]), (gone: #""do": [{"clear": "token"}], "#, lost: [])])
  func aGoalThatIsLostOnceATokenExpiresIsToldToo(gone: String, lost: [String]) throws {
    var sketch = signing(
      kept: #""token": "${response.json.token}", "until": "${now + duration('1h')}""#, forgotten: "token")
    for (old, new) in [
      (#""seen": {"#, #""until": {"type": "timestamp"}, "seen": {"#),
      (
        #"{"when": "present(store.token)", "goto": "home"}, {"#,
        #"{"when": "present(store.token) && !expired(store.until)", "goto": "home"}, {\#(gone)"#
      ),
      (
        #""home": {"#,
        #"""
        "renewing": {"request": {"to": "api", "post": "/in", "json": {"token": "${store.token}"}}, "next": [
          {"when": "response.status == 200", "do": [{"set": {"token": "${response.json.token}"}}], "goto": "home"}, {"goto": "home"}]},
        "home": {
        """#
      ),
      (
        #""on": {"user.out": {"do""#,
        #""on": {"user.in": {"when": "expired(store.until)", "goto": "renewing"}, "user.out": {"do""#
      ),
    ] {
      sketch.flow = sketch.flow.replacing(old, with: new)
    }
    let exploration = try Exploration.of(sketch.load())
    #expect(exploration.isComplete && exploration.lostByKill.map(\.state) == lost)
  }

  @Test func whoSignsOutAndComesBackSignedInIsTold() throws {
    let flow = try signing(kept: token, forgotten: "seen").load()
    let exploration = Exploration.of(flow)
    let back = try #require(exploration.backAgain.first)
    #expect(exploration.backAgain.count == 1 && exploration.lostByKill.isEmpty)
    #expect(back.state == "out" && back.target == "home" && back.event == "user.out")
    let scenario = try #require(back.scenario)
    #expect(scenario.contains(#"{ "event": "user.out" }"#) && scenario.contains(#"{ "relaunch": "#), "\(scenario)")
    #expect(World(flow).replay(scenario)?.outcome.snapshot.leaf.map { flow.app.states[$0].name } == "home")
  }

  /// A sign-out that asks once more is left by what confirms it.
  @Test func whoConfirmsThatTheySignOutIsToldToo() throws {
    for (forgotten, count) in [("seen", 1), ("token", 0)] {
      var sketch = signing(kept: token, forgotten: forgotten)
      sketch.flow = sketch.flow.replacing(#""user.out": {}"#, with: #""user.out": {}, "user.sure": {}"#).replacing(
        #""home": {"goal": true, "on": {"user.out": {"#,
        with: #""sure": {"rest": true, "on": {"user.sure": {"goto": "signingOut"}}}, "signingOut": {"next": [{"#
      ).replacing(
        #""goto": "out"}}}}"#,
        with: #""goto": "out"}]}, "home": {"goal": true, "on": {"user.out": {"goto": "sure"}}}}"#)
      let told = Exploration.of(try sketch.load()).backAgain
      #expect(told.map(\.event) == Array(repeating: "user.sure", count: count), "\(forgotten)")
      #expect(told.allSatisfy { $0.state == "out" && $0.scenario?.contains(#""user.out""#) == true })
    }
  }

  /// Who signs out of a guest's account and is given another is not the same again.
  @Test func anotherGuestIsNotThereAgain() throws {
    for (forgotten, count) in [("token", 0), ("seen", 1)] {
      let sketch = Sketch(
        flow: #"""
          "store": {"token": {"type": "string", "secret": true}, "seen": {"type": "bool", "initial": false}},
          "events": {"user.out": {}}, "start": "launch", "states": {
            "launch": {"next": [{"when": "present(store.token)", "goto": "home"}, {"goto": "asking"}]},
            "asking": {"request": {"to": "api", "post": "/guests", "json": {}}, "next": [
              {"when": "response.status == 200", "do": [{"set": {"token": "${response.json.token}"}}], "goto": "home"}, {"goto": "out"}]},
            "out": {"rest": true, "on": {"user.out": {"goto": "asking"}}},
            "home": {"goal": true, "on": {"user.out": {"do": [{"clear": "\#(forgotten)"}], "goto": "out"}}}}
          """#,
        services: [
          "api":
            #""secrets": ["token"], "routes": [{"on": "POST /guests", "next": [{"reply": {"status": 200, "json": {"token": "${fresh('token')}"}}}]}]"#
        ])
      #expect(Exploration.of(try sketch.load()).backAgain.count == count, "\(forgotten)")
    }
  }

  /// Who signs in once more, for something that asks for that, has not signed out.
  @Test(arguments: [
    (waiting: #""browser.redirected": {"goto": "home"}"#, count: 0), (waiting: #""user.in": {}"#, count: 1),
  ])
  func whoSignsInOnceMoreHasNotLeft(waiting: String, count: Int) throws {
    let opens = #"{"do": [{"open": {"to": "api", "get": "/in"}}], "goto": "inBrowser"}"#
    let sketch = Sketch(
      flow: #"""
        "store": {"token": {"type": "string", "secret": true}},
        "events": {"user.in": {}, "user.pays": {}, "browser.redirected": {}}, "start": "launch", "states": {
          "launch": {"next": [{"when": "present(store.token)", "goto": "home"}, {"goto": "out"}]},
          "out": {"rest": true, "on": {"user.in": \#(opens)}},
          "inBrowser": {"rest": true, "on": {\#(waiting), "browser.closed": {"goto": "home"}}},
          "home": {"goal": true, "do": [{"set": {"token": "t"}}], "on": {"user.pays": \#(opens)}}}
        """#,
      services: [
        "api":
          #""routes": [{"on": "GET /in", "next": [{"reply": {"page": {"title": "In", "forms": {"in": {"get": "/done"}}}}}]}, {"on": "GET /done", "next": [{"reply": {"status": 302, "redirect": {"uri": "https://api.example/back"}}}]}]"#
      ],
      participants: ["app": #", "redirectUris": ["https://api.example/back"]"#])
    #expect(Exploration.of(try sketch.load()).backAgain.map(\.event) == Array(repeating: "user.pays", count: count))
  }

  /// A session in a row of a table is one as well.
  @Test func whatARowKeepsIsThereAgain() throws {
    for (forgotten, count) in [("pin", 1), ("people", 0)] {
      let sketch = Sketch(
        flow: #"""
          "store": {"pin": {"type": "string", "secret": true}, "people": {"rows": {"session": {"type": "string", "secret": true}}}},
          "events": {"user.in": {}, "user.out": {}}, "start": "launch", "states": {
            "launch": {"next": [{"when": "'ada' in store.people", "goto": "home"}, {"goto": "out"}]},
            "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"people['ada'].session": "${fresh('s')}", "pin": "${fresh('p')}"}}], "goto": "home"}}},
            "home": {"goal": true, "on": {"user.out": {"do": [{"clear": ["pin", "\#(forgotten == "people" ? "people['ada']" : "pin")"]}], "goto": "out"}}}}
          """#)
      #expect(Exploration.of(try sketch.load()).backAgain.count == count, "\(forgotten)")
    }
  }

  @Test func aLaunchMayTakeItsTime() throws {
    var sketch = signing(kept: token, forgotten: "token")
    sketch.flow = sketch.flow.replacing(
      #""start": "launch", "states": {"#,
      with: #""start": "splash", "states": {"splash": {"after": [{"wait": "1s", "goto": "launch"}]},"#)
    #expect(try Exploration.of(sketch.load()).lostByKill.isEmpty)
    sketch.flow = sketch.flow.replacing(#""set": {"token"#, with: #""set": {"other"#).replacing(
      #""store": {"#, with: #""store": {"other": {"type": "string", "secret": true}, "#)
    let lost = try Exploration.of(sketch.load()).lostByKill
    #expect(lost.map(\.state) == ["home"] && lost.map(\.target) == ["out"] && lost.allSatisfy { $0.scenario != nil })
  }

  @Test func aGoalIsOneWhereverInItTheAppIs() throws {
    var sketch = signing(kept: #""seen": true"#, forgotten: "seen")
    sketch.flow = sketch.flow.replacing(
      #""home": {"goal": true,"#,
      with: #"""
        "home": {"goal": true, "start": "one", "states": {
          "one": {"on": {"user.in": {"goto": "two"}}}, "two": {"on": {"user.in": {"goto": "one"}}}},
        """#)
    #expect(try Exploration.of(sketch.load()).lostByKill.map(\.state) == ["home"])
  }

  @Test func aScreenThatOnlyTheGoalLeadsToIsNoWayOut() throws {
    var sketch = signing(kept: token, forgotten: "token")
    sketch.flow = sketch.flow.replacing(#""user.out": {}"#, with: #""user.out": {}, "user.sets": {}"#).replacing(
      #""home": {"goal": true, "on": {"#,
      with: #""settings": {"rest": true}, "home": {"goal": true, "on": {"user.sets": {"goto": "settings"}, "#)
    #expect(try Exploration.of(sketch.load()).backAgain.isEmpty)
  }

  /// Of a goal that the app was not in before nobody can say that it is there again, nor of an end.
  @Test(arguments: [
    (
      #""goto": "home""#, #"{ "event": "user.in" },|{ "event": "user.out" },|{ "relaunch": true },|{ "advance": "5s" }"#
    ),
    (#""goto": "other""#, nil), (#""end": "done""#, nil),
  ]) func onlyWhereTheAppWasBeforeItIsThereAgain(late: String, script: String?) throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.in": {}, "user.out": {}}, "start": "out", "states": {
          "out": {"rest": true, "on": {"user.in": {"goto": "home"}, "user.out": {}}, "after": [{"wait": "5s", \#(late)}]},
          "home": {"goal": true, "on": {"user.out": {"goto": "out"}}},
          "other": {"goal": true}}
        """#)
    let backAgain = try Exploration.of(sketch.load()).backAgain
    #expect(backAgain.count == (script == nil ? 0 : 1))
    guard let script else { return }
    // Where the event that leaves the goal does nothing, it leaves none.
    let steps = script.split(separator: "|").map { "    \($0)" }.joined(separator: "\n")
    #expect(backAgain.first?.scenario?.contains(steps) == true, "\(backAgain.first?.scenario ?? "none")")
  }

  @Test func whatALinkSaysWhereNothingTakesItIsTold() throws {
    // The mail stays in the inbox.
    var sketch = signing(kept: token, forgotten: "token")
    let exploration = try Exploration.of(sketch.load())
    #expect(exploration.ignored.map(\.state) == ["home", "asking"])
    #expect(exploration.ignored.allSatisfy { $0.event == "link.welcome" && $0.scenario != nil })
    // Taken everywhere, it leads somewhere everywhere.
    sketch.flow = sketch.flow.replacing(
      #""start": "launch""#, with: #""on": {"link.welcome": {"goto": "launch"}}, "start": "launch""#)
    #expect(try Exploration.of(sketch.load()).ignored.isEmpty)
  }

  @Test func aButtonThatDoesNothingIsTold() throws {
    var sketch = signing(kept: token, forgotten: "token")
    sketch.flow = sketch.flow.replacing(#""user.out": {"do""#, with: #""user.out": {"when": "store.seen", "do""#)
    let ignored = try Exploration.of(sketch.load()).ignored
    #expect(ignored.contains { $0.event == "user.out" && $0.state == "home" && $0.scenario != nil })
  }

  @Test func anExampleThatCannotBeMadeIsAnError() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"what": {"type": "string"}}, "events": {"user.x": {}}, "start": "out", "states": {
          "out": {"rest": true, "on": {"user.x": {"goto": "signing"}}},
          "signing": {"perform": {"capability": "sign", "with": {"text": "${memory.what}"}},
            "next": [{"when": "result.failure == 'cancelled'", "goto": "home"}, {"goto": "home"}],
            "after": [{"wait": "10s", "goto": "out"}]},
          "home": {"goal": true}}
        """#,
      participants: [
        "device": #"""
        , "capabilities": {"sign": {"input": {"text": {"type": "string"}}, "result": {"sig": {"type": "string"}},
          "example": {"sig": "signed(${input.text})"}, "failures": ["cancelled"]}}
        """#
      ])
    let findings = try Exploration.of(sketch.load()).findings
    #expect(findings.map(\.kind) == [.runError] && findings.first?.diagnostic?.code == "null-in-text", "\(findings)")
    #expect(findings.first?.scenario?.contains(#"{ "event": "user.x" }"#) == true)
  }

  @Test func whereTheAppIsLeftIsToldWithItsSubflow() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}, "user.y": {}}, "start": "waiting", "states": {
          "waiting": {"on": {"user.x": {"goto": "calling"}}}, "calling": {"call": "sub", "next": [{"goto": "home"}]},
          "home": {"goal": true}},
        "flows": {"sub": {"ends": ["got"], "start": "waiting", "states": {"waiting": {"on": {"user.y": {"end": "got"}}}}}}
        """#)
    #expect(try Exploration.of(sketch.load()).findings.map(\.state) == ["waiting", "waiting in sub"])
  }

  /// One move leads to the same in several states.
  @Test func whatLeadsToNothingStandsInTheOrderOfTheFlow() throws {
    let names = ["b", "f", "d", "a", "e", "c", "h", "g"]
    let states = names.map { "\"\($0)\": {\"rest\": true, \"on\": {\"user.ends\": {\"goto\": \"done\"}}}" }
    let ways = names.map { name in
      "\"user.\(name)\": {\"goto\": \"\(name)\", \"do\": [{\"open\": {\"get\": \"/in\", \"to\": \"api\"}}]}"
    }
    let events = (names + ["ends"]).map { "\"user.\($0)\": {}" } + ["\"browser.redirected\": {}"]
    let sketch = Sketch(
      flow: """
        "events": {\(events.joined(separator: ", "))}, "start": "home", "states": {
          "home": {"rest": true, "on": {\(ways.joined(separator: ", "))}}, \(states.joined(separator: ", ")),
          "done": {"goal": true}}
        """,
      services: ["api": #""routes": [{"on": "GET /in", "next": [{"reply": {"status": 200}}]}]"#],
      participants: ["app": #", "redirectUris": ["https://api.example/in"]"#])
    let ignored = try Exploration.of(sketch.load()).ignored.filter { $0.event == "browser.redirected" }
    #expect(ignored.map(\.state) == names)
  }
}
