import FlowSpec
import Testing

/// A flow that sends `refresh_token` and keeps a `refreshToken`, and a model that reads `reads` of what is sent.
private func exchange(reads: String, sends: String = #""refresh_token": "${store.refreshToken}""#) -> Documents {
  Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
      "store": {"refreshToken": {"type": "string", "initial": "r"}, "profile": {"type": "json", "initial": {"refreshtoken": "1"}}},
      "let": {"good": "!response.json.?expire_in.hasValue()"},
      "states": {"ask": {"request": {"to": "api", "post": "/x", "form": {\#(sends)}},
        "next": [{"when": "response.failure == null && good && store.profile != null", "goto": "done"}, {"goto": "done"}]}, "done": {"goal": true}}}
    """#,
    "api.json": #"""
    {"service": "api", "routes": [{"on": "POST /x", "next": [
      {"when": "\#(reads)", "reply": {"json": {"expires_in": 1}}}, {"reply": {"status": 400}}]}]}
    """#,
  ])
}

@Suite struct NearMissTests {
  private static let ofLet = "near-miss x.json:4:21"

  /// What is kept by a name, or read by it, is not sent by it.
  @Test(arguments: [
    ("request.form.?refreshToken.orValue('') == 'r'", ["near-miss api.json:2:12"]),
    ("request.form.?refresh_token.orValue('') == 'r'", []),
    // May be sent as a whole.
    ("request.form.?refreshtoken.orValue('') == '1'", []),
  ])
  func onlyWhatIsSentIsKnown(reads: String, finds: [String]) {
    var documents = exchange(reads: reads)
    #expect(documents.flow("x.json").diagnostics.map(\.summary) == finds + [Self.ofLet])
  }

  @Test func inALetItIsToldWhereTheLetHasIt() throws {
    var documents = exchange(reads: "request.form.?refresh_token.orValue('') == 'r'")
    let found = try #require(documents.flow("x.json").diagnostics.last)
    #expect(found.summary == Self.ofLet && found.help == "did you mean \"expires_in\"?")
    let site = try #require(found.labels.first?.site)
    #expect(String(decoding: site.document.bytes[site.range], as: UTF8.self) == "response.json.?expire_in")
  }
}
