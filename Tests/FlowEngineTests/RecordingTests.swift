import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// What is done by hand as a scenario: where that is not simply step by step.
@Suite struct RecordingTests {
  private static let device = #"""
    , "capabilities": {"sign": {"input": {}, "result": {"s": {"type": "string"}, "key": {"type": "json", "secret": true},
      "word": {"one of": ["red", "blue"], "secret": true}}, "example": {"s": "ok"}, "failures": ["cancelled"]}}
    """#

  private static func signing(_ more: String, _ states: String = "") -> Sketch {
    Sketch(
      flow: #"""
        "events": {"user.goes": {}, "user.again": {}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"user.goes": {"goto": "b"}}},
          "b": {"perform": {"capability": "sign"}\#(more), "next": [{"when": "result.failure != null", "goto": "a"}, {"goto": "c"}]},
          "c": {"goal": true, "on": {"user.goes": {"goto": "b"}}}\#(states)}
        """#, participants: ["device": device])
  }

  private func event(_ name: String, in world: World) throws -> Choice {
    .event(try #require(world.flow.app.events.firstIndex { $0.name == name }), fields: [])
  }

  /// The script and the faults of what was done, and how a run of it ends.
  private func check(
    _ sketch: Sketch, _ acts: (inout LiveRun) throws -> Void, has lines: String..., never: [String] = [],
    comes: Recording.Repetition = .comesThere, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var outside = Outside()
    outside.device = true
    let world = World(try sketch.load(), outside: outside)
    var live = LiveRun(world, from: world.initial(now: .start, seed: .live("x")))
    live.recording = Recording(world, after: nil, from: live.snapshot)
    live.take(.launch)
    try acts(&live)
    let (document, repetition) = try #require(live.recording).scenario(named: "s", config: [], failure: live.failure)
    let text = String(decoding: document, as: UTF8.self)
    #expect(repetition == comes, "\(text)", sourceLocation: sourceLocation)
    for line in lines { #expect(text.contains(line), "\(text)", sourceLocation: sourceLocation) }
    for line in never { #expect(!text.contains(line), "\(text)", sourceLocation: sourceLocation) }
  }

  private func pass(_ seconds: Int, _ live: inout LiveRun) throws {
    let instant = try #require(live.snapshot.now.advanced(by: .seconds(seconds)))
    live.advance(to: instant)
  }

  private func open(_ address: String, _ live: inout LiveRun) throws {
    live.take(.visit(try #require(live.world.ownLocation(address, in: live.snapshot))))
  }

  @Test func aTimerThatIsDueAtOnceAndFailsIsInIt() throws {
    let sketch = Sketch(
      flow: #"""
        "memory": {"word": {"type": "string"}}, "events": {"user.goes": {}}, "start": "a", "states": {
          "a": {"rest": true, "on": {"user.goes": {"goto": "b"}}}, "b": {"after": [{"wait": "0s", "goto": "c"}]},
          "c": {"goal": true, "do": [{"show": {"hello": {"to": "Dear ${string(memory.word)}"}}}]}}
        """#)
    try check(
      sketch,
      { live in
        live.take(try event("user.goes", in: live.world))
        try pass(0, &live)
      }, has: #"{ "event": "user.goes" }"#, #"{ "advance": "0s" }"#, comes: .fails)
  }

  @Test func aTimerThatLeavesTheDeviceComesBeforeIt() throws {
    try check(
      Self.signing(#", "after": [{"wait": "2h", "goto": "c"}]"#),
      { live in
        live.take(try event("user.goes", in: live.world))
        try pass(7200, &live)
      }, has: #"{ "perform": "sign", "delay": "3h" }"#, #"{ "advance": "2h" }"#, #""ends": "c""#)
  }

  @Test func whatIsAskedOnceMoreCountsAnew() throws {
    try check(
      Self.signing(#", "on": {"user.again": {"goto": "b"}}"#),
      { live in
        live.take(try event("user.goes", in: live.world))
        try pass(60, &live)
        live.take(try event("user.again", in: live.world))
        try pass(30, &live)
        live.take(.perform(failure: "cancelled", fields: []))
      }, has: #"{ "perform": "sign", "delay": "1h1m" }"#,
      #"{ "perform": "sign", "nth": 2, "fails": "cancelled", "delay": "30s" }"#, #""ends": "a""#)
  }

  @Test func whoLeavesWhileTheDeviceIsAskedHasNotSeenItDone() throws {
    try check(
      Self.signing(""),
      { live in
        live.take(try event("user.goes", in: live.world))
        try pass(20, &live)
      }, has: #"{ "advance": "20s" }"#, #"{ "perform": "sign", "delay": "1h20s" }"#,
      comes: .goesOn(to: "c"))
  }

  @Test func whatIsDoneBeforeTheDeviceAtTheSameInstantComesBefore() throws {
    for waits in [0, 600] {
      try check(
        Self.signing(#", "on": {"user.again": {}}"#),
        { live in
          live.take(try event("user.goes", in: live.world))
          if waits > 0 { try pass(waits, &live) }
          live.take(.offline)
          live.take(.perform(failure: nil, fields: [.string("ok"), .null, .null]))
          live.take(try event("user.goes", in: live.world))
          live.take(.kill)
          live.take(.launch)
        }, has: #"{ "offline": true }"#, #"{ "advance": "0.001s" }"#,
        waits == 0 ? #"{ "perform": "sign", "delay": "0.001s" }"# : #"{ "perform": "sign", "delay": "600.001s" }"#,
        #"{ "perform": "sign", "nth": 2, "delay": "1h" }"#, #""ends": "a""#)
    }
  }

  @Test func aTimerThatIsDueAtOnceGoesOff() throws {
    try check(
      Sketch(
        flow: #"""
          "events": {"user.goes": {}}, "start": "a", "states": {"a": {"rest": true, "on": {"user.goes": {"goto": "b"}}},
            "b": {"rest": true, "after": [{"wait": "0s", "goto": "c"}]}, "c": {"goal": true}}
          """#), { live in live.take(try event("user.goes", in: live.world)) }, has: #"{ "advance": "0s" }"#,
      #""ends": "c""#)
  }

  @Test func anAppThatIsKilledAtTheEndIsOpenedOnceMore() throws {
    try check(
      Self.signing(""), { $0.take(.kill) }, has: #"{ "relaunch": true }"#, #""ends": "a""#, comes: .goesOn(to: "a"))
  }

  @Test func whatHasNoTextToStandForItIsLeftOut() throws {
    try check(
      Self.signing(""),
      { live in
        live.take(try event("user.goes", in: live.world))
        let key = Value.map(ValueMap([NamedValue(name: "k", value: .int(4711))]))
        live.take(.perform(failure: nil, fields: [.string("mine"), key, .string("blue")]))
      }, has: #"{ "perform": "sign", "result": { "s": "mine" } }"#, never: ["4711", "blue"],
      comes: .goesElsewhere(expected: nil, found: nil))
    try check(
      Self.signing(""),
      { live in
        live.take(try event("user.goes", in: live.world))
        let key = Value.map(ValueMap([NamedValue(name: "k", value: .string("c4n4ry"))]))
        live.take(.perform(failure: nil, fields: [.string("ok"), key, .null]))
      }, has: #"{ "perform": "sign", "result": { "key": {"key-1":"key-2"} } }"#, never: ["c4n4ry"])
  }

  private static let page = Sketch(
    flow: #"""
      "events": {"browser.redirected": {"fields": {"note": {"type": "string"}, "pin": {"type": "string"}}}}, "start": "a", "states": {
        "a": {"do": [{"open": {"get": "/in", "to": "api"}}], "on": {"browser.redirected": {"goto": "b"}}, "rest": true},
        "b": {"goal": true, "do": [{"show": {"n": {"n": "${event.note}"}}}]}}
      """#.replacing(#""do": [{"show": {"n": {"n": "${event.note}"}}}]"#, with: #""note": "x""#),
    services: [
      "api": #"""
      "secrets": ["pin", "other"], "routes": [{"on": "GET /in", "next": [{"reply": {"page": {"title": "T", "forms": {"f": {"post": "/on",
        "fields": {"pin": {"type": "string", "example": "1"}, "kind": {"type": "string", "example": "x"}}}}}}}]},
        {"on": "POST /on", "next": [{"reply": {"page": {"title": "${request.form.?kind.orValue('')}"}}}]}]
      """#
    ], participants: ["app": #", "redirectUris": ["com.app:/back"]"#])

  @Test func whatAServiceCallsSecretIsNotInIt() throws {
    try check(
      Self.page, { $0.take(.submit(form: 0, fields: [.string("c4n4ry"), .string("${y}")])) },
      has: #"{ "submit": "f", "with": { "pin": "pin-1", "kind": "$${y}" } }"#, never: ["c4n4ry"])
  }

  @Test func whatWasTypedAsASecretOnceIsNotInItElsewhere() throws {
    try check(
      Self.page,
      { live in
        live.take(.submit(form: 0, fields: [.string("x"), .string("c4n4ry")]))
        live.take(.closeBrowser)
        live.take(.kill)
        live.take(.launch)
        live.take(.submit(form: 0, fields: [.string("c4n4ry"), .string("c4n4ry")]))
      }, has: #""with": { "pin": "pin-1", "kind": "pin-2" } }"#, #""with": { "pin": "pin-2", "kind": "pin-2" } }"#,
      never: ["c4n4ry"])
  }

  @Test func anotherCourseThanWhatWasDoneIsTold() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "a", "states": {"a": {"rest": true, "do": [{"open": {"get": "/in", "to": "api"}}]}}
        """#,
      services: [
        "api": #"""
        "routes": [{"on": "GET /in", "next": [{"reply": {"page": {"title": "T", "forms": {"f": {"post": "/on",
          "fields": {"pin": {"type": "string", "secret": true, "example": "1"}}}}}}}]},
          {"on": "POST /on", "next": [{"name": "short", "when": "size(request.form.pin) < 4", "reply": {"status": 400}},
            {"name": "long", "reply": {"page": {"title": "in"}}}]}]
        """#
      ])
    try check(
      sketch, { $0.take(.submit(form: 0, fields: [.string("abc")])) }, has: #"{ "pin": "pin-1" }"#,
      comes: .goesElsewhere(expected: #"api decides "short""#, found: #"api decides "long""#))
  }

  @Test func aShortSecretTakesNothingElseAway() throws {
    try check(
      Self.page,
      { try open("com.app:/back?note=acc&pin=a", &$0) }, has: #"{ "arrive": "com.app:/back?note=acc&pin=pin-1" }"#)
    try check(
      Self.page,
      { try open("com.app:/back?note=a&pin=a", &$0) }, has: #"{ "arrive": "com.app:/back?note=pin-1&pin=pin-1" }"#)
  }

  @Test func ofAnAddressWhatTheAppLooksAtIsInIt() throws {
    try check(
      Self.page,
      { try open("com.app:/back?note=hi&pin=c4n4ry&other=c4n4ry2&more=c4n4ry3", &$0) },
      has: #"{ "arrive": "com.app:/back?note=hi&pin=pin-1" }"#, never: ["c4n4ry"])
  }

  private static let typing = Sketch(
    flow: #"""
      "events": {"user.types": {"fields": {"pw": {"type": "string", "secret": true}}}, "link.in": {"fields": {"t": {"type": "string"}}},
        "browser.redirected": {"fields": {"code": {"type": "string"}}}}, "start": "a", "states": {
        "a": {"rest": true, "on": {"user.types": {}, "link.in": {"goto": "b"}, "browser.redirected": {"goto": "b"}}}, "b": {"goal": true}}
      """#,
    participants: ["app": #", "redirectUris": ["com.app:/back"], "links": {"in": "https://app.example/in/v{t}"}"#])

  @Test(arguments: [
    ("my secret password!", "com.app:/back?code=my%20secret%20password%21", "com.app:/back?code=pw-1"),
    ("mysecretpassword1", "https://app.example/in/vmysecretpassword1", "https://app.example/in/vpw-1"),
    ("mysecretpassword1", "com.app:/back?code=x.mysecretpassword1", "com.app:/back?code=x.pw-1"),
    ("a/b", "https://app.example/in/va%2Fb", "https://app.example/in/vpw-1"),
    // Words of the flow's own, and those in which a short one stands by chance.
    ("in", "https://app.example/in/vin", "https://app.example/in/vpw-1"),
    ("in", "https://app.example/in/vwithin", "https://app.example/in/vwithin"),
    ("back", "com.app:/back?code=backs", "com.app:/back?code=backs"),
  ]) func whatWasTypedAsASecretStandsInNoPartOfAnAddress(typed: String, address: String, told: String) throws {
    try check(
      Self.typing,
      { live in
        guard case .event(let index, _) = try event("user.types", in: live.world) else { return }
        live.take(.event(index, fields: [.string(Text(typed))]))
        try open(address, &live)
      }, has: "{ \"arrive\": \"\(told)\" }", #"{ "pw": "pw-1" }"#)
  }
}
