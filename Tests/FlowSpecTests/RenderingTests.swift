import FlowSpec
import Foundation
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
  let text = "{\"a\": \"\u{9B}31m\u{202E}\"}"
  let site = Site(document: Document(path: "a\u{1B}.json", bytes: Array(text.utf8)), range: 6..<(text.utf8.count - 1))
  checkRendering(
    of: Diagnostic(
      code: "c", message: "no \u{1B}]0;x\u{7}", labels: [.init(site: site, text: "\u{1B}[2J")], help: "\u{202E}\n"),
    #"error[c]: no \u{1B}]0;x\u{7}\#n ┌─ a\u{1B}.json:1:7\#n"#
      + #" │\#n1│ {"a": "\#u{FFFD}31m\#u{FFFD}"}\#n │       ^^^^^^^ \u{1B}[2J\#n = help: \u{202E}\u{A}\#n\#n"#)
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
  (#"{"t": {"secret": true, "initial": "abc"}, "x": 1}"#, #"{"t": {"secret": true, "initial": "••••••••"}, "x": 1}"#),
  (
    #"{"secrets": ["json.t"], "a": {"t": "é${x}d"}, "x": 1}"#,
    #"{"secrets": ["json.t"], "a": {"t": "••••••••${x}••••••••"}, "x": 1}"#
  ),
  (
    #"{"secrets": ["t"], "t": {"n": [12, "b"]}, "x": 1}"#,
    #"{"secrets": ["t"], "t": {"••••••••": [••••••••, "••••••••"]}, "x": 1}"#
  ),
  (
    #"{"secrets": ["t"], "a": "my abc", "t": "abc", "x": 1}"#,
    #"{"secrets": ["t"], "a": "my ••••••••", "t": "••••••••", "x": 1}"#
  ),
  (#"{"secrets": ["t"], "t": {"post": "/p"}, "x": 1}"#, #"{"secrets": ["t"], "t": {"post": "/p"}, "x": 1}"#),
  (#"{"secrets": ["t"], "j": "{\"t\": 5}", "x": 1}"#, ##"{"secrets": ["t"], "j": "••••••••", "x": 1}"##),
  (#"{"secrets": ["t"], "x": 1, "t": "abc"#, #"{"secrets": ["t"], "x": 1, "t": "••••••••"#),
  // What is given under a name that nothing has may be a secret whose name is misspelt.
  (#"{"given": {"store": {"cod": "a1"}}, "x": 1}"#, #"{"given": {"store": {"cod": "••••••••"}}, "x": 1}"#),
  (
    #"{"given": {"config": {"cod": {"b": 1}}}, "x": 1}"#,
    #"{"given": {"config": {"cod": {"••••••••": ••••••••}}}, "x": 1}"#
  ),
  (
    #"{"code": {"type": "string"}, "with": {"code": "a1"}, "x": 1}"#,
    #"{"code": {"type": "string"}, "with": {"code": "a1"}, "x": 1}"#
  ),
  (
    #"[{"event": "a", "with": {"cod": "a1", "n": 2}}, {"x": 1}]"#,
    #"[{"event": "a", "with": {"cod": "••••••••", "n": ••••••••}}, {"x": 1}]"#
  ),
  (
    #"{"given": {"services": {"s": {"k": 1, "u": {"r": {"f": 2}}}}}, "u": {"rows": {}}, "x": 1}"#,
    #"{"given": {"services": {"s": {"k": ••••••••, "u": {"r": {"f": ••••••••}}}}}, "u": {"rows": {}}, "x": 1}"#
  ),
  (
    #"{"secrets": ["token"], "answer": {"json": {"tokn": "a1", "error": "b"}}, "x": 1}"#,
    #"{"secrets": ["token"], "answer": {"json": {"tokn": "••••••••", "error": "b"}}, "x": 1}"#
  ),
])
func anExcerptHidesWhatIsSecret(text: String, shown: String) throws {
  let document = Document(path: "a.json", bytes: Array(text.utf8))
  let name = try #require(text.range(of: "\"x\""))
  let start = text.utf8.distance(from: text.startIndex, to: name.lowerBound)
  let found = Diagnostic(
    code: "c", message: "m", labels: [.init(site: Site(document: document, range: start..<(start + 3)), text: "")])
  let column = shown.distance(from: shown.startIndex, to: try #require(shown.range(of: "\"x\"")).lowerBound)
  let written = text.distance(from: text.startIndex, to: name.lowerBound) + 1
  checkRendering(
    of: found,
    "error[c]: m\n ┌─ a.json:1:\(written)\n │\n1│ \(shown)\n │ \(String(repeating: " ", count: column))^^^\n\n")
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
