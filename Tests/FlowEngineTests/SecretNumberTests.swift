import Testing

/// Section 4: under a secret name a number is as secret as a string, though only strings carry marks.
@Suite struct SecretNumberTests {
  /// Asks a service that answers with numbers under secret names, and does something with the answer.
  private static func asking(_ reply: String, when: String = "true", then actions: String = "") -> Sketch {
    Sketch(
      flow: #"""
        "store": {"p": {"type": "json"}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/x", "json": {"pin": 73165409, "n": 5}}, "next": [
            {"when": "\#(when)", "do": [\#(actions)], "goto": "done"}, {"goto": "done"}]},
          "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "secrets": ["json.pin", "sure"], "routes": [{"on": "POST /x", "next": [{"reply": \#(reply)}]}]
        """#
      ])
  }

  private static let reply =
    #"{"json": {"pin": 73165409, "in": [{"sure": true, "pin": {"deep": [1.2573165409]}}], "n": 5}}"#

  @Test func isAnAliasInTraffic() throws {
    let trace = try checkNoNumber(Self.asking(Self.reply))
    #expect(trace.contains(#""json":{"pin":"<pin#1>","n":5}"#), "\(trace)")
    #expect(
      trace.contains(##""json":{"pin":"<pin#1>","in":[{"sure":"<sure#1>","pin":{"<pin#2>":["<pin#3>"]}}],"n":5}"##),
      "\(trace)")
  }

  @Test func isAnAliasInTextThatIsJSON() throws {
    try checkNoNumber(Self.asking(#"{"text": "{\"pin\": 73165409}"}"#))
  }

  /// A name of queries hides nothing in JSON, and what is null is no secret: both would make texts of what is beside them.
  @Test(arguments: [#"["json.pin"]"#, #"["query.n"]"#]) func aTextThatIsJSONIsReadAsSuch(secrets: String) throws {
    var sketch = Self.asking(
      #"{"text": "{\"pin\": null, \"n\": 5, \"ok\": true}"}"#,
      when: "response.json.?n.orValue(0) == 5 && response.json.?ok.orValue(false)",
      then: #"{"show": {"it": {"n": "${response.json.n}"}}}"#)
    sketch.services = ["api": sketch.services[0].value.replacing(#"["json.pin", "sure"]"#, with: secrets)]
    try checkStory(sketch, has: "show it {n=5}")
  }

  /// Digits of a secret in a text that is JSON stay text; others are numbers.
  @Test func isTextWhereASecretTextIsReadAsJSON() throws {
    var sketch = Self.asking(
      #"{"text": "{\"said\": [${request.json.s}, 12], \"n\": 34, \"more\": 1${request.json.s}}"}"#,
      then: #"""
          {"set": {"p": "${response.json}"}},
          {"show": {"h": {"p": "${store.p}", "n": "${response.json.n + response.json.said[1]}"}}}
        """#)
    sketch.flow = sketch.flow.replacing(#""n": 5}"#, with: #""s": "${store.s}"}"#)
      .replacing(#""store": {"#, with: #""store": {"s": {"type": "string", "secret": true, "initial": "73165409"}, "#)
    for secrets in [#"["json.pin"]"#, #"["none"]"#, #"["n"]"#] {
      sketch.services = ["api": sketch.services[0].value.replacing(#"["json.pin", "sure"]"#, with: secrets)]
      let trace = try checkNoNumber(sketch)
      #expect(trace.contains(##""n":46"##), "\(trace)")
    }
  }

  @Test func isHiddenUnderAKeyThatIsSecret() throws {
    var sketch = Self.asking(
      Self.reply,
      then:
        #"{"set": {"all": "${response.json}", "l": [73165409, true], "m": {"a": [2573]}}}, {"show": {"h": {"v": "${store.all}"}}}"#
    )
    sketch.services = ["api": sketch.services[0].value.replacing(#"["json.pin", "sure"]"#, with: "[]")]
    sketch.flow = sketch.flow.replacing(#""pin": 73165409, "n": 5"#, with: #""n": 5"#).replacing(
      #""store": {"#,
      with:
        #""store": {"all": {"type": "json", "secret": true}, "l": {"type": "list", "secret": true}, "m": {"type": "map", "secret": true}, "#
    )
    let trace = try checkHidden(sketch, nil)
    #expect(trace.contains("<all#1>") && trace.contains("<m#1>"), "\(trace)")
    let lines = trace.split(separator: "\n").filter { $0.contains(#""kind":"set""#) || $0.contains(#""kind":"show""#) }
    #expect(
      !lines.isEmpty && !lines.contains { $0.contains("7316") || $0.contains("2573") || $0.contains("true") },
      "\(lines)")
  }

  @Test func isRefusedAsAFieldOfALink() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"s": {"type": "string", "secret": true, "initial": "73165409"}},
        "events": {"link.in": {"fields": {"code": {"type": "int"}}}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/x", "json": {"s": "${store.s}"}}, "next": [{"goto": "wait"}]},
          "wait": {"rest": true, "on": {"link.in": {"do": [{"show": {"h": {"c": "${event.code}"}}}], "goto": "done"}}},
          "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "POST /x", "next": [{"do": [{"send": {"hi": {"links": {"in": "https://app.example/m/${request.json.s}"}}}}],
          "reply": {}}]}]
        """#
      ], participants: ["app": #", "links": {"in": "https://app.example/m/{code}"}"#])
    try checkProblem(
      sketch, #""script": [{"open mail": "hi"}]"#, is: "secret-without-text", at: "\"link.in\"",
      says: "What came for \"code\" is secret, and as an int would be shown; make the field a string")
  }

  @Test(arguments: ["response.json", "response", "response.text", "[response.json]", "response.json['in']"])
  func isAnAliasInWhatKeepsIt(expression: String) throws {
    let value = expression == "response" ? "response.json" : expression
    try checkNoNumber(
      Self.asking(
        Self.reply,
        then: #"{"set": {"p": "${\#(value)}"}}, {"show": {"home": {"v": "${\#(value)}", "j": {"a": "${\#(value)}"}}}}"#)
    )
  }

  /// Without its name it is known by what it is.
  @Test func isAnAliasWhereItIsHandedOn() throws {
    let trace = try checkNoNumber(
      Self.asking(
        Self.reply,
        then: #"""
          {"set": {"p": "${response.json.pin}"}},
          {"show": {"h": {"v": "${store.p}", "l": ["${response.json['in'][0].pin.deep[0]}"], "n": "${response.json.n}"}}}
          """#))
    #expect(trace.contains(##""with":{"v":"<pin#1>","l":["<pin#3>"],"n":5}"##), "\(trace)")
  }

  @Test(arguments: [
    "response.json.pin == 73165410 - 1", "response.json['in'][0].pin.deep[0] > 1.0",
    "response.json.?pin.orValue(0) > 1",
    "size(response.text) > 1 && response.json.n == 5",
  ])
  func isAnAliasInWhatAGuardRead(guarded: String) throws {
    let trace = try checkNoNumber(Self.asking(Self.reply, when: guarded))
    #expect(trace.contains(#""decided""#) && !trace.contains(#""holds":false"#), "\(trace)")
  }

  /// Fields of an event, of a capability and of rows, and what guards read of them.
  @Test func isAnAliasInWhatIsDeclaredSecret() throws {
    let secret = #"{"p": {"type": "json", "secret": true}, "l": {"type": "list", "secret": true}"#
    let fields = secret + #", "n": {"type": "int"}}"#
    let sketch = Sketch(
      flow: #"""
        "config": {"c": {"type": "json", "secret": true, "value": 73165409}}, "store": {"t": {"rows": \#(fields)}},
        "events": {"user.signs": {"fields": \#(fields.replacing("true}", with: #"true, "example": [2573]}"#))}},
        "start": "home", "states": {
          "home": {"rest": true, "on": {"user.signs": [
            {"when": "event.p != event.n && event.l[0] != event.n && config.c != event.n && event.n == null", "goto": "ask"}, {"goto": "home"}]}},
          "ask": {"perform": {"capability": "sign", "with": {"p": 73165409, "l": [2573], "n": 34}}, "next": [
            {"when": "result.failure == null && result.p != result.l", "do": [
              {"set": {"t['a']": {"p": "${result.p}", "l": "${result.l}", "n": 12}}}], "goto": "kept"}, {"goto": "kept"}]},
          "kept": {"after": [
            {"wait": "1s", "when": "store.t['a'].p != null && store.t[?'a'].hasValue()", "do": [
              {"clear": ["t['a']"]}, {"set": {"t['b'].p": 73165409}}, {"clear": ["t"]}], "goto": "done"}]},
          "done": {"goal": true}}
        """#,
      participants: [
        "device":
          #", "capabilities": {"sign": {"input": \#(fields), "result": \#(fields), "example": {"p": 73165409, "l": [2573], "n": 56}}}"#
      ])
    let trace = try checkNoNumber(sketch)
    let told = [
      #""n":34"#, #""n":56"#, #""n":12"#, #""config.c":"<c#1>""#, #""old":{"p":"<c#1>"#, #""old":{"b":{"p":"<c#1>"#,
    ]
    for plain in told {
      #expect(trace.contains(plain), "\(plain) is missing in \(trace)")
    }
  }

  /// U+212A, the sign for kelvin, is a K.
  @Test func isHiddenUnderANameThatIsWrittenWithOtherBytes() throws {
    var sketch = Self.asking(#"{"json": {"Key": 73165409}}"#)
    sketch.services = ["api": sketch.services[0].value.replacing(#""sure""#, with: #""\u212Aey""#)]
    try checkNoNumber(sketch)
  }

  @Test func ofAnotherServiceItIsNoSecret() throws {
    var sketch = Self.asking(Self.reply)
    sketch.flow = sketch.flow.replacing(
      #""done": {"goal": true}"#,
      with:
        #""done": {"request": {"to": "open", "post": "/y", "json": {"pin": 4}}, "next": [{"goto": "over"}]}, "over": {"goal": true}"#
    )
    sketch.services = [
      "api": sketch.services[0].value, "open": #""routes": [{"on": "POST /y", "next": [{"reply": {}}]}]"#,
    ]
    #expect(try checkNoNumber(sketch).contains(#""json":{"pin":4}"#))
  }
}

/// Names of members inside something secret, and hosts, are as secret as what stands in a value.
@Suite struct SecretPlaceTests {
  @Test func aMemberInsideASecretIsHidden() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"j": {"type": "json", "secret": true}, "p": {"type": "json"}, "m": {"type": "map", "secret": true}},
        "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/x", "json": {"pin": {"c4n4ry": 1}}}, "next": [
            {"do": [{"set": {"j": {"c4n4ry": 1}, "m": {"c4n4ry": "x"}, "p": "${response.json}"}},
              {"show": {"h": {"k": "${store.p.pin.map(k, k)}", "n": "${store.p.pin}", "j": "${store.j}", "t": "${response.text}"}}}],
             "goto": "done"}]},
          "done": {"goal": true}}
        """#,
      services: [
        "api":
          #""secrets": ["pin"], "routes": [{"on": "POST /x", "next": [{"reply": {"json": {"pin": {"c4n4ry": {"c4n4ry": 2}}}}}]}]"#
      ])
    let trace = try checkHidden(sketch, nil)
    #expect(trace.contains("<pin#1>") && trace.contains("<j#") == false, "\(trace)")
  }

  /// Says the secret "t" to a service, and shows all of its answer.
  private static func asking(_ next: String, secret: String = "c4n4ry") -> Sketch {
    Sketch(
      flow: #"""
        "store": {"t": {"type": "string", "secret": true, "initial": "\#(secret)"}},
        "events": {"link.welcome": {"fields": {"token": {"type": "string"}}}}, "start": "ask", "states": {
          "ask": {"request": {"to": "api", "post": "/x", "json": {"t": "${store.t}"}}, "next": [{"do": [{"show": {"h": {
            "r": "${response.redirect}", "h": "${response.headers}", "c": "${response.challenge}"}}}], "goto": "wait"}]},
          "wait": {"rest": true, "on": {"link.welcome": {"do": [{"show": {"h": {"token": "${event.token}"}}}], "goto": "done"}}},
          "done": {"goal": true}}
        """#,
      services: ["api": #""routes": [{"on": "POST /x", "next": [{\#(next)}]}]"#],
      participants: ["app": #", "links": {"welcome": "https://app.example/w"}"#])
  }

  private static let named = #""reply": {"redirect": {"uri": "https://other.example/in?a=b&${request.json.t}"}}"#

  @Test(arguments: [
    named, #""reply": {"headers": {"location": "https://other.example/in?${request.json.t}=c"}}"#,
    #""do": [{"send": {"hi": {"links": {"in": "https://other.example/in?${request.json.t}"}}}}], "reply": {}"#,
    #""reply": {"headers": {"www-authenticate": "Bearer ${request.json.t}=\"x\""}}"#,
    #""reply": {"headers": {"www-authenticate": "${request.json.t}, Bearer a=b"}}"#,
  ]) func aNameIsHidden(next: String) throws {
    let trace = try checkHidden(Self.asking(next), nil)
    #expect(trace.contains("<t#1>=") || trace.contains(#"<t#1>":"x""#) || trace.contains(#"{"<t#1>":{}"#), "\(trace)")
  }

  @Test func aNameIsNotSaidWhereItIsRefused() throws {
    var sketch = Self.asking(Self.named)
    sketch.refusesSecretsInURLs = true
    try checkProblem(
      sketch, is: "secret-in-url", at: "\"https://other.example/in?a=b&${request.",
      says: "A secret would stand in the query of a URL")
  }

  @Test func aCodeGoesToTheAppAlone() throws {
    var sketch = Self.asking(
      #""reply": {"redirect": {"uri": "https://other.example/in", "query": {"code": "${request.json.t}"}}}"#)
    sketch.refusesSecretsInURLs = true
    try checkProblem(
      sketch, is: "secret-in-url", at: "\"https://other.example/in\"", says: "is this address one of its")
  }

  @Test func anAddressThatIsSecretAsAWholeSaysItsFieldsAllTheSame() throws {
    let next = #""do": [{"send": {"hi": {"links": {"in": "${request.json.t}"}}}}], "reply": {}"#
    let sketch = Self.asking(next, secret: "https://app.example/w?token=c4n4ry")
    #expect(try checkHidden(sketch, #""script": [{"open mail": "hi"}]"#).contains(#""token":"<t#"#))
  }

  @Test func aHostIsHidden() throws {
    let flow = #"""
      "store": {"t": {"type": "string", "secret": true, "initial": "c4n4ry"}, "u": {"type": "string"}}, "start": "a", "states": {
        "a": {"request": {"to": "api", "post": "/x", "json": {"t": "${store.t}"}}, "next": [
          {"when": "response.redirect.to != ''", "do": [{"show": {"h": {"to": "${response.redirect.to}"}}}], "goto": "b"}, {"goto": "b"}]},
        "b": {"goal": true}}
      """#
    let sketch = Sketch(
      flow: flow,
      services: [
        "api": #"""
        "routes": [{"on": "POST /x", "next": [{"reply": {"redirect": {"uri": "https://${request.json.t}.example:8443/x"}}}]}]
        """#
      ])
    let trace = try checkHidden(sketch, nil)
    #expect(trace.contains(#""redirect":"<t#2>/x""#), "\(trace)")
  }
}

/// Runs a sketch whose secret number is looked for, in any notation, in its trace, which it returns.
@discardableResult
private func checkNoNumber(_ sketch: Sketch, sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
  let trace = try checkHidden(sketch, nil, sourceLocation: sourceLocation)
  for form in ["73165409", "7316", "5409", #""sure":true"#, "NzMxNjU0MDk", "2573"] {
    // What an author wrote in a guard is no secret.
    let lines = trace.split(separator: "\n").map { $0.replacing("73165410", with: "") }
    #expect(!lines.contains { $0.contains(form) }, "\(form) stands in \(trace)", sourceLocation: sourceLocation)
  }
  return trace
}
