import FlowInterpreter

/// A small flow with what a session has to carry: a sign-in in the browser, tokens, a gateway that asks on, the device.
enum Journey {
  static let flow = #"""
    {
      "flow": "journey", "title": "A journey",
      "participants": {
        "user": { "kind": "person" },
        "app": { "kind": "app", "redirectUris": ["com.example:/back"], "links": { "welcome": "https://app.example/welcome/{token}" } },
        "browser": { "kind": "browser" },
        "auth": { "kind": "service", "url": "https://auth.example/v1", "model": "auth.json", "secrets": ["id_token"], "origins": ["${config.tokens}"] },
        "api": { "kind": "service", "url": "https://api.example", "model": "api.json" },
        "device": { "kind": "device", "capabilities": { "sign": {
          "input": { "text": { "type": "string" } }, "result": { "signature": { "type": "string" } },
          "example": { "signature": "example of ${input.text}" }, "failures": ["cancelled"] } } }
      },
      "config": { "clientId": { "type": "string", "value": "app" }, "tokens": { "type": "string", "value": "https://auth.example/v1" } },
      "store": {
        "token": { "type": "string", "secret": true },
        "expiresAt": { "type": "timestamp" },
        "asked": { "type": "bool", "initial": false },
        "drafts": { "rows": { "text": { "type": "string" }, "n": { "type": "int" } } }
      },
      "memory": { "state": { "type": "string" }, "code": { "type": "string", "secret": true } },
      "events": {
        "user.signsIn": { "title": "signs in" },
        "user.writes": { "fields": { "id": { "type": "string", "example": "a" }, "n": { "type": "int", "example": 1 } } },
        "user.signs": {}, "user.stops": {}, "user.breaks": {}, "user.leaves": {},
        "link.welcome": { "fields": { "token": { "type": "string", "secret": true } } },
        "browser.redirected": { "fields": { "code": { "type": "string", "secret": true }, "state": { "type": "string" } } }
      },
      "emits": { "ready": { "until": { "type": "timestamp" } } },
      "screens": { "signed": { "fields": { "with": { "type": "string" } } } },
      "on": { "user.leaves": { "end": "left" }, "link.welcome": { "do": [{ "set": { "token": "${event.token}" } }], "goto": "ready" } },
      "start": "out",
      "states": {
        "out": { "rest": true,
          "next": [{ "when": "present(store.token)", "goto": "ready" }],
          "on": { "user.signsIn": { "goto": "signingIn" }, "user.breaks": { "goto": "broken" } } },
        "signingIn": {
          "do": [{ "set": { "state": "${fresh('state')}" } },
            { "open": { "to": "auth", "get": "/authorize", "query": { "state": "${memory.state}", "client_id": "${config.clientId}" } } }],
          "on": { "browser.closed": { "goto": "out" }, "browser.redirected": [
            { "when": "same(event.state, memory.state)", "do": [{ "set": { "code": "${event.code}" } }], "goto": "exchanging" },
            { "goto": "out" }] } },
        "exchanging": {
          "do": [{ "set": { "asked": true } }],
          "request": { "to": "auth", "post": "${config.tokens}/token", "form": { "code": "${memory.code}" }, "timeout": "10s" },
          "next": [
            { "when": "response.status == 200 && present(response.json.?access_token)",
              "do": [{ "set": { "token": "${response.json.access_token}", "expiresAt": "${now + seconds(response.json.?expires_in.orValue(60))}" } }],
              "goto": "ready" },
            { "when": "response.failure == 'lost'", "goto": "unsure" },
            { "goto": "out" }],
          "on": { "user.stops": { "goto": "out" } } },
        "unsure": { "rest": true, "on": { "user.signsIn": { "goto": "signingIn" } } },
        "ready": { "goal": true,
          "do": [{ "emit": { "ready": { "until": "${store.expiresAt}" } } }],
          "on": { "user.writes": { "do": [{ "set": { "drafts[event.id]": { "text": "draft ${event.id}", "n": "${event.n}" } } }], "goto": "saving" },
            "user.signs": { "goto": "signing" } },
          "after": [{ "wait": "1h", "do": [{ "clear": ["token", "expiresAt"] }], "goto": "out" }] },
        "saving": {
          "request": { "to": "api", "post": "/drafts", "bearer": "${store.token}", "json": { "count": "${size(store.drafts)}" } },
          "next": [{ "goto": "ready" }], "on": { "user.stops": { "goto": "ready" } } },
        "signing": { "perform": { "capability": "sign", "with": { "text": "hello" } }, "next": [
          { "when": "result.failure == null", "do": [{ "show": { "signed": { "with": "${result.signature}" } } }], "goto": "ready" },
          { "goto": "ready" }] },
        "broken": { "next": [{ "when": "[1, 2][size(store.drafts) + 7] == 1", "goto": "out" }, { "goto": "out" }] }
      }
    }
    """#

  static let auth = #"""
    { "service": "auth", "secrets": ["access_token", "query.code", "form.code"], "routes": [
      { "on": "GET /authorize", "next": [{ "reply": { "page": { "title": "Sign in", "forms": {
        "login": { "post": "/authorize/${request.query.state}", "fields": { "user": { "type": "string", "example": "ada" } } } } } } }] },
      { "on": "POST /authorize/{state}", "next": [{ "reply": { "redirect": { "uri": "com.example:/back",
        "query": { "code": "code-of-${request.form.user}", "state": "${request.path.state}" } } } }] },
      { "on": "POST /token", "next": [{ "reply": { "status": 200, "json": { "access_token": "simulated", "expires_in": 600 } } }] } ] }
    """#

  static let api = #"""
    { "service": "api", "routes": [ { "on": "POST /drafts", "next": [{ "reply": { "status": 204 } }] } ] }
    """#

  static func checked() throws -> CheckedFlow {
    let shelf = ["journey.json": flow, "auth.json": auth, "api.json": api]
    return try CheckedFlow(at: "journey.json") { shelf[$0].map { Array($0.utf8) } }
  }
}

/// A flow in which two requests are under way at once: the app's own, and that of a gateway for the browser.
enum Two {
  private static func flow(_ model: String) -> String {
    #"""
    {
      "flow": "two", "title": "Two at once",
      "participants": { "user": { "kind": "person" }, "app": { "kind": "app" }, "browser": { "kind": "browser" },
        "gate": { "kind": "service", "url": "https://gate.example", "model": "gate.json" },
        "back": { "kind": "service", "url": "https://back.example"\#(model) } },
      "start": "asking",
      "states": {
        "asking": { "do": [{ "open": { "to": "gate", "get": "/page" } }], "request": { "to": "back", "get": "/app" },
          "next": [{ "when": "response.status == 200", "goto": "done" }, { "goto": "failed" }] },
        "done": { "goal": true }, "failed": { "rest": true, "on": { "user.triesAgain": { "goto": "asking" } } } },
      "events": { "user.triesAgain": {} }
    }
    """#
  }

  private static let back = #"""
    { "service": "back", "routes": [{ "on": "GET /{any}", "next": [{ "reply": { "status": 200, "json": { "title": "Model" } } }] }] }
    """#

  private static let gate = #"""
    { "service": "gate", "routes": [{ "on": "GET /page", "next": [{ "goto": "asking" }] }], "states": {
      "asking": { "request": { "to": "back", "get": "/page" }, "next": [
        { "reply": { "page": { "title": "${response.json.title}", "links": { "there": { "get": "/there" } } } } }] } } }
    """#

  /// `link` is where the page's link leads.
  static func checked(link: String = "\"get\": \"/page\"") throws -> CheckedFlow {
    let shelf = [
      "two.json": flow(", \"model\": \"back.json\""), "back.json": back,
      "gate.json": gate.replacing("\"get\": \"/there\"", with: link),
    ]
    return try CheckedFlow(at: "two.json") { shelf[$0].map { Array($0.utf8) } }
  }

  /// The same flow, where the service behind the gateway can be live only.
  static func checkedWithoutModel() throws -> CheckedFlow {
    let shelf = ["two.json": flow(""), "gate.json": gate.replacing("\"get\": \"/there\"", with: "\"get\": \"/page\"")]
    return try CheckedFlow(at: "two.json") { shelf[$0].map { Array($0.utf8) } }
  }

  /// A flow whose only service has no model.
  static func withoutModel() throws -> CheckedFlow {
    let text = #"""
      { "flow": "x", "title": "X", "participants": { "app": { "kind": "app" }, "back": { "kind": "service", "url": "https://back.example" } },
        "start": "a", "states": { "a": { "request": { "to": "back", "get": "/" }, "next": [{ "goto": "b" }] }, "b": { "goal": true } } }
      """#
    return try CheckedFlow(at: "x.json") { _ in Array(text.utf8) }
  }
}
