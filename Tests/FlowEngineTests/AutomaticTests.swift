import Testing

/// Section 8, the automatic person.
@Suite struct AutomaticTests {
  private static let web = #"""
    "routes": [
      {"on": "GET /start", "next": [{"reply": {"page": {"title": "Start", "forms": {
        "first": {"get": "/start", "fields": {}}, "second": {"post": "/mail", "fields": {}}},
        "links": {"terms": {"get": "/terms"}}}}}]},
      {"on": "GET /terms", "next": [{"reply": {"page": {"title": "Terms", "links": {"back": {"get": "/start"}}}}}]},
      {"on": "POST /mail", "next": [{"do": [{"send": {"hello": {"links": {"in": "https://app.example/in/1", "other": "https://app.example/in/2"}}}}], "reply": {"page": {"title": "Sent"}}}]}]
    """#

  @Test func mailThenFormsThenLinksThenEventsAndNeverTheSameWayTwice() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.outer": {}, "user.inner": {}, "user.second": {}, "user.never": {}, "link.in": {"fields": {"n": {"type": "string"}}}}, "start": "outer", "states": {
          "outer": {"start": "a", "rest": true, "on": {"user.outer": {"goto": "done"}}, "states": {
            "a": {"do": [{"open": {"to": "web", "get": "/start"}}],
              "on": {"link.in": {"do": [{"show": {"n": {"n": "${event.n}"}}}]}, "user.second": {}, "user.inner": {}}, "after": [{"wait": "1m", "goto": "done"}]}}},
          "done": {"goal": true, "on": {"user.never": {"goto": "outer"}}}}
        """#, services: ["web": Self.web], participants: ["app": #", "links": {"in": "https://app.example/in/{n}"}"#])
    try checkStory(
      sketch,
      expects: """
        launch by user
        in outer
        in a
        open https://web.example/start
        browser → web GET /start
        web → browser 200
        page Start
        submit first
        browser → web GET /start
        web → browser 200
        page Start
        submit second
        browser → web POST /mail form \u{20}
        web → browser 200
        mail hello
        page Sent
        open mail hello
        event link.in {n=1}
        show n {n=1}
        event user.second
        event user.inner
        event user.outer
        in done
        ended at goal "done"
        """.replacing("form \u{20}", with: "form "))
  }

  @Test func linksAreFollowedWhenNoFormIsLeft() throws {
    let web = #"""
      "routes": [{"on": "GET /start", "next": [{"reply": {"page": {"title": "Start", "links": {"terms": {"get": "/terms"}, "home": {"uri": "com.example:/cb"}}}}}]},
        {"on": "GET /terms", "next": [{"reply": {"page": {"title": "Terms", "links": {"back": {"get": "/start"}}}}}]}]
      """#
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"do": [{"open": {"to": "web", "get": "/start"}}], "on": {"browser.redirected": {"goto": "done"}, "browser.closed": {"goto": "closed"}}},
          "done": {"goal": true}, "closed": {"rest": true}}
        """#, services: ["web": web], participants: ["app": #", "redirectUris": ["com.example:/cb"]"#])
    try checkStory(
      sketch,
      has:
        "page Start\nfollow terms\npage Terms\nfollow back\npage Start\nfollow home\nevent browser.redirected\nin done\nended at goal \"done\"",
      never: ["in closed"])
  }

  @Test func timePassesOnlyWhenNothingCanBeDone() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"user.x": {}}, "after": [{"wait": "10m", "goto": "b"}]}, "b": {"goal": true}}
        """#)
    try checkStory(sketch, expects: "launch by user\nin a\nevent user.x\n+600s\nin b\nended at goal \"b\"")
  }

  @Test func whileAnAnswerIsPendingThePersonDoesNothing() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.x": {}}, "start": "a", "states": {
          "a": {"request": {"to": "web", "get": "/start"}, "on": {"user.x": {"goto": "wrong"}}, "next": [{"goto": "b"}]}, "b": {"goal": true}, "wrong": {"rest": true}}
        """#, services: ["web": Self.web])
    try checkStory(
      sketch, #""faults": [{"request": "GET /start", "delay": "9s"}]"#, has: "+9s\nweb → app 200\nin b",
      never: ["event user.x"])
    try checkStory(
      sketch, #""faults": [{"request": "GET /start", "lost": true}]"#, has: "+30s\nweb → app lost\nin b",
      never: ["event user.x"])
  }

  @Test func whatCannotBeReachedIsAskedForOnceMoreForEachAddress() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {
          "a": {"do": [{"open": {"to": "web", "get": "/start", "query": {"n": "${memory.n}"}}}], "after": [{"wait": "1m", "goto": "b"}]},
          "b": {"do": [{"open": {"to": "web", "get": "/start", "query": {"n": "${memory.n}"}}}, {"set": {"n": 1}}], "after": [{"wait": "1m", "goto": "c"}]},
          "c": {"do": [{"open": {"to": "web", "get": "/start", "query": {"n": "${memory.n}"}}}], "after": [{"wait": "1m", "goto": "done"}]},
          "done": {"goal": true}}
        """#, services: ["web": Self.web])
    let outcome = try sketch.run(#""faults": [{"request": "GET /start", "nth": "every", "unreachable": true}]"#)
    let lines = Story(try sketch.load()).lines(of: outcome).filter { $0 == "follow again" || $0.hasPrefix("in ") }
    #expect(lines == ["in a", "follow again", "in b", "in c", "follow again", "in done"])
  }

  @Test func theFirstGoalEndsTheRunEvenAtTheLaunch() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"known": {"type": "bool", "initial": true}}, "events": {"user.out": {}}, "start": "look", "states": {
          "look": {"next": [{"when": "store.known", "goto": "ready"}, {"goto": "out"}]},
          "ready": {"goal": true, "on": {"user.out": {"goto": "out"}}}, "out": {"rest": true}}
        """#)
    try checkStory(sketch, expects: "launch by user\nin look\nin ready\nended at goal \"ready\"")
  }

  @Test func aRunThatReachesNoGoalComesToRestOrIsAnError() throws {
    try checkStory(
      Sketch(flow: #""start": "a", "states": {"a": {"rest": true}}"#), expects: "launch by user\nin a\nrests in \"a\"")
    try checkProblem(Sketch(flow: #""start": "a", "states": {"a": {}}"#), is: "stopped-elsewhere", at: "")
  }

  @Test func aWorldThatGoesOnForEverIsAnError() throws {
    let sketch = Sketch(
      flow: #""start": "a", "states": {"a": {"after": [{"wait": "1s", "goto": "a"}]}}"#)
    let outcome = try sketch.run()
    #expect(Story.codes(of: outcome) == ["endless-run"])
  }

  @Test func whatIsDueAtThisInstantComesBeforeThePerson() throws {
    for timer in [#"{"wait": "0s", "goto": "timed"}"#, #"{"at": "${now - duration('1h')}", "goto": "timed"}"#] {
      try checkStory(
        Sketch(
          flow: #"""
            "events": {"user.x": {}}, "start": "a", "states": {
              "a": {"on": {"user.x": {"goto": "acted"}}, "after": [\#(timer)]}, "acted": {"goal": true}, "timed": {"goal": true}}
            """#), has: "in timed", never: ["in acted"])
    }
  }

  /// An end within the launch is one as any other: nobody opens the app again.
  @Test func anAppThatEndsAsItIsLaunchedIsLeft() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "start": "a", "states": {"a": {"next": [
          {"when": "store.n == 0", "do": [{"set": {"n": 1}}], "end": "done"}, {"goto": "again"}]}, "again": {"goal": true}}
        """#)
    try checkStory(sketch, has: "set n = 1\nended at end \"done\"", never: ["in again"])
    try checkStory(sketch, #""ends": "done""#, has: "set n = 1\nended at end \"done\"", never: ["in again"])
  }
}
