import Expressions
import Testing

@testable import FlowEngine

/// Sections 5 and 7: whose an address is.
@Suite struct AddressTests {
  private static let shown =
    #""routes": [{"on": "GET /a", "next": [{"reply": {"status": 200}}]}, {"on": "GET /b/a", "next": [{"reply": {"status": 201}}]}, {"on": "GET /", "next": [{"reply": {"page": {"title": "Root"}}}]}]"#

  private static func asking(_ request: String, _ participants: [String: String]) -> Sketch {
    Sketch(
      flow: #"""
        "config": {"other": {"type": "string", "value": "https://other.example"}}, "start": "ask", "states": {
          "ask": {"request": {\#(request)}, "next": [{"goto": "done"}]}, "done": {"goal": true}}
        """#, services: ["one": shown, "two": shown], participants: participants)
  }

  /// Its origin is that of a service, and the address is none of it.
  @Test func anAddressBesideAServicesPathIsNamedWhole() throws {
    let sketch = Sketch(
      flow: #""start": "a", "states": {"a": {"do": [{"open": {"to": "one", "get": "/"}}], "rest": true}}"#,
      services: [
        "one": #""routes": [{"on": "GET /", "next": [{"reply": {"redirect": {"uri": "/a b/c?x=1"}}}]}]"#
      ], participants: ["one": #", "url": "https://one.example/base""#])
    try checkStory(
      sketch, #""script": []"#,
      has: "page This page cannot be reached: no service answers at https://one.example/a%20b/c, "
        + "and the address does not lead to the app")
  }

  /// So many that looking through all that comes behind for the `=` that one of them does not have would take seconds.
  @Test func manyParametersWithoutAValue() {
    let names = (0..<90_000).map { Text("\($0)") }
    let query = Address.parameters(Text(names.map(\.string).joined(separator: "&")))
    #expect(query == names.map { NamedValue(key: .string($0), value: .string(Text(""))) })
  }

  /// RFC 3986, section 3.2: of two ports one reader would take the first, and another the last.
  @Test func anAuthorityWithTwoPortsIsNoAddress() {
    for text in [
      "http://127.0.0.1:7001:80/plain", "http://id.example:80:", "https://ada@id.example:1:443", "https://[::1]:1:443",
      "https://id.example:x",
    ] {
      #expect(Address(Text(text)) == nil, "\(text)")
      #expect(Address(Text(text + "?code=") + Text("c").marked(secret: "code")) == nil, "\(text)")
    }
    for text in [
      "http://127.0.0.1:80/a:b:c", "http://id.example:/", "https://ada:pin@id.example:1?a=b:c", "https://[::1]:443",
      "https://[fe80::1]", "com.example:back:on", "com.example://back:1#a:b",
    ] {
      #expect(Address(Text(text)) != nil, "\(text)")
      #expect(Address(Text(text).marked(secret: "url")) != nil, "\(text)")
    }
  }

  @Test func anOriginOfTheParticipantIsItsOwn() throws {
    try checkStory(
      Self.asking(#""to": "one", "get": "${config.other}/a""#, ["one": #", "origins": ["${config.other}"]"#]),
      has: "app → one GET /a\none → app 200")
    try checkProblem(
      Self.asking(#""to": "two", "get": "${config.other}/a""#, ["one": #", "origins": ["${config.other}"]"#]),
      #""ends": "done""#, is: "foreign-origin", at: "\"${config.other}/a\"")
  }

  /// An issuer often has a path, and its token endpoint stands beside that.
  @Test func aWholeAddressMayBeAnywhereAtTheParticipantsOwnOrigin() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {
          "ask": {"request": {"to": "one", "get": "${'https://one.example/oauth/a'}"}, "next": [{"goto": "done"}]},
          "done": {"goal": true}}
        """#,
      services: ["one": #""routes": [{"on": "GET /oauth/a", "next": [{"reply": {"status": 200}}]}]"#],
      participants: ["one": #", "url": "https://one.example/realms/a""#])
    try checkStory(sketch, has: "app → one GET /oauth/a\none → app 200")
  }

  @Test(arguments: ["store", "memory"]) func anOriginMayBeWhatTheAppHasLearned(area: String) throws {
    func learning(_ learned: String) -> Sketch {
      Sketch(
        flow: #"""
          "\#(area)": {"endpoint": {"type": "string"}}, "start": "learn", "states": {
            "learn": {"request": {"to": "one", "get": "/where"}, "next": [{"do": [{"set": {"endpoint": "\#(learned)"}}], "goto": "ask"}]},
            "ask": {"request": {"to": "one", "get": "${'https://other.example/a'}"}, "next": [{"goto": "look"}]},
            "look": {"rest": true, "do": [{"open": {"to": "one", "get": "${\#(area).endpoint}", "query": {"more": "1"}}}]}}
          """#,
        services: [
          "one":
            #""routes": [{"on": "GET /where", "next": [{"reply": {"status": 200, "json": {"endpoint": "https://other.example/a?b=c"}}}]}, {"on": "GET /a", "next": [{"reply": {"status": 201}}]}]"#
        ], participants: ["one": #", "origins": ["${\#(area).endpoint}"]"#])
    }
    try checkStory(
      learning("${response.json.endpoint}"),
      has: "app → one GET /a\none → app 201\nin look\nbrowser → one GET /a?b=c&more=1\none → browser 201")
    try checkProblem(
      learning("${response.json.?nothing}"), #""ends": "look""#, is: "foreign-origin",
      at: "\"${'https://other.example/a'}\"")
  }

  @Test func aRedirectURIIsTheAppsWhoseverOriginItHas() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"origin": {"type": "string", "initial": "https://app.example"}}, "start": "a", "states": {
          "a": {"do": [{"open": {"to": "one", "get": "/"}}], "rest": true, "on": {"browser.redirected": {"goto": "done"}}},
          "done": {"goal": true}}
        """#,
      services: [
        "one": #""routes": [{"on": "GET /", "next": [{"reply": {"redirect": {"uri": "https://app.example/cb?x=1"}}}]}]"#
      ],
      participants: [
        "app": #", "redirectUris": ["https://app.example/cb"]"#, "one": #", "origins": ["${memory.origin}"]"#,
      ])
    try checkStory(sketch, has: "one → browser 302\nevent browser.redirected\nin done")
  }

  @Test func aWholeURLGoesWhereItIsSent() throws {
    let one = #", "url": "https://other.example""#
    let two = #", "url": "https://other.example/b/""#
    try checkStory(
      Self.asking(#""to": "one", "get": "${config.other}/b/a""#, ["one": one, "two": two]),
      has: "app → one GET /b/a\none → app 201")
    try checkStory(
      Self.asking(#""to": "two", "get": "${config.other}/b/a""#, ["one": one, "two": two]),
      has: "app → two GET /a\ntwo → app 200")
    try checkStory(
      Self.asking(#""to": "two", "get": "${config.other}/b/a""#, ["one": one, "two": one]),
      has: "app → two GET /b/a\ntwo → app 201")
  }

  /// RFC 3986 §2.2 and §2.4: the path of a base is what its author wrote.
  @Test(arguments: ["group%2Fproject", "a%3Fb", "a%23b", "a%25b", "a%20b", "a%252Fb"])
  func theBaseOfAServiceKeepsItsEncoding(segment: String) throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"rest": true, "do": [{"open": {"to": "one", "get": "/in/x"}}]}}
        """#,
      services: [
        "one": #"""
        "routes": [{"on": "GET /in/x", "next": [{"reply": {"status": 302, "headers": {"location": "../a"}}}]},
          {"on": "GET /a", "next": [{"reply": {"page": {"title": "A"}}}]}]
        """#
      ], participants: ["one": #", "url": "https://one.example/\#(segment)/""#])
    try checkStory(
      sketch,
      has:
        "open https://one.example/\(segment)/in/x\nbrowser → one GET /in/x\none → browser 302\nbrowser → one GET /a\none → browser 200\npage A"
    )
  }

  /// What an author writes is as in an address, what a value gives is text.
  @Test func literalTextOfAPathIsPercentEncoded() throws {
    for path in ["/my%20realm/100%25%2F${'a%20b'}/%24%7B%3A", "/m%79%20realm/100%25%2f${'a%20b'}/$%7b:"] {
      let sketch = Sketch(
        flow: #"""
          "start": "ask", "states": {"ask": {"request": {"to": "one", "get": "\#(path)"},
            "next": [{"do": [{"show": {"seen": {"id": "${response.text}"}}}], "goto": "done"}]}, "done": {"goal": true}}
          """#,
        services: [
          "one":
            #""routes": [{"on": "GET /m%79%20realm/100%25%2f{id}/%24%7B:", "next": [{"reply": {"text": "${request.path.id}"}}]}]"#
        ])
      try checkStory(
        sketch, has: "app → one GET /my realm/100%/a%20b/${:\none → app 200\nshow seen {id=a%20b}")
    }
  }

  @Test(arguments: [".", ".."]) func aValueThatLeadsToAnotherPathIsAnError(name: String) throws {
    try checkProblem(
      Self.asking(#""to": "one", "get": "/a/${'\#(name)'}""#, [:]), #""ends": "done""#, is: "not-an-address",
      at: "\"/a/${'\(name)'}\"")
  }

  @Test func aLinkIsWrittenAsItsAddress() throws {
    func arriving(_ address: String) -> String { #""script": [{"arrive": "\#(address)"}], "ends": "done""# }
    let sketch = Sketch(
      flow: #"""
        "events": {"link.in": {"fields": {"t": {"type": "string"}}}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"link.in": {"do": [{"show": {"got": {"t": "${event.t}"}}}], "goto": "done"}}}, "done": {"goal": true}}
        """#, participants: ["app": #", "links": {"in": "https://app.example/a%20b/c%2F{t}"}"#])
    for address in ["https://app.example/a%20b/c%2Ft%201", "https://app.example:443/x/../%61%20b/c%2ft%201"] {
      try checkStory(sketch, arriving(address), has: "show got {t=t 1}")
    }
    try checkProblem(
      sketch, arriving("https://app.example/a%2520b/c%2Ft"), is: "foreign-address",
      at: "\"https://app.example/a%2520b/c%2Ft\"")
  }

  @Test func whatIsNoAddressIsAnError() throws {
    try checkProblem(
      Self.asking(#""to": "one", "get": "${config.other}/a""#, [:]),
      #""given": {"config": {"other": "other.example"}}, "ends": "done""#,
      is: "not-an-address", at: "\"${config.other}/a\"")
  }

  @Test func theBrowserGoesToTheServiceWhoseBaseIsLongest() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"rest": true, "do": [{"open": {"to": "one", "get": "/"}}]}}
        """#,
      services: [
        "one":
          #""routes": [{"on": "GET /", "next": [{"reply": {"redirect": {"uri": "HTTPS://Shared.example:443/b"}}}]}]"#,
        "two": Self.shown,
      ], participants: ["one": #", "url": "https://shared.example""#, "two": #", "url": "https://shared.example/b""#])
    try checkStory(
      sketch, has: "browser → one GET /\none → browser 302\nbrowser → two GET /\ntwo → browser 200\npage Root")
  }

  @Test func fieldsOfLinksAreReadAsTheirTypes() throws {
    func opened(_ query: String) -> Sketch {
      Sketch(
        flow: #"""
          "events": {"browser.redirected": {"fields": {"n": {"type": "int"}, "ok": {"type": "bool"}, "at": {"type": "timestamp"}, "s": {"type": "string"}}}}, "start": "a", "states": {
            "a": {"do": [{"open": {"to": "one", "get": "/"}}], "on": {"browser.redirected": {"do": [{"show": {"got": {"n": "${event.n == null ? -1 : event.n + 1}", "ok": "${event.ok}", "at": "${event.at}"}}}], "goto": "done"}}},
            "done": {"goal": true}}
          """#,
        services: [
          "one":
            #""routes": [{"on": "GET /", "next": [{"reply": {"redirect": {"uri": "com.example:/cb?\#(query)"}}}]}]"#
        ],
        participants: ["app": #", "redirectUris": ["com.example:/cb"]"#])
    }
    try checkStory(
      opened("n=4&ok=true&at=2026-01-01T00:00:00Z"), has: #"show got {n=5, ok=true, at="2026-01-01T00:00:00Z"}"#)
    try checkStory(opened("n=four&ok=1&s=x"), has: "show got {n=-1, ok=null, at=null}")
  }

  /// So that one can be a whole address; who means a part of it encodes it, as a mailed link's too.
  @Test(arguments: [false, true]) func whatAWholeAddressGetsIsNotEncoded(isMailed: Bool) throws {
    func opened(_ piece: String) -> Sketch {
      let address = "\"com.example:/cb?s=${\(piece)}\""
      let mailed = #"{"do": [{"send": {"m": {"links": {"in": \#(address)}}}}], "reply": {"status": 200}}"#
      let reply = isMailed ? mailed : #"{"reply": {"redirect": {"uri": \#(address)}}}"#
      return Sketch(
        flow: #"""
          "events": {"browser.redirected": {"fields": {"s": {"type": "string"}, "t": {"type": "string"}}}}, "start": "a", "states": {
            "a": {"do": [{"open": {"to": "one", "get": "/"}}], "rest": true, "on": {"browser.redirected": {"do": [{"show": {"got": {"s": "${event.s}", "t": "${event.t}"}}}], "goto": "done"}}},
            "done": {"goal": true}}
          """#,
        services: ["one": "\"routes\": [{\"on\": \"GET /\", \"next\": [\(reply)]}]"],
        participants: ["app": #", "redirectUris": ["com.example:/cb"]"#])
    }
    let script = isMailed ? #""script": [{"open mail": "m"}]"# : nil
    try checkStory(opened("'x&t=y'"), script, has: "show got {s=x, t=y}")
    try checkStory(opened("urlEncode('x&t=y')"), script, has: "show got {s=x&t=y, t=null}")
  }

  @Test func aRedirectReachesAStoppedApp() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {
          "a": {"request": {"to": "one", "post": "/mail"}, "next": [{"goto": "b"}]},
          "b": {"rest": true, "on": {"browser.redirected": {"goto": "done"}, "browser.closed": {"goto": "closed"}}}, "closed": {"rest": true}, "done": {"goal": true}}
        """#,
      services: [
        "one": #"""
        "routes": [{"on": "POST /mail", "next": [{"do": [{"send": {"hello": {"links": {"page": "https://one.example/page"}}}}], "reply": {"status": 200}}]},
          {"on": "GET /page", "next": [{"reply": {"page": {"title": "P", "links": {"app": {"uri": "com.example:/cb"}}}}}]}]
        """#
      ], participants: ["app": #", "redirectUris": ["com.example:/cb"]"#])
    try checkStory(
      sketch, #""script": [{"kill": true}, {"open mail": "hello"}, {"follow": "app"}]"#,
      expects: """
        launch by user
        in a
        app → one POST /mail
        one → app 200
        mail hello
        in b
        killed
        open mail hello
        browser → one GET /page
        one → browser 200
        page P
        follow app
        launch by browser
        in a
        app → one POST /mail
        one → app 200
        mail hello
        in b
        event browser.redirected
        in done
        ended at goal "done"
        """)
    try checkStory(
      sketch,
      #""script": [{"kill": true}, {"open mail": "hello"}, {"kill": true}, {"close": "browser"}, {"launch": true}]"#,
      has: "killed\nopen mail hello\npage P\nuser closes tab\nlaunch by user\nin b", never: ["in closed"])
  }
}
