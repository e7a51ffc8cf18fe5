import Testing

@testable import FlowSpec

/// A mistake that is plainly no secret is shown, or nobody could mend it.
@Test(arguments: [
  (#"{"scenario": "s", "script": [{"advance": "9m 59s"}]}"#, "9m 59s"),
  (#"{"scenario": "s", "script": [{"advance": "1 Hour"}]}"#, "1 Hour"),
  (#"{"scenario": "s", "script": [{"advance": 300}]}"#, "300"), (#"[{"advance": 86400}]"#, "86400"),
  (#"[{"advance": "90"}]"#, "\"90\""), (#"[{"advance": "2h30"}]"#, "2h30"), (#"[{"advance": 1.5}]"#, "1.5"),
  (
    #"{"flow": "f", "memory": {"session": {"type": "string", "secret": true}}, "x": {"set": {"session": "response.json.session"}}}"#,
    "response.json.session"
  ),
  (
    #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "${fresh('pinned')}"}}}"#,
    "fresh('pinned')"
  ),
  (
    #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "${response.json['pinned']}"}}}"#,
    "'pinned'"
  ),
  (
    #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "${jwt({'subject': store.b, ?'pinned': a})}"}}}"#,
    "{'subject': store.b, ?'pinned': a}"
  ),
  (
    #"{"service": "s", "secrets": ["session"], "let": {"session": "store.x[?request.bearer.orValue('zq9kTw')]"}}"#,
    "store.x[?request.bearer.orValue("
  ),
  (#"{"flow": "f", "x": {"request": {"bearer": "Bearer ${store.token}"}}}"#, "Bearer ${store.token}"),
  (#"{"flow": "f", "x": {"request": {"bearer": "{store.?token}"}}}"#, "{store.?token}"),
  (#"{"flow": "f", "x": {"request": {"bearer": "{{response.json.?a.token}}"}}}"#, "{{response.json.?a.token}}"),
  (#"{"flow": "f", "states": {"a": {"goal": True}}}"#, "True"),
  (#"{"flow": "f", "states": {"a": {"goal": undefined}}}"#, "undefined"),
  (#"{"scenario": "s", "given": {"store": {"att": null}}}"#, "null"),
  // A screen may be called like what is typed there, and the name of a grant has that of what is sent for it.
  (
    #"{"flow": "f", "screens": {"pin": {}}, "memory": {"pin": {"type": "string", "secret": true}}, "x": {"do": [{"show": {"pin": {"probelm": true}}}]}}"#,
    "probelm"
  ),
  (
    #"{"service": "s", "secrets": ["device_code"], "when": "request.form.?grant_type == 'urn:ietf:params:oauth:grant-type:device_code'"}"#,
    "'urn:ietf:params:oauth:grant-type:device_code'"
  ),
  (
    #"{"service": "s", "secrets": ["refresh_token"], "when": "request.form.?grant_type.orValue('') == 'refresh_token'"}"#,
    "== 'refresh_token'"
  ),
  (#"{"service": "s", "secrets": ["pin"], "when": "result.ended != 'pin' && a == 'b'"}"#, "!= 'pin' && a == 'b'"),
  (#"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": null}}}"#, "null"),
])
func whatIsPlainlyNoSecretIsShown(text: String, words: String) {
  #expect(shown(text).contains(words))
}

@Test(arguments: [
  #"{"scenario": "s", "script": [{"advance": "Zq9kTw4xPm"}]}"#,
  #"{"flow": "f", "x": {"request": {"bearer": "Bearer Zq9kTw4xPm"}}}"#,
  #"{"flow": "f", "x": {"request": {"bearer": "{Zq9kTw4xPm}"}}}"#,
  #"{"flow": "f", "x": {"request": {"bearer": "{store.?token} Zq9kTw4xPm"}}}"#,
  #"{"flow": "f", "x": {"request": {"bearer": "{store.??Zq9kTw4xPm}"}}}"#,
  #"{"scenario": "s", "script": [{"arrive": {"app:/back?code=Zq9kTw4xPm": 1}}]}"#,
  #"{"scenario": "s", "script": [{"arrive": ["Zq9kTw4xPm"]}]}"#, #"[{"arrive": {"Zq9kTw4xPm": {"731654": {}}}}]"#,
  #"{"scenario": "s", "script": [{"advance": "73165409"}]}"#, #"[{"advance": 73165409}]"#,
  #"[{"advance": "Zq9kTw"}]"#, #"[{"advance": ["731654"]}]"#, #"{"script": {"advance": "Zq9kTw4xPm"}}"#,
  #"[{"event": "user.x", "with": {"advance": "731654"}}]"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "Zq9kTw4xPm.json"}}}"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "response.73165409"}}}"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "${'Zq9kTw4xPm'}"}}}"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "${event.a == 'b' ? 'Zq9kTw4xPm' : event.b}"}}}"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "${['Zq9kTw4xPm', 'b'][0]}"}}}"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "${size(['Zq9kTw4xPm'])}"}}}"#,
  #"{"service": "s", "secrets": ["pin"], "let": {"pin": "request.json.a == 'Zq9kTw4xPm'"}}"#,
  #"{"service": "s", "secrets": ["pin"], "let": {"pin": {"is": "request.json.a == 'Zq9kTw4xPm'"}}}"#,
  #"{"service": "s", "secrets": ["pin"], "let": {"pin": "request.json.a == \\"Zq9kTw4xPm\\""}}"#,
  #"{"flow": "f", "config": {"pin": {"type": "string", "secret": {"note": "x"}, "value": "Zq9kTw4xPm"}}}"#,
  #"{"flow": "f", "store": {"j": {"type": "json", "secret": true, "initial": {"Zq9kTw4xPm": }}}}"#,
  #"{"flow": "f", "config": {"pin": {"type": "string", "secret": true, "value": "${Zq9kTw4xPm}"}}}"#,
  #"{"scenario": "s", "given": {"config": {"key": "${Zq9kTw4xPm}"}}}"#,
  #"{"flow": "f", "store": {"pin": {"type": "string", "secret": true, "initial": "a ${fresh('Zq9kTw4xPm')}"}}}"#,
  #"{"flow": "f", "store": {"t": {"rows": {"pin": {"type": "string", "secret": true}}, "initial": {"a": {"pin": "${Zq9kTw4xPm}"}}}}}"#,
  #"{"service": "f", "secrets": ["pin"], "x": {"fields": {"pin": {"type": "string", "example": "Zq9kTw4xPm"}}}}"#,
])
func whatMayBeASecretIsNot(text: String) {
  let text = shown(text)
  #expect(!text.contains("Zq9kTw") && !text.contains("731654") && text.contains("••••••••"), "\(text)")
}

/// What is shown under the name of a secret and is no screen, or on a screen in a field that is one, stays hidden, and so
/// does what a secret is compared with, whatever stands beside it.
@Test(arguments: [
  #"{"flow": "f", "screens": {"a": {}}, "memory": {"pin": {"type": "string", "secret": true}}, "x": {"do": [{"show": {"pin": {"a": "zq9kTw"}}}]}}"#,
  #"{"flow": "f", "screens": {"pin": {}}, "memory": {"pin": {"type": "string", "secret": true}}, "x": {"do": [{"show": {"pin": {"pin": "zq9kTw"}}}]}}"#,
  #"{"service": "s", "secrets": ["pin"], "reply": {"json": {"show": {"pin": {"a": "zq9kTw"}}}}}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.form.pin in ['zq9kTw', 'urn:a:b']"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.form['pin'] == 'zq9kTw'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.json['urn:a:pin'] == 'zq9kTw'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.json.a.exists(k, k == 'pin' && request.json[k] == 'zq9kTw')"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.json.a.filter(f, f.name == 'pin')[0].value == 'zq9kTw'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "!(request.json.k != 'pin' || request.json.v != 'zq9kTw')"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "'zq9kTw' == (request.json.name == 'pin' ? request.json.value : '')"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.json.k == 'pin:zq9kTw'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.json.k == 'pin' 'zq9kTw'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "(a ? b ? 'zq9kTw==':store.pin:'x') == c"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.json.pin == 'pin' || request.json.pin == 'zq9kTw'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "'zq9kTw' == request.json['pin'] && a == 'pin'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "(a == 'pin' ? request.json.pin : b) == 'zq9kTw'"}"#,
  #"{"service": "s", "secrets": ["pin"], "when": "request.json.a == 'urn:a pin' && 'urn:pin zq9kTw' == x"}"#,
  #"{"flow": "f", "screens": {"pin": {}}, "memory": {"pin": {"type": "string", "secret": true}}, "x": {"json": {"do": [{"show": {"pin": {"a": "zq9kTw"}}}]}}}"#,
])
func whatMayBeSecretBesideThatIsHidden(text: String) {
  #expect(!shown(text).contains("zq9kTw"))
}

private func shown(_ text: String) -> String {
  let document = Document(path: "a.json", bytes: Array(text.utf8))
  return DiagnosticRenderer().text(of: [Diagnostic("c", "m", at: Site(document: document, range: 0..<1), "")])
}

/// Where one field is secret, what stands under a name that is none was meant for it, perhaps.
@Test func noValueOfAnUnknownFieldIsShownBesideASecretOne() throws {
  let flow = #"""
    {"flow": "f", "title": "F", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
      "store": {"t": {"rows": {"pin": {"type": "string", "secret": true}}, "initial": {"r": {%}}}},
      "screens": {"home": {"fields": {"pin": {"type": "string", "secret": true}, "day": {"type": "string"}}}},
      "start": "b", "states": {"b": {"goal": true, "do": [{"show": {"home": {#}}}]}}}
    """#
  for (row, shown) in [
    ("", #""passcode": "qzxkvw", "day": "${now}""#), ("", #""passcode": {"x": ["jyhpqz", 97868979]}"#),
    (#""pn": "${qzxkvw}""#, ""), (#""pn": 97868979"#, ""),
  ] {
    var documents = Documents(texts: ["f.json": flow.replacing("%", with: row).replacing("#", with: shown)])
    let found = documents.flow("f.json").diagnostics.filter { $0.severity == .error }
    #expect(found.first?.code == "unknown-field")
    let told = DiagnosticRenderer().text(of: found)
    #expect(!["qzxkvw", "jyhpqz", "97868979"].contains(where: told.contains), "\(told)")
  }
}

/// However a serializer or a slip has written it: in other quotation marks, escaped, as a member of a map, in another place.
@Test(arguments: [
  #""do": [{"set": {"token": "${\"qzxkvw\" + store.x}"}}]"#,
  #""do": [{"set": {"token": "${\u0027qzxkvw\u0027 + store.x}"}}]"#,
  #""request": {"json": "${{'pin': 'qzxkvw'}}"}"#, #""request": {"json": {"a": "${{\"pin\": \"qzxkvw\"}}"}}"#,
  #""request": {"json": {"p\u0069n": "qzxkvw"}}"#,
  #""store": {"k": {"type": "string", "secr\u0065t": true, "initial": "qzxkvw"}}"#,
  #""config": {"key": {"type": "string", "secret": true}, "value": "qzxkvw"}"#, #""initial": "qzxkvw""#,
  #""fields": {"p": {"type": "string", "secret": true}, "example": "qzxkvw"}"#, #""set": ["token", "qzxkvw"]"#,
  #""request": {"headers": ["authorization: Bearer qzxkvw"]}"#, #""let": {"token": {"is": "'qzxkvw'"}}"#,
  #""when": "store.token.startsWith('qzxkvw')""#, #""when": "store.token != 'qzxkvw'""#,
  #""when": "'qzxkvw' == store.token""#,
  #""when": {"all": ["response.status == 200 && same(store.token, 'qzxkvw')"]}"#,
  #""when": "store.token in ['qzxkvw']""#,
  #""when": "store.token == \"qzxkvw\"""#, #""when": "request.form.pin == 'qzxkvw'""#,
  #""when": "store.token != 'qzxkvw""#, #""set": {"token": "${'qzxkvw}"}"#,
  #""let": {"bad": "store.token != 'qzxkvw' && nope"}"#,
  #""show": {"s": {"a": "${store.token != 'qzxkvw' ? nope : 'b'}"}}"#,
  #""when": "store.token != 'it\\'s&&qzxkvw' && nope""#,
  #""when": "['qzxkvw'].exists(x, nope && x == store.token)""#,
  #""request": {"json": "${{'pin': 'a' + 'qzxkvw', 'x': nope}}"}"#,
  #""when": "request.form.pin == 97868979 || 'qzxkvw' == store.token""#,
  #""when": {"any": ["store.token == 'qzxkvw'"]}"#,
  #""wen": "store.token.startsWith('qzxkvw')""#, #""condition": "'qzxkvw' == store.token && response.status == 200""#,
  #""wehn": {"alll": ["store.token in ['qzxkvw']"]}"#, #""iff": "store.token != \"qzxkvw\" ? '${a}' : 'b'""#,
  #""set": {"token": "${rows['4qzxkvw7a']}"}"#, #""set": {"token": "a ${fresh('4qzxkvw7a')}"}"#,
  #""let": {"right": "'qzxkvw'"}, "when": "store.token == right""#,
  #""let": {"right": {"is": "good ? 'qzxkvw' : ''"}}, "json": {"a": "${right == store.token}"}"#,
  #""let": {"one": "'qzxkvw'", "other": "[one, 'b']"}, "when": {"all": ["store.token in other && nope"]}"#,
  #""let": {"given": "store.token", "same": "given"}, "when": "same != 'qzxkvw'""#,
])
func whatIsWrittenOutForASecretIsHidden(members: String) throws {
  let told = shown(#"{"flow": "f", "secrets": ["token", "pin"], "states": {"s": {"# + members + "}}, \(members)}")
  #expect(!told.contains("qzxkvw") && told.contains("••••••••"), "\(told)")
}

@Test(arguments: [
  #""when": "request.form.tan == config.tan && event.result == 'okk'""#, #""when": "event.state == store.payState""#,
  #""when": {"any": ["request.form.tan == request.query.id", "request.query.?tan == store.?tan"]}"#,
  #""when": "request.form.tan != config.tan || response.json.error == 'slowdown'""#,
  #""do": [{"show": {"s": {"a": "${store.tan == null ? 'readable' : nope}", "b": "${store.tan == string(x) ? 1 : 2}"}}}]"#,
  #""let": {"kept": "store.tan != ''", "odd": "kept && store.n == 'odd'"}, "when": "odd && event.n == 'odd'""#,
  #""do": [{"set": {"payState": "${rows['first'].state}"}}]"#, #""wen": "store.tan != null && event.kind == 'odd'""#,
  #""when": "store.tan == '' && nope""#, #""when": "response.challenge.?bearer.?error.orValue('') == 'invalid_token'""#,
])
func conditionsOnSecretsAreShown(members: String) throws {
  let head = #"{"flow": "f", "secrets": ["tan", "payState"], "states": {"s": {"next": [{"#
  let text = head + "\(members)}]}}, \(members)}"
  #expect(shown(text).contains(text))
}

/// No place in it can be told, and nothing of it need be shown.
@Test func whatIsNoUTF8IsHiddenAndReadAllTheSame() throws {
  for end in ["'}}\"", "'", "", "'}}", "\\"] {
    var bytes =
      Array("{\"flow\": \"f\", \"secrets\": [\"pin\"], \"title\": \"${{'pin': 'qzxkvw".utf8) + [0xFC, 0xFC, 0xFC]
    bytes += Array((end + "}").utf8)
    let document = Document(path: "a.json", bytes: bytes)
    let told = DiagnosticRenderer().text(of: [Diagnostic("c", "m", at: Site(document: document, range: 0..<1), "")])
    #expect(told.contains("••••••••") && !told.contains("qzxkvw"), "\(told)")
  }
}

@Test(arguments: [#"["p\u0069n"]"#, #"["json.p\u0069n"]"#]) func aListedNameMayBeEscaped(secrets: String) {
  let told = shown(#"{"flow": "f", "secrets": "# + secrets + #", "request": {"json": {"pin": "qzxkvw"}}}"#)
  #expect(!told.contains("qzxkvw"), "\(told)")
}

@Test func aDamagedStoreIsHiddenWhole() throws {
  #expect(!shown(#"{"format":1,"flow":"x","stores":{"refreshToken":"qzxkvw"}}"#).contains("qzxkvw"))
}

/// What is hidden in a place is hidden in the words about it too: none of our own may look like it.
@Test(arguments: ["NaN", "Infinity", "-Infinity"]) func aNumberThatJSONDoesNotHaveIsTold(word: String) throws {
  var documents = Documents(texts: ["f.json": #"{"flow": "f", "title": "# + word + "}"])
  let told = try #require(DiagnosticRenderer().shown(documents.flow("f.json").diagnostics).first).diagnostic
  #expect(told.code == "invalid-number" && told.message == "a word stands for a number that JSON does not have")
  #expect(told.help == "JSON has no such number: null can stand for none")
}

@Test(arguments: ["com.example", "callback", "app", "/back?code=forged", "code=forged"])
func whatAnAddressIsLikeIsTold(address: String) throws {
  var documents = try Documents.sample()
  documents.texts["scenario.json"]?.replace(#"{"kill": true}"#, with: #"{"arrive": "\#(address)"}"#)
  let flow = try #require(documents.flow().value)
  let found = Loading.scenario(at: "scenario.json", for: flow, reader: &documents).diagnostics
  let told = try #require(DiagnosticRenderer().shown(found).first).diagnostic
  #expect(told.code == "wrong-url" && told.help == "write a whole address: it begins with a scheme, as app:/back does")
}

/// Names in words are no secrets where only states, ends and the like are named; what nobody would choose may be one.
@Test(arguments: [
  (#""goto": "b""#, #""goto": "gives it up""#, true), (#""start": "a""#, #""start": "gives it up""#, true),
  (#""call": "part""#, #""call": "gives it up""#, true), (#""ends": "b""#, #""ends": "gives it up""#, true),
  (#""ends": "b""#, #""ends": "Zq9kTw4xPm it up""#, false), (#""goto": "b""#, #""goto": "Zq9kTw4xPm it up""#, false),
  (#""event": "user.goes""#, #""event": "user.goes it up""#, false),
])
func aNameInWordsIsShown(written: String, wrong: String, isShown: Bool) throws {
  var documents = Documents(texts: [
    "f.json": #"""
    {"flow": "f", "title": "F", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
      "events": {"user.goes": {}}, "start": "a", "states": {
      "a": {"rest": true, "on": {"user.goes": {"goto": "c"}}}, "b": {"goal": true}, "c": {"call": "part", "next": [{"goto": "b"}]}},
      "flows": {"part": {"ends": ["over"], "start": "p", "states": {"p": {"end": "over"}}}}}
    """#,
    "s.json": #"{"scenario": "s", "script": [{"event": "user.goes"}], "ends": "b"}"#,
  ])
  let flow = try #require(documents.flow("f.json").value)
  for path in ["f.json", "s.json"] { documents.texts[path]?.replace(written, with: wrong) }
  let found =
    documents.flow("f.json").diagnostics
    + Loading.scenario(at: "s.json", for: flow, reader: &documents).diagnostics
  let told = DiagnosticRenderer().text(of: found)
  #expect(told.contains("it up") == isShown && told.contains("••••••••") == !isShown, "\(told)")
}
