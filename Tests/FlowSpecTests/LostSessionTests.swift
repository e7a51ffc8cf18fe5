import FlowSpec
import Testing

/// What is said of a flow that looks at something with its access token, with this as that request and what stands beside
/// it, behind its answer and where it waits.
private func told(
  request: String = #""get": "/me", "bearer": "${store.?access}""#, beside: String = "",
  good: String = #""goto": "home""#, next: String = "", atHome: String = "", states: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "device": {"kind": "device"}, "api": {"kind": "service", "url": "https://api.example"}},
      "store": {"access": {"type": "string", "secret": true}, "code": {"type": "string", "secret": true},
        "until": {"type": "timestamp"}}, "events": {"user.looks": {}, "user.enters": {}},
      "start": "home", "states": {
        "looking": {"request": {"to": "api", \#(request)}, \#(beside)
          "next": [{"when": "response.status == 200", \#(good)}, \#(next) {"goto": "home"}]},
        \#(states) "out": {"rest": true, "on": {"user.enters": {"goto": "entering"}}},
        "entering": {"request": {"to": "api", "post": "/codes", "json": {"code": "${store.?code}"}}, "next": [
          {"when": "response.status == 200", "do": [{"clear": "code"}], "goto": "home"}, {"goto": "out"}]},
        "home": {"goal": true, "on": {"user.looks": {"goto": "looking"}\#(atHome)}}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { found in
    found.code == "cleared-on-failure" || found.severity == .error && found.code != "unset-key"
  }.map { "\($0.message.split(separator: ",")[0])" }
}

/// An answer that does not come, or asks to wait, says nothing of who asks.
@Suite struct LostSessionTests {
  private static let clears = #""do": [{"clear": "access"}], "goto": "out"}"#
  private static let lost = #"{"when": "response.failure == 'lost'", "# + clears + ","
  private static let often = #"{"when": "response.status == 429", "# + clears + ","
  private static let timed = #""after": [{"wait": "10s", "# + clears + "],"
  private static let offline = #""device.offline": {"# + clears
  private static let renews = #""do": [{"set": {"access": "${response.json.access}"}}], "goto": "home""#
  private static let inBody = #""post": "/tokens", "json": {"access": "${store.?access}"}"#

  private static func cleared(_ title: String) -> [String] { ["where \(title) this clears the secret \"access\""] }
  private static let (noAnswer, tooOften) = (cleared("no answer came"), cleared("the service is asked too often"))
  private static let (late, gone) = (cleared("the answer takes longer"), cleared("the network goes"))

  @Test(arguments: [
    #""get": "/me", "bearer": "${store.?access}""#, #""get": "/me", "headers": {"x-session": "${store.?access}"}"#,
    #""post": "/things", "bearer": "${store.?access}""#,
  ])
  func whoLooksKeepsWhatSaysWhoAsks(request: String) {
    #expect(told(request: request, next: Self.lost) == Self.noAnswer)
    #expect(told(request: request, next: Self.often) == Self.tooOften)
    #expect(told(request: request, beside: Self.timed) == Self.late)
    #expect(told(request: request, beside: #""on": {\#(Self.offline)},"#) == Self.gone)
  }

  /// The server may have done it, and what is stored is worthless then.
  @Test func whatIsUsedUpMayBeClearedWhereNoAnswerCame() {
    for request in [Self.inBody, #""get": "/tokens", "bearer": "${store.?access}""#] {
      #expect(told(request: request, good: Self.renews, next: Self.lost) == [])
      #expect(told(request: request, beside: Self.timed, good: Self.renews) == [])
      #expect(told(request: request, beside: #""on": {\#(Self.offline)},"#, good: Self.renews) == [])
      #expect(told(request: request, good: Self.renews, next: Self.often) == Self.tooOften)
    }
    #expect(told(request: Self.inBody, next: Self.lost + Self.often) == [])
    #expect(told(request: #""delete": "/me", "bearer": "${store.?access}""#, next: Self.lost) == [])
    // Who goes on to something else may be about to sign out.
    let more =
      #""more": {"request": {"to": "api", "delete": "/me", "bearer": "${store.?access}"}, "next": [{"#
      + Self.clears + "]},"
    let post = #""post": "/things", "bearer": "${store.?access}""#
    #expect(told(request: post, good: #""goto": "more""#, next: Self.lost, states: more) == [])
  }

  @Test func whoSignsOutClearsWhateverComes() {
    let request = #""get": "/leave", "bearer": "${store.?access}""#
    let good = String(Self.clears.dropLast())
    #expect(told(request: request, beside: Self.timed, good: good, next: Self.lost + Self.often) == [])
    let leaving =
      #""leaving": {"request": {"to": "api", "delete": "/me", "bearer": "${store.?access}"}, "on": {"#
      + Self.offline + #"}, "next": [{"# + Self.clears + "]},"
    #expect(told(atHome: #", "user.enters": {"goto": "leaving"}"#, states: leaving) == [])
  }

  /// A session that is over by its own time is another thing than an answer that takes long.
  @Test func aTimerThatAwaitsNoAnswerIsRight() {
    let idle = #""after": [{"wait": "20s", "# + Self.clears + "],"
    let session = #""after": [{"wait": "12h", "# + Self.clears + "],"
    let inside =
      #""start": "asking", "states": {"asking": {"request": {"to": "api", "get": "/a", "bearer": "${store.?access}"}, "#
      + #""next": [{"when": "response.status == 200", "goto": "done"}, {"goto": "home"}]}, "#
    let decides = #""done": {"next": [{"goto": "home"}]}}},"#
    let waits = #""done": {"rest": true, "on": {"user.looks": {"goto": "home"}}}}},"#
    let enter = #", "user.enters": {"goto": "around"}"#
    #expect(told(atHome: enter, states: #""around": {"# + idle + inside + decides) == Self.late)
    #expect(told(atHome: enter, states: #""around": {"# + idle + inside + waits) == [])
    #expect(told(atHome: enter, states: #""around": {"# + session + inside + decides) == [])
    #expect(told(beside: #""after": [{"at": "${store.until}", \#(Self.clears)],"#) == [])
    let resting = #""resting": {"rest": true, "# + idle + #""on": {"user.looks": {"goto": "looking"}}},"#
    #expect(told(atHome: #", "user.enters": {"goto": "resting"}"#, states: resting) == [])
  }

  /// A request is over by its own time-out before a longer wait is; one that is tried again may take more than that.
  @Test func aTimerThatIsLongerThanTheRequestIsNoSlowAnswer() {
    func timed(_ wait: String, _ more: String) -> [String] {
      told(
        request: #""get": "/me", "bearer": "${store.?access}""# + more,
        beside: #""after": [{"wait": "\#(wait)", \#(Self.clears)],"#)
    }
    let brief = #", "timeout": "10s""#
    let again = brief + #", "retry": {"when": "response.failure == 'unreachable'", "most": 3, "wait": "5s"}"#
    #expect(timed("9s", brief) == Self.late)
    #expect(timed("10s", brief) == [])
    #expect(timed("60s", brief) == [])
    #expect(timed("29s", "") == Self.late)
    #expect(timed("30s", "") == [])
    #expect(timed("60s", again) == Self.late)
    #expect(timed("10m", again) == [])
  }

  @Test func whoAwaitsManyIsToldOfWhatAnyOfThemReads() {
    let around =
      #""around": {"after": [{"wait": "20s", "# + Self.clears + #"], "start": "first", "states": {"first": {"#
      + #""request": {"to": "api", "get": "/a"}, "next": [{"goto": "second"}]}, "second": {"#
      + #""request": {"to": "api", "get": "/b", "bearer": "${store.?access}"}, "next": [{"goto": "home"}]}}},"#
    #expect(told(atHome: #", "user.enters": {"goto": "around"}"#, states: around) == Self.late)
  }

  @Test func theNetworkThatGoesSignsNobodyOut() {
    #expect(told(atHome: ", " + Self.offline) == Self.gone)
    // What is good for one request alone may be asked for again.
    let code = #", "device.offline": {"do": [{"clear": "code"}], "goto": "out"}"#
    #expect(told(atHome: code) == [])
    let unsure = #", "device.offline": [{"when": "device.native", \#(Self.clears), {"goto": "home"}]"#
    #expect(told(atHome: unsure) == [])
    #expect(told(atHome: #", "device.online": {"# + Self.clears) == [])
  }

  /// A state does its `do` again where something in it, or it itself, leads to it.
  @Test func whatIsEnteredAnewClearsAgain() {
    func found(_ target: String, good: String = "resting", offline: String = "", does: String = #"{"clear": "access"}"#)
      -> [String]
    {
      told(
        atHome: #", "user.enters": {"goto": "around"}"#,
        states: #"""
          "around": {"do": [\#(does)], \#(offline) "start": "resting", "states": {
            "resting": {"rest": true, "on": {"user.looks": {"goto": "peeking"}, "user.enters": {"goto": "out"}}},
            "peeking": {"request": {"to": "api", "get": "/me", "bearer": "${store.?access}"}, "next": [
              {"when": "response.status == 200", "goto": "\#(good)"}, {"goto": "\#(target)"}]}}},
          """#)
    }
    #expect(found("around") == Self.cleared("the service cannot be reached"))
    #expect(found("resting") == [])
    #expect(found("around", does: #"{"clear": "code"}"#) == [])
    #expect(found("around", good: "around") == [])
    #expect(found("resting", offline: #""on": {"device.offline": {"goto": "around"}},"#) == Self.gone)
    #expect(found("resting", offline: #""on": {"device.offline": {"goto": "resting"}},"#) == [])
  }
}
