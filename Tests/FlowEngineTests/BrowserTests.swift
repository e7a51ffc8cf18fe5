import Testing

/// Section 7, browser: loading, redirects, cookies, forms, links, and the way back into the app.
@Suite struct BrowserTests {
  private static let app = #", "redirectUris": ["com.example:/callback", "https://app.example/back"]"#
  private static let events =
    #""events": {"user.x": {}, "user.y": {}, "browser.redirected": {"fields": {"code": {"type": "string"}, "state": {"type": "string"}}}},"#

  private static func opening(_ path: String = "/start", on: String = "", routes: String) -> Sketch {
    Sketch(
      flow: #"""
        \#(events) "start": "begin", "states": {
          "begin": {"do": [{"open": {"to": "web", "get": "\#(path)"}}], "on": {\#(on)}}, "closed": {"goal": true}}
        """#,
      services: ["web": #""routes": [\#(routes)]"#], participants: ["app": app])
  }

  private static let script = #""script": [], "ends": "begin""#

  @Test func opensWhenTheStepIsOver() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {
          "a": {"do": [{"open": {"to": "web", "get": "/first", "query": {"q": "a b"}}}], "next": [{"goto": "b"}]},
          "b": {"goal": true, "do": [{"show": {"b": {}}}]}}
        """#, services: ["web": #""routes": [{"on": "GET /first", "next": [{"reply": {"page": {"title": "First"}}}]}]"#]
    )
    try checkStory(
      sketch, #""script": []"#,
      expects: """
        launch by user
        in a
        in b
        show b
        open https://web.example/first?q=a%20b
        browser → web GET /first?q=a b
        web → browser 200
        page First
        ended at goal "b"
        """)
  }

  @Test func openReplacesWhatTheTabShowed() throws {
    try checkStory(
      Self.opening(
        on: #""user.x": {"do": [{"open": {"to": "web", "get": "/b"}}]}"#,
        routes:
          #"{"on": "GET /start", "next": [{"reply": {"page": {"title": "A"}}}]}, {"on": "GET /b", "next": [{"reply": {"page": {"title": "B"}}}]}"#
      ),
      #""script": [{"event": "user.x"}], "faults": [{"request": "GET /start", "delay": "9s"}], "ends": "begin""#,
      has:
        "browser → web GET /start\nevent user.x\nbrowser → web GET /b\nweb → browser 200\npage B\n+9s\nweb → browser 200 dropped",
      never: ["page A"])
  }

  @Test func redirectsAreFollowed() throws {
    try checkStory(
      Self.opening(
        routes: #"""
          {"on": "GET /start", "next": [{"reply": {"redirect": {"get": "/two", "query": {"n": "1"}}}}]},
          {"on": "GET /two", "next": [{"reply": {"status": 303, "redirect": {"uri": "https://web.example/three?n=${request.query.n}"}}}]},
          {"on": "GET /three", "next": [{"reply": {"page": {"title": "Three ${request.query.n}"}}}]}
          """#), Self.script,
      has:
        "browser → web GET /two?n=1\nweb → browser 303\nbrowser → web GET /three?n=1\nweb → browser 200\npage Three 1")
  }

  private static func answering(_ location: String, status: Int = 302) -> String {
    #"{"request": "GET /start", "answer": {"status": \#(status), "headers": {"Location": "\#(location)"}}}"#
  }

  /// RFC 9110 §10.2.2: a `Location` is a reference, resolved against the address that was asked for.
  @Test func aLocationHeaderIsFollowedWhereverItComesFrom() throws {
    let sketch = Self.opening(
      routes: #"""
        {"on": "GET /start", "next": [{"reply": {"status": 301, "headers": {"location": "../a/./b?n=1%202#top"}}}]},
        {"on": "GET /a/b", "next": [{"reply": {"page": {"title": "B ${request.query.?n.orValue('none')}"}}}]},
        {"on": "GET /", "next": [{"reply": {"page": {"title": "Root"}}}]}
        """#)
    try checkStory(sketch, Self.script, has: "web → browser 301\nbrowser → web GET /a/b?n=1 2\npage B 1 2")
    for (location, page) in [
      ("/a/b?n=3", "B 3"), ("a/b", "B none"), ("//web.example/", "Root"), ("https://web.example/a/b", "B none"),
      ("/x/%2e%2E/a/.%2E/a/%2e/b?n=4", "B 4"), ("https://web.example:/x/../a/b", "B none"),
      ("https://elsewhere.example/", String(Self.nowhere.dropFirst(5))),
    ] {
      try checkStory(
        sketch, #""faults": [\#(Self.answering(location))], \#(Self.script)"#,
        has: "web → browser 302\npage \(page)", never: ["page Status 302"])
    }
  }

  /// Fetch, "redirect status": what comes with any other is shown.
  @Test(arguments: [300, 304, 399]) func noOtherStatusLeadsOn(_ status: Int) throws {
    try checkStory(
      Self.opening(routes: Self.form), #""faults": [\#(Self.answering("/start", status: status))], \#(Self.script)"#,
      has: "web → browser \(status)\npage Status \(status)")
  }

  @Test func anAnswerOfAFaultLeadsBackIntoTheApp() throws {
    let on = #""browser.redirected": {"do": [{"show": {"got": {"code": "${event.code}", "state": "${event.state}"}}}]}"#
    try checkStory(
      Self.opening(on: on, routes: Self.form),
      #""faults": [\#(Self.answering("com.example:/callback?code=c%2B1&state=another+one"))], \#(Self.script)"#,
      has:
        "web → browser 302\nevent browser.redirected {code=c+1, state=another one}\nshow got {code=c+1, state=another one}",
      never: ["page Status 302"])
  }

  @Test func anAnswerOfAFaultIsFollowedTwentyTimes() throws {
    try checkStory(
      Self.opening(routes: Self.form),
      #""faults": [\#(Self.answering("").replacing("\"answer\"", with: "\"nth\": \"every\", \"answer\""))], \#(Self.script)"#,
      has: Array(repeating: "web → browser 302", count: 21).joined(separator: "\n")
        + "\npage This page cannot be reached: it redirects more than 20 times",
      never: ["page Status 302"])
  }

  @Test func aPostIsRepeatedWhereTheStatusSaysSo() throws {
    let login = #"{"request": "POST /login", "answer": {"status": 307, "headers": {"location": "/login?again"}}}"#
    try checkStory(
      Self.opening(routes: Self.form), #""script": [{"submit": "login"}], "faults": [\#(login)], "ends": "begin""#,
      has: "web → browser 307\nbrowser → web POST /login?again= form name=ada\npage Hello ada no pin")
  }

  @Test func aRelativeLinkIsMeantFromThePageItStandsOn() throws {
    let sketch = Self.opening(
      "/a/start",
      routes: #"""
        {"on": "GET /a/start", "next": [{"reply": {"page": {"title": "A", "links": {"next": {"uri": "b?x=1"}, "up": {"uri": ".."}}}}}]},
        {"on": "GET /a/b", "next": [{"reply": {"redirect": {"uri": "../c", "query": {"y": "2"}}}}]},
        {"on": "GET /c", "next": [{"reply": {"page": {"title": "C ${request.query.y}"}}}]},
        {"on": "GET /", "next": [{"reply": {"page": {"title": "Root"}}}]}
        """#)
    try checkStory(
      sketch, #""script": [{"follow": "next"}], "ends": "begin""#,
      has: "page A\nfollow next\nbrowser → web GET /a/b?x=1\nweb → browser 302\nbrowser → web GET /c?y=2\npage C 2")
    try checkStory(sketch, #""script": [{"follow": "up"}], "ends": "begin""#, has: "follow up\npage Root")
  }

  @Test func twentyRedirectsAreFollowedAndNoMore() throws {
    func circle(_ most: Int) -> Sketch {
      var sketch = Self.opening(routes: "")
      sketch.services = [
        "web": #"""
        "store": {"n": {"type": "int", "initial": 0}}, "routes": [{"on": "GET /start", "next": [
          {"when": "store.n < \#(most)", "do": [{"set": {"n": "${store.n + 1}"}}], "reply": {"redirect": {"get": "/start"}}},
          {"reply": {"page": {"title": "Here"}}}]}]
        """#
      ]
      return sketch
    }
    try checkStory(circle(20), Self.script, has: "web set n = 20\nweb → browser 302\nweb → browser 200\npage Here")
    try checkStory(
      circle(21), Self.script,
      has: "web set n = 21\nweb → browser 302\npage This page cannot be reached: it redirects more than 20 times",
      never: ["page Here"])
  }

  private static let nowhere =
    "page This page cannot be reached: no service is at https://elsewhere.example, and the address does not lead to the app"

  @Test func anAddressOfNobodyCannotBeReached() throws {
    try checkStory(
      Self.opening(
        routes: #"{"on": "GET /start", "next": [{"reply": {"redirect": {"uri": "https://elsewhere.example/"}}}]}"#),
      #""script": [{"follow": "again"}], "ends": "begin""#,
      has: "web → browser 302\n\(Self.nowhere)\nfollow again\n\(Self.nowhere)")
  }

  @Test func aLinkOfTheAppOnAPageDoesNotOpenIt() throws {
    var sketch = Self.opening(
      routes: #"{"on": "GET /start", "next": [{"reply": {"redirect": {"uri": "https://elsewhere.example/join/1"}}}]}"#)
    sketch.participants = ["app": Self.app + #", "links": {"join": "https://elsewhere.example/join/{t}"}"#]
    sketch.flow = sketch.flow.replacing(#""on": {}"#, with: #""on": {"link.join": {"goto": "closed"}}"#)
    try checkStory(
      sketch, Self.script,
      has: Self.nowhere.replacing("does not lead to the app", with: "opens the app from a mail or from outside only"))
    try checkStory(
      sketch, #""script": [{"arrive": "https://elsewhere.example/join/1"}]"#, has: "event link.join {t=1}\nin closed")
  }

  @Test func whatIsNoPageIsShownAsItsStatus() throws {
    try checkStory(
      Self.opening(routes: #"{"on": "GET /start", "next": [{"reply": {"status": 504, "text": "gateway"}}]}"#),
      Self.script,
      has: "web → browser 504\npage Status 504: gateway")
  }

  private static let form = #"""
    {"on": "GET /start", "next": [{"reply": {"page": {"title": "Login", "forms": {
      "login": {"post": "/login", "fields": {"name": {"type": "string", "example": "ada"}, "pin": {"type": "string", "secret": true}}},
      "search": {"get": "${'https://web.example/search?lang=de&q=old'}", "fields": {"q": {"type": "string", "example": "a&b"}}}},
      "links": {"terms": {"get": "/terms"}, "home": {"uri": "com.example:/callback?code=c&state=s"}}}}}]},
    {"on": "POST /login", "next": [{"reply": {"page": {"title": "Hello ${request.form.name} ${request.form.?pin.orValue('no pin')}"}}}]},
    {"on": "GET /search", "next": [{"reply": {"page": {"title": "Found ${request.query.q} ${request.query.?lang.orValue('any')}"}}}]},
    {"on": "GET /terms", "next": [{"reply": {"page": {"title": "Terms"}}}]}
    """#

  @Test func formsArePostedOrPutInTheQuery() throws {
    let sketch = Self.opening(routes: Self.form)
    try checkStory(
      sketch, #""script": [{"submit": "login", "with": {"pin": "12"}}], "ends": "begin""#,
      has:
        "page Login\nsubmit login {name=ada, pin=12}\nbrowser → web POST /login form name=ada&pin=12\npage Hello ada 12"
    )
    try checkStory(
      sketch, #""script": [{"submit": "login"}], "ends": "begin""#,
      has: "submit login {name=ada}\npage Hello ada no pin")
    try checkStory(
      sketch, #""script": [{"submit": "search"}], "ends": "begin""#,
      has: "submit search {q=a&b}\nbrowser → web GET /search?q=a&b\npage Found a&b any")
  }

  @Test func aLinkIsFollowed() throws {
    try checkStory(
      Self.opening(routes: Self.form), #""script": [{"follow": "terms"}], "ends": "begin""#,
      has: "page Login\nfollow terms\nbrowser → web GET /terms\npage Terms")
  }

  @Test func aRedirectURIWithAnyQueryReachesTheAppAndClosesTheTab() throws {
    let on =
      #""browser.redirected": {"do": [{"show": {"got": {"code": "${event.code}", "state": "${event.state}"}}}]}, "browser.closed": {"goto": "closed"}"#
    for address in ["com.example:/callback", "https://app.example/back"] {
      try checkStory(
        Self.opening(
          on: on,
          routes:
            #"{"on": "GET /start", "next": [{"reply": {"redirect": {"uri": "\#(address)", "query": {"code": "c 1", "extra": "e"}}}}]}"#
        ),
        #""script": [], "ends": "begin""#,
        has: "web → browser 302\nevent browser.redirected {code=c 1}\nshow got {code=c 1, state=null}",
        never: ["in closed"])
    }
    try checkStory(
      Self.opening(on: on, routes: Self.form), #""script": [{"follow": "home"}], "ends": "begin""#,
      has: "follow home\nevent browser.redirected {code=c, state=s}")
    let twice = #"{"uri": "com.example:/callback?code=a&state=s", "query": {"code": "b"}}"#
    try checkStory(
      Self.opening(on: on, routes: #"{"on": "GET /start", "next": [{"reply": {"redirect": \#(twice)}}]}"#),
      #""script": [], "ends": "begin""#, has: "event browser.redirected\nshow got {code=null, state=null}")
    try checkProblem(
      Self.opening(on: on, routes: Self.form),
      #""script": [{"follow": "home"}, {"close": "browser"}], "ends": "begin""#,
      is: "step-not-offered", at: #"{"close": "browser"}"#)
  }

  @Test func closingTheTabIsAnEvent() throws {
    let on = #""browser.closed": {"goto": "closed"}"#
    try checkStory(
      Self.opening(on: on, routes: Self.form), #""script": [{"close": "browser"}]"#,
      has: "page Login\nuser closes tab\nevent browser.closed\nin closed")
    try checkStory(
      Self.opening(on: on, routes: Self.form),
      #""faults": [{"request": "GET /start", "delay": "5s"}], "script": [{"close": "browser"}]"#,
      has: "user closes tab\nevent browser.closed\nin closed\n+5s\nweb → browser 200 dropped", never: ["page Login"])
  }

  @Test func theAppClosesTheTabWithoutAnEvent() throws {
    try checkStory(
      Self.opening(
        on: #""browser.closed": {"goto": "closed"}, "user.x": {"do": [{"close": "browser"}]}"#, routes: Self.form),
      #""script": [{"event": "user.x"}], "ends": "begin""#, has: "page Login\nevent user.x\napp closes tab",
      never: ["in closed"])
  }

  @Test func theBrowsersOwnTimeOutIsAMinute() throws {
    try checkStory(
      Self.opening(routes: Self.form), #""faults": [{"request": "GET /start", "lost": true}], \#(Self.script)"#,
      has: "+60s\nweb → browser lost\npage This page cannot be reached")
  }

  @Test func aGatewaysTimeOutIsSeenAsItsPage() throws {
    var sketch = Self.opening(routes: "")
    sketch.services = [
      "web": #"""
      "routes": [{"on": "GET /start", "next": [{"goto": "asking"}]}], "states": {
        "asking": {"request": {"to": "back", "get": "/y"}, "next": [
          {"when": "response.failure != null", "reply": {"status": 504, "page": {"title": "Gateway"}}}, {"reply": {"page": {"title": "Fine"}}}]}}
      """#, "back": #""routes": [{"on": "GET /y", "next": [{"reply": {"status": 200}}]}]"#,
    ]
    try checkStory(
      sketch, #""faults": [{"request": "GET /y", "lost": true}], \#(Self.script)"#,
      has: "web → back GET /y\n+30s\nback → web lost\nweb → browser 504\npage Gateway")
  }

  /// What the person asked for is asked once more: a form is sent again as it was filled in.
  @Test func againSendsAFormAgain() throws {
    try checkStory(
      Self.opening(routes: Self.form),
      #""faults": [{"request": "POST /login", "unreachable": true}], "script": [{"submit": "login"}, {"follow": "again"}], "ends": "begin""#,
      has:
        "web → browser unreachable\npage This page cannot be reached\nfollow again\nbrowser → web POST /login form name=ada\npage Hello ada no pin"
    )
  }
}
