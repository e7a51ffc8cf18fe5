import FlowSpec
import Testing

/// A flow that sends a form to `POST /revoke`, and a model with more beside that route.
private func revoking(
  reads: String = "true", lets: String = "", leads: String = #""goto": "done""#, more: String
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
      "states": {"ask": {"request": {"to": "api", "post": "/revoke", "form": {"token": "t"}}, "next": [{"goto": "done"}]}, "done": {"goal": true}}}
    """#,
    "api.json": #"""
    {"service": "api", "let": {\#(lets)}, "routes": [
      {"on": "POST /revoke", "next": [{"when": "\#(reads)", \#(leads)}, {"reply": {}}]},
      {"on": "POST /other", "next": [{"goto": "asked"}]}],
      "states": {\#(more), "asked": {"next": [{"when": "request.json.?a.orValue('') == ''", "reply": {}}, {"reply": {}}]}}}
    """#,
  ])
  return documents.told("unread-body", beside: ["unreachable-state"]).map(\.code)
}

@Suite struct UnreadBodyTests {
  private static let done = #""done": {"next": [{"reply": {}}]}"#

  @Test func onlyWhatStandsOnTheRouteIsHeldAgainstIt() {
    // What another route reads is nothing to this one.
    #expect(revoking(more: Self.done).isEmpty)
    #expect(revoking(reads: "request.json.?token.orValue('') == 't'", more: Self.done) == ["unread-body"])
    #expect(
      revoking(reads: "sent == 't'", lets: #""sent": "request.json.?token.orValue('')""#, more: Self.done) == [
        "unread-body"
      ])
    // It may be read once the route has led on.
    let later = #""done": {"next": [{"when": "request.form.?token.orValue('') == 't'", "reply": {}}, {"reply": {}}]}"#
    #expect(revoking(reads: "request.json.?token.orValue('') == 't'", more: later).isEmpty)
    #expect(
      revoking(reads: "request.json.?token.orValue('') == 't'", leads: #""reply": {}"#, more: later) == ["unread-body"])
  }

  /// The parameter `.sent` of a query is not the let `sent`.
  @Test func aMemberThatIsCalledLikeALetIsNone() {
    let lets = #""sent": "request.json.?token.orValue('')""#
    #expect(revoking(reads: "request.query.?sent.orValue('') == 't'", lets: lets, more: Self.done).isEmpty)
  }

  /// Nor is what is called like one and is something else, in a text or as a parameter.
  @Test func aLetCountsWhereItIsUsedAlone() {
    let lets = #""seen": "request.json.?token.orValue('')", "other": "seen == 't'""#
    #expect(revoking(reads: "request.method == 'seen'", lets: lets, more: Self.done).isEmpty)
    #expect(revoking(reads: "request.query.?seen.orValue('') == 'other'", lets: lets, more: Self.done).isEmpty)
    #expect(revoking(reads: "other", lets: lets, more: Self.done) == ["unread-body"])
  }
}
