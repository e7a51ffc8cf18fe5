import FlowSpec
import Foundation
import JSONSyntax
import Testing

private let text = """
  {
  \t"states": { "launch": { "goto": "日本 refreshDeviceTokn" } }
  }
  """

@Test func rendersAsTheGuideShows() {
  checkRendering(
    of: diagnostic("refreshDeviceTokn", help: "did you mean \"refreshDeviceToken\"?"),
    """
    error[unknown-state]: "goto" names a state that this flow does not have
     ┌─ flows/a.json:2:38
     │
    2│     "states": { "launch": { "goto": "日本 refreshDeviceTokn" } }
     │                                           ^^^^^^^^^^^^^^^^^ no state has this name
     = help: did you mean "refreshDeviceToken"?


    """)
}

@Test func aRangeOverLinesShowsItsFirst() {
  checkRendering(
    of: diagnostic("{ \"goto\": \"日本 refreshDeviceTokn\" } }\n}"),
    """
    error[unknown-state]: "goto" names a state that this flow does not have
     ┌─ flows/a.json:2:24
     │
    2│     "states": { "launch": { "goto": "日本 refreshDeviceTokn" } }
     │                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no state has this name


    """)
}

@Test func severalPlacesHaveOneMargin() {
  var diagnostic = diagnostic("launch")
  let document = Document(path: "b.json", bytes: Array(String(repeating: "\n", count: 9).utf8) + Array("{}".utf8))
  diagnostic.severity = .warning
  diagnostic.labels.append(Diagnostic.Label(site: Site(document: document, range: 9..<11), text: "first"))
  checkRendering(
    of: diagnostic,
    """
    warning[unknown-state]: "goto" names a state that this flow does not have
      ┌─ flows/a.json:2:15
      │
     2│     "states": { "launch": { "goto": "日本 refreshDeviceTokn" } }
      │                  ^^^^^^ no state has this name
      ┌─ b.json:10:1
      │
    10│ {}
      │ -- first


    """)
}

@Test func whatHasNoPlaceIsOneLine() {
  checkRendering(
    of: Diagnostic(code: "missing-document", message: "there is no document x"),
    "error[missing-document]: there is no document x\n\n")
}

@Test func coloursAreOnlyInTheColouredStyle() {
  let diagnostic = diagnostic("launch")
  #expect(!DiagnosticRenderer(style: .plain).text(of: [diagnostic]).contains("\u{1B}"))
  let coloured = DiagnosticRenderer(style: .coloured).text(of: [diagnostic])
  #expect(coloured.contains("\u{1B}[1;31merror[unknown-state]\u{1B}[0m"))
}

/// What documents say must not steer the terminal on which it is shown: ESC, CSI in one character, the order of writing.
@Test func nothingThatSteersATerminalIsShown() {
  let text = "{\"flow\": \"\u{9B}31m\u{202E}\"}"
  let site = Site(document: Document(path: "a\u{1B}.json", bytes: Array(text.utf8)), range: 9..<(text.utf8.count - 1))
  checkRendering(
    of: Diagnostic(
      code: "c", message: "no \u{1B}]0;x\u{7}", labels: [.init(site: site, text: "\u{1B}[2J")], help: "\u{202E}\n"),
    #"error[c]: no \u{1B}]0;x\u{7}\#n ┌─ a\u{1B}.json:1:10\#n"#
      + #" │\#n1│ {"flow": "\#u{FFFD}31m\#u{FFFD}"}\#n │          ^^^^^^^ \u{1B}[2J\#n = help: \u{202E}\u{A}\#n\#n"#)
}

/// Who prints JSON on a terminal is no worse off than who reads the words.
@Test func jsonEscapesWhatSteersATerminal() throws {
  var wrong: [Unicode.Scalar] = []
  for scalar in [0..<0x3000, 0xFE00..<0x10010, 0x1F600..<0x1F601, 0xDFFF0..<0xE0100].joined()
    .compactMap(Unicode.Scalar.init)
  {
    let text = "ä\(scalar)z"
    var writer = JSONWriter()
    writer.string(text)
    let stays = printable(text) == text
    let read = try JSONParser.parse(writer.bytes, as: .document)
    guard case .string(text) = read.kind, writer.text.unicodeScalars.contains(scalar) == stays else {
      wrong.append(scalar)
      continue
    }
  }
  #expect(wrong == [])
}

@Test func editorsGetJSON() {
  let json = DiagnosticRenderer.json(of: [diagnostic("launch", help: "do it")])
  #expect(
    json == """
      [
        {
          "code": "unknown-state",
          "severity": "error",
          "file": "flows/a.json",
          "line": 2,
          "column": 15,
          "endLine": 2,
          "endColumn": 21,
          "message": "\\"goto\\" names a state that this flow does not have",
          "help": "do it"
        }
      ]

      """)
  #expect(DiagnosticRenderer.json(of: []) == "[]\n")
  #expect(DiagnosticRenderer.json(of: [diagnostic("launch")]).hasSuffix("\"help\": null\n  }\n]\n"))
}

/// A secret is shown as long as any other, and a template is no secret.
@Test(arguments: [
  (
    #"{"flow": "f", "t": {"secret": true, "initial": "abc"}, "x": 1}"#,
    #"{"flow": "f", "t": {"secret": true, "initial": "••••••••"}, "x": 1}"#
  ),
  (
    #"{"flow": "f", "secrets": ["json.t"], "a": {"t": "é${now}d"}, "x": 1}"#,
    #"{"flow": "f", "secrets": ["json.t"], "a": {"t": "••••••••${now}••••••••"}, "x": 1}"#
  ),
  (
    #"{"flow": "f", "let": {"l": "1"}, "secrets": ["t"], "t": "${l}${store.x}é${x}${y}d${now}", "x": 1}"#,
    #"{"flow": "f", "let": {"l": "1"}, "secrets": ["t"], "t": "${l}${store.x}••••••••${now}", "x": 1}"#
  ),
  (
    #"{"flow": "f", "secrets": ["t"], "when": "request.json.t in ['store.x', '${event.x}', 'store.x} abc', 'abc']", "x": 1}"#,
    #"{"flow": "f", "secrets": ["t"], "when": "request.json.t in ['store.x', '${event.x}', '••••••••', '••••••••']", "x": 1}"#
  ),
  (
    #"{"flow": "f", "secrets": ["t"], "t": {"n": [12, "b"]}, "x": 1}"#,
    #"{"flow": "f", "secrets": ["t"], "t": {"••••••••": [••••••••, "••••••••"]}, "x": 1}"#
  ),
  (
    #"{"flow": "f", "secrets": ["t"], "a": "my abc", "t": "abc", "x": 1}"#,
    #"{"flow": "f", "secrets": ["t"], "a": "my ••••••••", "t": "••••••••", "x": 1}"#
  ),
  (
    #"{"flow": "f", "secrets": ["t"], "t": {"post": "/p"}, "x": 1}"#,
    #"{"flow": "f", "secrets": ["t"], "t": {"post": "/p"}, "x": 1}"#
  ),
  (
    #"{"flow": "f", "secrets": ["t"], "j": "{\"t\": 5}", "x": 1}"#,
    ##"{"flow": "f", "secrets": ["t"], "j": "••••••••", "x": 1}"##
  ),
  (
    #"{"flow": "f", "secrets": ["t"], "x": 1, "t": "abc"#,
    #"{"flow": "••••••••", "secrets": ["••••••••"], "x": ••••••••, "t": "••••••••"#
  ),
  // What is given under a name that nothing has may be a secret whose name is misspelt.
  (#"{"given": {"store": {"cod": "a1"}}, "title": "x"}"#, #"{"given": {"store": {"cod": "••••••••"}}, "title": "x"}"#),
  (
    #"{"given": {"config": {"cod": {"b": 1}}}, "title": "x"}"#,
    #"{"given": {"config": {"cod": {"••••••••": ••••••••}}}, "title": "x"}"#
  ),
  (
    #"[{"event": "a", "with": {"code": "a1", "title": "x"}}]"#,
    #"[{"event": "a", "with": {"code": "a1", "title": "x"}}]"#
  ),
  (
    #"[{"event": "a", "with": {"cod": "a1", "n": 2}}, {"title": "x"}]"#,
    #"[{"event": "a", "with": {"cod": "••••••••", "n": ••••••••}}, {"title": "x"}]"#
  ),
  (
    #"{"given": {"services": {"s": {"k": 1, "u": {"r": {"f": 2}}}}}, "title": "x"}"#,
    #"{"given": {"services": {"s": {"k": ••••••••, "u": {"r": {"f": ••••••••}}}}}, "title": "x"}"#
  ),
  (
    #"{"faults": [{"answer": {"json": {"tokn": "a1", "error": "b"}}}], "title": "x"}"#,
    #"{"faults": [{"answer": {"json": {"tokn": "••••••••", "error": "b"}}}], "title": "x"}"#
  ),
  (
    #"[{"event": "a", "wiht": {"cod": "a1"}}, "c", {"kill": true, "pasword": "b1", "title": "x"}]"#,
    #"[{"event": "a", "wiht": {"••••••••": "••••••••"}}, "••••••••", {"kill": true, "pasword": "••••••••", "title": "x"}]"#
  ),
  (#"[{"event": "a", "with": "a1", "title": "x"}]"#, #"[{"event": "a", "with": "••••••••", "title": "x"}]"#),
  // A link may have a secret in its path.
  (#"[{"arrive": "https://a.example/m/t1", "title": "x"}]"#, #"[{"arrive": "••••••••", "title": "x"}]"#),
  (#"{"givne": {"now": 1}, "title": "x"}"#, #"{"givne": {"••••••••": ••••••••}, "title": "x"}"#),
  (
    #"{"given": {"now": "2026", "stoer": {"k": 1}}, "title": "x"}"#,
    #"{"given": {"now": "2026", "stoer": {"••••••••": ••••••••}}, "title": "x"}"#
  ),
  (
    #"{"given": {"services": {"z": {"u": {"r": 1}}}, "device": {"online": true}}, "title": "x"}"#,
    #"{"given": {"services": {"z": {"••••••••": {"••••••••": ••••••••}}}, "device": {"online": true}}, "title": "x"}"#
  ),
  (
    #"{"faults": [{"answr": {"json": 1}}, {"answer": {"status": 400, "jsn": "a"}}], "title": "x"}"#,
    #"{"faults": [{"answr": {"••••••••": ••••••••}}, {"answer": {"status": 400, "jsn": "••••••••"}}], "title": "x"}"#
  ),
  // A member of a secret that is none is its value, misspelt; so is what is nearly called like a secret.
  (
    #"{"flow": "f", "t": {"type": "string", "secret": true, "exmaple": "abc"}, "x": 1}"#,
    #"{"flow": "f", "t": {"type": "string", "secret": true, "exmaple": "••••••••"}, "x": 1}"#
  ),
  (
    #"{"flow": "f", "t": {"type": "string", "secret": "yes", "example": "abc"}, "x": 1}"#,
    #"{"flow": "f", "t": {"type": "string", "secret": "yes", "example": "••••••••"}, "x": 1}"#
  ),
  (
    #"{"flow": "f", "t": {"type": "string", "secret": "1", "example": "abc"}, "x": 1}"#,
    #"{"flow": "f", "t": {"type": "string", "secret": "1", "example": "••••••••"}, "x": 1}"#
  ),
  (
    #"{"flow": "f", "t": {"type": "string", "secret": [true], "example": "abc"}, "x": 1}"#,
    #"{"flow": "f", "t": {"type": "string", "secret": [true], "example": "••••••••"}, "x": 1}"#
  ),
  (
    #"{"service": "f", "secretss": ["token"], "json": {"token": "abc", "tokne": "d", "when": "e"}, "x": 1}"#,
    #"{"service": "f", "secretss": ["token"], "json": {"token": "••••••••", "tokne": "••••••••", "when": "e"}, "x": 1}"#
  ),
])
func anExcerptHidesWhatIsSecret(text: String, shown: String) throws {
  let flow =
    #"{"flow": "f", "secrets": ["token"], "code": {"type": "string"}, "s": {"kind": "service"}, "u": {"rows": {}}, "title": {"type": "string"}}"#
  let document = Document(path: "a.json", bytes: Array(text.utf8), beside: [Array(flow.utf8)])
  let name = try #require(text.range(of: "\"x\""))
  let start = text.utf8.distance(from: text.startIndex, to: name.lowerBound)
  let found = Diagnostic(
    code: "c", message: "m", labels: [.init(site: Site(document: document, range: start..<(start + 3)), text: "")])
  let column = shown.distance(from: shown.startIndex, to: try #require(shown.range(of: "\"x\"")).lowerBound)
  // No column tells how long something hidden is.
  let hidden = shown.range(of: "•").map { shown.distance(from: shown.startIndex, to: $0.lowerBound) } ?? column
  checkRendering(
    of: found,
    "error[c]: m\n ┌─ a.json:1:\(min(column, hidden) + 1)\n │\n1│ \(shown)\n │ \(String(repeating: " ", count: column))^^^\n\n"
  )
}

/// An editor marks more than the place, not something else.
@Test func editorsAreNotToldHowLongASecretIsEither() {
  let text = #"{"flow": "f", "t": {"secret": true, "initial": "abc"}, "x": 1}"#
  func places(of words: String) -> [Substring] {
    let start = text.range(of: words).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0
    let site = Site(document: Document(path: "a", bytes: Array(text.utf8)), range: start..<(start + words.utf8.count))
    let json = DiagnosticRenderer.json(of: [Diagnostic("c", "m", at: site, "")])
    return json.split(separator: "\n").filter { $0.contains("ine\"") || $0.contains("olumn\"") }
      .compactMap { $0.split(separator: ": ").last?.prefix { $0 != "," } }
  }
  #expect(places(of: "\"secret\"") == ["1", "21", "1", "29"])
  #expect(places(of: "\"x\"") == ["1", "49", "2", "1"])
  #expect(places(of: "\"abc\"") == ["1", "48", "2", "1"])
}

/// What is wrong inside of a secret does not tell where in it.
@Test func aHiddenValueIsMarkedAsAWhole() {
  let text = #"{"flow": "f", "t": {"secret": true, "initial": "abcdefgh"}}"#
  let site = Site(document: Document(path: "a.json", bytes: Array(text.utf8)), range: 51..<53)
  checkRendering(
    of: Diagnostic("c", "m", at: site, ""),
    "error[c]: m\n ┌─ a.json:1:49\n │\n1│ {\"flow\": \"f\", \"t\": {\"secret\": true, \"initial\": \"••••••••\"}}\n"
      + " │ \(String(repeating: " ", count: 48))^^^^^^^^\n\n")
}

private func diagnostic(_ marked: String, help: String? = nil) -> Diagnostic {
  let document = Document(path: "flows/a.json", bytes: Array(text.utf8))
  let start = text.range(of: marked).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0
  let site = Site(document: document, range: start..<(start + marked.utf8.count))
  return Diagnostic(
    code: "unknown-state", message: "\"goto\" names a state that this flow does not have",
    labels: [Diagnostic.Label(site: site, text: "no state has this name")], help: help)
}

private func checkRendering(
  of diagnostic: Diagnostic, _ expected: String, at location: SourceLocation = #_sourceLocation
) {
  #expect(DiagnosticRenderer(style: .plain).text(of: [diagnostic]) == expected, sourceLocation: location)
}

/// A message does not quote a part of what the line below it hides.
@Test func aWordInBracesIsAPartOfTheSecret() throws {
  var documents = try Documents.sample()
  documents.texts["sample.json"] = documents.texts["sample.json"]?.replacing(
    #""state": "${fresh('state')}""#, with: #""state": "${fresh('state')}", "token": "a${qzxkvw}b""#)
  let told = DiagnosticRenderer().text(of: documents.flow().diagnostics)
  #expect(told.contains("nothing is called \"••••••••\" here") && !told.contains("qzxkvw"), "\(told)")
}
