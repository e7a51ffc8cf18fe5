import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// Section 4: what is secret is never seen in a trace, whatever is made of it, whichever way it goes.
@Suite struct SecretLeakTests {
  /// In JSON; it has what JSON, URLs, forms and base64 write in another way.
  static let quoted = #"c4n4ry/+ \"=ä"#

  /// An app that shows what an expression makes of the secrets that it has in every place.
  private static func showing(_ template: String) -> Sketch {
    Sketch(
      flow: #"""
        "store": {"t": {"type": "string", "secret": true}, "l": {"type": "list", "secret": true},
          "rows": {"rows": {"s": {"type": "string", "secret": true}, "k": {"type": "string"}}}},
        "memory": {"m": {"type": "json", "secret": true}}, "let": {"x": "'(' + store.t + ')'"},
        "config": {"c": {"type": "string", "secret": true, "value": "\#(quoted)"}}, "start": "a",
        "states": {"a": {"next": [{"when": "store.t != ''", "do": [
          {"set": {"m": {"deep": ["${store.t}"]}, "rows['r']": {"s": "${store.t}"}}},
          {"set": {"rows['q'].k": "${store.rows['r'].s}", "l": ["${store.t}"]}},
          {"show": {"home": {"v": \#(template)}}}], "goto": "b"}, {"goto": "b"}]}, "b": {"goal": true}}
        """#)
  }

  static let templates = [
    "store.t", "x", "'a' + store.t", "store.t + store.t", "store.t.substring(1)", "store.t.substring(0, 7)",
    "store.t.split('/')", "store.t.split('')", "[store.t, 'a'].join('-')", "store.t.split(' ').join('')",
    "store.t.trim()", "(' ' + store.t + ' ').trim()", "store.t.lowerAscii()", "store.t.upperAscii().lowerAscii()",
    "store.t.replace('/', '/')", "'[x]'.replace('x', store.t)", "urlEncode(store.t)", "base64url(store.t)",
    "s256(store.t)", "s256('a' + store.t)", "base64url(s256(store.t))", "urlEncode(base64url(store.t))",
    "string(store.t)", "dyn(store.t)", "[store.t]", "{'k': store.t}", "{store.t: 1}",
    "{store.t: 1}.map(k, k)", "[store.t].map(s, s + '!')", "[store.t].filter(s, s != '')", "[[store.t]][0][0]",
    "true ? store.t : ''", "store.?t", "store.?t.orValue('')", "memory.m", "memory.m.deep[0]", "memory.m.?deep",
    "store.rows", "store.rows['r'].s", "store.rows['q'].k", "store.rows.map(k, store.rows[k].s)", "config.c",
    "[config.c + x]", "store.l", "store.l[0]", "store.l + ['a']", "{'a': {'b': [x]}}.a.b[0]",
  ]

  @Test(arguments: templates) func isHiddenWhateverIsMadeOfIt(expression: String) throws {
    try checkHidden(Self.showing("\"${\(expression)}\""), Self.given)
    try checkHidden(Self.showing(#"{"in": ["${\#(expression)}"]}"#), Self.given)
  }

  @Test func isHiddenInText() throws {
    try checkHidden(Self.showing(#""<${store.t}> ${x}""#), Self.given)
    try checkHidden(Self.showing(#""${store.t == '' ? 'no' : store.t} and ${size(store.t)}""#), Self.given)
  }

  /// What ends secrecy ends it: nothing of the text is left.
  @Test func onlyWhatTellsNothingIsShown() throws {
    for expression in ["store.t == 'a'", "present(store.t)", "size(store.t)", "same(store.t, x)"] {
      let trace = try checkHidden(Self.showing("\"${\(expression)}\""), Self.given)
      #expect(!trace.contains(#""v":"<"#), "\(expression)")
    }
    // Of a short code it could be found out.
    let digest = try checkHidden(Self.showing("\"${s256(store.t)}\""), Self.given)
    #expect(digest.contains(#""v":"<s256(t#1)>"#))
  }

  static let given = #""given": {"store": {"t": "\#(quoted)"}}"#

  /// Sends the secret through a service and back, and shows what came.
  static func asking(
    _ request: String, secrets: String = "", reply: String, shows: String, more: String = ""
  ) -> Sketch {
    Sketch(
      flow: #"""
        "store": {"t": {"type": "string", "secret": true}, "plain": {"type": "json"}},
        "events": {"user.again": {}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", \#(request)}, "next": [
            {"when": "dyn(\#(shows)) != null && response.text != 'x'", "do": [{"set": {"plain": "${\#(shows)}"}},
              {"show": {"got": {"v": "${store.plain}", "t": "${response.text}", "h": "${response.headers}", "j": "${response.json}"}}}], "goto": "done"},
            {"goto": "done"}]},
          "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "secrets": [\#(secrets)], "store": {"kept": {"type": "string"}, "seen": {"rows": {"by": {"type": "string"}}}},
        \#(more) "routes": [{"on": "POST /x/{id}", "next": [{"when": "request.method != '' && request.headers != {}",
          "do": [{"set": {"kept": "${request.text}"}}], "reply": \#(reply)}, {"reply": \#(reply)}]}]
        """#
      ])
  }

  static let ways: [(request: String, secrets: String, reply: String, shows: String)] = [
    (#""post": "/x/1", "bearer": "${store.t}""#, "", #"{"json": {"a": "${request.bearer}"}}"#, "response.json.a"),
    (
      #""post": "/x/1", "bearer": "${store.t}""#, "",
      #"{"json": {"a": "${jwt({'t': request.bearer, 'id': fresh('id')})}"}}"#,
      "'it is ' + claims(response.json.a).t"
    ),
    (
      #""post": "/x/1", "headers": {"Authorization": "Bearer ${store.t}"}"#, "",
      #"{"text": "${request.headers.authorization}"}"#, "response.text"
    ),
    (
      #""post": "/x/1", "headers": {"x-key": "${store.t}"}"#, "",
      #"{"headers": {"x-back": "${request.headers['x-key']}"}}"#,
      "response.headers['x-back']"
    ),
    (#""post": "/x/1", "query": {"q": "${store.t}"}"#, "", #"{"json": ["${request.query.q}"]}"#, "response.json[0]"),
    (#""post": "/x/${store.t}""#, "", #"{"json": "${request.path.id}"}"#, "response.json"),
    (#""post": "/x/1", "form": {"f": "${store.t}"}"#, "", #"{"form": {"g": "${request.form.f}"}}"#, "response.status"),
    (
      #""post": "/x/1", "json": {"a": [{"b": "${store.t}"}]}"#, "", #"{"json": "${request.json.a}"}"#,
      "response.json[0].b"
    ),
    (#""post": "/x/1", "text": "a ${store.t}""#, "", #"{"text": "${request.text}"}"#, "response.text"),
    (
      #""post": "/x/1", "json": {"a": "${base64url(store.t)}"}"#, "", #"{"text": "{\"b\": \"${request.json.a}\"}"}"#,
      "response.json.b"
    ),
    (
      #""post": "/x/1", "json": {"a": "${urlEncode(store.t)}"}"#, "",
      #"{"headers": {"www-authenticate": "Bearer error=\"x\", nonce=\"${request.json.a}\""}}"#,
      "response.challenge.bearer.nonce"
    ),
    (
      #""post": "/x/1", "json": {"a": "${urlEncode(store.t)}"}"#, "",
      #"{"redirect": {"uri": "https://api.example/x/${request.json.a}?q=${request.json.a}"}}"#,
      "response.redirect.query.q"
    ),
    (
      #""post": "/x/1", "json": {"a": "${store.t}"}"#, "",
      #"{"redirect": {"get": "/x/${request.json.a}", "query": {"q": "${request.json.a}"}}}"#,
      "response.redirect.path"
    ),
    (#""post": "/x/1""#, #""pin""#, #"{"json": {"deep": [{"pin": "\#(quoted)"}]}}"#, "response.json.deep[0].pin"),
    (#""post": "/x/1""#, #""json.pin""#, #"{"json": {"pin": {"a": ["\#(quoted)"]}}}"#, "response.json.pin"),
    (#""post": "/x/1""#, #""x-pin""#, #"{"headers": {"X-Pin": "c4n4ry"}}"#, "response.headers['x-pin']"),
    (
      #""post": "/x/1""#, #""q""#, #"{"redirect": {"uri": "https://api.example/a?q=c4n4ry"}}"#,
      "response.redirect.query.q"
    ),
    (#""post": "/x/1", "query": {"pin": "c4n4ry"}"#, #""pin""#, #"{"json": "${request.query.pin}"}"#, "response.json"),
    (#""post": "/x/c4n4ry""#, #""path.id""#, #"{"json": "${request.path.id}"}"#, "response.json"),
    (
      #""post": "/x/1", "form": {"pin": "c4n4ry"}"#, #""form.pin""#, #"{"json": "${request.form.pin}"}"#,
      "response.json"
    ),
    (
      #""post": "/x/1", "json": {"token": "${store.t}"}"#, #""token""#,
      #"{"json": {"jwt": "${jwt({'token': request.json.token, 'exp': now})}"}}"#, "response.json.jwt"
    ),
  ]

  @Test(arguments: ways)
  func isHiddenOnItsWay(request: String, secrets: String, reply: String, shows: String) throws {
    let sketch = Self.asking(request, secrets: secrets, reply: reply, shows: shows)
    let trace = try checkHidden(sketch, Self.given)
    #expect(trace.contains(#""name":"got""#) || trace.contains("got"), "\(trace)")
  }

  @Test func isHiddenInAnAnswerThatAScenarioMakesUp() throws {
    let sketch = Self.asking(
      #""post": "/x/1""#, secrets: #""pin""#, reply: #"{"json": {}}"#, shows: "response.json.pin")
    try checkHidden(
      sketch,
      #""faults": [{"request": "POST /x/{id}", "answer": {"status": 400, "json": {"pin": "\#(Self.quoted)"}}}]"#)
  }

  @Test(arguments: [
    (#"Basic realm=\"a\", Bearer Pin=\"c4n4ry\", error=\"no\""#, #"a\", Bearer Pin=\"<pin#1>\", error=\"no\""#),
    (#"Bearer error=no, pin=\"\""#, #""Bearer error=no, pin=\"\"""#),
    (#"Bearer pin=\"c4n4ry"#, #"{"www-authenticate":"Bearer pin=\"<pin#1>"}"#),
  ]) func isHiddenInTheHeaderThatAChallengeIsMadeOf(header: String, shown: String) throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {"ask": {"request": {"to": "api", "get": "/x"}, "next": [
          {"when": "response.headers['www-authenticate'] != ''",
            "do": [{"show": {"got": {"c": "${response.challenge}", "h": "${response.headers}"}}}], "goto": "done"},
          {"goto": "done"}]}, "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "secrets": ["pin"],
        "routes": [{"on": "GET /x", "next": [{"reply": {"status": 401, "headers": {"www-authenticate": "\#(header)"}}}]}]
        """#
      ])
    let trace = try checkHidden(sketch, nil)
    #expect(trace.contains(shown), "\(trace)")
    #expect(trace.contains(#""pin":"<pin#1>""#) == header.contains("Pin"), "\(trace)")
  }

  @Test func isHiddenInRetriesAndTables() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"t": {"type": "string", "secret": true}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/x", "json": {"k": "${store.t}"}, "retry": {"when": "response.status == 500", "most": 2,
            "do": [{"set": {"t": "${response.json.k}"}}]}}, "next": [{"goto": "done"}]}, "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "store": {"all": {"rows": {"k": {"type": "string"}, "n": {"type": "int", "initial": 0}}}},
        "routes": [{"on": "POST /x", "next": [
          {"when": "!(request.json.k in store.all)", "do": [{"set": {"all[request.json.k].k": "${request.json.k}"}}], "reply": {"status": 500, "json": {"k": "${request.json.k}"}}},
          {"when": "store.all[request.json.k].n < 1", "do": [{"set": {"all[request.json.k].n": 1}}], "goto": "s"},
          {"do": [{"clear": ["all[request.json.k]"]}], "reply": {"json": "${store.all.map(k, k)}"}}]}],
        "states": {"s": {"next": [{"when": "store.all[request.json.k].k == request.json.k", "reply": {"status": 500, "json": {"k": "${store.all.map(k, k)[0]}"}}}, {"reply": {}}]}}
        """#
      ])
    try checkHidden(sketch, Self.given)
  }

  @Test func isHiddenInTheBrowserItsFormsCookiesAndRedirects() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"browser.redirected": {"fields": {"code": {"type": "string", "secret": true}, "state": {"type": "string"}}}},
        "memory": {"c": {"type": "string"}}, "start": "a", "states": {
          "a": {"rest": true, "do": [{"open": {"to": "web", "get": "/login"}}], "on": {"browser.redirected": {
            "do": [{"set": {"c": "${event.code}"}}, {"show": {"h": {"c": "${memory.c}", "s": "${event.state}"}}}], "goto": "b"}}}, "b": {"goal": true}}
        """#,
      services: [
        "web": #"""
        "routes": [
          {"on": "GET /login", "next": [{"reply": {"cookies": {"sid": "c4n4ry"}, "page": {"title": "In", "forms": {"login": {"post": "/login",
            "fields": {"password": {"type": "string", "secret": true, "example": "\#(Self.quoted)"}}}}}}}]},
          {"on": "POST /login", "next": [{"when": "request.form.password != '' && request.cookies.sid != ''", "reply": {"page": {"title": "You are ${request.form.password}",
            "text": "${request.cookies.sid}", "links": {"on": {"get": "/on"}}}}}, {"reply": {}}]},
          {"on": "GET /on", "next": [{"reply": {"redirect": {"uri": "com.example:/in", "query": {"code": "c4n4ry", "state": "${request.cookies.sid}"}}}}]}]
        """#
      ], participants: ["app": #", "redirectUris": ["com.example:/in"]"#])
    let trace = try checkHidden(
      sketch, #""script": [{"submit": "login", "with": {"password": "\#(Self.quoted)"}}, {"follow": "on"}]"#)
    #expect(trace.contains("<code#1>") || trace.contains("<sid#1>"))
    try checkHidden(sketch, nil)
  }

  @Test func isHiddenInMailAndItsLinks() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"t": {"type": "string", "secret": true}, "p": {"type": "string"}},
        "events": {"link.welcome": {"fields": {"token": {"type": "string"}, "other": {"type": "string"}}}}, "start": "a", "states": {
          "a": {"request": {"to": "api", "post": "/x", "json": {"k": "${store.t}"}}, "next": [{"goto": "b"}]},
          "b": {"rest": true, "on": {"link.welcome": {"when": "event.token != ''", "do": [{"set": {"p": "${event.token}"}}, {"show": {"h": {"a": "${event.token}", "b": "${event.other}"}}}], "goto": "c"}}}, "c": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "POST /x", "next": [{"do": [{"send": {"hello": {"to": "${request.json.k}", "subject": "s ${request.json.k}", "text": "t ${request.json.k}",
          "links": {"go": "https://profile.example/w/${urlEncode(request.json.k)}?other=${urlEncode(request.json.k)}"}}}}], "reply": {}}]}]
        """#
      ], participants: ["app": #", "links": {"welcome": "https://profile.example/w/{token}"}"#])
    try checkHidden(sketch, Self.given + #", "script": [{"open mail": "hello"}]"#)
  }

  @Test func isHiddenInALinkThatTheAppCallsSecret() throws {
    for (secrets, field) in [("", #", "secret": true"#), (#""path.token", "query.other""#, "")] {
      let sketch = Sketch(
        flow: #"""
          "events": {"link.welcome": {"fields": {"token": {"type": "string"\#(field)}, "other": {"type": "string"\#(field)}}}}, "start": "a", "states": {
            "a": {"request": {"to": "api", "post": "/x"}, "next": [{"goto": "b"}]},
            "b": {"rest": true, "on": {"link.welcome": {"when": "event.token != ''", "do": [{"show": {"h": {"a": "${event.token}", "b": "${event.other}"}}}], "goto": "c"}}}, "c": {"goal": true}}
          """#,
        services: [
          "api": #"""
          "secrets": [\#(secrets)], "routes": [{"on": "POST /x", "next": [{"do": [{"send": {"hello": {
            "links": {"go": "https://api.example/w/c4n4ry?other=c4n4ry"}}}}], "reply": {}}]}]
          """#
        ], participants: ["app": #", "links": {"welcome": "https://api.example/w/{token}"}"#])
      try checkHidden(sketch, #""script": [{"open mail": "hello"}]"#)
    }
  }

  @Test func isHiddenInWhatTheDeviceDoes() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"t": {"type": "string", "secret": true}}, "start": "a", "emits": {"e": {"f": {"type": "string"}}}, "states": {
          "a": {"perform": {"capability": "sign", "with": {"what": "${store.t}", "plain": "${store.t}"}}, "next": [
            {"when": "result.failure == null && result.out != ''", "do": [{"emit": {"e": {"f": "${result.out}${result.made}"}}}], "goto": "b"}, {"goto": "b"}]}, "b": {"goal": true}}
        """#,
      participants: [
        "device": #"""
        , "capabilities": {"sign": {"input": {"what": {"type": "string"}, "plain": {"type": "string"}},
          "result": {"out": {"type": "string"}, "made": {"type": "string", "secret": true}}, "example": {"out": "x ${input.what}", "made": "c4n4ry"}}}
        """#
      ])
    try checkHidden(sketch, Self.given)
  }

  /// A run that fails tells kinds of values, never values; of the document it quotes what its author wrote.
  @Test func isHiddenInTheErrorsOfARun() throws {
    for expression in [
      "int(dyn(store.t))", "{'a': 1}[store.t]", "timestamp(dyn(store.t))", "dyn(store.t) + 1", "store.t.substring(99)",
      "bool(dyn(store.t))", "duration(dyn(store.t))", "store.rows[store.t].k", "dyn(store.t) < 1",
      "dyn({store.t: 1, store.t: 2})",
    ] {
      let outcome = try Self.showing("\"${string(\(expression))}\"").run(Self.given)
      #expect(!outcome.problems.isEmpty, "\(expression)")
      let told = outcome.problems.map { $0.message + ($0.help ?? "") + $0.labels.map(\.text).joined() }
      #expect(!told.contains { text in canaryForms.contains { text.contains($0) } }, "\(told)")
    }
  }
}
