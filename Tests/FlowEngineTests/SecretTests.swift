import Testing

/// Section 4: values are marked secret by where they come from and by their name in a service's traffic.
@Suite struct SecretTests {
  private static let service = #"""
    "secrets": ["token", "query.ticket", "json.inner", "path.key", "header.X-Pin", "form.code"],
    "routes": [
      {"on": "POST /x/{key}", "next": [{"reply": {"status": 200, "headers": {"X-Pin": "1", "X-Open": "2"}, "cookies": {"sid": "c"},
        "json": {"token": "t1", "inner": {"deep": ["d1"]}, "ticket": "open", "list": [{"token": "t2"}], "n": 3}}}]},
      {"on": "POST /y({key})/z", "next": [{"reply": {"status": 200}}]},
      {"on": "GET /jump", "next": [{"reply": {"redirect": {"get": "/x", "query": {"ticket": "k", "inner": "open"}}}}]}]
    """#

  private static func asking(_ request: String, then actions: String = "") -> Sketch {
    Sketch(
      flow: #"""
        "store": {"refresh": {"type": "string", "secret": true, "initial": "r0"}, "plain": {"type": "string", "initial": "p"}},
        "config": {"apiKey": {"type": "string", "secret": true, "value": "k0"}},
        "events": {"user.x": {"fields": {"pin": {"type": "string", "secret": true, "example": "123"}, "name": {"type": "string", "example": "ada"}}}},
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", \#(request)}, "next": [{"do": [\#(actions)], "goto": "done"}]},
          "done": {"rest": true, "on": {"user.x": {"do": [{"show": {"typed": {"p": "${event.pin}", "n": "${event.name}"}}}], "end": "over"}}}}
        """#, services: ["api": service])
  }

  private static func check(_ request: String, then actions: String = "", _ expected: String) throws {
    try checkStory(asking(request, then: actions), has: expected, masking: true)
  }

  @Test func aSecretKeyMarksItsValueWhereverItGoes() throws {
    try Self.check(
      #""post": "/x/1", "json": {"a": "${store.refresh}", "b": "is ${store.refresh}!", "c": "${store.plain}"}, "headers": {"h": "${config.apiKey}"}"#,
      #"app → api POST /x/<key> [h=<apiKey>] {"a":"<refresh>","b":"is <refresh>!","c":"p"}"#)
  }

  @Test func namesMarkTheirValuesInAService() throws {
    try Self.check(
      #""post": "/x/1", "query": {"ticket": "k", "token": "t", "inner": "open", "code": "open"}, "headers": {"X-Pin": "9"}, "json": {"ticket": "open", "inner": "i", "code": "open", "a": [{"token": "t"}]}"#,
      #"app → api POST /x/<key>?ticket=<ticket>&token=<token>&inner=open&code=open [x-pin=<x-pin>] {"ticket":"open","inner":"<inner>","code":"open","a":[{"token":"<token>"}]}"#
    )
    try Self.check(#""post": "/y(1)/z""#, "app → api POST /y(<key>)/z")
    try Self.check(
      #""post": "/x/1", "form": {"code": "c", "token": "t", "ticket": "open"}"#,
      "app → api POST /x/<key> form code=<code>&token=<token>&ticket=open")
  }

  @Test func answersAreMarkedTheSameWay() throws {
    try Self.check(
      #""post": "/x/1""#,
      #"api → app 200 [x-pin=<x-pin>, x-open=2] cookies sid=<sid> {"token":"<token>","inner":{"<inner>":["<inner>"]},"ticket":"open","list":[{"token":"<token>"}],"n":3}"#
    )
    try Self.check(#""get": "/jump""#, "api → app 302 to ?ticket=<ticket>&inner=open")
  }

  @Test func secretsOfJSONThatIsWrittenAsTextAreMarkedToo() throws {
    try Self.check(
      ##""post": "/x/1", "text": "{\"token\": \"t\", \"open\": 1}""##,
      #"app → api POST /x/<key> {"token":"<token>","open":1}"#)
    try Self.check(
      ##""post": "/x/1", "text": "{\"token\": \"t\", \"open\": \"is ${store.refresh}\"}""##,
      #"app → api POST /x/<key> {"<refresh>":"<token>","<refresh>":"<refresh>"}"#)
    try checkStory(
      Self.asking(#""post": "/x/1""#, then: #"{"show": {"got": {"t": "${response.json.token}"}}}"#),
      #""faults": [{"request": "POST /x/{key}", "answer": {"text": "{\"token\": \"t\"}"}}], "script": []"#,
      has: #"api → app 200 {"token":"<token>"}\#nshow got {t=<token>}"#, masking: true)
  }

  @Test func authorizationAndCookiesAlwaysAre() throws {
    try Self.check(#""post": "/x/1", "bearer": "b""#, "app → api POST /x/<key> bearer <bearer>")
    try Self.check(#""post": "/x/1", "bearer": "${store.refresh}""#, "app → api POST /x/<key> bearer <refresh>")
    try Self.check(
      #""post": "/x/1", "headers": {"Authorization": "Basic abc"}"#,
      "app → api POST /x/<key> [authorization=<authorization>]")
  }

  @Test func whatIsSetIsMarkedByItsKey() throws {
    try Self.check(
      #""post": "/x/1""#,
      then:
        #"{"set": {"refresh": "${string(response.json.n)}", "plain": "${response.json.token}"}}, {"show": {"s": {"n": "${response.json.n}", "has": "${present(store.refresh)}"}}}"#,
      "set refresh = <refresh>, plain = <token>\nshow s {n=3, has=true}")
  }

  @Test func fieldsOfEventsMarkTheirValues() throws {
    try Self.check(#""post": "/x/1""#, "event user.x {pin=<pin>, name=ada}\nshow typed {p=<pin>, n=ada}")
  }

  @Test func fieldsOfFormsMarkTheirValues() throws {
    let web = #"""
      "routes": [{"on": "GET /login", "next": [{"reply": {"page": {"title": "Login", "forms": {"login": {"post": "/login",
        "fields": {"pin": {"type": "string", "secret": true, "example": "1"}, "name": {"type": "string", "example": "ada"}}}}}}}]},
        {"on": "POST /login", "next": [{"reply": {"cookies": {"sid": "s"}, "redirect": {"get": "/in"}}}]},
        {"on": "GET /in", "next": [{"reply": {"page": {"title": "In"}}}]}]
      """#
    let sketch = Sketch(
      flow: #""start": "a", "states": {"a": {"rest": true, "do": [{"open": {"to": "web", "get": "/login"}}]}}"#,
      services: ["web": web])
    try checkStory(
      sketch,
      has: """
        submit login {pin=<pin>, name=ada}
        browser → web POST /login form pin=<pin>&name=ada
        web → browser 302 cookies sid=<sid> to ?
        browser → web GET /in cookies sid=<sid>
        """, masking: true)
  }

  @Test func aPageBesideALinksPatternHasNoSecretInItsPath() throws {
    let web = #"""
      "routes": [{"on": "GET /in", "next": [{"reply": {"redirect": {"get": "/welcome/help"}}}]},
        {"on": "GET /welcome/help", "next": [{"reply": {"page": {"title": "Help", "links": {"on": {"get": "/on"}}}}}]},
        {"on": "GET /on", "next": [{"reply": {"redirect": {"get": "/welcome/t1"}}}]},
        {"on": "GET /welcome/{token}", "next": [{"reply": {"page": {"title": "Welcome"}}}]}]
      """#
    let sketch = Sketch(
      flow: #"""
        "events": {"link.welcome": {"fields": {"token": {"type": "string", "secret": true}}}},
        "start": "a", "states": {"a": {"rest": true, "do": [{"open": {"to": "web", "get": "/in"}}], "on": {"link.welcome": {"goto": "a"}}}}
        """#, services: ["web": web],
      participants: ["app": #", "links": {"welcome": "https://web.example/welcome/{token}"}"#])
    try checkStory(
      sketch, #""script": [{"follow": "on"}]"#,
      has: "browser → web GET /welcome/help\npage Help\nfollow on\nbrowser → web GET /on", masking: true)
    try checkStory(
      sketch, #""script": [{"follow": "on"}]"#, has: "browser → web GET /welcome/<token>\npage Welcome", masking: true)
  }

  /// Nobody knows what a fragment holds; where the address holds a secret, nobody knows where it stands in the header.
  @Test func aLocationHeaderAsItWasWrittenShowsNoSecret() throws {
    for (location, shown) in [
      ("/in#c4n4ry", #""v":"/in#<fragment#1>""#), ("in?code=c4n4ry", #""v":"<location#1>""#),
      ("https://c4n4ry@id.example/in?", #""v":"<location#1>""#),
    ] {
      let sketch = Sketch(
        flow: #"""
          "start": "ask", "states": {"ask": {"request": {"to": "api", "get": "/x"}, "next": [
            {"do": [{"show": {"got": {"v": "${response.headers.location}"}}}], "goto": "done"}]}, "done": {"goal": true}}
          """#,
        services: ["api": #""secrets": ["code"], "routes": [{"on": "GET /x", "next": [{"reply": {"status": 200}}]}]"#])
      let answer = #"{"status": 302, "headers": {"location": "\#(location)"}}"#
      let trace = try checkHidden(sketch, #""faults": [{"request": "GET /x", "answer": \#(answer)}]"#)
      #expect(trace.contains(shown), "\(trace)")
    }
  }
}
