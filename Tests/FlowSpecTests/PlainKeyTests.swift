import FlowSpec
import Testing

@Suite struct PlainKeyTests {
  /// What is told of a flow that stores this of an answer whose `token` is secret.
  private static func told(_ stored: String, beside: String = "", instead: String? = nil) -> [String] {
    let usual =
      #"{"when": "response.status == 200", "do": [{"set": {\#(stored)}}\#(beside)], "goto": "done"}, {"goto": "done"}"#
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example", "secrets": ["token", "id_token"]}}, "start": "ask",
        "store": {"kept": {"type": "json"}, "hidden": {"type": "string", "secret": true}},
        "screens": {"s": {"fields": {"code": {"type": "string", "secret": true}, "text": {"type": "string"}}}},
        "emits": {"came": {"with": {"type": "string"}}},
        "let": {"token": "isString(response.json.?token) ? string(response.json.token) : ''"},
        "states": {"ask": {"request": {"to": "api", "post": "/x"}, "next": [
          \#(instead ?? usual)]},
          "done": {"goal": true}}}
      """#
    ])
    return documents.flow("x.json").diagnostics
      .filter { $0.code == "secret-in-plain-key" || $0.severity == .error }.map(\.message)
  }

  @Test(arguments: [
    "${response.json.token}", "${response.json.?token}", "Bearer ${string(response.json.token)}",
    "${string(response.json.token)}", "${dyn(string(response.json.token))}",
    "${isString(response.json.?token) ? dyn(string(response.json.token)) : null}",
    "${present(response.json.?token) ? 'none' : response.json.token}", "${response.json.?token.orValue('')}",
    "${response.json.?a.orValue(response.json.?token.orValue(''))}", "${token}", "${dyn(token)}",
  ]) func aSecretIsToldHoweverItIsHandedOn(text: String) {
    #expect(
      Self.told("\"kept\": \"\(text)\"") == [#"the secret "token" is stored in "kept", which is not secret"#])
  }

  @Test(arguments: [
    #""kept": "${string(response.json.name)}""#, #""hidden": "${string(response.json.token)}""#,
    #""kept": "${present(response.json.?token)}""#, #""kept": "${present(response.json.?token) ? 'yes' : 'no'}""#,
    #""kept": "${s256(string(response.json.token))}""#, #""kept": "${size(string(response.json.token))}""#,
    #""kept": "${string(response.json.token) == 'x' ? response.json.name : ''}""#,
    #""kept": "${claims(string(response.json.id_token)).?name.orValue('')}""#,
  ]) func whatIsMadeOfOneIsNot(stored: String) { #expect(Self.told(stored) == []) }

  /// What a good answer has that the app itself takes for a secret, as where the service has no model.
  @Test func aWholeAnswerOfWhichTheAppKeepsASecretIsTold() {
    let hides =
      #"{"when": "present(response.json.?pin)", "do": [{"set": {"hidden": "${string(response.json.pin)}"}}], "goto": "done"}"#
    func told(_ when: String, _ kept: String) -> [String] {
      Self.told(
        #""hidden": "x""#,
        instead:
          #"\#(hides), {"when": "\#(when)", "do": [{"set": {"kept": "\#(kept)"}}], "goto": "done"}, {"goto": "done"}"#)
    }
    let found = [#"the secret "pin" is stored in "kept", which is not secret"#]
    #expect(told("response.status in [200, 201]", "${response.json}") == found)
    #expect(told("response.status in [200, 400]", "${response.text}") == found)
    #expect(told("response.status >= 400", "${response.json}") == [])
    #expect(told("response.status in [200, 201]", "${size(response.text)}") == [])
  }

  /// Whoever reads the verifier can redeem the code.
  @Test(arguments: [
    ("${s256(store.proof)}", true), ("${challenge}", true), ("${present(store.proof) ? s256(store.proof) : ''}", true),
    ("${s256(store.?proof.orValue(''))}", true), ("${s256(verifier)}", true), ("${s256(string(store.proof))}", true),
    ("${s256(store.hidden)}", false), ("${store.proof}", false), ("${s256(memory.shown)}", false),
    // It is read beside the hash, or the word stands in a text.
    ("${store.proof == 'x' ? s256(memory.shown) : s256(store.hidden)}", false), ("${plain + store.proof}", false),
    ("${'s256(' + store.proof}", false), ("${store.proof + s256(store.hidden)}", false),
  ]) func aPlainVerifierIsTold(challenge: String, isTold: Bool) {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"app": {"kind": "app", "redirectUris": ["com.example:/in"]}, "browser": {"kind": "browser"},
        "api": {"kind": "service", "url": "https://api.example"}}, "start": "ask",
        "store": {"proof": {"type": "string"}, "hidden": {"type": "string", "secret": true}}, "memory": {"shown": {"type": "string"}},
        "let": {"challenge": "s256(store.proof)", "verifier": "store.proof", "plain": "s256(store.hidden)"},
        "states": {"ask": {"rest": true, "do": [
          {"set": {"proof": "${fresh('a')}", "hidden": "${fresh('b')}", "shown": "${fresh('c')}"}},
          {"open": {"to": "api", "get": "/a", "query": {"code_challenge": "\#(challenge)"}}}],
          "on": {"browser.closed": {"goto": "done"}}}, "done": {"goal": true}}}
      """#
    ])
    let found = documents.told("secret-in-plain-key").map(\.message)
    #expect(found == (isTold ? [#"the PKCE verifier is stored in "proof", which is not secret"#] : []))
  }

  /// Of a table the field is the verifier.
  @Test(arguments: [true, false]) func aVerifierInARowIsToldWhereItsFieldIsPlain(isSecret: Bool) {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"app": {"kind": "app", "redirectUris": ["com.example:/in"]}, "browser": {"kind": "browser"},
        "api": {"kind": "service", "url": "https://api.example"}}, "start": "ask", "memory": {"state": {"type": "string"}},
        "store": {"pend": {"rows": {"at": {"type": "string"}, "v": {"type": "string"\#(isSecret ? #", "secret": true"# : "")}}}},
        "states": {"ask": {"rest": true, "do": [
          {"set": {"state": "${fresh('s')}"}}, {"set": {"pend[memory.state]": {"at": "x", "v": "${fresh('a')}"}}},
          {"open": {"to": "api", "get": "/a", "query": {"code_challenge": "${s256(store.pend[memory.state].v)}"}}}],
          "on": {"browser.closed": {"goto": "done"}}}, "done": {"goal": true}}}
      """#
    ])
    let found = documents.told("secret-in-plain-key")
    #expect(
      found.map(\.message) == (isSecret ? [] : [#"the PKCE verifier is stored in "pend[…].v", which is not secret"#]))
    #expect(found.allSatisfy { $0.help?.hasPrefix(#"add "secret": true to "pend[…].v","#) == true })
  }

  /// Who builds the app reads in the interface what is not to be logged.
  @Test func whatAScreenOrAListenerIsToldPlainlyIsTold() {
    let hidden = #""hidden": "${string(response.json.token)}""#
    func told(_ text: String) -> [String] {
      let show = #"{"show": {"s": {"code": "${store.hidden}", "text": "\#(text)"}}}"#
      return Self.told(hidden, beside: ", \(show), {\"emit\": {\"came\": {\"with\": \"\(text)\"}}}")
    }
    for (text, name) in [("PIN ${store.hidden}", "hidden"), ("${string(response.json.token)}", "token")] {
      #expect(
        told(text) == [
          #"the secret "\#(name)" is told to the screen "s" in "text", which is not secret"#,
          #"the secret "\#(name)" is told to the listeners of "came" in "with", which is not secret"#,
        ])
    }
    #expect(told("${s256(store.hidden)}") == [])
    #expect(told("${present(store.hidden) ? 'yes' : 'no'}") == [])
  }

  /// A whole answer holds the secrets in it.
  @Test func aWholeAnswerHasItsSecrets() {
    func told(_ stored: String, answering json: String) -> [String] {
      var documents = Documents(texts: [
        "x.json": #"""
        {"flow": "x", "title": "X", "participants": {"app": {"kind": "app"},
          "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}}, "start": "ask",
          "store": {"kept": {"type": "json"}, "text": {"type": "string"}, "hidden": {"type": "json", "secret": true}},
          "emits": {"came": {"with": {"type": "json"}}},
          "states": {"ask": {"request": {"to": "api", "get": "/x"}, "next": [
            {"when": "response.status == 200", "do": [\#(stored)], "goto": "done"}, {"goto": "done"}]},
            "done": {"goal": true}}}
        """#,
        "api.json": #"""
        {"service": "api", "secrets": ["token"], "routes": [{"on": "GET /x", "next": [{"reply": {"json": \#(json)}}]}]}
        """#,
      ])
      return documents.flow("x.json").diagnostics
        .filter { $0.code == "secret-in-plain-key" || $0.severity == .error }.map(\.message)
    }
    let whole = #"{"set": {"kept": "${response.json}"}}"#
    let told1 = told(whole, answering: #"{"name": "a", "token": "t"}"#)
    #expect(told1 == ["the secret \"token\" is stored in \"kept\", which is not secret"])
    let text = #"{"set": {"text": "got ${response.text}"}}"#
    #expect(told(text, answering: #"{"token": "t"}"#).count == 1)
    let emitted = #"{"emit": {"came": {"with": "${response.json}"}}}"#
    #expect(told(emitted, answering: #"{"token": "t"}"#).count == 1)
    #expect(told(whole, answering: #"{"name": "a"}"#) == [])
    #expect(told(whole.replacing("kept", with: "hidden"), answering: #"{"token": "t"}"#) == [])
    #expect(
      told(whole.replacing("response.json", with: "response.json.name"), answering: #"{"token": "t", "name": "a"}"#)
        == [])
  }

  /// The names of a table's rows are not what these hold.
  @Test func whatRowsAreCalledIsNoSecretOfTheirs() {
    func told(_ who: String) -> [String] {
      var documents = Documents(texts: [
        "x.json": #"""
        {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
         "store": {"accounts": {"rows": {"refresh": {"type": "string", "secret": true}}}, "who": {"type": "string"}},
         "events": {"user.adds": {"fields": {"name": {"type": "string"}}}, "user.leaves": {}}, "start": "home", "states": {
           "home": {"goal": true, "do": [{"set": {"who": "\#(who)"}}], "on": {
             "user.adds": {"do": [{"set": {"accounts[event.name].refresh": "${fresh('r')}"}}], "goto": "home"},
             "user.leaves": {"when": "present(store.who)", "do": [{"clear": ["accounts"]}]}}}}}
        """#
      ])
      return documents.told("secret-in-plain-key").map(\.message)
    }
    #expect(told("${store.accounts.map(a, a)[?0]}") == [])
    #expect(told("${store.accounts.filter(a, a != 'x')[?0]}") == [])
    #expect(told("${store.accounts.map(a, store.accounts[a].refresh)[?0]}").count == 1)
  }
}
