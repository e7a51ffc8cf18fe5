import Testing

/// Section 5, requests: what is sent, what comes back, and when.
@Suite struct RequestTests {
  /// An app that asks once and shows what it sees.
  private static func asking(_ request: String, next: String? = nil, routes: String? = nil) -> Sketch {
    Sketch(
      flow: #"""
        "store": {"a": {"type": "string"}, "n": {"type": "int", "initial": 3}}, "events": {"user.x": {}},
        "config": {"issuer": {"type": "string", "value": "https://api.example/tenant"}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", \#(request)}, "on": {"user.x": {"goto": "left"}}, "next": [
            \#(next ?? #"{"when": "response.failure == 'lost'", "goto": "lost"}, {"when": "response.failure == 'unreachable'", "goto": "unreachable"},"#)
            {"goto": "done"}]},
          "done": {"goal": true}, "left": {"goal": true}, "lost": {"goal": true}, "unreachable": {"goal": true}}
        """#,
      services: [
        "api": #""store": {"hits": {"type": "int", "initial": 0}}, "routes": [\#(routes ?? plain)]"#
      ])
  }

  private static let plain =
    #"{"on": "GET /x", "next": [{"do": [{"set": {"hits": "${store.hits + 1}"}}], "reply": {"status": 200}}]}"#

  private static func show(_ fields: String) -> String {
    #"{"do": [{"show": {"seen": {\#(fields)}}}], "goto": "done"},"#
  }

  @Test func theAnswerTakesNext() throws {
    try checkStory(
      Self.asking(#""get": "/x""#),
      expects: """
        launch by user
        in ask
        app → api GET /x
        api set hits = 1
        api → app 200
        in done
        ended at goal "done"
        """)
  }

  @Test(arguments: [
    (#""json": 1"#, "application/json"), (#""form": {"a": "1"}"#, "application/x-www-form-urlencoded"),
    (#""text": "hello""#, "text/plain;charset=utf-8"), (#""page": {"title": "T"}"#, "text/html"),
    (#""status": 201"#, "none"),
    (#""json": 1, "headers": {"Content-Type": "application/problem+json"}"#, "application/problem+json"),
  ]) func aBodyHasTheTypeThatItHasOnTheWire(reply: String, type: String) throws {
    let shown = Self.show(#""t": "${response.headers[?'content-type'].orValue('none')}""#)
    let routes = #"{"on": "POST /x", "next": [{"reply": {\#(reply)}}]}"#
    try checkStory(Self.asking(#""post": "/x""#, next: shown, routes: routes), has: "show seen {t=\(type)}")
    guard !reply.contains("page"), !reply.contains("status") else { return }
    let echo =
      #"{"on": "POST /x", "next": [{"reply": {"json": "${request.headers[?'content-type'].orValue('none')}"}}]}"#
    try checkStory(
      Self.asking(#""post": "/x", \#(reply)"#, next: Self.show(#""t": "${response.json}""#), routes: echo),
      has: "show seen {t=\(type)}")
  }

  @Test func unreachableTakesNoTimeAndTheServerHasNotActed() throws {
    try checkStory(
      Self.asking(#""get": "/x""#), #""faults": [{"request": "GET /x", "unreachable": true}]"#,
      expects: """
        launch by user
        in ask
        app → api GET /x
        fault: GET /x cannot be sent
        api → app unreachable
        in unreachable
        ended at goal "unreachable"
        """)
  }

  @Test func offlineIsUnreachableAtOnce() throws {
    try checkStory(
      Self.asking(#""get": "/x""#), #""given": {"device": {"online": false}}"#,
      has: "app → api GET /x\napi → app unreachable\nin unreachable", never: ["api set hits = 1"])
  }

  @Test func lostComesAtTheTimeOutAndTheServerHasActed() throws {
    try checkStory(
      Self.asking(#""get": "/x", "timeout": "12s""#), #""faults": [{"request": "GET /x", "lost": true}]"#,
      expects: """
        launch by user
        in ask
        app → api GET /x
        fault: GET /x is received, and its answer is lost
        api set hits = 1
        +12s
        api → app lost
        in lost
        ended at goal "lost"
        """)
  }

  @Test func withoutATimeOutThirtySecondsCount() throws {
    try checkStory(
      Self.asking(#""get": "/x""#), #""faults": [{"request": "GET /x", "lost": true}]"#, has: "+30s\napi → app lost")
  }

  @Test func aDelayBelowTheTimeOutHoldsTheAnswer() throws {
    try checkStory(
      Self.asking(#""get": "/x""#), #""faults": [{"request": "GET /x", "delay": "29s"}]"#,
      has: "api set hits = 1\n+29s\napi → app 200\nin done")
  }

  @Test(arguments: ["30s", "31s", "3d"]) func aDelayFromTheTimeOutOnLosesTheAnswer(delay: String) throws {
    try checkStory(
      Self.asking(#""get": "/x""#), #""faults": [{"request": "GET /x", "delay": "\#(delay)"}]"#,
      has: "api set hits = 1\n+30s\napi → app lost\nin lost", never: ["api → app 200", "api → app 200 dropped"])
  }

  @Test func answerThatComesAfterLeavingIsDropped() throws {
    try checkStory(
      Self.asking(#""get": "/x""#),
      #""faults": [{"request": "GET /x", "delay": "5s"}], "script": [{"event": "user.x"}], "ends": "left""#,
      expects: """
        launch by user
        in ask
        app → api GET /x
        fault: GET /x is received, and its answer takes 5s
        api set hits = 1
        event user.x
        in left
        +5s
        api → app 200 dropped
        ended at goal "left"
        """)
  }

  @Test func anAnswerInPlaceOfTheModelComesAtOnceAndTheModelDoesNotAct() throws {
    try checkStory(
      Self.asking(
        #""get": "/x""#,
        next: Self.show(#""status": "${response.status}", "json": "${response.json}", "text": "${response.text}""#)),
      #""faults": [{"request": "GET /x", "answer": {"status": 502, "text": "<html>"}}]"#,
      has: "api → app 502\nshow seen {status=502, json={}, text=<html>}", never: ["api set hits = 1"])
  }

  @Test func aBodyThatIsNestedTooDeepIsNoJSON() throws {
    let deep = String(repeating: "[", count: 50_000) + String(repeating: "]", count: 50_000)
    try checkStory(
      Self.asking(#""get": "/x""#, next: Self.show(#""json": "${response.json}""#)),
      #""faults": [{"request": "GET /x", "answer": {"text": "\#(deep)"}}]"#, has: "show seen {json={}}")
  }

  @Test func whatHasNoRouteIsAnsweredWith404() throws {
    try checkStory(Self.asking(#""get": "/y""#), has: "app → api GET /y\napi → app 404\nin done")
    try checkStory(Self.asking(#""delete": "/x""#), has: "app → api DELETE /x\napi → app 404\nin done")
  }

  @Test func bodiesAreJSONFormsOrText() throws {
    let echo = #"""
      {"on": "POST /x", "next": [{"reply": {"status": 200, "json": {
        "json": "${request.json}", "form": "${request.form}", "text": "${request.text}"}}}]}
      """#
    let seen = Self.show(#""got": "${response.json}""#)
    func check(_ body: String, sent: String, got: String) throws {
      try checkStory(
        Self.asking(#""post": "/x", \#(body)"#, next: seen, routes: echo),
        has: "app → api POST /x \(sent)\napi → app 200\nshow seen {got=\(got)}")
    }
    try check(
      #""json": {"n": "${store.n}", "s": "n is ${store.n}", "list": [1, "${store.n}"]}"#,
      sent: #"{"n":3,"s":"n is 3","list":[1,3]}"#,
      got: #"{"json":{"n":3,"s":"n is 3","list":[1,3]},"form":{},"text":""}"#)
    try check(
      #""form": {"n": "${store.n}", "yes": true}"#, sent: "form n=3&yes=true",
      got: #"{"json":{},"form":{"n":"3","yes":"true"},"text":""}"#)
    try check(#""text": "n=${store.n}""#, sent: "text n=3", got: #"{"json":{},"form":{},"text":"n=3"}"#)
  }

  @Test func absentMembersAreDroppedAndNullStays() throws {
    try checkStory(
      Self.asking(
        #""post": "/x", "json": {"a": "${store.a}", "b": "${store.?a}", "c": ["${store.?a}", 1]}, "query": {"q": "${store.?a}", "n": "${store.?n}"}, "headers": {"X-A": "${store.?a}", "X-N": "${store.n}"}"#
      ),
      has: #"app → api POST /x?n=3 [x-n=3] {"a":null,"c":[1]}"#)
  }

  @Test(arguments: [
    #""get": "/x/${store.a}""#, #""get": "/x", "query": {"a": "${store.a}"}"#,
    #""get": "/x", "headers": {"x-a": "${store.a}"}"#, #""post": "/x", "form": {"a": "${store.a}"}"#,
  ]) func nullIsAnErrorWhereTextIsNeeded(request: String) throws {
    try checkProblem(
      Self.asking(request), is: "text-needed", at: request.contains("/x/") ? "\"/x/${store.a}\"" : "\"${store.a}\"")
  }

  @Test func aTemplateThatBeginsThePathIsAWholeURL() throws {
    try checkStory(
      Self.asking(#""get": "${config.issuer}/x?a=1&b=c%20d", "query": {"n": "${store.n}"}"#),
      has: "app → api GET /tenant/x?a=1&b=c d&n=3")
  }

  @Test func aWholeURLOfAnotherOriginIsAnError() throws {
    try checkStory(
      Self.asking(#""get": "${config.issuer}/x""#),
      #""given": {"config": {"issuer": "https://evil.example"}}, "ends": "done""#,
      has: "problem foreign-origin at \"${config.issuer}/x\"")
  }

  @Test func pathVariablesAreReadDecoded() throws {
    try checkStory(
      Self.asking(
        #""get": "/x/${'a/b c'}/${store.n}""#, next: Self.show(#""got": "${response.json}""#),
        routes:
          #"{"on": "GET /x/{id}/{n}", "next": [{"reply": {"status": 200, "json": {"id": "${request.path.id}", "n": "${request.path.n}"}}}]}"#
      ),
      has: #"show seen {got={"id":"a/b c","n":"3"}}"#)
  }

  @Test func headersAreReadInLowerCaseAndBearersApart() throws {
    try checkStory(
      Self.asking(
        #""get": "/x", "bearer": "t${store.n}", "headers": {"Accept-Language": "de"}"#,
        next: Self.show(#""got": "${response.json}", "retry": "${response.headers['x-more']}""#),
        routes:
          #"{"on": "GET /x", "next": [{"reply": {"status": 200, "headers": {"X-More": "yes"}, "json": {"b": "${request.bearer}", "l": "${request.headers['accept-language']}"}}}]}"#
      ),
      has: #"show seen {got={"b":"t3","l":"de"}, retry=yes}"#)
  }

  @Test func redirectsAreAnswers() throws {
    try checkStory(
      Self.asking(
        #""get": "/x""#,
        next: Self.show(
          #""status": "${response.status}", "to": "${response.redirect.to}", "path": "${response.redirect.path}", "q": "${response.redirect.query.q}""#
        ),
        routes: #"{"on": "GET /x", "next": [{"reply": {"redirect": {"get": "/y/z", "query": {"q": "1"}}}}]}"#),
      has: "api → app 302\nshow seen {status=302, to=api, path=/y/z, q=1}")
  }

  @Test func aLocationHeaderIsARedirectToo() throws {
    let next = Self.show(
      #""to": "${response.redirect.to}", "path": "${response.redirect.path}", "header": "${response.headers.location}""#
    )
    func check(_ reply: String, shows shown: String) throws {
      try checkStory(
        Self.asking(#""get": "/x""#, next: next, routes: #"{"on": "GET /x", "next": [{"reply": {\#(reply)}}]}"#),
        has: "show seen {\(shown)}")
    }
    try check(
      #""redirect": {"get": "/z", "query": {"q": "1"}}"#, shows: "to=api, path=/z, header=https://api.example/z?q=1")
    for (header, shown) in [
      ("z?q=1", "to=api, path=/z, header=z?q=1"), ("/", "to=api, path=/, header=/"),
      ("https://api.example", "to=api, path=/, header=https://api.example"),
      ("/a/%2e%2E/b", "to=api, path=/b, header=/a/%2e%2E/b"), ("/a%2Fb", "to=api, path=/a/b, header=/a%2Fb"),
      ("com.example:cb?flag", "to=com.example:, path=cb, header=com.example:cb?flag"),
      ("/p?a=%ff", "to=api, path=/p, header=/p?a=%ff"),
      ("https://id.example/cb#token=t", "to=https://id.example, path=/cb, header=https://id.example/cb#token=t"),
    ] {
      try check(#""status": 201, "headers": {"Location": "\#(header)"}"#, shows: shown)
    }
  }

  @Test func aTabMayStandInAHeader() throws {
    try checkStory(
      Self.asking(
        #""get": "/x""#, next: Self.show(#""error": "${response.challenge.bearer.realm}""#),
        routes:
          #"{"on": "GET /x", "next": [{"reply": {"status": 401, "headers": {"WWW-Authenticate": "Bearer\trealm=\"a\""}}}]}"#
      ),
      has: "show seen {error=a}")
  }

  @Test func challengesAreParsed() throws {
    try checkStory(
      Self.asking(
        #""get": "/x""#,
        next: Self.show(#""error": "${response.challenge.?bearer.?error.orValue('none')}""#),
        routes:
          #"{"on": "GET /x", "next": [{"reply": {"status": 401, "headers": {"WWW-Authenticate": "Bearer realm=\"a, b\", error=\"invalid_token\", Basic"}}}]}"#
      ),
      has: "show seen {error=invalid_token}")
  }

  @Test func instantsTravelAsTextInJSON() throws {
    try checkStory(
      Self.asking(
        #""post": "/x", "json": {"at": "${now}", "for": "${duration('90s')}", "in": ["${now}"]}"#,
        next: Self.show(
          #""at": "${response.json.at == '2026-01-01T09:00:00Z'}", "then": "${timestamp(response.json.at) == now}""#),
        routes:
          #"{"on": "POST /x", "next": [{"when": "request.json.?at.orValue('') == '2026-01-01T09:00:00Z' && request.json['for'] == '90s'", "reply": {"status": 200, "json": {"at": "${now}"}}}, {"reply": {"status": 400}}]}"#
      ),
      has: "api → app 200\nshow seen {at=true, then=true}")
  }

  @Test func whatIsNoNumberTravelsAsNullAndTwoKeysOfOneNameDoNot() throws {
    let routes =
      #"{"on": "POST /x", "next": [{"when": "request.json.n == null", "reply": {"status": 200}}, {"reply": {"status": 400}}]}"#
    for none in ["0.0", "1.0"] {
      let json = #""post": "/x", "json": {"n": "${\#(none)/0.0}"}"#
      try checkStory(Self.asking(json, next: Self.show(#""x": "y""#), routes: routes), has: "api → app 200")
    }
    try checkProblem(
      Self.asking(#""post": "/x", "json": "${{true: 1, 'true': 2}}""#, next: Self.show(#""x": "y""#), routes: routes),
      is: "repeated-key", at: "\"${{true: 1, 'true': 2}}\"")
  }
}
