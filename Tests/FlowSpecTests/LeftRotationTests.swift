import FlowSpec
import Testing

/// What is said of a flow that renews its token in a sub-flow, of which the states hear that much.
private func told(
  looking: String = "", renewing: String = "", whole: String = "", home: String = "", states: String = "",
  request: String = #""post": "/token", "json": {"refresh": "${store.?refresh}"}"#,
  takes: String = #"{"set": {"refresh": "${response.json.refresh}"}}"#, launch: String = "home",
  issues: String? = nil, isHelp: Bool = false
) -> [String] {
  let model = issues == nil ? "" : #", "model": "api.json""#
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "device": {"kind": "device"}, "app": {"kind": "app", "links": {"open": "https://x.example/open"}},
      "api": {"kind": "service", "url": "https://api.example"\#(model)}},
      "store": {"refresh": {"type": "string", "secret": true}, "open": {"type": "string"}},
      "memory": {"busy": {"type": "bool", "initial": false}},
      "events": {"user.looks": {}, "user.cancels": {}, "user.signsOut": {}},
      "start": "launch", \#(whole) "states": {
        "launch": {"next": [{"when": "present(store.refresh)", "goto": "\#(launch)"}, {"goto": "opening"}]},
        "opening": {"request": {"to": "api", "post": "/open"}, "next": [{"when": "response.status == 200",
          "do": [{"set": {"refresh": "${response.json.refresh}"}}], "goto": "home"}, {"goto": "out"}]},
        "home": {"goal": true, "on": {"user.looks": {"goto": "looking"}, "user.signsOut": {"goto": "out"}}},
        "looking": {"call": "renew", \#(looking) "next": [{"goto": "home"}]}, \#(states)
        "out": {"rest": true, "do": [{"clear": "refresh"}], "on": {"user.looks": {"goto": "opening"}}}},
      "flows": {"renew": {"ends": ["done", "left"], "start": "renewing", "states": {
        "renewing": {"request": {"to": "api", \#(request)}, \#(renewing)
          "next": [{"when": "response.status == 200", "do": [\#(takes)], "end": "done"}, {"end": "left"}]}}}}}
    """#,
    "api.json": #"""
    {"service": "api", "store": {"kept": {"type": "string"}},
      "routes": [{"on": "POST /token", "next": [{"reply": {"json": {"refresh": "\#(issues ?? "")"}}}]},
        {"on": "POST /open", "next": [{"do": [{"set": {"kept": "${fresh('kept')}"}}],
          "reply": {"json": {"refresh": "${store.kept}"}}}]}]}
    """#,
  ])
  let found = documents.flow("x.json").diagnostics.filter { found in
    ["dropped-rotation", "unsafe-retry"].contains(found.code) || found.severity == .error
  }
  return found.map { "\($0.code): \(isHelp ? $0.help ?? "" : $0.message)" }
}

/// Who leaves a request that rotates a secret loses the new one.
@Suite struct LeftRotationTests {
  private static let cancels = #""on": {"user.cancels": {"goto": "home"}},"#
  private static func dropped(_ cause: String, _ method: String = "POST") -> String {
    "dropped-rotation: \(cause) leaves this \(method) while its answer is awaited: the new \"refresh\" is dropped, and the old one is sent the next time"
  }
  private static let cancelled = dropped("\"user.cancels\"")

  @Test func whoeverLeavesItIsTold() {
    #expect(told() == [])
    #expect(told(looking: Self.cancels) == [Self.cancelled])
    #expect(told(renewing: #""on": {"user.cancels": {"end": "left"}},"#) == [Self.cancelled])
    #expect(told(whole: Self.cancels) == [Self.cancelled])
    #expect(told(whole: #""on": {"link.open": {"goto": "home"}},"#) == [Self.dropped("\"link.open\"")])
    let slow = #""after": [{"wait": "5s", "goto": "home"}],"#
    #expect(told(looking: slow) == [Self.dropped("this timer")])
    #expect(told(whole: slow.replacing("5s", with: "15m")) == [Self.dropped("this timer")])
    #expect(told(looking: Self.cancels, issues: "${fresh('r')}") == [Self.cancelled])
    #expect(
      told(looking: Self.cancels, request: #""post": "/token", "bearer": "${store.refresh}""#) == [Self.cancelled])
    let chosen = #""on": {"user.cancels": [{"when": "device.online", "goto": "home"}, {"goto": "out"}]},"#
    #expect(told(looking: chosen) == [Self.cancelled])
  }

  /// Who says no more than that it is heard loses a link, which nobody opens again.
  @Test func whatALinkBringsIsKept() {
    let clear = #"or clear "refresh" here"#
    let link = #"let it stay in "renewing", keep what it brings in a "do" without "goto", and look at that afterwards"#
    #expect(
      told(whole: #""on": {"link.open": {"goto": "home"}},"#, isHelp: true) == ["dropped-rotation: \(link), \(clear)"])
    let tap = #"let it stay in "renewing" ("on": {"user.cancels": {}})"#
    #expect(told(whole: Self.cancels, isHelp: true) == ["dropped-rotation: \(tap), \(clear)"])
  }

  @Test func whatStaysOrSignsOutIsNot() {
    #expect(told(looking: #""on": {"user.cancels": {}},"#) == [])
    #expect(told(looking: Self.cancels, renewing: #""on": {"user.cancels": {}},"#) == [])
    #expect(told(looking: Self.cancels.replacing("home", with: "out")) == [])
    #expect(told(looking: #""on": {"user.cancels": {"do": [{"clear": "refresh"}], "goto": "home"}},"#) == [])
    // A request on the way out, whatever it is answered.
    let revoking =
      #""revoking": {"request": {"to": "api", "delete": "/open"}, "next": [{"when": "response.status == 204", "goto": "out"}, {"do": [{"clear": "refresh"}], "goto": "home"}]},"#
    let revokes = Self.cancels.replacing("home", with: "revoking")
    #expect(told(looking: revokes, states: revoking) == [])
    let gives = revoking.replacing(#""do": [{"clear": "refresh"}], "#, with: "")
    #expect(told(looking: revokes, states: gives) == [Self.cancelled])
    #expect(told(looking: #""on": {"user.cancels": {"when": "!memory.busy", "goto": "home"}},"#) == [])
    #expect(told(whole: #""on": {"device.offline": {"goto": "home"}},"#) == [])
    // A timer that the request is faster than.
    #expect(told(renewing: #""after": [{"wait": "30s", "end": "left"}],"#) == [])
  }

  /// What is around the state that it comes to is entered, too, however far away that is.
  @Test func whatSignsOutAroundWhereItLeadsIsNot() {
    let decisions = (1..<6).map { #""d\#($0)": {"next": [{"goto": "\#($0 < 5 ? "d\($0 + 1)" : "bye")"}]},"# }.joined()
    let around = #"""
      "around": {"do": [{"clear": "refresh"}], "start": "resting", "states": {
        "resting": {"rest": true, "on": {"user.looks": {"goto": "opening"}}}, "bye": {"next": [{"goto": "resting"}]}}},
      """#
    let cancels = Self.cancels.replacing("home", with: "d1")
    #expect(told(looking: cancels, states: decisions + around) == [])
    let keeps = around.replacing(#""do": [{"clear": "refresh"}], "#, with: "")
    #expect(told(looking: cancels, states: decisions + keeps.replacing("opening", with: "looking")) == [Self.cancelled])
  }

  @Test func whatRotatesNothingIsNot() {
    #expect(told(looking: Self.cancels, takes: #"{"set": {"open": "${response.json.refresh}"}}"#) == [])
    #expect(told(looking: Self.cancels, request: #""post": "/token", "json": {"a": "b"}"#) == [])
    #expect(told(looking: Self.cancels, request: #""put": "/token", "json": {"refresh": "${store.?refresh}"}"#) == [])
    #expect(told(looking: Self.cancels, issues: "${request.json.refresh}") == [])
    #expect(told(looking: Self.cancels, issues: "${store.kept}") == [])
    let key =
      #""post": "/token", "headers": {"Idempotency-Key": "${store.?refresh}"}, "json": {"refresh": "${store.?refresh}"}"#
    #expect(told(looking: Self.cancels, request: key) == [])
  }

  /// What is set anew before it is sent, also by an app that is launched again, may be lost.
  @Test func whatIsNotSentAgainIsNot() {
    let sets = Self.cancels.replacing("home", with: "out")
      .replacing(#""goto""#, with: #""do": [{"set": {"refresh": "x"}}], "goto""#)
    #expect(told(looking: sets) == [])
    let opens = Self.cancels.replacing("home", with: "opening")
    #expect(told(looking: opens) == [Self.cancelled])
    #expect(told(looking: opens, launch: "opening") == [])
  }

  /// What leads back to it is told as what is sent again.
  @Test func aSecondTapIsToldOnce() {
    let again = #""on": {"user.looks": {"goto": "looking"}},"#
    #expect(
      told(looking: again) == [
        "unsafe-retry: \"user.looks\" sends this POST again while its answer is awaited: a double tap does it twice"
      ])
  }
}
