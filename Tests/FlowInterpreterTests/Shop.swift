import FlowInterpreter

/// A flow that finds its server's endpoints at run time, and takes a token there and into the browser.
enum Shop {
  private static let flow = #"""
    {
      "flow": "shop", "title": "A shop",
      "participants": {
        "user": { "kind": "person" }, "app": { "kind": "app", "redirectUris": ["com.example:/back"] }, "browser": { "kind": "browser" },
        "shop": { "kind": "service", "url": "https://shop.example/v1", "origins": ["${config.other}"] }
      },
      "config": { "other": { "type": "string", "value": "https://other.example" } },
      "store": { "token": { "type": "string", "secret": true } },
      "memory": { "endpoint": { "type": "string" } },
      "events": { "user.pays": {}, "user.looks": {}, "user.logs": {}, "user.asks": {},
        "user.logsIn": { "fields": { "token": { "type": "string", "secret": true } } } },
      "start": "finding",
      "states": {
        "finding": { "request": { "to": "shop", "get": "/endpoints" }, "next": [
          { "do": [{ "set": { "endpoint": "${response.json.?pay.orValue('')}" } }], "goto": "open" }] },
        "open": { "goal": true, "on": {
          "user.logsIn": { "do": [{ "set": { "token": "${event.token}" } }] },
          "user.pays": { "goto": "paying" }, "user.logs": { "goto": "logging" }, "user.asks": { "goto": "asking" },
          "user.looks": { "do": [{ "open": { "to": "shop", "get": "${config.other}/look", "query": { "t": "${store.token}" },
            "despite": { "secret-in-url": "the shop knows no other way" } } }] } } },
        "paying": { "request": { "to": "shop", "post": "${memory.endpoint}/pay", "json": { "n": 1 } }, "next": [{ "goto": "open" }] },
        "logging": { "request": { "to": "shop", "post": "${config.other}/log", "headers": { "x-key": "${store.token}" }, "json": {} }, "next": [{ "goto": "open" }] },
        "asking": { "request": { "to": "shop", "get": "${config.other}/ask", "query": { "t": "${store.token}" },
          "despite": { "secret-in-url": "the shop knows no other way" } }, "next": [{ "goto": "open" }] }
      }
    }
    """#

  static func checked() throws -> CheckedFlow {
    try CheckedFlow(at: "shop.json") { $0 == "shop.json" ? Array(flow.utf8) : nil }
  }
}
