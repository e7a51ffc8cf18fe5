import FlowSpec
import Testing

@testable import FlowEngine

/// Section 6: routes, exchanges, and what a service does by itself or when asked.
@Suite struct ServiceTests {
  private static func asking(_ service: String, by request: String = #""get": "/x/1""#, back: String? = nil) -> Sketch {
    var sketch = Sketch(
      flow: #"""
        "events": {"user.again": {}, "user.x": {}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", \#(request)}, "on": {"user.x": {"goto": "left"}}, "next": [
            {"do": [{"show": {"got": {"s": "${response.status}", "j": "${response.json}"}}}], "goto": "done"}]},
          "done": {"goal": true, "on": {"user.again": {"goto": "ask"}}}, "left": {"goal": true}}
        """#, services: ["api": service])
    if let back { sketch.services = ["api": service, "back": back] }
    return sketch
  }

  @Test func theFirstRouteInDocumentOrderWins() throws {
    try checkStory(
      Self.asking(
        #""routes": [{"on": "GET /x/{id}", "next": [{"reply": {"json": "any ${request.path.id}"}}]}, {"on": "GET /x/1", "next": [{"reply": {"json": "one"}}]}]"#
      ),
      has: "show got {s=200, j=any 1}")
    try checkStory(
      Self.asking(
        #""routes": [{"on": "POST /x/1", "next": [{"reply": {"json": "posted"}}]}, {"on": "GET /x/1", "next": [{"reply": {"json": "one"}}]}, {"on": "GET /x/{id}", "next": [{"reply": {"json": "any"}}]}]"#
      ),
      has: "show got {s=200, j=one}")
  }

  @Test func whatAModelOfSeveralParticipantsDoesIsToldOfTheOneThatIsAsked() throws {
    var sketch = Self.asking(
      #""routes": [{"on": "GET /x/{id}", "next": [{"name": "taken", "goto": "busy"}]}], "states": {"busy": {"next": [{"name": "said", "reply": {"json": 1}}]}}"#
    )
    sketch.participants["api"] =
      #", "url": "https://api.example"}, "other": {"kind": "service", "url": "https://other.example", "model": "api.json""#
    try checkStory(sketch, has: "api in busy", never: ["other in busy"])
    let taken = try sketch.run().happenings.compactMap { happening -> TransitionTaken? in
      guard case .transition(let taken) = happening.fact, taken.name != nil else { return nil }
      return taken
    }
    let flow = try sketch.load()
    #expect(taken.map(\.name) == ["taken", "said"])
    #expect(taken.map(\.source) == ["GET /x/{id}", "busy"])
    #expect(taken.map { flow.participants[$0.lane].name } == ["api", "api"])
    #expect(taken.map(\.service) == [0, 0])
  }

  @Test func aVariableMayHaveTextAroundItInItsSegment() throws {
    let service =
      #""routes": [{"on": "GET /x({id})/y", "next": [{"reply": {"json": "${request.path.id}"}}]}, {"on": "GET /{file}.json", "next": [{"reply": {"json": "file ${request.path.file}"}}]}]"#
    for (path, answer) in [
      ("/x(${'a b'})/y", "a b"), ("/x(())/y", "()"), ("/${'é'}.json", "file é"), ("/.json.json", "file .json"),
    ] {
      try checkStory(
        Self.asking(service, by: #""get": "\#(path)""#),
        has: "show got {s=200, j=\(answer)}")
    }
    for path in ["/x()/y", "/x(1/y", "/X(1)/y", "/x(1)/yy", "/.json", "/x"] {
      try checkStory(Self.asking(service, by: #""get": "\#(path)""#), has: "api → app 404")
    }
    try checkStory(
      Self.asking(service, by: #""get": "/x(1)/y""#),
      #""faults": [{"request": "GET /x({key})/y", "unreachable": true}]"#, has: "show got {s=0, j={}}")
  }

  @Test func theFirstTransitionThatHoldsReplies() throws {
    try checkStory(
      Self.asking(
        #""routes": [{"on": "GET /x/{id}", "next": [{"when": "request.path.id == '2'", "reply": {"status": 201}}, {"when": "request.path.id == '1'", "reply": {"status": 202}}, {"reply": {"status": 203}}]}]"#
      ),
      has: "show got {s=202, j={}}")
  }

  private static let counting = #"""
    "store": {"hits": {"type": "int", "initial": 0}}, "memory": {"m": {"type": "int", "initial": 10}},
    "config": {"name": {"type": "string", "value": "svc"}}, "let": {"total": "store.hits + memory.m"},
    "routes": [{"on": "GET /x/{id}", "next": [{"do": [{"set": {"hits": "${store.hits + 1}", "m": "${memory.m + 1}"}}], "goto": "think"}]}],
    "states": {"think": {"next": [{"when": "store.hits > 100", "reply": {"status": 500}}, {"goto": "say"}]},
      "say": {"do": [{"set": {"m": "${memory.m * 2}"}}], "next": [{"reply": {"json": ["${config.name}", "${total}", "${request.path.id}"]}}]}}
    """#

  @Test func anExchangeHasItsOwnMemoryAndTheStoreIsTheServices() throws {
    try checkStory(
      Self.asking(Self.counting), #""script": [{"event": "user.again"}]"#,
      expects: """
        launch by user
        in ask
        app → api GET /x/1
        api set hits = 1, m = 11
        api in think
        api in say
        api set m = 22
        api → app 200
        show got {s=200, j=["svc",23,"1"]}
        in done
        event user.again
        in ask
        app → api GET /x/1
        api set hits = 2, m = 11
        api in think
        api in say
        api set m = 22
        api → app 200
        show got {s=200, j=["svc",24,"1"]}
        in done
        ended at goal "done"
        """)
  }

  private static let front = #"""
    "routes": [{"on": "GET /x/{id}", "next": [{"goto": "asks"}]}], "states": {
      "asks": {"request": {"to": "back", "get": "/y/${request.path.id}", "timeout": "5s", "retry": {"when": "response.failure == 'lost'", "most": 1, "wait": "1s"}},
        "next": [{"when": "response.failure != null", "reply": {"status": 504, "json": "${response.failure}"}}, {"reply": {"status": 200, "json": {"via": "${response.json}"}}}]}}
    """#
  private static let back =
    #""store": {"n": {"type": "int", "initial": 0}}, "routes": [{"on": "GET /y/{id}", "next": [{"do": [{"set": {"n": "${store.n + 1}"}}], "reply": {"json": "${store.n}"}}]}]"#

  @Test func aServiceAsksAnother() throws {
    try checkStory(
      Self.asking(Self.front, back: Self.back),
      has:
        "app → api GET /x/1\napi in asks\napi → back GET /y/1\nback set n = 1\nback → api 200\napi → app 200\nshow got {s=200, j={\"via\":1}}"
    )
  }

  @Test func nestedRequestsTimeOutAndAreTriedAgain() throws {
    try checkStory(
      Self.asking(Self.front, back: Self.back), #""faults": [{"request": "GET /y/{id}", "lost": true}]"#,
      has:
        "back set n = 1\n+5s\nback → api lost\n+1s\napi → back GET /y/1\nback → api 200\napi → app 200\nshow got {s=200, j={\"via\":2}}"
    )
    try checkStory(
      Self.asking(Self.front, back: Self.back),
      #""faults": [{"request": "GET /y/{id}", "unreachable": true, "nth": "every"}]"#,
      has: "back → api unreachable\napi → app 504\nshow got {s=504, j=unreachable}")
  }

  @Test func anAbandonedRequestIsActedOnAllTheSame() throws {
    try checkStory(
      Self.asking(Self.front, back: Self.back),
      #""faults": [{"request": "GET /y/{id}", "delay": "3s"}], "script": [{"event": "user.x"}]"#,
      has: "in left\n+3s\nback → api 200\napi → app 200 dropped")
  }

  @Test func aTryThatNobodyWaitsForCountsAndGoesWrongAsAnyOther() throws {
    let sketch = Self.asking(Self.front, by: #""get": "/x/1", "timeout": "2s""#, back: Self.back)
    let given = "+2s\napi → app lost\nin done\n+3s\nback → api lost\n+1s\napi → back GET /y/1\n"
    try checkStory(
      sketch, #""faults": [{"request": "GET /y/{id}", "nth": "every", "lost": true}], "script": []"#,
      has: given + "back set n = 2\n+5s\nback → api lost\napi → app 504 dropped")
    try checkStory(
      sketch,
      #""faults": [{"request": "GET /y/{id}", "lost": true}, {"request": "GET /y/{id}", "nth": 2, "unreachable": true}], "script": []"#,
      has: given + "back → api unreachable\napi → app 504 dropped")
    try checkStory(
      sketch,
      #""faults": [{"request": "GET /y/{id}", "nth": "every", "lost": true}], "script": [{"kill": true}, {"advance": "1m"}, {"launch": true}]"#,
      has: "back set n = 2\n+5s\nback → api lost\napi → app 504 dropped")
  }

  @Test func aTimeOutOfTheCallerLeavesTheServiceAtWork() throws {
    try checkStory(
      Self.asking(Self.front, by: #""get": "/x/1", "timeout": "2s""#, back: Self.back),
      #""faults": [{"request": "GET /y/{id}", "delay": "3s"}]"#,
      has: "+2s\napi → app lost\nshow got {s=0, j={}}\nin done")
    try checkStory(
      Self.asking(Self.front, by: #""get": "/x/1", "timeout": "2s""#, back: Self.back),
      #""faults": [{"request": "GET /y/{id}", "delay": "3s"}], "script": []"#,
      has: "+2s\napi → app lost\nin done\n+1s\nback → api 200\napi → app 200 dropped")
  }

  private static let moody = #"""
    "store": {"n": {"type": "int", "initial": 0}},
    "sometimes": [{"name": "busy", "reply": {"status": 503}}],
    "routes": [{"on": "GET /x/{id}", "next": [
      {"reply": {"status": 200}, "when": "store.n > 5"},
      {"name": "revoked", "sometimes": true, "do": [{"set": {"n": 3}}], "reply": {"status": 401}},
      {"name": "early", "sometimes": true, "when": "store.n > 0", "reply": {"status": 425}},
      {"name": "thinks", "sometimes": true, "goto": "think"},
      {"do": [{"set": {"n": "${store.n + 1}"}}], "goto": "think"}]}],
    "states": {"think": {"next": [
      {"name": "tired", "sometimes": true, "reply": {"status": 500}}, {"when": "store.n == 0", "reply": {"status": 204}}, {"reply": {"status": 200}}]}}
    """#

  @Test func sometimesNeverHappensByItself() throws {
    try checkStory(Self.asking(Self.moody), has: "api set n = 1\napi in think\napi → app 200")
  }

  @Test(arguments: [
    ("busy", "api → app 503"), ("revoked", "api set n = 3\napi → app 401"), ("thinks", "api in think\napi → app 204"),
    ("tired", "api set n = 1\napi in think\napi → app 500"),
  ]) func sometimesHappensWhenItIsAskedForByName(name: String, story: String) throws {
    try checkStory(Self.asking(Self.moody), #""faults": [{"request": "GET /x/{id}", "reply": "\#(name)"}]"#, has: story)
  }

  @Test func whatIsAskedForIsTriedBeforeAllOthersAndMustHold() throws {
    try checkStory(
      Self.asking(Self.moody),
      #""given": {"services": {"api": {"n": 9}}}, "faults": [{"request": "GET /x/{id}", "reply": "revoked"}]"#,
      has: "api set n = 3\napi → app 401")
    try checkProblem(
      Self.asking(Self.moody), #""faults": [{"request": "GET /x/{id}", "reply": "early"}], "ends": "done""#,
      is: "reply-does-not-hold", at: #"{"name": "early", "sometimes": true, "wh"#,
      says: "does not hold; let its \"when\" hold by then")
    try checkProblem(
      Self.asking(Self.moody),
      #""given": {"services": {"api": {"n": 9}}}, "faults": [{"request": "GET /x/{id}", "reply": "tired"}], "ends": "done""#,
      is: "reply-not-reached", at: #"{"reply": {"status": 200}, "when": "stor"#)
  }

  /// Of two faults that ask for it, the one that struck is pointed at.
  @Test(arguments: [("early", ""), ("tired", #""given": {"services": {"api": {"n": 9}}}, "#)])
  func whatCannotBeGivenIsToldWithTheFaultThatAskedForIt(reply: String, given: String) throws {
    let fault = #"{"request": "GET /x/{id}", "reply": "\#(reply)"}"#
    let later = #"{"request": "GET /x/{id}", "nth": 2, "reply": "\#(reply)"}"#
    let outcome = try Self.asking(Self.moody).run(#"\#(given)"faults": [\#(later), \#(fault)], "ends": "done""#)
    let labels = try #require(outcome.problems.first).labels
    #expect(labels.map(\.site.document.path).first?.contains("api") == true && labels.count == 2)
    let asked = try #require(labels.last)
    #expect(asked.text == "asked for here")
    #expect(String(decoding: asked.site.document.bytes[asked.site.range], as: UTF8.self) == fault)
  }

  @Test func whatIsAskedForMayStandBehindANestedAnswer() throws {
    let front = Self.front.replacing(
      #""next": [{"when": "response.failure"#,
      with: #""next": [{"name": "grumpy", "sometimes": true, "reply": {"status": 418}}, {"when": "response.failure"#)
    try checkStory(Self.asking(front, back: Self.back), has: "back → api 200\napi → app 200")
    try checkStory(
      Self.asking(front, back: Self.back), #""faults": [{"request": "GET /x/{id}", "reply": "grumpy"}]"#,
      has: "back → api 200\napi → app 418")
  }

  @Test func onlyABearerTokenIsReadAsOne() throws {
    for (header, isBearer) in [
      ("Bearer abc", true), ("bEARER abc", true), ("Bearer: abc", false), ("Digest abc", false),
    ] {
      let sketch = Sketch(
        flow: #"""
          "start": "ask", "states": {"ask": {"request": {"to": "api", "get": "/x", "headers": {"Authorization": "\#(header)"}}, "next": [
            {"when": "response.status == 200", "goto": "in"}, {"goto": "out"}]}, "in": {"goal": true}, "out": {"goal": true}}
          """#,
        services: [
          "api": #"""
          "routes": [{"on": "GET /x", "next": [
            {"when": "request.bearer == 'abc'", "reply": {}}, {"when": "request.bearer == null", "reply": {"status": 401}},
            {"reply": {"status": 500}}]}]
          """#
        ])
      try checkStory(sketch, has: isBearer ? "api → app 200" : "api → app 401")
    }
  }

  /// RFC 6750, section 2.1.
  @Test func aBearerTokenIsAHeaderToo() throws {
    let reads = #""routes": [{"on": "GET /x/1", "next": [{"reply": {"json": "${request.headers.?authorization}"}}]}]"#
    try checkStory(
      Self.asking(reads, by: #""get": "/x/1", "bearer": "abc""#), has: "show got {s=200, j=Bearer abc}")
  }

  @Test func codesAreUsedOnce() throws {
    let oneUse = #"""
      "secrets": ["code"], "memory": {"code": {"type": "string"}},
      "store": {"codes": {"rows": {"used": {"type": "bool", "initial": false}}}},
      "routes": [{"on": "GET /x/{id}", "next": [{"do": [{"set": {"code": "${fresh('code')}"}}, {"set": {"codes[memory.code].used": false}}], "goto": "give"}]},
        {"on": "POST /x", "next": [
          {"when": "request.form.code in store.codes && !store.codes[request.form.code].used", "do": [{"set": {"codes[request.form.code].used": true}}], "reply": {"status": 200}},
          {"reply": {"status": 400}}]}],
      "states": {"give": {"next": [{"reply": {"json": {"code": "${memory.code}"}}}]}}
      """#
    let sketch = Sketch(
      flow: #"""
        "memory": {"code": {"type": "string", "secret": true}}, "start": "get", "states": {
          "get": {"request": {"to": "api", "get": "/x/1"}, "next": [{"do": [{"set": {"code": "${response.json.code}"}}], "goto": "use"}]},
          "use": {"request": {"to": "api", "post": "/x", "form": {"code": "${memory.code}"}}, "next": [{"when": "response.status == 200", "goto": "use"}, {"goto": "done"}]},
          "done": {"goal": true}}
        """#, services: ["api": oneUse])
    try checkStory(sketch, has: "in use\napi → app 200\nin use\napi → app 400\nin done")
  }

  @Test func repliesHaveHeadersFormsAndTexts() throws {
    try checkStory(
      Self.asking(#""routes": [{"on": "GET /x/{id}", "next": [{"reply": {"text": "{\"a\": [1, 2.5, null]}"}}]}]"#),
      has: #"show got {s=200, j={"a":[1,2.5,null]}}"#)
    for text in [#"{\"a\": 1, \"a\": 2}"#, "nope", ""] {
      try checkStory(
        Self.asking(#""routes": [{"on": "GET /x/{id}", "next": [{"reply": {"text": "\#(text)"}}]}]"#),
        has: "show got {s=200, j={}}")
    }
    for (text, shown) in [("3", "3"), ("null", "null"), ("[1]", "[1]"), (#"\"s\""#, "s")] {
      try checkStory(
        Self.asking(#""routes": [{"on": "GET /x/{id}", "next": [{"reply": {"text": "\#(text)"}}]}]"#),
        has: "show got {s=200, j=\(shown)}")
    }
  }
}
