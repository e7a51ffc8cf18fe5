import Testing

@testable import FlowSpec

/// A mistake that is plainly no secret is shown, or nobody could mend it.
@Test(arguments: [
  (#"{"scenario": "s", "script": [{"advance": "9m 59s"}]}"#, "9m 59s"),
  (#"{"scenario": "s", "script": [{"advance": "1 Hour"}]}"#, "1 Hour"),
  (
    #"{"flow": "f", "memory": {"session": {"type": "string", "secret": true}}, "x": {"set": {"session": "response.json.session"}}}"#,
    "response.json.session"
  ),
  (#"{"flow": "f", "states": {"a": {"goal": True}}}"#, "True"),
  (#"{"flow": "f", "states": {"a": {"goal": undefined}}}"#, "undefined"),
])
func whatIsPlainlyNoSecretIsShown(text: String, words: String) {
  #expect(shown(text).contains(words))
}

@Test(arguments: [
  #"{"scenario": "s", "script": [{"advance": "Zq9kTw4xPm"}]}"#,
  #"{"scenario": "s", "script": [{"advance": "73165409"}]}"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "Zq9kTw4xPm.json"}}}"#,
  #"{"flow": "f", "memory": {"pin": {"type": "string", "secret": true}}, "x": {"set": {"pin": "response.73165409"}}}"#,
])
func whatMayBeASecretIsNot(text: String) {
  let text = shown(text)
  #expect(!text.contains("Zq9kTw4xPm") && !text.contains("73165409") && text.contains("••••••••"), "\(text)")
}

private func shown(_ text: String) -> String {
  let document = Document(path: "a.json", bytes: Array(text.utf8))
  return DiagnosticRenderer().text(of: [Diagnostic("c", "m", at: Site(document: document, range: 0..<1), "")])
}
