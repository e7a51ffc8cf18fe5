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
    ("request.query.?refreshtoken.orValue('') == '1'", []),
    // It is not what this request sends.
    ("request.form.?refreshtoken.orValue('') == '1'", ["near-miss api.json:2:12"]),
  ])
  func onlyWhatIsSentIsKnown(reads: String, finds: [String]) {
    var documents = exchange(reads: reads)
    #expect(documents.flow("x.json").diagnostics.map(\.summary) == finds + [Self.ofLet])
  }

  /// What names a row is read, and gives nothing a name.
  @Test func whatNamesARowIsLookedAtToo() {
    func found(_ name: String) -> [String] {
      var documents = exchange(reads: "true")
      documents.texts["api.json"] = #"""
        {"service": "api", "store": {"users": {"rows": {"n": {"type": "int"}}}}, "routes": [{"on": "POST /x", "next": [
          {"do": [{"set": {"users[request.form.\#(name)]": {"n": 1}}}], "reply": {"json": {"expires_in": 1}}}]}]}
        """#
      return documents.told("near-miss").map(\.summary)
    }
    #expect(found("refresh_tokn") == ["near-miss api.json:2:20", Self.ofLet])
    #expect(found("refresh_token") == [Self.ofLet])
  }

  /// A name of several words is given just so.
  @Test func aNameWithAHyphenIsNoMissOfItself() {
    #expect(found(answer: #"{"user-id": "1"}"#, condition: "response.json['user-id'] == '1'") == [])
    #expect(
      found(answer: #"{"user-id": "1"}"#, condition: "response.json['user_id'] == '1'") == [
        #"no answer here has a member "user_id"; did you mean "user-id"?"#
      ])
  }

  @Test func inALetItIsToldWhereTheLetHasIt() throws {
    var documents = exchange(reads: "request.form.?refresh_token.orValue('') == 'r'")
    let found = try #require(documents.flow("x.json").diagnostics.last)
    #expect(found.summary == Self.ofLet && found.help == "did you mean \"expires_in\"?")
    let site = try #require(found.labels.first?.site)
    #expect(String(decoding: site.document.bytes[site.range], as: UTF8.self) == "response.json.?expire_in")
  }

  /// What a flow finds that asks a service which answers this, and looks at the answer so.
  private func found(answer: String, condition: String, secrets: String = "", model: Bool = true) -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "model": "api.json"},
        "other": {"kind": "service", "url": "https://other.example"\#(model ? #", "model": "other.json""# : "")}}, "start": "ask",
        "events": {"user.picks": {"fields": {"kind": {"type": "string", "example": "people"}}}},
        "states": {"ask": {"request": {"to": "api", "post": "/x"}, "next": [{"when": "response.failure == null && \#(condition)", "goto": "rest"}, {"goto": "done"}]},
          "rest": {"rest": true, "on": {"user.picks": [{"when": "event.kind == 'people'", "goto": "other"}, {"goto": "done"}]}},
          "other": {"request": {"to": "other", "get": "/y"}, "next": [{"goto": "done"}]}, "done": {"goal": true}}}
      """#,
      "api.json":
        #"{"service": "api", "secrets": [\#(secrets)], "routes": [{"on": "POST /x", "next": [{"reply": {"json": \#(answer)}}]}]}"#,
      "other.json":
        #"{"service": "other", "routes": [{"on": "GET /y", "next": [{"reply": {"json": {"kind": "peoples"}}}]}]}"#,
    ])
    return documents.told("near-miss").map {
      $0.message + "; " + ($0.help ?? "")
    }
  }

  @Test func aWordThatNobodySaysIsToldWithTheOneThatWasMeant() {
    let words = [#"nobody here gives "state" the value "cancelled"; did you mean "canceled"?"#]
    #expect(
      found(answer: #"{"state": "canceled"}"#, condition: "response.json.?state.orValue('') == 'cancelled'") == words)
    for condition in [
      "string(response.json.state) == 'cancelled'",
      "(isString(response.json.?state) ? string(response.json.state) : '') == 'cancelled'",
      "response.json.?state.orValue(dyn('')) in ['cancelled']",
    ] {
      #expect(found(answer: #"{"state": "canceled"}"#, condition: condition) == words, "\(condition)")
    }
    // Of a service without a model nobody knows what it says.
    #expect(
      found(answer: #"{"state": "canceled"}"#, condition: "response.json.state == 'cancelled'", model: false).isEmpty)
  }

  /// What is said of a flow that sends these and a model that compares them so.
  private func told(sends: String, compares: String, more: String = "", secrets: String = "") -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
        "states": {"ask": {"request": {"to": "api", "post": "/x", \#(sends)}, "next": [{"goto": "done"}]}, "done": {"goal": true}}}
      """#,
      "api.json": #"""
      {"service": "api", "secrets": [\#(secrets)], "store": {"made": {"type": "string"}}, "let": {"grantType": "request.form.?grant_type.orValue('')"},
        "routes": [\#(more){"on": "POST /x", "next": [
          {"when": "\#(compares)", "do": [{"set": {"made": "refresh_token"}}], "reply": {"json": {"refresh_token": 1, "made": "${store.made}"}}},
          {"reply": {"status": 400}}]}]}
      """#,
    ])
    return documents.told("near-miss").map {
      "\($0.summary): \($0.help ?? "")"
    }
  }

  /// Though the word stands elsewhere, as the name of a member or in what the model keeps.
  @Test(arguments: ["refresh_tokn", "refesh_token", "refresh_tokens", "refresh-token"])
  func aWordThatIsSentAmissIsToldWhereItIsSent(word: String) {
    let found = [#"near-miss x.json:3:84: did you mean "refresh_token"?"#]
    let sends = #""form": {"grant_type": "\#(word)"}"#
    #expect(told(sends: sends, compares: "grantType == 'refresh_token'") == found)
    #expect(told(sends: sends, compares: "'refresh_token' == grantType && present(now)") == found)
    #expect(told(sends: sends, compares: "grantType in ['code', 'refresh_token']") == found)
    #expect(
      told(sends: #""json": {"use": "\#(word)"}"#, compares: "request.json.?use.orValue('') == 'refresh_token'").count
        == 1)
    // Some route takes it as it is, or what it is compared with is like nothing.
    let other = #"{"on": "POST /y", "next": [{"when": "grantType == '\#(word)'", "reply": {}}, {"reply": {}}]}, "#
    #expect(told(sends: sends, compares: "grantType == 'refresh_token'", more: other) == [])
    #expect(told(sends: sends, compares: "grantType == 'password'") == [])
    #expect(
      told(sends: sends, compares: "grantType == 'refresh_token'", secrets: #""grant_type""#) == [])
  }

  /// What only looks like a slip.
  @Test(arguments: [
    (#"{"type": "Bearer"}"#, "response.json.?type.orValue('').lowerAscii() == 'bearer'"),
    (#"{"code": "E0000004"}"#, "response.json.code == 'E0000014'"), (#"{"v": "v1.0"}"#, "response.json.v == 'v1.1'"),
    // What stands in the condition itself is what is taken where nothing came.
    (#"{"state": "no_thing"}"#, "response.json.?state.orValue('nothing') == 'nothing'"),
    (#"{"state": "canceled"}"#, "(present(now) ? response.json.state : response.json.other) == 'cancelled'"),
    (#"{"state": "${'Canceled'}"}"#, "response.json.state == 'suspended'"),
  ])
  func whatIsMeantAsItIsIsNotTold(answer: String, condition: String) {
    #expect(found(answer: answer, condition: condition).isEmpty)
  }

  /// Neither what is compared with a secret nor what the model gives in its place is said.
  @Test(arguments: [#""card""#, #""json.card""#, #""card.number""#, #""json.card.number""#, #""number""#])
  func noSecretIsQuoted(secrets: String) {
    let answer = #"{"card": {"number": "qzxkvw-jyhp"}}"#
    for condition in [
      "response.json.card.number == 'qzxkvw-jyhq'", "response.json['card'].?number.orValue('') == 'qzxkvw-jyhq'",
    ] {
      #expect(found(answer: answer, condition: condition, secrets: secrets).isEmpty)
      #expect(found(answer: answer, condition: condition).count == 1)
    }
  }
}
