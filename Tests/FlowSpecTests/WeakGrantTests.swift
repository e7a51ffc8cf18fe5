import FlowSpec
import Testing

/// What is said of a flow that opens this, and of one that sends that.
private func told(
  opens: String = #""to": "api", "get": "/a""#,
  sends: String = #""get": "/b", "headers": {"x-verifier": "${memory.verifier}"}"#, hears: String = "",
  beside: String = "", states: String = "",
  back: String = "com.example:/back"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "redirectUris": ["\#(back)"]},
        "browser": {"kind": "browser"}, "api": {"kind": "service", "url": "https://api.example"}}, "memory": {"verifier": {"type": "string"}, "state": {"type": "string"}, "word": {"type": "string"}, "given": {"type": "string", "initial": "w"}, "step": {"type": "string"}},
      "events": {"user.types": {"fields": {"code": {"type": "string"}, "state": {"type": "string"}}}, "browser.redirected": {"fields": {"code": {"type": "string"}, "state": {"type": "string"}}}},
      "let": {"came": "present(event.code)", "ours": "same(event.state, memory.state)"},
      "config": {"said": {"type": "string", "value": "x"}, "code": {"type": "string", "value": "code"}}, "start": "a", "states": {
        "a": {"do": [{"set": {"verifier": "${fresh('v')}", "state": "${fresh('s')}", "word": "${config.said}-w", "step": "${memory.word}"}}, {"open": {\#(opens)}}],
          "on": {\#(beside)"browser.redirected": [{\#(hears)"goto": "b"}, {"goto": "c"}], "browser.closed": {"goto": "b"}}},
        "b": {"request": {"to": "api", \#(sends)}, "next": [{"goto": "c"}]}, \#(states)"c": {"goal": true, "on": {"user.types": {"goto": "\#(states.isEmpty ? "c" : "later")"}}}}}
    """#
  ])
  let found = documents.flow("x.json").diagnostics.filter { $0.code == "weak-grant" || $0.severity == .error }
  return found.map { "\($0.code): \($0.labels.first?.text ?? "")" }
}

@Suite struct WeakGrantTests {
  private static func opens(_ query: String) -> String { #""to": "api", "get": "/a", "query": {\#(query)}"# }
  private static let challenge = #", "code_challenge": "${s256(memory.verifier)}""#

  @Test func aCodeThatAnyoneCanRedeemIsTold() {
    let open = ["weak-grant: stands without a \"code_challenge\""]
    for type in ["code", "code id_token", "${config.code}"] {
      #expect(told(opens: Self.opens("\"response_type\": \"\(type)\"")) == open, "\(type)")
    }
    #expect(told(opens: Self.opens(#""response_type": "id_token""#)) == [])
    #expect(told(opens: Self.opens(#""client_id": "c""#)) == [])
    #expect(told(opens: Self.opens(#""response_type": "${config.said}""#)) == [])
    #expect(told(opens: Self.opens(#""response_type": "${memory.verifier}""#)) == [])
    // What stands in a request object nobody sees.
    #expect(told(opens: Self.opens(#""response_type": "code", "request_uri": "${memory.verifier}""#)) == [])
  }

  @Test func aChallengeThatHidesNothingIsTold() {
    let code = #""response_type": "code""# + Self.challenge
    let plain = ["weak-grant: stands without the method \"S256\""]
    #expect(told(opens: Self.opens(code)) == plain)
    #expect(told(opens: Self.opens(code + #", "code_challenge_method": "plain""#)) == plain)
    #expect(told(opens: Self.opens(code + #", "code_challenge_method": "S256""#)) == [])
    #expect(told(opens: Self.opens(code + #", "code_challenge_method": "${config.said}""#)) == [])
  }

  @Test func aTokenInTheAddressIsTold() {
    for type in ["token", "id_token token"] {
      #expect(told(opens: Self.opens("\"response_type\": \"\(type)\"")) == ["weak-grant: asks for it"], "\(type)")
    }
  }

  @Test(arguments: ["form", "json"])
  func whatAnAppMustNotSendIsTold(body: String) {
    let password = #""post": "/b", "\#(body)": {"grant_type": "password"}"#
    #expect(told(sends: password) == ["weak-grant: is such a grant"])
    let secret = #""post": "/b", "\#(body)": {"grant_type": "refresh_token", "client_secret": "${config.said}"}"#
    #expect(told(sends: secret) == ["weak-grant: is in every copy of the app"])
    #expect(told(sends: #""post": "/b", "\#(body)": {"grant_type": "authorization_code", "secret": "x"}"#) == [])
    // Of one's own, or of what is paid for.
    #expect(told(sends: #""post": "/b", "\#(body)": {"client_secret": "${memory.verifier}"}"#) == [])
  }

  /// RFC 9126.
  @Test func whatIsPushedIsJudgedByItself() {
    let pushed = #""post": "/par", "form": {"response_type": "code""#
    #expect(told(sends: pushed + "}") == ["weak-grant: stands without a \"code_challenge\""])
    #expect(told(sends: pushed + Self.challenge + #", "code_challenge_method": "S256"}"#) == [])
  }

  @Test func whatIsTheSameForEachRequestIsTold() {
    let code = #""response_type": "code", "code_challenge_method": "S256""#
    let constant = ["weak-grant: is the same each time"]
    for field in [
      #""state": "x""#, #""state": "${config.said}""#, #""nonce": "a-${config.said}""#,
      // What makes a value anew is a call, and no part of a word.
      #""state": "${string('refreshed')}""#,
    ] {
      #expect(told(opens: Self.opens(code + Self.challenge + ", " + field)) == constant, "\(field)")
    }
    #expect(told(opens: Self.opens(code + #", "code_challenge": "E9Melhoa2Ow""#)) == constant)
    #expect(told(sends: #""post": "/b", "form": {"code_verifier": "${config.said}"}"#) == constant)
    for value in ["s256('x')", "memory.word", "s256(memory.given)", "string(memory.word)"] {
      #expect(told(opens: Self.opens(code + #", "code_challenge": "${\#(value)}""#)) == constant, "\(value)")
    }
    for value in ["s256(memory.step)", "memory.word + memory.verifier", "string(now)"] {
      #expect(told(opens: Self.opens(code + #", "code_challenge": "${\#(value)}""#)) == [], "\(value)")
    }
    let secret = #""post": "/b", "form": {"client_secret": "${memory.given}"}"#
    #expect(told(sends: secret) == ["weak-grant: is in every copy of the app"])
    #expect(told(sends: #""post": "/b", "form": {"code_verifier": "${memory.verifier}", "state": "x"}"#) == [])
    let anew = code + Self.challenge + #", "state": "${memory.state}", "nonce": "n-${memory.state}""#
    #expect(told(opens: Self.opens(anew)) == [])
  }

  /// RFC 6749, section 10.12.
  @Test func aStateThatNoAnswerIsHeldAgainstIsTold() {
    let sent = Self.opens(
      #""response_type": "code", "code_challenge_method": "S256", "state": "${memory.state}""# + Self.challenge)
    let unheld = [#"weak-grant: goes on with a code whose "state" nothing is held against"#]
    #expect(told(opens: sent, hears: #""when": "present(event.code)", "#) == unheld)
    #expect(told(opens: sent, hears: #""when": "present(event.code) && same(event.state, memory.state)", "#) == [])
    #expect(told(opens: sent, hears: #""when": "came && ours", "#) == [])
    #expect(told(opens: sent, hears: #""when": "came", "#) == unheld)
    // What a person types is no such answer, and holds none.
    let typed = #""user.types": [{"when": "present(event.code) && event.state == 'x'", "goto": "b"}, {"goto": "c"}], "#
    #expect(told(opens: sent, hears: #""when": "came", "#, beside: typed) == unheld)
    #expect(told(opens: sent, beside: typed) == [])
    // The answer goes elsewhere.
    #expect(told(opens: sent, hears: "") == [])
    #expect(told(opens: Self.opens(#""state": "${memory.state}""#), hears: #""when": "came", "#) == [])
  }

  /// What looks at the state elsewhere does not keep anybody from sending a code here.
  @Test func aPlaceThatLooksAtNoStateIsTold() {
    let sent = Self.opens(
      #""response_type": "code", "code_challenge_method": "S256", "state": "${memory.state}""# + Self.challenge)
    let takes = #""do": [{"set": {"word": "${event.code}"}}], "#
    let place = [#"weak-grant: takes a code whose "state" it does not look at"#]
    func told(_ hears: String, later: String, beside: String = "") -> [String] {
      FlowSpecTests.told(
        opens: sent, hears: hears, beside: beside,
        states: #""later": {"rest": true, "on": {"browser.redirected": \#(later)}}, "#)
    }
    let held = #"{"when": "ours", \#(takes)"goto": "b"}"#
    let unheld = #"{"when": "came", \#(takes)"goto": "b"}"#
    #expect(told(#""when": "came", \#(takes)"#, later: held) == place)
    #expect(told(#""when": "ours", \#(takes)"#, later: unheld) == place)
    #expect(told(#""when": "ours", \#(takes)"#, later: held) == [])
    // It is taken away before, kept for a later decision, or nothing comes of the code.
    let away = #"[{"when": "!ours"}, {\#(takes)"goto": "b"}]"#
    #expect(told(#""when": "ours", \#(takes)"#, later: away) == [])
    let first = #"[{"when": "ours", \#(takes)"goto": "b"}, {\#(takes)"goto": "b"}]"#
    #expect(told(#""when": "ours", \#(takes)"#, later: first) == place)
    func kept(_ key: String) -> String {
      takes.replacing("{\"word\"", with: "{\"\(key)\": \"${event.state}\", \"word\"")
    }
    #expect(told(#""when": "ours", \#(takes)"#, later: "{\(kept("verifier"))\"goto\": \"b\"}") == [])
    #expect(told(#""when": "ours", \#(takes)"#, later: "{\(kept("step"))\"goto\": \"b\"}") == place)
    #expect(told(#""when": "ours", \#(takes)"#, later: #"{"when": "came", "goto": "b"}"#) == [])
    // What else is opened may come back without one.
    let other = #""user.types": {"do": [{"open": {"to": "api", "get": "/x"}}], "goto": "later"}, "#
    #expect(told(#""when": "came", \#(takes)"#, later: held, beside: other) == place)
    #expect(told(#""when": "ours", \#(takes)"#, later: unheld, beside: other) == [])
  }

  /// What hears the answer first takes away what is not the same.
  @Test func whatAStateWithinLooksAtIsNotTold() {
    let takes = #""do": [{"set": {"word": "${event.code}"}}], "#
    func told(within: String) -> [String] {
      FlowSpecTests.told(
        opens: Self.opens(
          #""response_type": "code", "code_challenge_method": "S256", "state": "${memory.state}""# + Self.challenge),
        hears: #""when": "ours", \#(takes)"#,
        states: #"""
          "later": {"start": "in", "on": {"browser.redirected": {\#(takes)"goto": "b"}}, "states": {
            "in": {"start": "inner", "states": {"inner": {"rest": true, "on": {\#(within)}}}}}},
          """#)
    }
    let place = [#"weak-grant: takes a code whose "state" it does not look at"#]
    #expect(told(within: #""browser.redirected": {"when": "!ours", "goto": "c"}"#) == [])
    #expect(told(within: #""browser.redirected": {"when": "event.code == 'x'", "goto": "c"}"#) == place)
    #expect(told(within: #""user.types": {"when": "event.state == 'x'", "goto": "c"}"#) == place)
  }

  @Test func anAddressThatAnotherAppMayTakeIsTold() {
    for back in ["wallet:/back", "wallet://back", "${config.said}:/back"] {
      #expect(told(back: back) == ["weak-grant: has a scheme without a domain"], "\(back)")
    }
    for back in ["http://127.0.0.1/back", "https://app.example/back", "urn:ietf:wg:oauth:2.0:oob"] {
      #expect(told(back: back) == [], "\(back)")
    }
  }
}
