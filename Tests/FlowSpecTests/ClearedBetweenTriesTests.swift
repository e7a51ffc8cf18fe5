import FlowSpec
import Testing

/// What is said of a flow that asks for something with a token and tries again behind this.
private func told(
  retry: String, request: String = #""bearer": "${store.token}""#, heard: String = "", renews: String = "token"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"token": {"type": "string", "group": "access"}, "other": {"type": "string"},
       "count": {"type": "int", "initial": 0}},
     "flows": {"renew": {"ends": ["done"], "start": "renewing", "states": {
       "renewing": {"request": {"to": "id", "post": "/renew"},
         "next": [{"do": [{"set": {"\#(renews)": "new"}}], "end": "done"}]}}}},
     "events": {"user.in": {}, "user.types": {}},
     "start": "launch", "states": {
       "launch": {"next": [{"when": "present(store.token) && present(store.other)", "goto": "loading"}, {"goto": "out"}]},
       "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"token": "a", "other": "b"}}], "goto": "loading"}}},
       "loading": {"request": {"to": "id", "put": "/me", \#(request),
           "retry": {"when": "response.status == 401", "most": 1, \#(retry)}},
         "next": [{"goto": "home"}] \#(heard)},
       "home": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "may-be-null" || $0.severity == .error }
    .map { "\($0.code): \($0.message)" }
}

/// What a `retry` clears is not there for its next try.
@Suite struct ClearedBetweenTriesTests {
  private static let isNull = ["may-be-null: store.token is null in the next try: the \"retry\" has cleared it"]
  private static let clears = #""do": [{"clear": "token"}]"#

  @Test(arguments: [
    clears, #""do": [{"clear": "access"}]"#, #""do": [{"set": {"token": null}}]"#,
    #""do": [{"set": {"token": "b"}}, {"clear": "token"}]"#,
  ]) func whatIsSentAgainIsTold(retry: String) {
    #expect(told(retry: retry) == Self.isNull)
  }

  @Test(arguments: [
    #""headers": {"x-token": "${store.token}"}"#, #""query": {"token": "${store.token}"}"#,
    #""form": {"token": "${store.token}"}"#, #""text": "t=${store.token}""#, #""json": {"token": "t-${store.token}"}"#,
    #""json": {"token": "${s256(store.token)}"}"#, #""bearer": "${base64url(store.token)}""#,
    #""bearer": "${string(store.token)}""#, #""bearer": "${store.token}", "json": {"again": "${store.token}"}"#,
  ]) func whereAValueIsNeeded(request: String) {
    #expect(told(retry: Self.clears, request: request) == Self.isNull, "\(request)")
  }

  /// Null may stand in JSON, what may be absent is left out, and who asks whether it is there knows.
  @Test(arguments: [
    #""json": {"token": "${store.token}"}"#, #""json": "${store.token}""#, #""bearer": "${store.?token}""#,
    #""form": {"token": "${store.?token}"}"#, #""bearer": "${present(store.token) ? store.token : 'none'}""#,
    #""json": {"is": "${store.token == 'x'}"}"#, #""bearer": "${store.?token.orValue('none')}""#,
    #""bearer": "${store.other}""#, #""json": {"count": "n${store.count}"}"#,
  ]) func whereNoneIsNeededItIsNot(request: String) {
    let clears = #""do": [{"clear": ["token", "count"]}]"#
    #expect(told(retry: clears, request: request) == [], "\(request)")
  }

  @Test func whatIsSetAnewIsThereAgain() {
    #expect(told(retry: Self.clears + #", "call": "renew""#) == [])
    #expect(told(retry: Self.clears + #", "call": "renew""#, renews: "other") == Self.isNull)
    #expect(told(retry: #""do": [{"clear": "token"}, {"set": {"token": "b"}}]"#) == [])
    #expect(told(retry: Self.clears, heard: #", "on": {"user.types": {"do": [{"set": {"token": "c"}}]}}"#) == [])
    #expect(told(retry: #""do": [{"clear": "other"}]"#) == [])
    #expect(told(retry: #""wait": "1s""#).filter { $0.contains("retry") } == [])
  }
}
