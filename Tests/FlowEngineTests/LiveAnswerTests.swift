import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// The world of a flow in which `when` reads what its live service answers.
private func world(reading when: String) throws -> World {
  let sketch = Sketch(
    flow: #"""
      "config": {"x": {"type": "string", "value": "a"}}, "start": "ask", "states": {"ask": {"request": {"to": "api", "get": "/x"}, "next": [
        {"when": "\#(when)", "goto": "done"}, {"goto": "done"}]}, "done": {"goal": true}}
      """#, services: ["api": #""routes": []"#])
  var outside = Outside()
  outside.services = [0]
  return World(try sketch.load(), outside: outside)
}

extension World {
  fileprivate func step(isRecording: Bool = false) -> Step {
    Step(world: self, snapshot: initial(now: .start), isRecording: isRecording)
  }
}

/// Shows a live answer to a flow in which `when` reads it, and compares what a trace would show of its JSON.
private func checkShown(
  _ body: String, when: String, shows expected: String?, headers: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try checkShown(Array(body.utf8), when: when, shows: expected, headers: headers, sourceLocation: sourceLocation)
}

private func checkShown(
  _ body: [UInt8], when: String, shows expected: String?, headers: [String] = [],
  reads json: Value? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var step = try world(reading: when).step()
  let wire = [("X-Id", "7"), ("WWW-Authenticate", "Bearer"), ("Date", "today")]
  let arrived = Answer.response(Response(status: 200, headers: wire, body: body))
  if let json {
    #expect(step.slots(of: arrived, isLive: true, withText: false)[2] == json, sourceLocation: sourceLocation)
  }
  let answer = step.shown(arrived, to: .app)
  guard case .response(let response) = answer else { throw CancellationError() }
  var shown: String?
  switch response.body {
  case .json(let value): shown = value.jsonText.string
  case .text(let text):
    shown = text.string
    // It has no members that could be secret by their names.
    #expect(text.isSecret, sourceLocation: sourceLocation)
  case .form, nil: break
  }
  #expect(shown == expected, sourceLocation: sourceLocation)
  #expect(response.headers.map(\.name) == headers, sourceLocation: sourceLocation)
}

/// The same where a condition looks at more than it reads, and what of it is hidden.
private func checkLooked(
  _ body: String, when: String, shows expected: String, hides secrets: [String],
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  try checkShown(body, when: when, shows: expected, sourceLocation: sourceLocation)
  let world = try world(reading: when)
  var step = world.step(isRecording: true)
  _ = step.take(.launch)
  let answer = Response(status: 200, headers: [("content-type", "application/json")], body: Array(body.utf8))
  _ = step.take(.receive(flight: 1, .response(answer)))
  let (_, happened) = step.end()
  var writer = TraceWriter(world, startedAt: .start, config: [])
  writer.write(happened)
  let trace = String(decoding: writer.taken(), as: UTF8.self)
  #expect(trace.contains("\"goto\":\"done\""), "\(trace)", sourceLocation: sourceLocation)
  for secret in secrets { #expect(!trace.contains(secret), "\(trace)", sourceLocation: sourceLocation) }
}

/// Section 4: of a live body a trace shows only the members that the flow reads.
@Suite struct LiveAnswerTests {
  /// A browser that stands at the same address already is told once more.
  @Test func whatIsOpenedAgainIsOpenedAgain() throws {
    let sketch = Sketch(
      flow: #"""
        "events": {"user.looks": {}}, "start": "a", "states": {
          "a": {"goal": true, "on": {"user.looks": {"do": [{"open": {"to": "api", "get": "/look"}}]}}}}
        """#, services: ["api": #""routes": []"#])
    var outside = Outside()
    outside.services = [0]
    let world = World(try sketch.load(), outside: outside)
    var run = LiveRun(world, from: world.initial(now: .start))
    run.take(.launch)
    for _ in 0..<2 { run.take(.event(0, fields: [])) }
    let opened = run.takeEffects().filter { if case .opened = $0 { true } else { false } }
    #expect(opened.count == 2)
  }

  /// Nothing went out: no server can have acted.
  @Test(arguments: ["http", "https"]) func whatIsRefusedIsNotLost(scheme: String) throws {
    let sketch = Sketch(
      flow: #"""
        "config": {
          "url": {"type": "string", "value": "https://a.example"}, "key": {"type": "string", "secret": true, "value": "k"}},
        "start": "a", "states": {
          "a": {"request": {"to": "api", "get": "${config.url}/x", "bearer": "${config.key}"}, "next": [{"goto": "b"}]},
          "b": {"goal": true}}
        """#, services: ["api": #""routes": []"#], participants: ["api": #", "origins": ["${config.url}"]"#])
    var outside = Outside()
    outside.services = [0]
    let world = World(try sketch.load(), outside: outside)
    var snapshot = world.initial(now: .start)
    snapshot.app.config[0] = .string(Text("\(scheme)://other.example"))
    var run = LiveRun(world, from: snapshot)
    run.take(.launch)
    #expect((run.failure?.code == "secret-over-http") == (scheme == "http"))
    if run.failure == nil { _ = run.send(1, at: nil) }
    run.end()
    let lost = run.takeEffects().filter { effect in
      guard case .happened(let happening) = effect, case .answer = happening.fact else { return false }
      return true
    }
    #expect(lost.count == (scheme == "http" ? 0 : 1))
  }

  /// A browser reads it, and so does whoever looks into its history.
  @Test(arguments: [("#/start", nil), ("#/x?ticket=t", nil), ("#a=b&ticket=t", "secret-in-url")])
  func aFragmentIsOpenedUnlessAFieldInItIsSecret(fragment: String, code: String?) throws {
    let address = "https://api.example/app?x=1\(fragment)"
    var sketch = Sketch(
      flow: #"""
        "store": {"address": {"type": "string", "initial": "\#(address)"}}, "start": "a", "states": {
          "a": {"goal": true, "do": [{"open": {"to": "api", "get": "${store.address}"}}]}}
        """#, services: ["api": #""secrets": ["ticket"], "routes": []"#])
    sketch.refusesSecretsInURLs = true
    var outside = Outside()
    outside.services = [0]
    let world = World(try sketch.load(), outside: outside)
    var run = LiveRun(world, from: world.initial(now: .start))
    run.take(.launch)
    let opened = run.takeEffects().compactMap { if case .opened(let text) = $0 { text.string } else { nil } }
    #expect(run.failure?.code == code)
    #expect(opened == (code == nil ? [address] : []))
  }

  @Test func onlyWhatIsReadIsShown() throws {
    let body = #"{"a":{"b":1,"c":2},"list":[{"id":1,"x":2},{"id":3},4],"d":"e"}"#
    try checkShown(body, when: "response.status == 200", shows: nil)
    try checkShown(body, when: "response.json.?d.orValue('') == 'x'", shows: #"{"d":"e"}"#)
    try checkShown(body, when: "response.json.a.b == 1", shows: #"{"a":{"b":1}}"#)
    try checkShown(body, when: "response.json['a'].?c.orValue(1) == 1", shows: #"{"a":{"c":2}}"#)
    try checkShown(body, when: "response.json.list[0].id == 1", shows: #"{"list":[{"id":1},{"id":3}]}"#)
    try checkShown(
      body, when: "response.json.list.exists(e, e.id == 1)", shows: #"{"list":[{"id":"1","x":"2"},{"id":"3"},"4"]}"#)
    // In what is looked at as a whole every value is secret, and text therefore.
    let names = #"{"a":{"b":"1","c":"2"},"list":[{"id":"1","x":"2"},{"id":"3"},"4"],"d":"e"}"#
    try checkShown(body, when: "response.json == 1", shows: names)
    try checkShown(body, when: "response.json.a.b.c == 1 && response.json.nothing == 1", shows: #"{"a":{}}"#)
    try checkShown(body, when: "response.json[config.x] == 1 || true", shows: names)
  }

  @Test func aFlowSeesOfTheHeadersWhatCameWithoutTheCookies() throws {
    let world = World(try Sketch(flow: #""start": "x", "states": {"x": {"goal": true}}"#).load())
    var step = world.step()
    let answer = Response(status: 200, headers: [("Set-Cookie", "a=b"), ("X-Id", "7")], body: [0x61])
    let slots = step.slots(of: .response(answer), isLive: true, withText: false)
    #expect(slots[1].jsonText.string == #"{"x-id":"7"}"#)
  }

  /// Whatever of its members is shown beside it.
  @Test func theTextOfAnAnswerIsHiddenWhereverItGoes() throws {
    let world = World(try Sketch(flow: #""start": "x", "states": {"x": {"goal": true}}"#).load())
    var step = world.step()
    for body in [#"{"token": "t", "x": "y"}"#, "<html>"] {
      let answer = Answer.response(Response(status: 200, headers: [], body: Array(body.utf8)))
      let text = try #require(step.slots(of: answer, isLive: true, withText: true)[3].text)
      #expect(text.string == body && text.secretRanges == [0..<body.utf8.count])
      #expect(step.slots(of: answer, isLive: false, withText: true)[3].text?.secretRanges == [])
    }
  }

  @Test func aByteOrderMarkBeforeJSONIsIgnored() throws {
    try checkShown("\u{FEFF}{\"a\":1,\"b\":2}", when: "response.json.a == 1", shows: #"{"a":1}"#)
  }

  @Test func whatIsNoUTF8IsNoJSON() throws {
    let body = Array(#"{"a":""#.utf8) + [0xFF] + Array(#"","b":1}"#.utf8)
    try checkShown(body, when: "response.json.?b.orValue(2) == 1", shows: nil, reads: .map(ValueMap()))
    try checkShown(body, when: "response.text == ''", shows: #"{"a":"\#u{FFFD}","b":1}"#)
  }

  @Test func whyNothingIsReadOfABodyIsSaid() throws {
    func check(_ body: [UInt8], when: String = "response.json.?a.orValue(0) == 1", because reason: String?) throws {
      let step = try world(reading: when).step()
      let answer = Answer.response(Response(status: 200, headers: [], body: body))
      #expect(step.whyNoJSON(in: answer, to: .app) == reason)
      #expect(step.whyNoJSON(in: answer, to: .browser) == nil)
    }
    try check(Array("<html>".utf8), because: "its body is no JSON")
    try check(Array(#"{"a":1"#.utf8), because: "its body is no JSON")
    try check(Array(#"{"a":1,"a":2}"#.utf8), because: "its body is JSON that has a name twice")
    try check(Array(#"{"a":""#.utf8) + [0xFF] + Array(#""}"#.utf8), because: "its body is no UTF-8")
    let unread = "its body is not read as JSON: "
    try check(
      Array(#"{"a":"c4n4ry\ud83d"}"#.utf8),
      because: unread + "a string has one half of a surrogate pair, which is no character")
    let (open, close) = (String(repeating: "[", count: 128), String(repeating: "]", count: 128))
    try check(
      Array("{\"a\":\(open)\(close)}".utf8),
      because: unread + "arrays and objects stand in one another more than 128 levels deep")
    try check(Array(#"{"b":1}"#.utf8), because: nil)
    try check([], because: nil)
    try check(Array("<html>".utf8), when: "response.text == ''", because: nil)
  }

  @Test func aTextIsThereWhereTextIsRead() throws {
    try checkShown("<html>", when: "response.status == 200", shows: nil)
    try checkShown("<html>", when: "response.text == ''", shows: "<html>")
    try checkShown(#"{"a":1,"a":2}"#, when: "response.json.a == 1", shows: nil)
    try checkShown(#"{"a":1}"#, when: "response.text == ''", shows: #"{"a":1}"#)
  }

  @Test func ofJSONTheMembersAreShownAlsoWhereTextIsRead() throws {
    let reading = "response.json.?a.orValue(1) == 1 || response.text == ''"
    try checkShown(#"{"a":1,"b":2}"#, when: reading, shows: #"{"a":1}"#)
    try checkShown("<html>", when: reading, shows: "<html>")
    try checkShown(#"{"a":1,"a":2}"#, when: reading, shows: #"{"a":1,"a":2}"#)
  }

  @Test func whereAConditionLooksAtAListOrAMapTheNamesInItAreShown() throws {
    let body = #"{"name":"Ada","token":"t0k3n","list":[{"id":1,"pin":"4711"}]}"#
    let names = #"{"name":"Ada","token":"t0k3n","list":[{"id":"1","pin":"4711"}]}"#
    try checkLooked(body, when: "'name' in response.json", shows: names, hides: ["Ada", "t0k3n", "4711"])
    try checkLooked(body, when: "size(response.json) > 1", shows: names, hides: ["Ada", "t0k3n", "4711"])
    try checkLooked(
      body, when: "response.json.list.exists(i, i.id == 1)", shows: #"{"list":[{"id":"1","pin":"4711"}]}"#,
      hides: ["4711"])
    try checkLooked(
      body, when: "'token' in response.json && response.json.name == 'Ada'", shows: names, hides: ["t0k3n", "4711"])
  }

  @Test func headersAreShownWhereTheyAreRead() throws {
    try checkShown("", when: "response.headers['x-id'] == '7'", shows: nil, headers: ["x-id"])
    try checkShown("", when: "response.headers.?date.hasValue()", shows: nil, headers: ["date"])
    try checkShown("", when: "has(response.challenge.bearer)", shows: nil, headers: ["www-authenticate"])
  }

  @Test func headersOfOneNameAreAList() throws {
    let api = #""routes": []"#
    let sketch = Sketch(flow: #""start": "a", "states": {"a": {"goal": true}}"#, services: ["api": api])
    let world = World(try sketch.load())
    var step = world.step()
    let wire = [
      ("Link", "<a>"), ("X", "1"), ("LINK", "<b>"), ("Set-Cookie", "c"), ("link", "<c>"), ("Set-Cookie", "d"),
    ]
    let slots = step.slots(of: .response(Response(status: 200, headers: wire, body: [])), isLive: true, withText: false)
    #expect(slots[1].jsonText.string == #"{"link":"<a>, <b>, <c>","x":"1"}"#)
  }

  /// A server may send as many as there is room for; each is put behind the others once.
  @Test func manyHeadersOfOneNameTakeNoLongerThanOthers() throws {
    let world = try world(reading: "response.headers.h == ''")
    var step = world.step(isRecording: true)
    _ = step.take(.launch)
    let start = ContinuousClock.now
    let wire = Array(repeating: ("h", "v"), count: 100_000)
    _ = step.take(.receive(flight: 1, .response(Response(status: 200, headers: wire, body: []))))
    let (_, happened) = step.end()
    var writer = TraceWriter(world, startedAt: .start, config: [])
    writer.write(happened)
    #expect(String(decoding: writer.taken(), as: UTF8.self).contains(#""headers":{"h":["v","v","#))
    #expect(.now - start < .seconds(30))
  }
}
