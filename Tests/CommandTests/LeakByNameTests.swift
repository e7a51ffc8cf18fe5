import Testing

/// What is secret by its name is hidden wherever that name may stand, whatever stands around it.
@Suite struct LeakByNameTests {
  private static let canary = "Zq9kTw4xPm7RvB2n"

  /// A flow `f.json` whose state asks `POST /x` of a service with this model, and shows what came.
  private static func workshop(config: String = "", json: String = "{}", model: String) throws -> Workshop {
    let workshop = try Workshop()
    try workshop.write(
      """
      {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "inbox": {"kind": "inbox"},
          "api": {"kind": "service", "url": "https://api.example", "model": "services/m.json"}},
        "config": {\(config)}, "screens": {"s": {"fields": {"answer": {"type": "json"}, "way": {"type": "json"}}}},
        "start": "a", "states": {
          "a": {"request": {"to": "api", "post": "/x", "json": \(json)},
            "next": [{"do": [{"show": {"s": {"answer": "${response.json}", "way": "${response.redirect}"}}}], "goto": "g"}]},
          "g": {"goal": true}}}
      """, to: "f.json")
    try workshop.write("{\"service\": \"m\", \(model)}", to: "services/m.json")
    return workshop
  }

  private static let runs = ["f.json", "f.json --json", "draw f.json --as sequence", "draw f.json", "explore f.json"]

  private func checkSilent(
    _ workshop: Workshop, _ commands: [String] = runs, shows: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var told = ""
    for command in commands {
      let result = try workshop.flowrun.shell("\"$FLOWRUN\" \(command)")
      told += result.output + result.errors
    }
    for half in [Self.canary.prefix(8), Self.canary.suffix(8)] {
      #expect(!told.contains(half), "\(told)", sourceLocation: sourceLocation)
    }
    #expect(told.contains(shows), "\(told)", sourceLocation: sourceLocation)
  }

  @Test func anAliasIsCalledByTheNameAlone() throws {
    try checkSilent(
      Self.workshop(
        config: #""c": {"type": "string", "secret": true, "value": "\#(Self.canary)"}"#,
        json: #""${ {'pin[' + config.c + ']': 'v'} }""#,
        model: #""secrets": ["pin"], "routes": [{"on": "POST /x", "next": [{"reply": {"json": "${request.json}"}}]}]"#),
      shows: "<pin#1>")
  }

  @Test(arguments: [
    "request.json.pin == 'SECRET'", "same(request.json.pin, 'SECRET')", "request.json.pin in ['SECRET', 'other']",
    "'SECRET' != request.json.?pin.orValue('')", "['SECRET', ''].exists(x, x == request.json.pin)",
    "request.json.pin in {'SECRET': 1}", "'SECRET'.startsWith(request.json.pin)",
    "s256(request.json.pin) == s256('SECRET')", "request.json.pin == (request.json.?a.hasValue() ? '' : 'SECRET')",
  ]) func whatASecretIsComparedWithIsNotTold(guardText: String) throws {
    let line = guardText.replacing("SECRET", with: Self.canary)
    try checkSilent(
      Self.workshop(
        json: #"{"pin": "1234"}"#,
        model: #"""
          "secrets": ["pin"], "routes": [{"on": "POST /x",
            "next": [{"name": "right", "when": "\#(line)", "reply": {"status": 200}}, {"reply": {"status": 401}}]}]
          """#), shows: "'…'")
  }

  /// By a part of the message, in a whole one, under a name that is known when it is read alone.
  @Test(arguments: [
    "request.headers.authorization == 'Basic SECRET'", "request.headers[?'authorization'].orValue('') == 'SECRET'",
    "request.headers['x-key'] == 'SECRET'", "request.path.id == 'SECRET'",
    "request.cookies[?'sid'].orValue('') == 'SECRET'",
    "request.cookies == {'sid': 'SECRET'}", "request.json == {'pin': 'SECRET'}", "request.path == {'id': 'SECRET'}",
    "request.json.exists(k, k == 'pin' && request.json[k] == 'SECRET')", "['SECRET'] == [request.json.pin]",
    "request.json.map(k, request.json[k]) == ['SECRET']", "dyn(request.json)[?'pin'].orValue('') == 'SECRET'",
    "request.method + request.json.pin == request.method + 'SECRET'", "(request.text) == 'SECRET'",
    "request.text == 'SECRET'",
    "request.json.?all.orValue([]).exists(x, x.pin == 'SECRET')",
    "request.json.?all.orValue([]) == [{'pin': 'SECRET'}]", "request.text.contains('SECRET')",
  ]) func whatIsHeldAgainstAPartOfAMessageIsNotTold(guardText: String) throws {
    let line = guardText.replacing("SECRET", with: Self.canary)
    let workshop = try Self.workshop(
      json: #"{"pin": "1234"}, "headers": {"authorization": "Basic 1", "x-key": "1"}"#,
      model: #"""
        "secrets": ["pin", "header.x-key", "path.id"], "routes": [{"on": "POST /{id}",
          "next": [{"name": "right", "when": "\#(line)", "reply": {"status": 200}}, {"reply": {"status": 401}}]}]
        """#)
    try workshop.replace(#""start": "a""#, with: #""despite": {"secret-in-url": "so"}, "start": "a""#, in: "f.json")
    try checkSilent(workshop, shows: "'…'")
  }

  /// What the model that was meant calls secret is secret, though it was not read.
  @Test(arguments: [
    (#""model": "services/m.json""#, #""model": "services/n.json""#, "f.json"),
    (#""model": "services/m.json""#, #""model": "servics/m.json""#, "f.json"),
    (#""model": "services/m.json""#, #""model": "models/api/m.json""#, "f.json"),
    (#""model": "services/m.json""#, #""models": "services/m.json""#, "f.json"),
    (#"["pin"]"#, #""pin""#, "services/m.json"),
  ]) func whatAModelThatIsNotReadCallsSecretIsHidden(written: String, wrong: String, path: String) throws {
    let workshop = try Self.workshop(
      json: #"{"pin": "\#(Self.canary)"}, "jsn": 1"#,
      model: #""secrets": ["pin"], "routes": [{"on": "POST /x", "next": [{"reply": {}}]}]"#)
    try workshop.replace(written, with: wrong, in: path)
    try checkSilent(workshop, ["check f.json", "f.json", "explore f.json", "draw f.json"], shows: "error[")
  }

  @Test(arguments: [("post", "form"), ("get", "query")])
  func whatASecretFieldOfAFormIsComparedWithIsNotTold(method: String, part: String) throws {
    let workshop = try Self.workshop(
      model: #"""
        "despite": {"secret-in-url": "so"}, "routes": [
          {"on": "GET /page", "next": [{"reply": {"page": {"title": "In", "forms": {"login": {"\#(method)": "/login",
            "fields": {"password": {"type": "string", "secret": true, "example": "1234"}}}}}}}]},
          {"on": "\#(method.uppercased()) /login", "next": [
            {"name": "right", "when": "request.\#(part).password == '\#(Self.canary)'", "reply": {}},
            {"reply": {"redirect": {"uri": "com.app:/in"}}}]}]
        """#)
    try workshop.replace(
      #""app": {"kind": "app"}"#,
      with: #""app": {"kind": "app", "redirectUris": ["com.app:/in"]}, "browser": {"kind": "browser"}"#, in: "f.json")
    try workshop.write(
      try workshop.read("f.json").replacing(
        /"a": \{(.|\n)*"g": \{/,
        with: #"""
          "a": {"rest": true, "do": [{"open": {"to": "api", "get": "/page"}}],
            "on": {"browser.redirected": {"goto": "g"}}}, "g": {
          """#), to: "f.json")
    try checkSilent(workshop, shows: "'…'")
  }

  @Test func whatADeclaredSecretIsComparedWithIsNotTold() throws {
    let workshop = try Workshop()
    try workshop.write(
      """
      {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "a",
        "events": {"user.signs": {"fields": {"pin": {"type": "string", "secret": true, "example": "\(Self.canary)"}}}},
        "states": {"g": {"goal": true}, "a": {"rest": true, "on": {"user.signs": [
          {"when": "event.pin == '\(Self.canary)' && device.platform == 'ios'", "goto": "g"}, {"goto": "a"}]}}}}
      """, to: "f.json")
    try checkSilent(workshop, shows: "event.pin == '…' && device.platform == 'ios'")
  }

  @Test(arguments: [
    "['SECRET', ''].exists(x, x == event.pin)", "s256(event.pin) == s256('SECRET')", "'SECRET'.startsWith(event.pin)",
    "event.pin.startsWith('SECRET')", "event.pin == (event.n == 9 ? '' : 'SECRET')", "event.pin in {'SECRET': 1}",
    "event.pin <= 'SECRET'", "['SECRET'].filter(x, x == event.pin) != []",
  ]) func whatIsHeldAgainstASecretInAnyOtherWayIsNotToldEither(guardText: String) throws {
    let workshop = try Workshop()
    let line = guardText.replacing("SECRET", with: Self.canary)
    try workshop.write(
      """
      {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "a",
        "events": {"user.signs": {"fields": {"n": {"type": "int", "example": 1},
          "pin": {"type": "string", "secret": true, "example": "\(Self.canary)"}}}},
        "states": {"g": {"goal": true}, "a": {"rest": true, "on": {"user.signs": [
          {"when": "\(line) && device.platform == 'ios'", "goto": "g"}, {"goto": "a"}]}}}}
      """, to: "f.json")
    try checkSilent(workshop, shows: "&& device.platform == 'ios'")
  }

  @Test(arguments: [
    #"{"redirect": {"uri": "/invite/SECRET"}}"#, #"{"redirect": {"uri": "https://api.example/invite/SECRET"}}"#,
    #"{"status": 302, "headers": {"location": "/invite/SECRET"}}"#, #"{"redirect": {"get": "/invite/SECRET"}}"#,
  ]) func aSecretInThePathOfARedirectIsHidden(reply: String) throws {
    try checkSilent(
      Self.workshop(
        model: #"""
          "secrets": ["path.id"], "despite": {"secret-in-url": "so", "unanswered-request": "so"}, "routes": [
            {"on": "POST /x", "next": [{"reply": \#(reply.replacing("SECRET", with: Self.canary))}]},
            {"on": "GET /invite/{id}", "next": [{"reply": {"status": 200}}]}]
          """#), shows: "/invite/<id#1>")
  }

  @Test(arguments: ["location", "header.location"]) func aLocationMayBeSecret(name: String) throws {
    try checkSilent(
      Self.workshop(
        model: #"""
          "secrets": ["\#(name)"], "despite": {"secret-in-url": "so", "unanswered-request": "so"}, "routes": [
            {"on": "POST /x", "next": [
              {"reply": {"status": 302, "headers": {"location": "https://o.example/\#(Self.canary)?a=\#(Self.canary)"}}}]}]
          """#), shows: "<location#1>")
  }

  @Test func whatTextsForPeopleNameIsHidden() throws {
    try checkSilent(
      Self.workshop(
        model: #"""
          "secrets": ["pin"], "routes": [{"on": "POST /x", "next": [{
            "do": [{"send": {"hello": {"to": "ada@mail.example", "subject": "pin=\#(Self.canary)",
              "text": "{\"pin\": \"\#(Self.canary)\"}"}}}],
            "reply": {"page": {"title": "pin=\#(Self.canary)", "text": "?pin=\#(Self.canary)"}}}]}]
          """#), shows: "<pin#1>")
  }

  @Test func anAddressThatNoRouteAnswersIsToldWithoutWhatNobodyHasChosen() throws {
    let workshop = try Self.workshop(
      json: "{}",
      model: #""secrets": ["path.id"], "routes": [{"on": "POST /keys/{id}", "next": [{"reply": {}}]}]"#)
    try workshop.replace(#""post": "/x""#, with: #""post": "/keyz/\#(Self.canary)""#, in: "f.json")
    try checkSilent(workshop, ["f.json --json"], shows: "unanswered-request")
  }

  /// Accepted before it was said to be secret: what stands in the golden is secret today.
  @Test func whatIsSecretTodayIsHiddenInAnOlderGolden() throws {
    let workshop = try Self.workshop(
      config: #""c": {"type": "string", "value": "\#(Self.canary)"}"#, json: #"{"token": "${config.c}"}"#,
      model: #""routes": [{"on": "POST /x", "next": [{"reply": {"json": {"seen": "${request.json.token}"}}}]}]"#)
    let accepted = try workshop.flowrun.shell("\"$FLOWRUN\" test f.json --accept")
    let golden = try workshop.read("f/default.trace.jsonl")
    #expect(accepted.code == 0 && golden.contains(Self.canary))
    try workshop.replace(#""c": {"type": "string""#, with: #""c": {"type": "string", "secret": true"#, in: "f.json")
    try checkSilent(
      workshop, ["test f.json", "test f.json --json", "test f.json --junit out.xml"],
      shows: "••••••••")
    let results = try workshop.read("out.xml")
    #expect(!results.contains(Self.canary.prefix(8)))
    // Who learns that a password stands in it gives another.
    try workshop.replace(Self.canary, with: "0ther-n0w", in: "f.json")
    try checkSilent(workshop, ["test f.json", "test f.json --json", "test f.json --accept"], shows: "••••••••")
  }
}
