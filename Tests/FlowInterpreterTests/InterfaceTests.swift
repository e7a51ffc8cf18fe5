import FlowInterpreter
import Testing

/// A flow with one of everything that an app names.
private let everything = #"""
  {
    "flow": "flow", "title": "One of each",
    "participants": {
      "user": { "kind": "person" },
      "app": { "kind": "app", "redirectUris": ["${config.scheme}:/back"],
        "links": { "signIn": "https://app.example/in/{token}", "help": "https://app.example/help" } },
      "browser": { "kind": "browser" }, "inbox": { "kind": "inbox" },
      "device": { "kind": "device", "capabilities": {
        "unlock": { "title": "ask for the fingerprint", "input": { "reason": { "type": "string" } },
          "result": { "key": { "type": "string", "secret": true, "example": "k" } }, "failures": ["refused"] } } },
      "shop": { "kind": "service", "title": "The shop", "url": "https://${config.host}/v1" }
    },
    "config": { "scheme": { "type": "string", "value": "com.example" },
      "host": { "type": "string", "value": "shop.example" } },
    "store": { "pin": { "type": "string", "secret": true },
      "until": { "type": "timestamp" },
      "notes": { "rows": { "text": { "type": "string" }, "isRead": { "type": "bool", "initial": false } },
        "initial": { "n1": { "text": "Hello" } } } },
    "memory": { "token": { "type": "string", "secret": true } },
    "events": {
      "user.enters": { "title": "enters a PIN", "fields": {
        "pin": { "type": "string", "secret": true, "title": "PIN" }, "how": { "one of": ["typed", "pasted"] },
        "times": { "type": "int" } } },
      "browser.redirected": { "fields": { "code": { "type": "string", "secret": true } } },
      "link.signIn": { "fields": { "token": { "type": "string", "secret": true } } }
    },
    "emits": { "signedIn": { "for": { "type": "duration" } } },
    "screens": { "home": { "title": "At home", "fields": { "name": { "type": "string" } } }, "lost": {} },
    "on": { "browser.redirected": { "goto": "asking" }, "link.signIn": { "do": [{ "set": { "token": "${event.token}" } }], "goto": "asking" } },
    "start": "out",
    "states": {
      "out": { "title": "Signed out", "rest": true,
        "on": { "user.enters": { "do": [{ "set": { "pin": "${event.pin}" } }], "goto": "unlocking" } } },
      "unlocking": { "perform": { "capability": "unlock", "with": { "reason": "to sign in" } }, "next": [
        { "when": "present(result.failure)", "do": [{ "show": { "lost": {} } }], "goto": "out" }, { "goto": "asking" }] },
      "asking": { "request": { "to": "shop", "post": "/in", "json": { "pin": "${store.pin}", "t": "${memory.token}" } },
        "next": [{ "goto": "helping" }] },
      "helping": { "call": "tour", "next": [{ "goto": "home" }] },
      "home": { "goal": true, "do": [{ "emit": { "signedIn": { "for": "1h" } } }, { "show": { "home": { "name": "Ada" } } }],
        "on": { "user.enters": { "goto": "over" } } },
      "over": { "end": "done" }
    },
    "flows": { "tour": { "start": "looking", "ends": ["seen"], "states": {
      "looking": { "title": "Looking around", "after": [{ "wait": "1s", "goto": "seen" }] },
      "seen": { "end": "seen" } } } }
  }
  """#

private func interface(of flow: String) throws -> FlowInterface {
  try CheckedFlow(at: "flow.json") { $0 == "flow.json" ? Array(flow.utf8) : nil }.interface
}

@Test func anAppReadsWhichStatesEndsAndScreensItHasToKnow() throws {
  let interface = try interface(of: everything)
  #expect(
    interface.states.map { "\($0.subflow ?? "") \($0.name) \($0.title ?? "-") \($0.isGoal) \($0.isRest)" } == [
      " out Signed out false true", " unlocking - false false", " asking - false false", " helping - false false",
      " home - true false", " over - false false", "tour looking Looking around false false", "tour seen - false false",
    ])
  #expect(interface.ends == ["done"])
  #expect(interface.screens.map(\.name) == ["home", "lost"])
  #expect(interface.screens.map(\.title) == ["At home", nil])
  #expect(interface.screens.map { $0.fields.map { "\($0.name): \($0.type)" } } == [["name: string"], []])
  #expect(interface.emits.map(\.name) == ["signedIn"])
  #expect(interface.emits[0].fields.map { "\($0.name): \($0.type)" } == ["for: duration"])
}

@Test func anAppReadsWhatItCanTellAFlow() throws {
  let interface = try interface(of: everything)
  #expect(interface.events.map(\.name) == ["user.enters"])
  let fields = interface.events[0].fields
  #expect(fields.map(\.name) == ["pin", "how", "times"])
  #expect(fields.map(\.title) == ["PIN", nil, nil])
  #expect(fields.map(\.type) == [.string, .string, .int])
  #expect(fields.map(\.isSecret) == [true, false, false])
  #expect(fields.map(\.allowed) == [nil, ["typed", "pasted"], nil])
  #expect(interface.links.map(\.name) == ["signIn", "help"])
  #expect(interface.links.map(\.address) == ["https://app.example/in/{token}", "https://app.example/help"])
  #expect(interface.links.map { $0.fields.map(\.name) } == [["token"], []])
  #expect(interface.redirectURIs == ["com.example:/back"])
  #expect(interface.redirectFields.map(\.name) == ["code"])
}

@Test func anAppReadsWhatAFlowNeedsAroundIt() throws {
  let interface = try interface(of: everything)
  #expect(interface.capabilities.map(\.name) == ["unlock"])
  let unlock = interface.capabilities[0]
  #expect(unlock.title == "ask for the fingerprint")
  #expect(unlock.input.map(\.name) == ["reason"])
  #expect(unlock.result.map { "\($0.name) \($0.isSecret)" } == ["key true"])
  #expect(unlock.failures == ["refused"])
  #expect(interface.services.map(\.name) == ["shop"])
  #expect(interface.services[0].title == "The shop")
  #expect(interface.services[0].url == "https://shop.example/v1")
  #expect(!interface.services[0].hasModel)
  #expect(interface.config.map(\.name) == ["scheme", "host"])
  #expect(
    interface.store.map { "\($0.name) \($0.type) \($0.isSecret)" } == [
      "pin string true", "until timestamp false", "notes map false",
    ])
  #expect(interface.store.map { $0.rows?.map(\.name) } == [nil, nil, ["text", "isRead"]])
  #expect(interface.config.map(\.initial) == ["com.example", "shop.example"])
  #expect(interface.store.map(\.initial) == [nil, .null, ["n1": ["text": "Hello", "isRead": false]]])
  #expect(interface.store[2].rows?.map(\.initial) == [.null, false])
  #expect(interface.events[0].fields.map(\.initial) == [nil, nil, nil])
}

@Test func aScreenThatIsNotDeclaredHasTheFieldsThatAreShownWithItAnywhere() throws {
  let interface = try interface(
    of: #"""
      {
        "flow": "flow", "participants": { "user": { "kind": "person" }, "app": { "kind": "app" } },
        "events": { "user.goes": {} }, "start": "one",
        "states": {
          "one": { "rest": true, "do": [{ "show": { "page": { "a": 1 } } }], "on": { "user.goes": { "goto": "two" } } },
          "two": { "goal": true, "do": [{ "show": { "page": { "b": "x", "a": 2 } } }] }
        }
      }
      """#)
  #expect(interface.screens.map(\.name) == ["page"])
  #expect(interface.screens[0].fields.map { "\($0.name): \($0.type)" } == ["a: json", "b: json"])
}

@Test func aStateTellsWhichIsAroundIt() throws {
  let interface = try interface(
    of: #"""
      { "flow": "flow", "title": "Nested", "participants": { "user": { "kind": "person" }, "app": { "kind": "app" } },
        "start": "outer", "states": { "outer": { "start": "inner", "states": { "inner": { "goal": true } } } } }
      """#)
  #expect(interface.states.map { "\($0.name) in \($0.parent ?? "none")" } == ["outer in none", "inner in outer"])
}

@Test(arguments: ["teos-device", "guardian-okta", "clueride", "stocksnips", "syncserver", "oidc-native"])
func whatARunTellsStandsInTheInterface(_ name: String) async throws {
  let flow = try CheckedFlow(at: "flows/\(name).json", read: Project.bytes)
  let interface = flow.interface
  let session = try FlowSession(flow, clock: ManualClock())
  #expect(session.flowName == name && !flow.title.isEmpty)
  let running = Task { try await session.run() }
  var acts = 0
  listening: for await output in session.outputs {
    switch output {
    case .entered(let state, let subflow, let title, let isGoal):
      let known = interface.states.contains {
        $0.name == state && $0.subflow == subflow && $0.title == title && $0.isGoal == isGoal
      }
      #expect(known, "\(state)")
    case .emitted(let name, let fields):
      #expect(interface.emits.first { $0.name == name }?.names.isSuperset(of: fields.values.keys) == true)
    case .shown(let name, let fields):
      #expect(interface.screens.first { $0.name == name }?.names.isSuperset(of: fields.values.keys) == true)
    case .waiting:
      let offers = await session.offers
      guard acts < 10, let offer = offers.first else { break listening }
      acts += 1
      if case .event(let name) = offer.act {
        let declared = interface.events.first { $0.name == name }
        #expect(declared?.title == offer.title)
        #expect(declared?.fields.map(\.name) == offer.fields.map(\.name))
      }
      let given = offer.fields.map { ($0.name, $0.example) }
      try await session.person(offer.act, with: Dictionary(uniqueKeysWithValues: given))
    default: break
    }
  }
  #expect(acts > 0)
  running.cancel()
  _ = await running.result
}

extension FlowSignal {
  fileprivate var names: Set<String> { Set(fields.map(\.name)) }
}
