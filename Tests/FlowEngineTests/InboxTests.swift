import Expressions
import Testing

@testable import FlowEngine

/// Section 7, inbox: mail, and the links that open the app or a page.
@Suite struct InboxTests {
  private static let links =
    #", "links": {"welcome": "https://profile.example/welcome/{token}", "plain": "com.example:/open", "code": "https://profile.example/codes/c-{code}"}"#

  private static let mailing = #"""
    "routes": [
      {"on": "POST /register", "next": [
        {"do": [{"send": {"welcome": {"to": "${request.json.email}", "subject": "Hello", "links": {
          "activate": "https://profile.example/welcome/t%201?lang=de", "terms": "https://api.example/terms", "open": "com.example:/open", "code": "https://profile.example/codes/c-42",
          "long": "https://profile.example/welcome/a/b"}}}}],
          "reply": {"status": 201}}]},
      {"on": "POST /bare", "next": [{"do": [{"send": {"bare": {"text": "Read ${request.json.email}"}}}], "reply": {"status": 200}}]},
      {"on": "GET /terms", "next": [{"reply": {"page": {"title": "Terms"}}}]}]
    """#

  private static func registering(_ waiting: String = "", path: String = "/register", more: String = "") -> Sketch {
    Sketch(
      flow: #"""
        "events": {"link.welcome": {"fields": {"token": {"type": "string", "secret": true}, "lang": {"type": "string"}}}, "user.x": {}},
        "memory": {"n": {"type": "int", "initial": 0}}, \#(more) "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "\#(path)", "json": {"email": "ada@x.example"}}, "next": [{"goto": "mailed"}]},
          "mailed": {"rest": true, "on": {"link.welcome": {"do": [{"show": {"got": {"t": "${event.token}", "l": "${event.lang}"}}}], "goto": "done"}, "link.plain": {"goto": "plain"}, "link.code": {"do": [{"show": {"code": {"is": "${event.code}"}}}]}, "user.x": {"end": "over"}} \#(waiting)},
          "done": {"goal": true}, "plain": {"goal": true}}
        """#, services: ["api": mailing], participants: ["app": links])
  }

  @Test func mailLeavesBehindTheAnswer() throws {
    try checkStory(
      Self.registering(), #""script": []"#,
      expects: """
        launch by user
        in ask
        app → api POST /register {"email":"ada@x.example"}
        api → app 201
        mail welcome to ada@x.example
        in mailed
        rests in "mailed"
        """)
  }

  @Test func aLinkIntoTheAppArrivesWithThePatternsFields() throws {
    try checkStory(
      Self.registering(), #""script": [{"open mail": "welcome"}]"#,
      has:
        "mail welcome to ada@x.example\nopen mail welcome\nevent link.welcome {token=t 1, lang=de}\nshow got {t=t 1, l=de}\nin done"
    )
    try checkStory(
      Self.registering(), #""script": [{"open mail": "welcome", "link": "open"}]"#,
      has: "open mail welcome\nevent link.plain\nin plain")
  }

  @Test(arguments: ["https://api.example", "http://127.0.0.1:8080", "https://api.example:8443"])
  func whatIsFreshInALinkIsReadAlikeBehindEveryPort(origin: String) throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"link.in": {"fields": {"t": {"type": "string"}}}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/mail"}, "next": [{"goto": "mailed"}]},
          "mailed": {"rest": true, "on": {"link.in": {"do": [{"show": {"got": {"t": "${event.t}"}}}], "goto": "done"}}},
          "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "store": {"t": {"type": "string"}}, "routes": [
          {"on": "POST /mail", "next": [{
            "do": [{"set": {"t": "${fresh('t')}"}}, {"send": {"hello": {"links": {"in": "\#(origin)/in/é-${store.t}"}}}}], "reply": {"status": 200}}]}]
        """#
      ], participants: ["app": #", "links": {"in": "\#(origin)/in/{t}"}"#, "api": #", "url": "\#(origin)""#])
    try checkStory(
      sketch, #""script": [{"open mail": "hello"}]"#, has: "event link.in {t=é-t-1\(String(repeating: "_", count: 40))}"
    )
  }

  @Test func aPatternMayHaveTextAroundItsVariable() throws {
    try checkStory(
      Self.registering(), #""script": [{"open mail": "welcome", "link": "code"}], "ends": "mailed""#,
      has: "event link.code {code=42}\nshow code {is=42}")
  }

  @Test func anyOtherLinkOpensInTheBrowser() throws {
    try checkStory(
      Self.registering(), #""script": [{"open mail": "welcome", "link": "terms"}], "ends": "mailed""#,
      has: "open mail welcome\nbrowser → api GET /terms\npage Terms")
    try checkStory(
      Self.registering(), #""script": [{"open mail": "welcome", "link": "long"}], "ends": "mailed""#,
      has:
        "open mail welcome\npage This page cannot be reached: no service is at https://profile.example, and the address does not lead to the app"
    )
  }

  @Test func mailWithoutLinksIsOnlyRead() throws {
    try checkStory(
      Self.registering(path: "/bare"), #""script": [{"open mail": "bare"}], "ends": "mailed""#,
      has: "mail bare\nopen mail bare\nrests in \"mailed\"")
    try checkStory(
      Self.registering(path: "/bare"), has: "mail bare\nopen mail bare\nevent user.x\nended at end \"over\"")
  }

  @Test func whatAMailSaysIsToldAndNotKept() throws {
    let outcome = try Self.registering(path: "/bare").run()
    let said = outcome.happenings.compactMap { happening -> Value? in
      guard case .mail(let mail) = happening.fact else { return nil }
      return mail.text
    }
    #expect(said == [.string(Text("Read ada@x.example"))])
    #expect(outcome.snapshot.inbox.map(\.text) == [nil])
  }

  @Test func mailCanBeOpenedAgain() throws {
    try checkStory(
      Self.registering(), #""script": [{"open mail": "welcome"}, {"open mail": "welcome"}]"#,
      has: "in done\nopen mail welcome\nevent link.welcome {token=t 1, lang=de} ignored")
  }

  /// Sends a mail at the launch, and another when the person wants one; each has a number in its link.
  private static let sendingAgain = Sketch(
    flow: #"""
      "events": {"link.in": {"fields": {"n": {"type": "string"}}}, "user.again": {}}, "start": "ask", "states": {
        "ask": {"request": {"to": "api", "post": "/mails", "retry": {"when": "response.status == 503", "most": 1, "wait": "5s"}}, "next": [{"goto": "mailed"}]},
        "mailed": {"rest": true, "on": {"link.in": {"do": [{"show": {"got": {"n": "${event.n}"}}}]}, "user.again": {"goto": "ask"}}}}
      """#,
    services: [
      "api": #"""
      "store": {"n": {"type": "int", "initial": 0}}, "routes": [
        {"on": "POST /mails", "next": [{"name": "busy", "sometimes": true, "reply": {"status": 503}}, {"do": [{"set": {"n": "${store.n + 1}"}}, {"send": {"code": {"links": {
          "in": "com.example:/in/${store.n}", "also": "com.example:/in/also-${store.n}"}}}}], "reply": {"status": 202}}]}]
      """#
    ], participants: ["app": #", "links": {"in": "com.example:/in/{n}"}"#])

  @Test(arguments: [
    ("", "2"), (#", "nth": 1"#, "1"), (#", "nth": 2.0"#, "2"), (#", "nth": 1, "link": "also""#, "also-1"),
    (#", "link": "also""#, "also-2"),
  ]) func ofSeveralMailsWithOneNameAnOlderOneCanBeOpened(more: String, number: String) throws {
    let step = #"{"open mail": "code"\#(more)}"#
    try checkStory(
      Self.sendingAgain, #""script": [{"event": "user.again"}, \#(step)]"#,
      has: "open mail code\nevent link.in {n=\(number)}")
    // It counts though it was opened.
    try checkStory(
      Self.sendingAgain, #""script": [{"event": "user.again"}, {"open mail": "code", "nth": 1}, \#(step)]"#,
      has: "show got {n=1}\nopen mail code\nevent link.in {n=\(number)}")
  }

  @Test func aStepForAnOlderMailIsOfferedWhenThereAreSoMany() throws {
    try checkStory(
      Self.sendingAgain,
      #""faults": [{"request": "POST /mails", "nth": 2, "reply": "busy"}], "script": [{"event": "user.again"}, {"open mail": "code", "nth": 2}]"#,
      has:
        "api → app 503\n+5s\napp → api POST /mails\napi set n = 2\napi → app 202\nmail code\nin mailed\nopen mail code"
    )
    let step = #"{"open mail": "code", "nth": 3}"#
    try checkProblem(
      Self.sendingAgain, #""script": [{"event": "user.again"}, \#(step)]"#, is: "step-not-offered", at: step,
      says: #"The step "open mail code ("nth" 3)" is not offered"#)
  }

  @Test(arguments: [("{}", "it has none"), (#"{"out": "com.example:/out"}"#, "one of out")])
  func aLinkThatOnlyAnotherMailOfThatNameHasIsNotOffered(links: String, help: String) throws {
    var sketch = Self.sendingAgain
    let again = #"{"when": "store.n > 0", "do": [{"send": {"code": {"links": \#(links)}}}], "reply": {"status": 202}}"#
    let model = Self.sendingAgain.services[0].value
    sketch.services = ["api": model.replacing(#""next": [{"name"#, with: #""next": [\#(again), {"name"#)]
    try checkProblem(
      sketch, #""script": [{"event": "user.again"}, {"open mail": "code", "link": "in"}]"#, is: "step-not-offered",
      at: #""in""#, says: #"The mail "code" that is there has no link "in"; \#(help)"#)
    try checkStory(
      sketch, #""script": [{"event": "user.again"}, {"open mail": "code", "link": "in", "nth": 1}]"#,
      has: "open mail code\nevent link.in {n=1}")
  }

  @Test func aStepForMailThatIsUnderWayWaits() throws {
    try checkStory(
      Self.registering(),
      #""faults": [{"request": "POST /register", "delay": "10s"}], "script": [{"open mail": "welcome"}]"#,
      expects: """
        launch by user
        in ask
        app → api POST /register {"email":"ada@x.example"}
        fault: POST /register is received, and its answer takes 10s
        mail welcome to ada@x.example
        open mail welcome
        event link.welcome {token=t 1, lang=de} ignored
        +10s
        api → app 201
        in mailed
        rests in "mailed"
        """)
  }

  @Test func aLinkStartsAStoppedAppAndIsOfferedAtTheFirstWaitThatIsNotForAnAnswer() throws {
    try checkStory(
      Self.registering(), #""script": [{"kill": true}, {"advance": "1h"}, {"open mail": "welcome"}]"#,
      expects: """
        launch by user
        in ask
        app → api POST /register {"email":"ada@x.example"}
        api → app 201
        mail welcome to ada@x.example
        in mailed
        killed
        +3600s
        open mail welcome
        launch by inbox
        in ask
        app → api POST /register {"email":"ada@x.example"}
        api → app 201
        mail welcome to ada@x.example
        in mailed
        event link.welcome {token=t 1, lang=de}
        show got {t=t 1, l=de}
        in done
        ended at goal "done"
        """)
  }

  @Test func aKillForgetsTheLinkThatStartedTheApp() throws {
    try checkStory(
      Self.registering(),
      #""faults": [{"request": "POST /register", "nth": 2, "delay": "5s"}], "script": [{"kill": true}, {"open mail": "welcome"}, {"relaunch": true}], "ends": "mailed""#,
      has: "launch by inbox\nkilled\nlaunch by user\nin mailed", never: ["in done"])
  }

  @Test func aLinkThatNoStateTakesStartsAStoppedAppOnly() throws {
    var sketch = Self.registering()
    sketch.participants["app"] =
      #", "links": {"other": "https://profile.example/welcome/{token}", "welcome": "https://x.example/{token}", "plain": "com.example:/open", "code": "https://y.example/{code}"}"#
    try checkStory(sketch, #""script": [{"open mail": "welcome"}]"#, has: "open mail welcome\nrests in \"mailed\"")
    try checkStory(
      sketch, #""script": [{"kill": true}, {"open mail": "welcome"}]"#,
      has: "killed\nopen mail welcome\nlaunch by inbox\nin mailed")
  }

  @Test func aLinkReachesAnAppThatHasEnded() throws {
    try checkStory(
      Self.registering(), #""script": [{"event": "user.x"}, {"open mail": "welcome"}]"#,
      has:
        "event user.x\nopen mail welcome\nlaunch by inbox\nin ask\nin mailed\nevent link.welcome {token=t 1, lang=de}\nin done"
    )
  }
}
