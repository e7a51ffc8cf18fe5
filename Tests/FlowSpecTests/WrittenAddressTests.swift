import FlowSpec
import Testing

/// A flow whose links and whose service's paths have secrets in them, which documents may write out.
private let documents = Documents(texts: [
  "f.json": #"""
  {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "links": {"in": "https://app.example/in/{ticket}"}},
  "s": {"kind": "service", "url": "https://s.example", "model": "s.json"},
  "device": {"kind": "device", "capabilities": {"sign": {"input": {"key": {"type": "string", "secret": true}}, "result": {"signature": {"type": "string", "secret": true}}}}}},
  "store": {"token": {"type": "string", "secret": true}, "cards": {"rows": {"pin": {"type": "string", "secret": true}}}},
  "events": {"link.in": {"fields": {"ticket": {"type": "string", "secret": true}}}},
  "start": "home", "states": {
  "home": {"rest": true, "on": {"link.in": {"do": [{"set": {"token": "${event.ticket}"}}], "goto": "asking"}}},
  "asking": {"despite": {"secret-in-url": "as Okta does"}, "request": {"to": "s", "get": "/welcome/${store.token}"}, "next": [{"goto": "signing"}]},
  "signing": {"perform": {"capability": "sign", "with": {"key": "${store.token}"}}, "next": [{"goto": "done"}]},
  "done": {"goal": true}}}
  """#,
  "s.json": #"""
  {"service": "s", "secrets": ["path.activation", "query.code"],
  "routes": [{"on": "GET /welcome/{activation}", "next": [{"reply": {"status": 200}}]},
  {"on": "GET /welcome/email-sent", "next": [{"reply": {"status": 200}}]}, {"on": "GET /v2beta/users", "next": [{"reply": {"status": 200}}]}]}
  """#,
])

/// What is shown of a flow with something else written in it, and of a scenario of it.
private func text(of written: String = "", as other: String = "", scenario: String = "") -> String {
  var changed = documents
  changed.texts["f.json"] = changed.texts["f.json"]?.replacing(written, with: other)
  changed.texts["x.json"] = #"{"scenario": "x", "# + (scenario.isEmpty ? #""title": "X""# : scenario) + "}"
  let flow = changed.flow("f.json")
  let ofScenario = flow.value.map { Loading.scenario(at: "x.json", for: $0, reader: &changed).diagnostics } ?? []
  let found = flow.diagnostics + ofScenario
  return DiagnosticRenderer().text(of: found) + DiagnosticRenderer.json(of: found)
}

@Test(arguments: [
  (#""/welcome/${store.token}""#, #""/welcome/qzxkvw""#), (#""/welcome/${store.token}""#, #""/welcome/qzxkvw/again""#),
  (#""get": "/welcome/${store.token}""#, #""put": "/welcome/qzxkvw""#),
  (#""/welcome/${store.token}""#, #""/welcom/Qz3xk9Lw2v""#), (#""/welcome/${store.token}""#, #""\/welcome\/qzxkvw""#),
  (#""/welcome/${store.token}""#, #""welcome/qzxkvw""#), (#""/welcome/${store.token}""#, #""/welcom/qzxkvw""#),
  (#""/welcome/${store.token}""#, #""/Welcome/qzxkvw""#),
  (#""/welcome/${store.token}""#, #""/welcome/qzxkvw-${store.tokn}""#),
  (#""/welcome/${store.token}""#, #""${config.base}/welcome/qzxkvw""#),
  (#""/welcome/${store.token}""#, #""/welcome/:qzxkvw""#),
  (#"{"token": "${event.ticket}"}"#, #"{"store.token": "qzxkvw"}"#),
  (#"{"token": "${event.ticket}"}"#, #"{"memory.token": "qzxkvw"}"#), (#"{"token": "${event.ticket}"}"#, #""qzxkvw""#),
  (#""to": "s", "#, #""to": "s", "bearar": "qzxkvw", "#),
  (#""to": "s", "#, #""to": "s", "headers": "Bearer qzxkvw", "#),
  (#""to": "s", "#, #""to": "s", "headers": {"Authorization ": "Bearer qzxkvw"}, "#),
  (#"{"key": "${store.token}"}"#, #""qzxkvw""#),
  (#""cards": {"#, #""cards": {"initial": {"c1": "qzxkvw"}, "#), (#""cards": {"#, #""cards": {"initial": "qzxkvw", "#),
  (#""cards": {"#, #""cards": {"initial": ["qzxkvw"], "#),
  (#""cards": {"#, #""cards": {"initial": {"c1": ["qzxkvw"]}, "#),
  // Something else in the place of what has the secret in it, and a name that has no value.
  (#""sign": {"#, #""sign": {"example": "qzxkvw", "#), (#""sign": {"#, #""sign": {"example": ["qzxkvw"], "#),
  (#"{"token": "${event.ticket}"}"#, #"{"cards['a']": "qzxkvw"}"#),
  (#"{"token": "${event.ticket}"}"#, #"{"cards": ["qzxkvw"]}"#),
  (#"{"token": "${event.ticket}"}"#, #"{"home": "qzxkvw"}"#),
  // In the place of the words by which a secret is declared.
  (#""string", "secret": true}, "cards""#, #""string", "secret": "qzxkvw"}, "cards""#),
  (#""string", "secret": true}, "cards""#, #""string", "secret": ["qzxkvw"]}, "cards""#),
  (#""string", "secret": true}, "cards""#, #""string", "secret": {"a": "qzxkvw"}}, "cards""#),
  (#""string", "secret": true}, "cards""#, #""string", "secret": true, "secret": "qzxkvw"}, "cards""#),
  (#""string", "secret": true}, "cards""#, #""string", "secret": 97868979}, "cards""#),
  (#""ticket": {"type": "string", "secret": true"#, #""ticket": {"type": "string", "secret": "qzxkvw""#),
  (#""token": {"type": "string""#, #""token": {"type": "qzxkvw""#),
  (#""token": {"type": "string""#, #""token": {"type": ["qzxkvw"]"#),
  (#""token": {"type": "string""#, #""token": {"type": "string", "group": {"a": "qzxkvw"}"#),
  // What would end its quotation, or is one character with the quotation mark before it.
  (#""token": {"#, #""token": {"initial": {"a\"qzxkvw": 1, "a\"qzxkvw": 2}, "#),
  (#""token": {"#, #""token": {"initial": {"\u0301qzxkvw": 1, "\u0301qzxkvw": 2}, "#),
  (#""token": {"#, #""token": {"initial": {"qzxkvw\u0600": 1, "qzxkvw\u0600": 2}, "#),
  (#""to": "s", "#, #""to": "s", "headers": {"authorization: Bearer qzxkvw": ""}, "#),
  (#""to": "s", "#, #""to": "s", "headers": {"cookie=qzxkvw": ""}, "#),
  (#""to": "s", "#, #""to": "s", "headers": {"Qz3xk9Lw2v": 1}, "#),
  // A setting is no secret less in an address.
  (
    #""participants": {"user": {"kind": "person"}, "app": {"kind": "app", "#,
    #""config": {"k": {"type": "string", "secret": true, "value": "qzxkvw"}}, "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "redirectUris": ["http://hooks.example/${config.k}"], "#
  ),
])
func aFlowThatWritesASecretOutElsewhereDoesNotShowIt(written: String, wrong: String) {
  let shown = text(of: written, as: wrong)
  #expect(shown.contains("error[") || shown.contains("remark["), "\(wrong) is told of")
  #expect(!["qzx", "Qz3xk9", "97868"].contains(where: shown.contains), "\(shown)")
}

@Test(arguments: [
  #""faults": [{"request": "GET /welcome/qzxkvw", "lost": true}]"#,
  #""faults": [{"request": "GET /welcom/Qz3xk9Lw2v", "lost": true}]"#,
  #""faults": [{"request": "GET /authorize?code=qzxkvw", "lost": true}]"#,
  #""faults": [{"request": "GET https://s.example/welcome/qzxkvw", "lost": true}]"#,
  #""faults": [{"request": "get /welcome/qzxkvw", "lost": true}]"#,
  #""faults": [{"request": "welcome/qzxkvw", "lost": true}]"#,
  #""faults": [{"request": "GET  /welcome/qzxkvw", "lost": true}]"#,
  #""faults": [{"request": "GET /welcome#qzxkvw", "lost": true}]"#,
  #""faults": [{"request": "GET /welcome/\u0071zxkvw", "lost": true}]"#,
  #""faults": [{"request": "GET /welcome/qzx", "lost": true}]"#,
  #""faults": [{"request": "GET \u002fwelcome\u002fqzxkvw", "lost": true}]"#,
  #""script": [{"kill": "app.example/in/qzxkvw"}]"#,
  #""faults": [{"perform": "sign", "result": "qzxkvw"}]"#, #""script": [{"link": "https://app.example/in/qzxkvw"}]"#,
  #""script": [{"launch": "https://app.example/in/qzxkvw"}]"#,
  #""script": [{"close": "https://app.example/in/qzxkvw"}]"#,
  #""script": [{"kill": "https:\/\/app.example\/in\/qzxkvw"}]"#, #""ends": "https://app.example/in/qzxkvw""#,
  // Under the name of a state, which has no value, and in the place of what has values in it.
  #""given": {"store": {"home": "qzxkvw"}}"#, #""given": {"services": {"s": {"home": "qzxkvw"}}}"#,
  #""script": [{"event": "link.in", "with": {"home": "qzxkvw"}}]"#,
  #""faults": [{"perform": "sign", "result": {"home": "qzxkvw"}}]"#,
  #""given": {"store": {"cards": {"a": "qzxkvw"}}}"#, #""given": {"store": {"cards": ["qzxkvw"]}}"#,
  #""given": {"services": {"s": "qzxkvw"}}"#,
])
func aScenarioThatWritesAnAddressOutElsewhereDoesNotShowIt(members: String) {
  let shown = text(scenario: members)
  #expect(shown.contains("error["), "\(members) is told of")
  #expect(!["qzx", "Qz3xk9"].contains(where: shown.contains), "\(shown)")
}

/// Words that are no secrets are shown where a secret might stand.
@Test(arguments: [
  (#""token": {"type": "string""#, #""token": {"type": "strng""#, #""type" cannot be "strng""#),
  (#""token": {"type": "string""#, #""token": {"type": "integer""#, #""type" cannot be "integer""#),
  (#""string", "secret": true}, "cards""#, #""string", "secret": "yes"}, "cards""#, #""secret": "yes"}"#),
  (#""sign": {"#, #""sign": {"example": null, "#, #""example": null"#),
  (#""sign": {"#, #""read": {"example": "a", "result": {"a": {"type": "int"}}}, "sign": {"#, #""example": "a""#),
])
func whatCannotBeASecretIsShown(written: String, wrong: String, told: String) {
  let shown = text(of: written, as: wrong)
  #expect(shown.contains(told), "\(shown)")
}

@Test func aRedirectURIIsNamedWithoutTheSecretInIt() {
  var changed = documents
  for (path, words, others) in [
    ("f.json", #""app": {"#, #""browser": {"kind": "browser"}, "app": {"redirectUris": ["com.ex:/cb/${config.k}"], "#),
    ("f.json", #""events""#, #""config": {"k": {"type": "string", "secret": true, "value": "qzxkvw"}}, "events""#),
    ("s.json", #"{"status": 200}}]},"#, #"{"redirect": {"uri": "com.ex:/other/place"}}}]},"#),
  ] {
    changed.texts[path] = changed.texts[path]?.replacing(words, with: others)
  }
  let shown = DiagnosticRenderer().text(of: changed.flow("f.json").diagnostics)
  #expect(shown.contains("they are com.ex:/cb/••••••••") && !shown.contains("qzx"), "\(shown)")
}

/// What servers write in one line stands in the name.
@Test func aCookieIsNamedWithoutItsValue() {
  var changed = documents
  changed.texts["s.json"]?.replace(
    #"{"status": 200}"#, with: #"{"status": "x", "cookies": {"sid=qzxkvw": "a", "Qz3xk9Lw2v": "b"}}"#)
  let shown = DiagnosticRenderer().text(of: changed.flow("f.json").diagnostics)
  #expect(shown.contains(#""cookies": {"sid••••••••": "••••••••", "••••••••": "••••••••"}"#), "\(shown)")
  #expect(!["qzx", "Qz3xk9"].contains(where: shown.contains), "\(shown)")
}

@Test func whatStandsAroundASecretInAnAddressIsShown() {
  let shown = text(of: #""/welcome/${store.token}""#, as: #""/welcome/qzxkvw""#)
  #expect(shown.contains(#""get": "/welcome/••••••••"}"#), "\(shown)")
}

/// Somebody has chosen these: routes have them, or they are made of words.
@Test(arguments: [
  ("GET /welcomes", "GET /welcomes"), ("GET /welcome/email-sent/x", "GET /welcome/email-sent/x"),
  ("GET /v2beta/userx", "GET /v2beta/userx"), ("GET /oauth2callback", "GET /oauth2callback"),
  ("GET /my%20realm/x", "GET /my%20realm/x"), ("GET /accounts:lookup", "GET /accounts:lookup"),
  ("GET /.well-known/x", "GET /.well-known/x"),
])
func anAddressWithoutASecretIsShown(request: String, quoted: String) {
  let shown = text(scenario: #""faults": [{"request": "\#(request)", "lost": true}]"#)
  #expect(shown.contains("no model has the route \"\(quoted)\""), "\(shown)")
}

/// A message's own words are no place of the document, though the same may be hidden there.
@Test func whatIsHiddenIsHiddenWhereItIsQuoted() {
  let shown = text(scenario: #""faults": [{"request": "GET /welcome/route", "lost": true}]"#)
  #expect(shown.contains(#"no model has the route "GET /welcome/••••••••""#), "\(shown)")
}
