import Testing

/// Section 5, `retry`: further tries of a request.
@Suite struct RetryTests {
  private static func trying(_ retry: String, replies: String, next: String = "", flows: String = "") -> Sketch {
    Sketch(
      flow: #"""
        "store": {"n": {"type": "int", "initial": 0}}, "events": {"user.x": {}, "user.y": {}, "user.again": {}}, \#(flows)
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "get": "/x", "query": {"n": "${store.n}"}, "retry": {\#(retry)}},
            "on": {"user.x": {"goto": "left"}, "user.y": {"do": [{"show": {"noted": {}}}]}}, "next": [
              \#(next) {"when": "response.status == 200", "goto": "done"}, {"goto": "failed"}]},
          "done": {"goal": true}, "left": {"rest": true}, "failed": {"rest": true, "on": {"user.again": {"goto": "ask"}}}}
        """#,
      services: [
        "api": #"""
        "store": {"hits": {"type": "int", "initial": 0}}, "routes": [
          {"on": "GET /x", "next": [\#(replies) {"do": [{"set": {"hits": "${store.hits + 1}"}}], "reply": {"status": 503}}]}]
        """#
      ])
  }

  private static let busy = #""when": "response.status == 503""#
  private static func fine(after hits: Int) -> String {
    #"{"when": "store.hits >= \#(hits)", "reply": {"status": 200}},"#
  }

  @Test func triesAtMostSoOftenMore() throws {
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 2"#, replies: ""),
      expects: """
        launch by user
        in ask
        app → api GET /x?n=0
        api set hits = 1
        api → app 503
        app → api GET /x?n=0
        api set hits = 2
        api → app 503
        app → api GET /x?n=0
        api set hits = 3
        api → app 503
        in failed
        event user.again
        in ask
        app → api GET /x?n=0
        api set hits = 4
        api → app 503
        app → api GET /x?n=0
        api set hits = 5
        api → app 503
        app → api GET /x?n=0
        api set hits = 6
        api → app 503
        in failed
        rests in "failed"
        """)
  }

  @Test func waitGrowsByTheFactor() throws {
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 3, "wait": "1s", "factor": 2.5"#, replies: Self.fine(after: 3)),
      has: """
        +1s
        app → api GET /x?n=0
        +2.5s
        app → api GET /x?n=0
        +6.25s
        app → api GET /x?n=0
        api → app 200
        in done
        """)
  }

  @Test func theConditionIsLookedAtAfterEachTry() throws {
    try checkStory(
      Self.trying(#""when": "response.failure == 'unreachable'", "most": 9, "wait": "1s""#, replies: ""),
      #""faults": [{"request": "GET /x", "unreachable": true}]"#,
      has: "api → app unreachable\n+1s\napp → api GET /x?n=0\napi → app 503\nin failed")
  }

  /// Up to a minute, and beyond it where the wait is as long by itself.
  @Test(arguments: [("1s", "60", "60s"), ("90s", "70", "90s"), ("1s", "2, 5", "5s"), ("1s", "7 ,\\t3", "7s")])
  func retryAfterIsHonoured(wait: String, asked: String, waits: String) throws {
    let asks =
      #"{"when": "store.hits < 1", "do": [{"set": {"hits": 1}}], "reply": {"status": 503, "headers": {"Retry-After": "\#(asked)"}}}, {"reply": {"status": 200}},"#
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 1, "wait": "\#(wait)""#, replies: asks),
      has: "api → app 503\n+\(waits)\napp → api GET /x?n=0\nin done")
  }

  @Test(arguments: ["61", "99999999999999999999999"]) func beyondAMinuteNoFurtherTryIsMade(seconds: String) throws {
    let asks = #"{"reply": {"status": 503, "headers": {"Retry-After": "\#(seconds)"}}},"#
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 1"#, replies: asks), #""script": [], "ends": "failed""#,
      expects: """
        launch by user
        in ask
        app → api GET /x?n=0
        api → app 503
        in failed
        rests in "failed"
        """)
  }

  @Test func retryAfterMayBeADate() throws {
    func asks(_ date: String) -> String {
      #"{"when": "store.hits < 1", "do": [{"set": {"hits": 1}}], "reply": {"status": 503, "headers": {"Retry-After": "\#(date)"}}}, {"reply": {"status": 200}},"#
    }
    for date in ["Thu, 01 Jan 2026 09:00:20 GMT", "Thursday, 01-Jan-26 09:00:20 GMT", "Thu Jan  1 09:00:20 2026"] {
      try checkStory(Self.trying(#"\#(Self.busy), "most": 1"#, replies: asks(date)), has: "+20s\nin done")
    }
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 1"#, replies: asks("Thu, 01 Jan 2026 09:00:60 GMT")), has: "+60s\nin done")
    // What is over is not waited for, and two digits are no year that is more than 50 years ahead.
    for date in ["Sunday, 06-Nov-94 08:49:37 GMT", "Thu, 01 Jan 2026 08:59:00 GMT"] {
      try checkStory(
        Self.trying(#"\#(Self.busy), "most": 1"#, replies: asks(date)),
        expects: """
          launch by user
          in ask
          app → api GET /x?n=0
          api set hits = 1
          api → app 503
          app → api GET /x?n=0
          api → app 200
          in done
          ended at goal "done"
          """)
    }
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 1"#, replies: asks("Thursday, 02-Jan-75 09:00:00 GMT")),
      #""script": [], "ends": "failed""#, has: "in failed")
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 1"#, replies: asks("Fri, 02 Jan 2026 09:00:00 GMT")),
      #""script": [], "ends": "failed""#, has: "in failed")
  }

  @Test func doHappensBetweenTriesAndTemplatesAreEvaluatedAfresh() throws {
    try checkStory(
      Self.trying(
        #"\#(Self.busy), "most": 1, "wait": "2s", "do": [{"set": {"n": "${store.n + response.status}"}}]"#,
        replies: Self.fine(after: 1)),
      has: "api → app 503\n+2s\nset n = 503\napp → api GET /x?n=503\nin done")
  }

  private static let refresh = #"""
    "flows": {"refresh": {"ends": ["refreshed", "refused"], "start": "r", "states": {
      "r": {"request": {"to": "api", "post": "/token"}, "next": [
        {"when": "response.status == 200", "do": [{"set": {"n": 7}}], "end": "refreshed"}, {"end": "refused"}]}}}},
    """#

  private static func calling(_ status: Int) -> Sketch {
    var sketch = trying(
      #"\#(busy), "most": 3, "call": "refresh""#, replies: fine(after: 2),
      next: #"{"when": "result.ended == 'refused'", "goto": "left"},"#, flows: refresh)
    sketch.services = [
      "api": #"""
      "store": {"hits": {"type": "int", "initial": 0}}, "routes": [
        {"on": "POST /token", "next": [{"reply": {"status": \#(status)}}]},
        {"on": "GET /x", "next": [\#(fine(after: 2)) {"do": [{"set": {"hits": "${store.hits + 1}"}}], "reply": {"status": 503}}]}]
      """#
    ]
    return sketch
  }

  @Test func theFirstEndOfTheCalledSubFlowLeadsToTheNextTry() throws {
    try checkStory(
      Self.calling(200),
      has: """
        app → api GET /x?n=0
        api → app 503
        in r
        app → api POST /token
        api → app 200
        set n = 7
        app → api GET /x?n=7
        api → app 503
        in r
        app → api POST /token
        app → api GET /x?n=7
        api → app 200
        in done
        """)
  }

  @Test func anyOtherEndEndsTheTriesAndNextKnowsIt() throws {
    try checkStory(
      Self.calling(400),
      expects: """
        launch by user
        in ask
        app → api GET /x?n=0
        api set hits = 1
        api → app 503
        in r
        app → api POST /token
        api → app 400
        in left
        rests in "left"
        """)
  }

  @Test func endedIsNullWhenNoCallRan() throws {
    let sketch = Self.trying(
      #""when": "response.status == 401", "most": 1, "call": "refresh""#, replies: "",
      next: #"{"when": "result.ended == null", "do": [{"show": {"no call": {}}}], "goto": "left"},"#,
      flows: Self.refresh)
    try checkStory(sketch, has: "api → app 503\nshow no call\nin left")
  }

  @Test func leavingOnTheWayAbandonsTheRetry() throws {
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 3, "wait": "5s""#, replies: ""),
      #""script": [{"event": "user.x"}, {"advance": "1m"}], "ends": "left""#,
      expects: """
        launch by user
        in ask
        app → api GET /x?n=0
        api set hits = 1
        api → app 503
        event user.x
        in left
        +60s
        rests in "left"
        """)
  }

  /// A transition without `goto` stays, and the state's tries go on as its timers do.
  @Test func anEventThatStaysLetsTheTriesGoOn() throws {
    try checkStory(
      Self.trying(#"\#(Self.busy), "most": 1, "wait": "5s""#, replies: Self.fine(after: 1)),
      #""script": [{"event": "user.y"}], "ends": "done""#,
      has: "api → app 503\nevent user.y\nshow noted\n+5s\napp → api GET /x?n=0\nin done")
  }

  @Test func leavingTheSubFlowOfARetryAbandonsItToo() throws {
    let refresh = Self.refresh.replacing(
      #""request": {"to": "api", "post": "/token"}, "next": ["#,
      with: #""next": [{"when": "store.n < 0", "end": "refused"}], "on": {"user.again": ["#
    )
    .replacing(#"{"end": "refused"}]}}}}"#, with: #"{"end": "refused"}]}}}}}"#)
    .replacing("response.status == 200", with: "store.n == 0")
    let sketch = Self.trying(
      #"\#(Self.busy), "most": 3, "call": "refresh""#, replies: Self.fine(after: 1),
      next: #"{"when": "result.ended == 'refused'", "goto": "left"},"#, flows: refresh)
    try checkStory(
      sketch, #""script": [{"event": "user.x"}], "ends": "left""#, has: "in r\nevent user.x\nin left\nrests in \"left\""
    )
    try checkStory(
      sketch, #""script": [{"event": "user.y"}, {"event": "user.again"}], "ends": "done""#,
      has: "in r\nevent user.y\nshow noted\nevent user.again\nset n = 7\napp → api GET /x?n=7\nin done")
  }

  @Test func eachTryHasItsOwnTimeOut() throws {
    try checkStory(
      Self.trying(#""when": "response.failure == 'lost'", "most": 1, "wait": "1s""#, replies: Self.fine(after: 1)),
      #""faults": [{"request": "GET /x", "lost": true}]"#,
      has: "app → api GET /x?n=0\n+30s\napi → app lost\n+1s\napp → api GET /x?n=0\nin done")
  }
}
