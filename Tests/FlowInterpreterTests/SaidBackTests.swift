import FlowInterpreter
import Testing

/// An app that shows all that a real service answers to a request with a secret.
private let flow = #"""
  {
    "flow": "back", "title": "Back",
    "participants": { "user": { "kind": "person" }, "app": { "kind": "app" },
      "api": { "kind": "service", "url": "https://api.example" } },
    "store": { "key": { "type": "string", "secret": true, "initial": "canary-0123456789" }, "kept": { "type": "json" } },
    "start": "asking",
    "states": {
      "asking": {
        "request": { "to": "api", "post": "/x", "json": { "deep": ["${store.key}"] } },
        "next": [
          { "when": "response.failure == null",
            "do": [{ "set": { "kept": "${response.json}" } },
              { "show": { "home": { "said": "${store.kept}", "headers": "${response.headers}",
                "text": "${response.text}", "leads": "${response.redirect}" } } }],
            "goto": "done" },
          { "goto": "done" }] },
      "done": { "end": "done" }
    }
  }
  """#

/// The trace of what a service answers.
private func trace(
  _ body: String, _ headers: [AdapterHeader] = [], of flow: String = flow
) async throws -> String {
  let adapter = ScriptedAdapter()
  let session = try FlowSession(
    CheckedFlow(at: "back.json") { _ in Array(flow.utf8) }, live: LiveServices(["api"], through: adapter),
    clock: ManualClock(), traces: true)
  var heard: [FlowOutput] = []
  _ = try await withRunning(session) { listener in
    try await adapter.next().answer(200, body, headers: headers)
    heard = await listener.rest()
  }
  return heard.compactMap(\.line).joined()
}

/// Section 4: what a real peer says back has lost its marks on the way, and is secret all the same.
@Suite(.timeLimit(.minutes(20))) struct SaidBackTests {
  @Test func inAMessage() async throws {
    let trace = try await trace(#"{"message": "no canary-0123456789!", "more": "plain"}"#)
    #expect(trace.contains(#"{"message":"no <key#1>!","more":"plain"}"#) && !trace.contains("canary"), "\(trace)")
  }

  @Test(arguments: ["sid=morsel-987654; Path=/; HttpOnly", "sid=\"morsel-987654\"", " sid = morsel-987654"])
  func whatACookieIsSetTo(cookie: String) async throws {
    let trace = try await trace(
      #"{"message": "your session is morsel-987654."}"#, [AdapterHeader("Set-Cookie", cookie)])
    #expect(trace.contains("your session is <cookie#1>.") && !trace.contains("morsel"), "\(trace)")
  }

  private static let many = (100..<150).map { "{\"id\": \"number-\($0)-0000\"}" }.joined(separator: ", ")

  /// The app takes a part of it; of much that a peer calls secret the longest counts first.
  @Test(arguments: [
    (#", "token": "morsel-9876543210""#, nil, "<token#"),
    (#", "all": [\#(many)], "token": "morsel-9876543210""#, nil, "<token#"),
    ("", AdapterHeader("Set-Cookie", "sid=morsel-9876543210"), "<cookie#"),
    ("", AdapterHeader("Location", "https://x.example/?token=morsel-9876543210"), "<token#"),
  ])
  func whatTheAnswerItselfCallsSecret(more: String, header: AdapterHeader?, alias: String) async throws {
    let other = flow.replacing(#""api": {"#, with: #""api": { "secrets": ["token", "id"],"#)
      .replacing(#""kept": "${response.json}""#, with: #""kept": "${response.json.message.substring(0, 15)}""#)
    let body = #"{"message": "it is morsel-9876543210."\#(more)}"#
    let trace = try await trace(body, [header].compactMap(\.self), of: other)
    #expect(trace.contains("it is \(alias)") && !trace.contains("morsel"), "\(trace)")
  }

  /// A peer could call something by the secret that it was told.
  @Test func noAliasHasANameThatAPeerGives() async throws {
    let cookie = AdapterHeader("Set-Cookie", "canary-0123456789=morsel-987654")
    let looking = flow.replacing(
      "response.failure == null", with: "response.failure == null && size(response.json) > 1")
    for flow in [flow, looking] {
      let body = #"{"message": "morsel-987654", "canary-0123456789": {"a": 1}, "more": 2}"#
      let trace = try await trace(body, [cookie], of: flow)
      #expect(trace.contains("<cookie#1>") && !trace.contains("canary"), "\(trace)")
    }
  }

  /// Of six digits a longer number may well have all, such as that of a telephone.
  @Test func aShortNumberInALongerOneIsChance() async throws {
    let other = flow.replacing("canary-0123456789", with: "123456")
    for (said, shown) in [
      ("+41791234567", "+41791234567"), ("is 123456.", "is <key#1>."), ("a%20123456", "a%20<key#1>"),
      (#"\\u0020123456"#, #"\\u0020<key#1>"#), ("x123456y", "x<key#1>y"), ("41 123456", "41 <key#1>"),
      ("636f6465313233343536", "636f6465<key#1>"),
    ] {
      let trace = try await trace(#"{"message": "\#(said)"}"#, of: other)
      #expect(trace.contains(#"{"message":"\#(shown)"}"#), "\(trace)")
    }
  }

  /// RFC 2045, section 6.8; and who encodes over and over makes nobody wait.
  @Test func inLinesAndEncodedOverAndOver() async throws {
    for said in [
      #"Y2FuYXJ5\nLTAxMjM0\r\nNTY3ODk="#, "Y2FuYXJ5%0D%0ALTAxMjM0NTY3ODk", "%252525252563anary-0123456789",
      #"ca\nnary-0123456789"#,
    ] {
      let trace = try await trace(#"{"message": "no \#(said)!"}"#)
      #expect(trace.contains(#"{"message":"no <key#1>"#) && !trace.contains("anary"), "\(trace)")
    }
    let over = "%" + String(repeating: "25", count: 100_000)
    let other = flow.replacing("canary-0123456789", with: over.prefix(2_000))
    let trace = try await trace(#"{"message": "\#(over)63anary-0123456789"}"#, of: other)
    #expect(trace.contains("\"show\":\"home\""))
  }

  /// RFC 7519: who decodes a token reads what is listed as secret; and what is kept as it is of a challenge or an address.
  @Test func whatATokenAChallengeOrAnAddressHolds() async throws {
    let listing = flow.replacing(
      #""url": "https://api.example""#, with: #""url": "https://api.example", "secrets": ["pin"]"#)
    let keeping = flow.replacing(
      #"{ "set": { "kept": "${response.json}" } }"#,
      with:
        #"{ "set": { "key": "${response.challenge.uma.?ticket.orValue('') + ''}" } }, { "set": { "kept": "${response.json}" } }"#
    )
    let challenged = keeping.replacing(" + ''", with: "")
    // {"pin": "c4nary-98765"}, alone and in a JWT, { "a": [{"pin": …}]}, and {"id_token": "…", "msg": "pin=c4nary-98765"}
    let payload = "eyJwaW4iOiAiYzRuYXJ5LTk4NzY1In0"
    for said in [
      "eyJhbGciOiJub25lIn0.\(payload).x", "https://x.example/t?state=\(payload)=&b=1", "v1_\(payload)",
      "t/\(payload)/a",
      "eyAiYSI6IFt7InBpbiI6ICJjNG5hcnktOTg3NjUifV0gfQ==", "eyJtc2ciOiAicGluPWM0bmFyeS05ODc2NSJ9",
    ] {
      let trace = try await trace(#"{"message": "it is \#(said)"}"#, of: listing)
      #expect(trace.contains("<pin#1>") && !trace.contains("NG5hcnk") && !trace.contains("YzRu"), "\(trace)")
      #expect(!trace.contains("YXJ5"), "\(trace)")
    }
    let header = AdapterHeader("www-authenticate", #"UMA ticket="t1cket-98765""#)
    let trace = try await trace("{}", [header], of: challenged)
    #expect(trace.contains("\"show\":\"home\"") && !trace.contains("t1cket"), "\(trace)")
  }

  @Test func inHeadersTextsAndAddresses() async throws {
    for (body, header) in [
      ("", AdapterHeader("www-authenticate", "Bearer error=\"x\", about=\"canary-0123456789\"")),
      ("", AdapterHeader("www-authenticate", #"Bearer about="\c\a\n\a\r\y\-\0\1\2\3\4\5\6\7\8\9""#)),
      ("", AdapterHeader("x-a", #""no c\anary-0\1\23456789!""#)),
      ("", AdapterHeader("Location", "https://other.example/canary-0123456789?a=1-canary-0123456789")),
      ("<p>canary-0123456789</p>", AdapterHeader("x-a", "1")),
    ] {
      let trace = try await trace(body, [header])
      #expect(trace.contains("\"show\":\"home\"") && !trace.contains("canary"), "\(trace)")
      #expect(!trace.replacing("\\", with: "").contains("nary-012"), "\(trace)")
    }
  }

  /// As servers escape what they say back: Python's `quote`, `json.dumps` and `html.escape`, PHP's `json_encode`, .NET,
  /// forms and JSON inside of JSON.
  @Test(arguments: [
    "c%C3%A4nary/01%F0%9D%84%9E+%2B%3D2", "c%c3%a4nary%2f01%f0%9d%84%9e%20%2b%3d2", "cänary/01𝄞%20+=2",
    "c&#228;nary&#x2F;01𝄞 &#43;&#61;2", "c&#xE4;nary/01&#119070; +=2", #"c\\u00e4nary/01\\ud834\\udd1e +=2"#,
    #"c\\u00E4nary\\/01\\uD834\\uDD1E \\u002B\\u003D2"#, #"c\\\\u00e4nary\\\\/01𝄞 +=2"#,
    "c%25C3%25A4nary%252F01%25F0%259D%2584%259E%2520%252B%253D2",
    "63c3a46e6172792f3031f09d849e202b3d32", "Y8OkbmFyeS8wMfCdhJ4gKz0y", "eGPDpG5hcnkvMDHwnYSeICs9Mng",
  ]) func howeverItIsEscaped(said: String) async throws {
    let other = flow.replacing("canary-0123456789", with: "cänary/01𝄞 +=2")
    let trace = try await trace(
      #"{"message": "no \#(said)!"}"#, [AdapterHeader("x-a", "b \(said)")], of: other)
    let hidden = said.hasPrefix("eG") ? "no eG<key#1>ng!" : "no <key#1>!"
    #expect(trace.contains("\"message\":\"\(hidden)\""), "\(trace)")
    let text = trace.split(separator: "\"text\":").last ?? ""
    #expect(!["nary", "6172", "bmFy", "5hcn"].contains(where: text.contains), "\(trace)")
  }

  /// Ground: a client's password in "Basic …" (RFC 7617), or in a body, which shows what it was sent in first.
  @Test(arguments: [
    (#""headers": { "authorization": "Basic ${base64url('me:' + store.key)}" }"#, "<key#1>"),
    (#""json": { "k": "${base64url('me:' + store.key)}" }"#, "<key#2>"),
  ]) func whatWasSentOnlyInsideOfAnEncoding(sent: String, told: String) async throws {
    for key in ["canary-0123456789", "58392017", "5839.25"] {
      let other = flow.replacing(#""json": { "deep": ["${store.key}"] }"#, with: sent)
        .replacing("canary-0123456789", with: key)
      let said = Double(key) == nil ? "\"\(key)\"" : key
      let trace = try await trace(#"{"message": "no \#(key)!", "more": \#(said)}"#, of: other)
      #expect(trace.contains(#"{"message":"no \#(told)!","more":"\#(told)"}"#) && !trace.contains(key), "\(trace)")
    }
  }

  @Test(arguments: [
    ("${config.key}.example", "canary", "the name of canary.example is not known", "the name of <key#2> is not known"),
    ("[${config.key}]", "2001:db8::cafe", "[2001:db8::cafe]:81 refuses", "[<key#1>]:81 refuses"),
  ])
  func theHostInTheReasonOfAFailure(host: String, key: String, reason: String, told: String) async throws {
    let adapter = ScriptedAdapter()
    let config = #""config": { "key": { "type": "string", "secret": true, "value": "\#(key)" } }, "store": {"#
    let other = flow.replacing("https://api.example", with: "https://\(host):81")
      .replacing("store.key", with: "config.key").replacing(#""store": {"#, with: config)
      .replacing(#""flow""#, with: #""despite": { "secret-in-url": "a tenant", "unused-key": "so" }, "flow""#)
    let session = try FlowSession(
      CheckedFlow(at: "back.json") { _ in Array(other.utf8) }, live: LiveServices(["api"], through: adapter),
      clock: ManualClock(), traces: true)
    var heard: [FlowOutput] = []
    _ = try await withRunning(session) { listener in
      try await adapter.next().fail(.unreachable, reason)
      heard = await listener.rest()
    }
    let trace = heard.compactMap(\.line).joined()
    #expect(trace.contains(#""reason":"\#(told)""#) && !trace.contains(key), "\(trace)")
  }

  /// Ground: the README's "the same alias for the same one wherever it turns up again".
  @Test func whatWasShownBeforeIsHiddenInALaterAnswer() async throws {
    let other = flow.replacing("canary-0123456789", with: "c4nary")
      .replacing(#""json": { "deep": ["${store.key}"] }"#, with: #""json": {}"#)
      .replacing(#""asking": {"#, with: #""asking": { "do": [{ "show": { "out": { "key": "${store.key}" } } }],"#)
    let trace = try await trace(#"{"message": "no c4nary!", "more": "c4nar"}"#, of: other)
    #expect(trace.contains(#"{"message":"no <key#1>!","more":"c4nar"}"#) && !trace.contains("c4nary"), "\(trace)")
  }
}

/// Section 4: an answer's own secrets are known before its line is written, wherever they stand in it, read or not.
@Suite(.timeLimit(.minutes(20))) struct OwnSecretTests {
  @Test(arguments: ["${response.json}", "${response.json.a}"]) func isHiddenBeforeItsName(read: String) async throws {
    let url = #""url": "https://api.example""#
    let other = flow.replacing(url, with: url + #", "secrets": ["token", "pin"]"#)
      .replacing(#""kept": "${response.json}""#, with: #""kept": "\#(read)""#)
    let trace = try await trace(
      #"{"a": ["c4nary-x1", 7316540988, "of c4nary-x1", "7316540988"], "token": "c4nary-x1", "z": {"pin": 7316540988}}"#,
      [
        AdapterHeader("x-a", "c4nary-x1"),
        AdapterHeader("Location", "https://other.example/c4nary-x1?token=c4nary-x1"),
      ], of: other)
    #expect(trace.contains(#"["<token#1>","<pin#1>","of <token#1>","<pin#1>"]"#), "\(trace)")
    #expect(!trace.contains("c4nary") && !trace.contains("7316540988"), "\(trace)")
  }

  /// Whoever has the token reads what it claims.
  @Test func isHiddenBesideTheTokenThatClaimsIt() async throws {
    let url = #""url": "https://api.example""#
    let other = flow.replacing(url, with: url + #", "secrets": ["pin"]"#)
      .replacing(#""kept": "${response.json}""#, with: #""kept": "${claims(response.json.token)}""#)
    // {"pin": "c4nary-98765", "n": {"pin": 7316540988}}
    let token = "eyJhbGciOiJub25lIn0.eyJwaW4iOiAiYzRuYXJ5LTk4NzY1IiwgIm4iOiB7InBpbiI6IDczMTY1NDA5ODh9fQ.x"
    let trace = try await trace(
      #"{"token": "\#(token)", "more": "it is c4nary-98765"}"#, [AdapterHeader("x-a", "7316540988")], of: other)
    #expect(trace.contains("<pin#1>") && !trace.contains("c4nary") && !trace.contains("7316540988"), "\(trace)")
  }

  @Test(arguments: ["https://u:Canary-X1@other.example/a", "https://Canary-0123456789.example/a"])
  func isHiddenInTheAuthorityOfAnAddress(location: String) async throws {
    let other = flow.replacing("canary-0123456789", with: "Canary-0123456789")
    let trace = try await trace("", [AdapterHeader("Location", location)], of: other)
    #expect(trace.contains("/a") && !trace.lowercased().contains("canary"), "\(trace)")
  }
}

/// Section 4: what is put into a secret key as it is is secret by the name that it has in the answer, unlisted.
@Suite(.timeLimit(.minutes(20))) struct UnlistedSecretTests {
  @Test(arguments: [
    "${response.json.deep[0].token}", "${response.json.?deep[0].?token.orValue('')}", "${named}",
    "Bearer ${response.json.deep[0].token}",
  ]) func isSecretByItsNameThere(expression: String) async throws {
    let trace = try await trace(
      #"{"deep": [{"token": "c4nary", "more": "plain"}], "id": 7}"#, of: keeping(expression))
    #expect(trace.contains(#"{"deep":[{"token":"<token#1>","more":"plain"}],"id":7}"#), "\(trace)")
    #expect(!trace.contains("c4nary"), "\(trace)")
  }

  @Test func aHeaderAndAnAddressAreSo() async throws {
    for (expression, header) in [
      ("${response.headers['x-token']}", AdapterHeader("X-Token", "c4nary")),
      ("${response.redirect.query.token}", AdapterHeader("Location", "https://other.example/?token=c4nary")),
    ] {
      let trace = try await trace("", [header], of: keeping(expression, all: "null"))
      #expect(trace.contains("<token#1>") || trace.contains("<x-token#1>"), "\(trace)")
      #expect(!trace.contains("c4nary"), "\(trace)")
    }
  }

  @Test func whatDecidesOnASecretIsNot() async throws {
    let trace = try await trace(
      #"{"kind": "b"}"#, of: keeping("${response.json.kind == 'a' ? 'one' : 'two'}"))
    #expect(trace.contains(#""kind":"b""#) && trace.contains("<kept#1>"), "\(trace)")
  }

  private func keeping(_ expression: String, all: String = "${response.json}") -> String {
    #"""
    {
      "flow": "back", "title": "Back",
      "participants": { "user": { "kind": "person" }, "app": { "kind": "app" },
        "api": { "kind": "service", "url": "https://api.example" } },
      "store": { "kept": { "type": "string", "secret": true }, "all": { "type": "json" } },
      "let": { "named": "response.json.?deep[0].?token.orValue('')" },
      "actions": { "keep": [{ "set": { "kept": "\#(expression)" } }, { "set": { "all": "\#(all)" } }] },
      "start": "asking",
      "states": {
        "asking": { "request": { "to": "api", "post": "/x" }, "next": [{ "do": ["keep"], "goto": "done" }] },
        "done": { "end": "done" }
      }
    }
    """#
  }
}
