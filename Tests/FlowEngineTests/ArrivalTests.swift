import FlowSpec
import Testing

@testable import FlowEngine

/// Addresses that something outside of the simulated world opens: a forged redirect, a link in a message.
@Suite struct ArrivalTests {
  private static let sketch = Sketch(
    flow: #"""
      "config": {"back": {"type": "string", "value": "com.example:/back"}},
      "events": {"browser.redirected": {"fields": {"code": {"type": "string"}}}, "link.welcome": {"fields": {"token": {"type": "string", "secret": true}}}},
      "start": "a", "states": {
        "a": {"rest": true, "on": {"browser.redirected": {"when": "event.code == 'right'", "goto": "b"}, "link.welcome": {"goto": "b"}}},
        "b": {"goal": true}}
      """#,
    services: ["web": #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#],
    participants: [
      "app":
        #", "redirectUris": ["${config.back}"], "links": {"welcome": "https://app.example/welcome/{token}"}"#
    ])

  @Test func aRedirectThatNobodyWaitedForArrives() throws {
    try checkStory(
      Self.sketch,
      #""script": [{"arrive": "com.example:/back?code=wrong"}, {"arrive": "${config.back}?code=right"}], "ends": "b""#,
      has: "event browser.redirected {code=wrong} ignored\nevent browser.redirected {code=right}\nin b")
  }

  /// Another app sends it: the person's page is still there, and what the person does on it counts.
  @Test func whatSomethingOutsideOpensLeavesTheTabAsItIs() throws {
    var sketch = Self.sketch
    sketch.flow = sketch.flow.replacing(
      #""a": {"rest": true,"#, with: #""a": {"do": [{"open": {"to": "web", "get": "/p"}}], "rest": true,"#)
    sketch.services = [
      "web":
        #""routes": [{"on": "GET /p", "next": [{"reply": {"page": {"title": "P", "links": {"back": {"uri": "com.example:/back?code=right"}}}}}]}]"#
    ]
    try checkStory(
      sketch, #""script": [{"arrive": "com.example:/back?code=wrong"}, {"follow": "back"}], "ends": "b""#,
      has:
        "page P\nevent browser.redirected {code=wrong} ignored\nfollow back\nevent browser.redirected {code=right}\nin b"
    )
    // A navigation of the tab itself closes it.
    try checkProblem(
      sketch, #""script": [{"follow": "back"}, {"close": "browser"}], "ends": "b""#, is: "step-not-offered",
      at: #"{"close": "browser"}"#)
    // It is still loading.
    try checkStory(
      sketch,
      #""script": [{"arrive": "com.example:/back?code=right"}], "faults": [{"request": "GET /p", "delay": "9s"}], "ends": "b""#,
      has: "event browser.redirected {code=right}\nin b\n+9s\nweb → browser 200\npage P")
  }

  /// As an app does that reads where an answer leads.
  @Test(arguments: [
    ("code=a&state=s", #"{"code":"a","state":"s"}"#), ("code=a&code=b&state=s", "{}"), ("code=a&c%6Fde=a", "{}"),
    ("code=a&Code=b", #"{"code":"a","Code":"b"}"#),
  ])
  func ofARedirectThatHasANameTwiceNothingCounts(query: String, shown: String) throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {"ask": {"request": {"to": "web", "get": "/x"}, "next": [
          {"do": [{"show": {"got": {"query": "${response.redirect.query}"}}}], "goto": "b"}]}, "b": {"goal": true}}
        """#,
      services: [
        "web":
          #""routes": [{"on": "GET /x", "next": [{"reply": {"status": 302, "headers": {"location": "com.example:/back?\#(query)"}}}]}]"#
      ])
    try checkStory(sketch, has: "show got {query=\(shown)}")
  }

  @Test func whatHasAFieldTwiceBringsNothing() throws {
    var sketch = Self.sketch
    sketch.flow = sketch.flow.replacing(
      #""code": {"type": "string"}"#, with: #""code": {"type": "string"}, "iss": {"type": "string"}"#)
    for query in ["code=right&code=wrong", "code=right&x=1&c%6Fde=right", "code=right&iss=a&iss=b", "code=right&code"] {
      try checkStory(
        sketch, #""script": [{"arrive": "com.example:/back?\#(query)"}]"#, has: "event browser.redirected ignored")
    }
    for query in ["x=1&code=right&x=2", "code=right&token=1&Code=2"] {
      try checkStory(
        sketch, #""script": [{"arrive": "com.example:/back?\#(query)"}], "ends": "b""#,
        has: "event browser.redirected {code=right}\nin b")
    }
  }

  /// Nobody knows what was meant, so no other text stands for it.
  @Test func whatIsNoUTF8IsNull() throws {
    for text in ["%ff", "ri%C3ght", "right%80", "%ED%A0%80", "%F8%88%80%80%80", "%C3"] {
      try checkStory(
        Self.sketch, #""script": [{"arrive": "com.example:/back?code=\#(text)"}]"#,
        has: "event browser.redirected ignored")
      try checkStory(
        Self.sketch, #""script": [{"arrive": "https://app.example/welcome/\#(text)"}], "ends": "b""#,
        has: "event link.welcome\nin b")
    }
    for (text, shown) in [("%C3%A9", "é"), ("%F0%9F%98%80", "😀"), ("%2", "%2")] {
      try checkStory(
        Self.sketch, #""script": [{"arrive": "com.example:/back?code=\#(text)"}]"#,
        has: "event browser.redirected {code=\(shown)} ignored")
    }
  }

  /// Whoever sends one must not get past what it is compared with.
  @Test func aNumberIsReadAsJSONHasIt() throws {
    var sketch = Self.sketch
    sketch.flow = sketch.flow.replacing(
      #""code": {"type": "string"}"#,
      with: #""code": {"type": "string"}, "d": {"type": "double"}, "n": {"type": "int"}"#)
    let read = ["-50": ", d=-50.0, n=-50", "1e2": ", d=100.0", "9223372036854775808": ", d=9.223372036854776e+18"]
    let others = ["nan", "inf", "0x10", "1e400", "007", "%2B5", "%205", "true", "%22x%22", "%5B1%5D", ""]
    for (text, fields) in read.map({ ($0, $1) }) + others.map({ ($0, "") }) {
      try checkStory(
        sketch, #""script": [{"arrive": "com.example:/back?code=right&d=\#(text)&n=\#(text)"}], "ends": "b""#,
        has: "event browser.redirected {code=right\(fields)}")
    }
  }

  @Test func aLinkSaysNothingTwiceBesidesItsOwnVariable() throws {
    try checkStory(
      Self.sketch, #""script": [{"arrive": "https://app.example/welcome/t-1?token=t-2&token=t-3"}], "ends": "b""#,
      has: "event link.welcome {token=t-1}\nin b")
  }

  @Test func aLinkOpensAnAppThatIsNotRunning() throws {
    try checkStory(
      Self.sketch, #""script": [{"kill": true}, {"arrive": "https://app.example/welcome/t-1"}], "ends": "b""#,
      has: "killed\nlaunch by inbox\nin a\nevent link.welcome {token=t-1}\nin b")
  }

  @Test func whatItBringsIsOfTheFieldThatHasItsScalars() throws {
    // Whoever compares letters takes the sign of the kelvin for a K.
    var sketch = Self.sketch
    sketch.flow = sketch.flow.replacing(
      #""code": {"type": "string"}"#, with: #""K": {"type": "string", "secret": true}"#
    ).replacing("event.code", with: "event.K")
    func text(of address: String) throws -> String {
      let outcome = try sketch.run(#""script": [{"arrive": "\#(address)"}]"#)
      return String(decoding: TraceWriter.trace(of: outcome, scenario: nil), as: UTF8.self)
    }
    let (known, other) = (try text(of: "com.example:/back?K=right"), try text(of: "com.example:/back?%E2%84%AA=right"))
    #expect(known.contains(#""with":{"K":"<K#1>"}"#), "\(known)")
    #expect(!other.contains("K#1") && !other.contains("right"), "\(other)")
    #expect(!other.unicodeScalars.contains("\u{212A}"))
  }

  /// Anybody can send it: it must not end the run where the app keeps it.
  @Test func aWordThatTheEventDoesNotHaveIsNoValue() throws {
    let fields = #"{"fields": {"plan": {"one of": ["FREE", "PAID"]}}}"#
    let sketch = Sketch(
      flow: #"""
        "store": {"plan": {"one of": ["FREE", "PAID"]}}, "events": {"browser.redirected": \#(fields)}, "start": "a", "states": {
          "a": {"rest": true, "on": {"browser.redirected": {"do": [{"set": {"plan": "${event.plan}"}}], "goto": "b"}}},
          "b": {"goal": true, "on": {"browser.redirected": {"do": [{"set": {"plan": "${event.plan}"}}], "goto": "b"}}}}
        """#, participants: ["app": #", "redirectUris": ["com.example:/back"]"#])
    try checkStory(
      sketch,
      #""script": [{"arrive": "com.example:/back?plan=PAID"}, {"arrive": "com.example:/back?plan=GOLD"}], "ends": "b""#,
      has: "event browser.redirected {plan=PAID}\nevent browser.redirected\nset plan = null\nin b")
  }

  /// RFC 3986, section 3.3: a path that begins with a slash is another than one without.
  @Test func aPathWithoutASlashIsAnother() throws {
    let (rooted, rootless) = ("com.example:/back", "com.example:back")
    for (own, other) in [(rooted, rootless), (rootless, rooted)] { try checkOthers(own, other) }
    try checkShown("com.other:back/x?code=")
  }

  /// Behind a scheme alone an empty path and a slash are two.
  @Test(arguments: [("com.example:/", "com.example:"), ("com.example:?own=1", "com.example:/")])
  func anEmptyPathIsAnotherThanASlash(own: String, other: String) throws {
    try checkOthers(own, other)
    try checkShown("com.other:?code=")
    try checkShown("com.other:/?code=")
  }

  /// How the trace has an address, behind which a code comes, to which a page leads.
  private func checkShown(_ uri: String) throws {
    var sketch = Self.sketch
    sketch.services = [
      "web": #""routes": [{"on": "GET /p", "next": [{"reply": {"redirect": {"uri": "\#(uri)right"}}}]}]"#
    ]
    sketch.flow = sketch.flow.replacing(
      #""a": {"rest": true,"#, with: #""a": {"do": [{"open": {"to": "web", "get": "/p"}}], "rest": true,"#)
    let trace = String(decoding: TraceWriter.trace(of: try sketch.run(#""script": []"#), scenario: nil), as: UTF8.self)
    #expect(trace.contains(#""redirect":"\#(uri)"#), "\(trace)")
  }

  /// What comes to the app's own address, and what comes to another.
  private func checkOthers(_ own: String, _ other: String) throws {
    var sketch = Self.sketch
    sketch.flow = sketch.flow.replacing("com.example:/back", with: own)
    try checkStory(
      sketch, #""script": [{"arrive": "\#(own.prefix { $0 != "?" })?code=right"}], "ends": "b""#,
      has: "event browser.redirected {code=right}\nin b")
    try checkStory(
      sketch, #""script": [{"arrive": "\#(other)?code=right"}]"#,
      has: #"problem foreign-address at "\#(other)?code=right""#)
  }

  @Test func anAddressThatIsNotTheAppsIsAnErrorAtItsPlace() throws {
    try checkStory(
      Self.sketch, #""script": [{"arrive": "https://app.example/elsewhere"}]"#,
      has: #"problem foreign-address at "https://app.example/elsewhere""#)
    let outcome = try Self.sketch.run(#""script": [{"arrive": "https://app.example/elsewhere"}]"#)
    #expect(outcome.problems.first?.help == "those are com.example:/back, https://app.example/welcome/{token}")
  }

  /// While an answer is awaited, too.
  @Test func aLinkThatComesLaterIsForTheStatesThatAreActive() throws {
    let asking = Sketch(
      flow: #"""
        "events": {"link.in": {"fields": {"n": {"type": "string"}}}}, "start": "home", "states": {
          "home": {"goal": true, "on": {"link.in": {"goto": "asking"}}},
          "asking": {"request": {"to": "api", "get": "/ask"}, "next": [{"goto": "home"}]}}
        """#, services: ["api": #""routes": [{"on": "GET /ask", "next": [{"reply": {}}]}]"#],
      participants: ["app": #", "links": {"in": "https://app.example/in/{n}"}"#])
    let script = #"{"arrive": "https://app.example/in/a"}, {"arrive": "https://app.example/in/b"}"#
    try checkStory(
      asking, #""script": [\#(script)], "faults": [{"request": "GET /ask", "delay": "5s"}], "ends": "home""#,
      has: "event link.in {n=b} ignored\n+5s\napi → app 200\nin home\n")
  }
}
