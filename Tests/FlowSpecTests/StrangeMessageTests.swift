import FlowSpec
import Testing

/// What is told of a request of an app, but for what nobody reads or sets there.
private func told(_ request: String) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}}, "start": "ask",
      "store": {"token": {"type": "string", "secret": true}, "plain": {"type": "string"}},
      "config": {"fixed": {"type": "string", "value": "1"}}, "let": {"lost": "response.failure == 'lost'"},
      "states": {"ask": {"request": {"to": "api", \#(request)}, "next": [{"goto": "done"}]}, "done": {"goal": true}}}
    """#
  ])
  let beside = ["unset-key", "unread-key", "unused-key", "unused-let", "unused-config"]
  return documents.flow("x.json").diagnostics.filter { !beside.contains($0.code) }
    .map { "\($0.severity) \($0.code)" }
}

@Suite struct StrangeMessageTests {
  @Test(arguments: [
    #""get": "/a", "json": {"a": 1}"#, #""get": "/a", "text": "a""#,
    #""post": "/a", "json": {"a": 1}, "headers": {"Content-Type": "application/x-www-form-urlencoded"}"#,
    #""post": "/a", "form": {"a": 1}, "headers": {"content-type": "application/json"}"#,
    #""post": "/a", "headers": {"Idempotency-Key": "1"}"#, #""patch": "/a", "headers": {"Idempotency-Key": "1"}"#,
    #""post": "/a", "headers": {"idempotency-key": "${config.fixed}"}"#,
    #""post": "/a", "headers": {"idempotency-key": "a-${config.fixed}"}"#,
    #""get": "/a", "headers": {"Authorization": "${store.token}"}"#,
    #""get": "/a", "headers": {"Authorization": "${store.?token}"}"#,
    #""get": "/a", "headers": {"Authorization": "${store.?token.orValue('')}"}"#,
  ]) func whatServersTakeForSomethingElse(request: String) { #expect(told(request) == ["warning strange-message"]) }

  @Test(arguments: [
    #""delete": "/a", "json": {"a": 1}"#, #""get": "/a", "query": {"a": 1}"#,
    #""post": "/a", "json": {"a": 1}, "headers": {"Content-Type": "application/merge-patch+json; charset=utf-8"}"#,
    #""post": "/a", "form": {"a": 1}, "headers": {"content-type": "application/x-www-form-urlencoded;charset=utf-8"}"#,
    #""post": "/a", "text": "<a/>", "headers": {"content-type": "application/xml"}"#,
    #""get": "/a", "headers": {"authorization": "Token ${store.token}"}"#,
    #""get": "/a", "headers": {"authorization": "Token ${store.?token}"}"#, #""get": "/a", "bearer": "${store.token}""#,
    #""get": "/a", "headers": {"x-authorization": "${store.token}"}"#,
    #""post": "/a", "headers": {"Idempotency-Key": "a-${store.plain}"}"#,
    #""post": "/a", "headers": {"Idempotency-Key": "${s256(string(now))}"}"#,
    #""put": "/a", "headers": {"Idempotency-Key": "1"}"#, #""post": "/a", "headers": {"x-key": "1"}"#,
  ]) func whatIsUsual(request: String) { #expect(told(request) == []) }
}

@Suite struct ShownTokenTests {
  @Test func whatIsSentAsATokenIsASecret() {
    for bearer in ["store.plain", "store.?plain", "store.?plain.orValue('')"] {
      #expect(told("\"get\": \"/a\", \"bearer\": \"${\(bearer)}\"") == ["remark secret-shown"])
    }
    #expect(told(#""get": "/a", "bearer": "${store.token}""#) == [])
    #expect(told(#""get": "/a", "bearer": "${store.?token}""#) == [])
    #expect(told(#""get": "/a", "bearer": "${device.platform}""#) == [])
    #expect(told(#""get": "/a", "bearer": "${s256(string(now))}""#) == [])
    #expect(told(#""get": "/a", "bearer": "${present(store.token) ? store.plain : ''}""#) == [])
  }
}

@Suite struct UnsafeRetryTests {
  @Test(arguments: [
    "response.failure != null", "response.status == 0", "response.status == 0 || response.status == 503", "lost",
    "response.failure == 'unreachable' || lost",
    "device.online && (response.failure != null || response.status in [429, 503])",
  ]) func whatWasLostIsSentAgain(condition: String) {
    let retry = #""retry": {"when": "\#(condition)", "most": 2}"#
    for method in ["post", "patch"] { #expect(told("\"\(method)\": \"/a\", \(retry)") == ["warning unsafe-retry"]) }
    for method in ["get", "put", "delete"] { #expect(told("\"\(method)\": \"/a\", \(retry)") == []) }
    #expect(told(#""post": "/a", "headers": {"Idempotency-Key": "${store.plain}"}, "# + retry) == [])
    for key in ["1", "${config.fixed}", "${string(now)}"] {
      let found = told(#""post": "/a", "headers": {"Idempotency-Key": "\#(key)"}, "# + retry)
      #expect(found.contains("warning unsafe-retry"), "\(key)")
    }
    let anew = #""retry": {"when": "\#(condition)", "most": 2, "do": [{"set": {"plain": "${newId('try')}"}}]}"#
    #expect(
      told(#""post": "/a", "headers": {"Idempotency-Key": "${store.plain}"}, "# + anew) == ["warning unsafe-retry"])
  }

  @Test(arguments: [
    "response.failure == 'unreachable'", "response.status == 429", "response.status >= 500",
    "response.failure != 'lost' && response.status < 200",
  ]) func whatWasNotSentOrWasAnsweredIsNone(condition: String) {
    #expect(told(#""post": "/a", "retry": {"when": "\#(condition)", "most": 2}"#) == [])
  }
}
