import FlowSpec
import Foundation
import Testing

/// A flow and a scenario with secrets in them; no three letters of these stand anywhere else.
private let documents = Documents(texts: [
  "f.json": #"""
  {"flow": "f", "title": "F", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
  "config": {"key": {"type": "string", "value": "qzxkvw jyhpqz", "secret": true}, "pin": {"type": "json", "secret": true, "value": 97868979}},
  "events": {"user.signs": {"fields": {"password": {"type": "string", "secret": true}}}}, "start": "a", "states": {
  "a": {"rest": true, "on": {"user.signs": {"when": "present(event.password) && config.key != config.pin", "goto": "b"}}}, "b": {"goal": true}}}
  """#,
  "s.json": #"""
  {"scenario": "s", "given": {"config": {"key": "qzxkvw jyhpqz", "pin": 97868979}},
  "script": [{"event": "user.signs", "with": {"password": "jyhpqz"}}], "ends": "b"}
  """#,
])

/// A service that says where its secrets come from, and writes some of them out.
private let service = #"""
  {"service": "s", "secrets": ["token", "session"], "memory": {"token": {"type": "string"}, "who": {"type": "string"}},
  "store": {"given": {"rows": {"who": {"type": "string"}, "password": {"type": "string", "secret": true}}}},
  "routes": [{"on": "GET /x", "next": [{"do": [
  {"set": {"token": "${fresh('token')}", "given[memory.token]": {"who": "${memory.who}", "password": "qzxkvw"}}}],
  "reply": {"cookies": {"visit": "qzxkvw"}, "json": {"token": "${jwt({'sub': 'kim'})} jyhpqz", "session": "${memory.who} qzxkvw ${memory.who}"}}}]}]}
  """#

/// A character too many or too few, anywhere.
@Test(arguments: ["", "\"", "}", "{", "$", "'", ",", ":", "]"])
func noSlipInAServiceShowsASecret(slip: String) {
  let text = Array(service)
  for index in text.indices {
    let slipped = String(text[..<index]) + slip + String(text[(slip.isEmpty ? index + 1 : index)...])
    // That cookies are secret is known by their word alone.
    guard slipped.contains("\"cookies\"") else { continue }
    var documents = Documents(texts: ["s.json": slipped])
    let found = leak(in: Loading.service(at: "s.json", reader: &documents).diagnostics)
    #expect(found == nil, "\(found ?? ""): \(slipped)")
  }
}

private func findings(in documents: Documents) -> [Diagnostic] {
  var documents = documents
  let flow = documents.flow("f.json")
  return flow.diagnostics
    + (flow.value.map { Loading.scenario(at: "s.json", for: $0, reader: &documents).diagnostics } ?? [])
}

/// Three letters of a secret that are shown; `nil` for none.
private func leak(in found: [Diagnostic]) -> String? {
  let shown = DiagnosticRenderer().text(of: found) + DiagnosticRenderer.json(of: found)
  return ["qzxkvw", "jyhpqz", "97868979"].flatMap { secret in
    (0...secret.count - 3).map { String(secret.dropFirst($0).prefix(3)) }
  }.first(where: shown.contains)
}

@Test func theDocumentsWithSecretsAreSound() {
  #expect(findings(in: documents).map(\.summary) == [])
}

/// A quotation mark, a bracket, a comma or a colon too many or too few, anywhere.
@Test(arguments: ["f.json", "s.json"], ["", "\"", "}", ",", ":"])
func noSlipShowsASecret(path: String, slip: String) throws {
  let text = Array(try #require(documents.texts[path]))
  for index in text.indices {
    // What is put in stands before a character, what is left out for it.
    let slipped = String(text[..<index]) + slip + String(text[(slip.isEmpty ? index + 1 : index)...])
    var changed = documents
    changed.texts[path] = slipped
    let found = leak(in: findings(in: changed))
    #expect(found == nil, "\(found ?? ""): \(slipped)")
  }
}

@Test(arguments: [
  #""secret" true, "value": "qzxkvw""#, #""secret"= true, "value": "qzxkvw""#, #"secret: true, "value": "qzxkvw""#,
  #"“secret”: true, "value": "qzxkvw""#, #""value": "qzxkvw", "secret" true"#, #""secret": true, "value" "qzxkvw""#,
  #""secret": true, "value" 97868979"#, #""secret": true, "value": 97868979x"#, #""secret": true, value: "qzxkvw""#,
  #""secret": true, "value": "first"qzxkvw.jyhpqz""#, #""secret": true, "value": "first","qzxkvw.jyhpqz""#,
  #""secret": true, "value": "first":"qzxkvw"}"#, #""secret": true, "value": "first",qzxkvw: jyhpqz"#,
  #""secret": true, "value": first qzxkvw"#, #""secret": true, "value": first,qzxkvw}jyhpqz"#,
  #""secret": true}}}, "value": "qzxkvw""#, #""value": "qzxkvw", "one of": ["a", "b", "secret": true"#,
])
func noDocumentThatIsNoJSONShowsASecret(members: String) throws {
  var changed = documents
  let text = try #require(changed.texts["f.json"])
  changed.texts["f.json"] = text.replacing("\"value\": \"qzxkvw jyhpqz\", \"secret\": true", with: members)
  let found = findings(in: changed)
  #expect(!found.isEmpty)
  #expect(leak(in: found) == nil, "\(DiagnosticRenderer().text(of: found))")
}

/// What the language knows shows where it is, and names before it.
@Test func aDocumentThatIsNoJSONIsShownByWhatTheLanguageKnows() {
  let text = #"{"flow": "f", "states": {"home": {"rest": true, "after" [{"wait": "5s", "gto": "b"}]}}}"#
  let hidden =
    #"{"flow": "••••••••", "states": {"home": {"rest": true, "after" [{"wait": "••••••••", "••••••••": "••••••••"}]}}}"#
  var documents = Documents(texts: ["f.json": text])
  let shown = DiagnosticRenderer().text(of: documents.flow("f.json").diagnostics)
  #expect(shown.contains(hidden), "\(shown)")
}

/// So does where a transition leads: the column is that of the mistake.
@Test func aTransitionThatLacksACommaIsShown() {
  let transition = #"{"name": "signed in", "when": "present(store.token)" "goto": "home"}"#
  var documents = Documents(texts: ["f.json": #"{"flow": "f", "states": {"a": {"next": ["# + "\n\(transition)]}}}"])
  let shown = DiagnosticRenderer().text(of: documents.flow("f.json").diagnostics)
  #expect(shown.contains("f.json:2:53") && shown.contains(transition.replacing("home", with: "••••••••")), "\(shown)")
}

@Test(arguments: [
  #""password": {"secret": true, "one of": ["qzxkvw", "jyhpqz"], "example": "other"}"#,
  #""password": {"secret": true, "one of": ["qzxkvw", "qzxkvw", "jyhpqz "]}"#,
  #""password": {"secret": true, "type": "int", "example": "97868979"}"#,
])
func whatASecretCanBeIsNotListed(field: String) throws {
  var changed = documents
  changed.texts["f.json"] = changed.texts["f.json"]?.replacing(
    #""password": {"type": "string", "secret": true}"#, with: field)
  let found = findings(in: changed)
  #expect(!found.isEmpty)
  #expect(leak(in: found) == nil, "\(DiagnosticRenderer().text(of: found))")
}

/// A message does not quote what the excerpt below it hides.
@Test(arguments: [
  ("\"url\": \"http://other.example\"", "\"url\": \"https://me:qzxkvw@other.example\""),
  ("\"url\": \"http://other.example\"", "\"url\": \"https://other.example/?invite=qzxkvw\""),
  ("\"get\": \"/people\"", "\"get\": \"/people?invite=qzxkvw\""),
  ("\"get\": \"/people\"", "\"get\": \"/people\", \"headers\": {\"proxy-authorization\": \"qzxkvw\"}"),
])
func noMessageQuotesASecret(written: String, wrong: String) throws {
  var documents = try Documents.sample()
  let text = try #require(documents.texts["sample.json"])
  documents.texts["sample.json"] = text.replacing(written, with: wrong)
  #expect(documents.texts["sample.json"] != text)
  let found = documents.flow().diagnostics
  #expect(!found.isEmpty)
  #expect(leak(in: found) == nil, "\(DiagnosticRenderer().text(of: found))")
}

private func shown(_ text: String, marking words: String) throws -> String {
  let document = Document(path: "a.json", bytes: Array(text.utf8))
  let start = text.utf8.distance(from: text.startIndex, to: try #require(text.range(of: words)).lowerBound)
  return DiagnosticRenderer().text(
    of: [Diagnostic("c", "m", at: Site(document: document, range: start..<start + words.utf8.count), "")])
}

/// Data has members of any name.
@Test(arguments: [
  #""set": {"token": %}"#, #""set": {"rows['a']": {"token": %}}"#, #""reply": {"json": {"a": [{"token": %}]}}"#,
  #""request": {"form": {"token": %}}"#, #""store": {"t": {"rows": {}, "initial": {"r": {"token": %}}}}"#,
  #""emit": {"out": {"token": %}}"#, #""perform": {"with": {"token": %}}"#,
])
func dataThatLooksLikeADeclarationIsHidden(members: String) throws {
  for data in [#"{"type": "qzxkvw", "uri": "jyhpqz"}"#, #"{"do": {"get": {"next": 97868979}}}"#] {
    let written = members.replacing("%", with: data)
    let machine = #"{"service": "s", "secrets": ["token"], \#(written)}"#
    let told = try shown(machine, marking: "\"s\"")
    #expect(!["qzxkvw", "jyhpqz", "97868979"].contains(where: told.contains), "\(told)")
  }
}

@Test func aScenarioDeclaresNothing() throws {
  var changed = documents
  changed.texts["s.json"] = changed.texts["s.json"]?.replacing(
    #""key": "qzxkvw jyhpqz""#, with: #""key": {"type": "qzxkvw", "secret": "jyhpqz"}, "kee": 1"#)
  let found = findings(in: changed)
  #expect(!found.isEmpty)
  #expect(leak(in: found) == nil, "\(DiagnosticRenderer().text(of: found))")
}

/// Name and value swapped.
@Test(arguments: [
  (#""key": "qzxkvw jyhpqz""#, #""c4n4ry": "key""#), (#"{"password": "jyhpqz"}"#, #"{"c4n4ry": "password"}"#),
  (#""event": "user.signs""#, #""event": "user.signs:{\"password\":\"c4n4ry\"}""#),
  (#""event": "user.signs""#, #""event": "c4n4ry""#), (#""ends": "b""#, #""ends": "c4n4ry""#),
  (#""script": ["#, #""script": [{"c4n4ry": "event"}, "#), (#""given": {"#, #""given": {"c4n4ry": {}, "#),
  (#""given": {"#, #""faults": [{"request": "GET /x", "to": "c4n4ry", "lost": true}], "given": {"#),
  (#""script": ["#, #""script": [{"advance": "c4n4ry"}, "#),
])
func aSecretInThePlaceOfANameIsHidden(written: String, swapped: String) throws {
  var changed = documents
  changed.texts["s.json"] = changed.texts["s.json"]?.replacing(written, with: swapped)
  let found = findings(in: changed)
  #expect(found.contains { $0.severity == .error })
  let shown = DiagnosticRenderer().text(of: found) + DiagnosticRenderer.json(of: found)
  #expect(!shown.contains("c4n4ry"), "\(shown)")
}

@Test(arguments: [
  ("user.signsIn", true), ("accessToken2", true), ("first-name", true), ("Größe", true), ("sha256", true),
  ("hunter2x", false), ("sK9x_live51Q", false), ("12345678", false), ("a b", false),
  (String(repeating: "a", count: 41), false),
])
func whatIsQuotedMayBeChosen(name: String, may: Bool) {
  #expect(name.mayBeChosen == may)
}

@Test func aMailMayBeCalledLikeASecret() throws {
  let text =
    #"{"flow": "f", "secrets": ["password"], "send": {"password": {"links": {"in": "a"}}}, "password": {"in": "q"}}"#
  let hidden = text.replacing(#"{"in": "q"}"#, with: #"{"••••••••": "••••••••"}"#)
  #expect(try shown(text, marking: "\"f\"").contains(hidden))
}

@Test func theMarkOfASecretIsShownThoughAFieldIsCalledSo() throws {
  let text =
    #"{"flow": "f", "store": {"c": {"rows": {"secret": {"type": "string", "secret": true}}}, "t": {"type": "string", "#
    + #""secret": true, "initial": "q"}}, "start": "a"}"#
  #expect(try shown(text, marking: "\"f\"").contains(text.replacing("\"q\"", with: "\"••••••••\"")))
}

@Test func statesAndActionsMayBeCalledMuchLikeASecret() throws {
  let text =
    #"{"flow": "f", "secrets": ["token"], "actions": {"tokn": [{"clear": ["a"]}], "tken": ["q"]}, "#
    + #""states": {"toke": {"start": "b", "states": {"b": {"goal": true}}}}, "toke": {"in": "q"}}"#
  let hidden = text.replacing(#""toke": {"in": "q"}"#, with: #""toke": {"••••••••": "••••••••"}"#)
  #expect(try shown(text, marking: "\"f\"").contains(hidden))
}

@Test func participantsAndCapabilitiesMayBeCalledMuchLikeASecret() throws {
  let text =
    #"{"flow": "f", "participants": {"pins": {"kind": "app"}, "d": {"kind": "device", "capabilities": {"pinn": {"titel": "t", "#
    + #""result": {"pin": {"type": "string", "secret": true}}, "example": {"pin": "qzxkvw"}}}}}, "start": "a"}"#
  #expect(try shown(text, marking: "\"f\"").contains(text.replacing("qzxkvw", with: "••••••••")))
}

@Test func subFlowsAndLetsMayBeCalledMuchLikeASecret() throws {
  let text =
    #"{"flow": "f", "secrets": ["token"], "let": {"toke": "response.json.?t", "tken": {"is": "!toke"}, "tokn": "qzxkvw"}, "#
    + #""emits": {"tokens": {"a": {"b": "c"}}}, "flows": {"token": {"call": "d"}, "tooken": {"states": {"e": {}}}}}"#
  #expect(try shown(text, marking: "\"f\"").contains(text.replacing("qzxkvw", with: "••••••••")))
}

@Test func aReplyThatHappensByItselfIsCalledByItsName() throws {
  var documents = try Documents.sample()
  documents.texts["services/api.json"]?.replace("\"name\": \"revoked\"", with: "\"name\": \"is revoked 1a2b\"")
  documents.texts["services/api.json"]?.replace("\"sometimes\": true, ", with: "")
  documents.texts["scenario.json"]?.replace("\"reply\": \"revoked\"", with: "\"reply\": \"is revoked 1a2b\"")
  let flow = try #require(documents.flow().value)
  let found = Loading.scenario(at: "scenario.json", for: flow, reader: &documents).diagnostics
  let told = DiagnosticRenderer().text(of: found)
  #expect(told.contains(#""is revoked 1a2b" is no "sometimes" of"#) && !told.contains("•"), "\(told)")
}

/// Of rows, templates and cookies what is no secret shows.
@Test func whatSaysWhereASecretComesFromIsShown() throws {
  let text = service.replacing("\n", with: " ")
    .replacing("}}}],", with: "}}}, {\"set\": {\"given[memory.token].password\": \"qzxkvw\"}}],")
  let hidden = text.replacing("\"qzxkvw\"", with: "\"••••••••\"").replacing("\"jyhpqz\"", with: "\"••••••••\"")
    .replacing("} jyhpqz", with: "}••••••••").replacing(" qzxkvw $", with: "••••••••$")
  #expect(try shown(text, marking: "\"s\"").contains(hidden))
}

@Test(arguments: [
  // One that never ends, one with a brace in a string, quotation marks, one that is text.
  ("${jwt({'sub': 'kim' qzxkvw", "••••••••"), ("${'}' + memory.who} qzxkvw", "${'}' + memory.who}••••••••"),
  ("${it's} qzxkvw'}", "${it's}••••••••"), ("${memory.who} qzxkvw ' }'}", "${memory.who}••••••••"),
  ("$${qzxkvw}", "••••••••"), ("${{memory.who} qzxkvw }", "${{memory.who}••••••••"),
  (#"${'a\u0027} qzxkvw '}"#, "${••••••••}••••••••"), ("${x // } qzxkvw }", "${x // }••••••••"),
  ("${jwt({'a': {}, 'token': 'qzxkvw'})}", "${jwt({'a': {}••••••••"),
])
func aTemplateIsShownToItsEnd(written: String, expected: String) throws {
  let text = #"{"service": "s", "secrets": ["token"], "reply": {"json": {"token": "%"}}}"#
  let told = try shown(text.replacing("%", with: written), marking: "\"s\"")
  #expect(told.contains(text.replacing("%", with: expected)), "\(told)")
}

@Test func aHeaderIsSecretInWhateverCase() throws {
  let text = #"{"service": "s", "secrets": ["X-Pin"], "reply": {"headers": {"x-pin": "qzxkvw", "X-PIN": "qzxkvw"}}}"#
  #expect(try shown(text, marking: "\"s\"").contains(text.replacing("qzxkvw", with: "••••••••")))
}

/// A form may name its fields so; only what is set has rows.
@Test func aNameInBracketsIsSecretInData() throws {
  let text = #"{"service": "s", "secrets": ["token"], "reply": {"json": {"set": {"user[token]": "qzxkvw"}}}}"#
  #expect(try shown(text, marking: "\"s\"").contains(text.replacing("qzxkvw", with: "••••••••")))
}

@Test func manyTemplatesWithoutAnEndAreGoneThroughOnce() throws {
  let text = #"{"flow": "f", "title": ""# + String(repeating: "${", count: 131_072) + #""}"#
  #expect(try shown(text, marking: "\"f\"").contains(#"{"flow": "f", "title": ""#))
}

@Test func ofTooManyNamesEachMayBeThatOfASecret() throws {
  func text(_ count: Int) -> String {
    let listed = (0..<1500).map { "\"secret\($0)\"" }.joined(separator: ", ")
    let members = (0..<count).map { "\"s\($0)\": {}" }.joined(separator: ", ")
    return "{\"service\": \"s\", \"secrets\": [\(listed)], \"states\": {\(members)},\n\"x\": \"v\"}"
  }
  #expect(try shown(text(10), marking: "\"x\"").contains(#""x": "v""#))
  #expect(try shown(text(1000), marking: "\"x\"").contains(#""x": "••••••••""#))
}

@Test func nothingIsShownOfADocumentThatIsTooLarge() {
  var documents = Documents(texts: ["f.json": "{\"flow\": \"" + String(repeating: "q", count: 16 << 20) + "\"}"])
  let text = DiagnosticRenderer().text(of: documents.flow("f.json").diagnostics)
  #expect(text.contains("error[too-large]") && text.contains("│ ••••••••\n") && !text.contains("qq"), "\(text)")
}
