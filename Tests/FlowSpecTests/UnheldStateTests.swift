import FlowSpec
import Testing

/// What is said of a sign-in whose authorization request is opened, or pushed first (RFC 9126).
struct SignIn {
  var isPushed = false
  /// What opens the page where the request was pushed.
  var opened = #""to": "id", "get": "/authorize", "query": {"client_id": "c", "request_uri": "${memory.uri}"}"#
  /// What hears the answer, in order.
  var heard = [Self.isOurs, Self.takes]
  var state = "${memory.state}"
  var challenge = "${s256(memory.verifier)}"
  var uri = "https://app.example/callback"
  var own = "https://app.example/callback"
  /// What is sent with the code.
  var redeems = #""form": {"grant_type": "authorization_code", "code_verifier": "${memory.verifier}"}"#
  /// What else is done before the page is opened.
  var made = ""
  /// What is set beside the address of the request that was pushed.
  var parses = ""
  var fields = #""code": {"type": "string"}, "state": {"type": "string"}"#
  /// What is decided on before it goes home.
  var next = ""
  var lets = ""
  var services = ""

  static let isOurs = #"{"when": "!same(event.state, memory.state)"}"#
  static let takes = taking("present(event.code)")

  static func taking(_ condition: String, _ more: String = "") -> String {
    #"{"when": "\#(condition)", "do": [{"set": {"code": "${event.code}"\#(more)}}], "goto": "redeeming"}"#
  }

  var diagnostics: [Diagnostic] {
    let request = #"""
      {"response_type": "code", "client_id": "c", "redirect_uri": "\#(uri)", "state": "\#(state)",
        "code_challenge": "\#(challenge)", "code_challenge_method": "S256"}
      """#
    let page = isPushed ? opened : #""to": "id", "get": "/authorize", "query": \#(request)"#
    let pushing = #"""
      "pushing": {"request": {"to": "id", "post": "/par", "form": \#(request)},
        "next": [{"when": "isString(response.json.?request_uri)", "do": [{"set": {"uri": "${string(response.json.request_uri)}"\#(parses)}}],
          "goto": "inBrowser"}, {"goto": "out"}]},
      """#
    let flow = #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app", "redirectUris": ["\#(own)"],
          "links": {"in": "https://app.example/in/{token}"}},
          "browser": {"kind": "browser"}, \#(services)"id": {"kind": "service", "url": "https://id.example"}},
        "memory": {"state": {"type": "string"}, "verifier": {"type": "string", "secret": true}, "code": {"type": "string"},
          "uri": {"type": "string"}, "got": {"type": "string"}, "challenge": {"type": "string"}},
        "emits": {"came": {"state": {"type": "string"}}},
        "store": {"asked": {"rows": {"at": {"type": "timestamp"}, "v": {"type": "string", "secret": true}}}}, "let": {\#(lets)},
        "events": {"user.signsIn": {}, "browser.redirected": {"fields": {\#(fields)}}}, "start": "out", "states": {
          "out": {"rest": true, "on": {"user.signsIn": {"do": [{"set": {"verifier": "${fresh('v')}", "state": "${fresh('s')}"}}\#(made)],
            "goto": "\#(isPushed ? "pushing" : "inBrowser")"}}}, \#(isPushed ? pushing : "")
          "inBrowser": {"rest": true, "do": [{"open": {\#(page)}}],
            "on": {"browser.redirected": [\#(heard.joined(separator: ", ")), {"goto": "out"}], "browser.closed": {"goto": "out"}}},
          "redeeming": {"request": {"to": "id", "post": "/token", \#(redeems)}, "next": [\#(next){"goto": "home"}]}, "home": {"goal": true}}}
      """#
    let api = #"{"service": "api", "routes": [{"on": "GET /a", "next": [{"reply": {"status": 204}}]}]}"#
    var documents = Documents(texts: ["x.json": flow, "api.json": api])
    return documents.flow("x.json").diagnostics
  }

  var told: [String] {
    let codes = ["weak-grant", "unanswered-request"]
    let found = diagnostics.filter { codes.contains($0.code) || $0.severity == .error }
    return found.map { "\($0.code): \($0.labels.first?.text ?? "")" }
  }
}

@Suite struct UnheldStateTests {
  static let place = [#"weak-grant: takes a code whose "state" it does not look at"#]
  static let nowhere = [#"weak-grant: goes on with a code whose "state" nothing is held against"#]

  @Test(arguments: [false, true])
  func whatLooksTooLateIsTold(isPushed: Bool) {
    #expect(SignIn(isPushed: isPushed).told == [])
    let late = SignIn(isPushed: isPushed, heard: [SignIn.takes, SignIn.isOurs])
    #expect(late.told == Self.place)
    #expect(SignIn(isPushed: isPushed, heard: [SignIn.takes]).told == Self.nowhere)
  }

  /// What else is opened says nothing of a `state`.
  @Test func whatNamesAPushedRequestAnswersThat() {
    let late = [SignIn.takes, SignIn.isOurs]
    let whole = #""to": "id", "get": "${memory.got}?client_id=c&request_uri=${urlEncode(memory.uri)}""#
    #expect(SignIn(isPushed: true, opened: whole, heard: late).told == Self.place)
    for other in [#""to": "id", "get": "/settings""#, #""to": "id", "get": "${memory.got}?back=${memory.uri}""#] {
      #expect(SignIn(isPushed: true, opened: other, heard: late).told == [], "\(other)")
    }
  }

  @Test(arguments: [
    "present(event.code) && present(event.state)", "present(event.code) && event.state != null",
    "present(event.code) && event.state != ''", "present(event.code) && size(event.state) > 3",
    "present(event.code) && both", "!(!present(event.code) || !present(event.state))",
    "present(event.code) && isInt(event.state)", "present(event.code) && present(theirs)",
    "present(event.code) && !(event.state in [null, ''])",
  ]) func aStateThatIsThereIsNotHeldAgainstAnything(condition: String) {
    let lets = #""both": "present(event.code) && present(event.state)", "theirs": "event.state""#
    for isPushed in [false, true] {
      let signIn = SignIn(isPushed: isPushed, heard: [SignIn.taking(condition)], lets: lets)
      #expect(signIn.told == Self.nowhere, "\(condition)")
      let late = SignIn(isPushed: isPushed, heard: [SignIn.taking(condition), SignIn.isOurs], lets: lets)
      #expect(late.told == Self.place, "\(condition)")
    }
  }

  @Test(arguments: [
    "present(event.code) && same(event.state, memory.state)", "present(event.code) && ours",
    "present(event.code) && present(event.state) && event.state == memory.state",
    "present(event.code) && !(event.state != memory.state)", "present(event.code) && event.state in store.asked",
    "present(event.code) && present(store.asked[?event.state])", "present(event.code) && event.state in [memory.state]",
    "present(theirs) && theirs == memory.state", "present(event.code) && s256(event.state) == memory.state",
    "present(event.code) && present(chosen)", "present(event.code) && event.state.startsWith(memory.state)",
    "(same(event.state, memory.state) ? event.state : '') != ''", "present(event.code) && present(held)",
    "present(same(event.state, memory.state) ? event.state : '')",
  ]) func aStateThatIsComparedIs(condition: String) {
    let lets = #"""
      "ours": "same(event.state, memory.state)", "theirs": "event.state",
      "chosen": "event.state == memory.state ? event.code : null",
      "held": "event.state == memory.state ? event.state : null"
      """#
    #expect(SignIn(heard: [SignIn.taking(condition)], lets: lets).told == [], "\(condition)")
    #expect(SignIn(isPushed: true, heard: [SignIn.taking(condition)], lets: lets).told == [], "\(condition)")
  }

  private static let passing = [#"weak-grant: takes a code whose "state" may be another, or missing"#]

  /// Whoever sends a code chooses what is looked at: nothing is held against what was sent.
  @Test(arguments: [
    "same(event.state, event.state)", "event.state == event.state", "same(event.state, event.code)",
    "event.state != 'x'", "event.state == 'x'", "(event.state == null || same(event.state, memory.state))",
    "(!present(event.state) || ours)", "present(memory.verifier) && own", "(ours || present(event.code))",
  ]) func aLookThatLetsAnybodyThroughIsNone(look: String) {
    let lets = #""ours": "same(event.state, memory.state)", "own": "same(event.state, event.state)""#
    for isPushed in [false, true] {
      let taking = SignIn.taking("present(event.code) && \(look)")
      #expect(SignIn(isPushed: isPushed, heard: [taking], lets: lets).told == Self.nowhere)
      // Too late for what was taken before.
      #expect(SignIn(isPushed: isPushed, heard: [taking, SignIn.isOurs], lets: lets).told == Self.passing)
      let others = #"{"when": "!(\#(look))"}"#
      #expect(SignIn(isPushed: isPushed, heard: [others, SignIn.takes], lets: lets).told == Self.nowhere)
      #expect(SignIn(isPushed: isPushed, heard: [SignIn.isOurs, taking], lets: lets).told == [])
    }
  }

  @Test func whatTakesOthersAwayOnlyWhereTheyAreThereIsTold() {
    let lets = #""ours": "same(event.state, memory.state)""#
    let others = [
      #"{"when": "present(event.state) && !ours"}"#, #"{"when": "event.state != null && event.state != memory.state"}"#,
      #"{"all": ["present(event.state)", {"not": "ours"}]}"#.replacing(#"{"all""#, with: #"{"when": {"all""#) + "}",
    ]
    for other in others {
      #expect(SignIn(heard: [other, SignIn.takes], lets: lets).told == Self.nowhere, "\(other)")
      // Those without one are taken away, too.
      let missing = #"{"when": "!present(event.state)"}"#
      #expect(SignIn(heard: [missing, other, SignIn.takes], lets: lets).told == [], "\(other)")
      #expect(SignIn(heard: [other, missing, SignIn.takes], lets: lets).told == [], "\(other)")
      let kept = SignIn.taking("present(event.code)", #", "got": "${event.state}""#)
      #expect(
        SignIn(heard: [other, kept], next: #"{"when": "memory.got == memory.state", "goto": "home"}, "#, lets: lets)
          .told
          == [], "\(other)")
    }
  }

  /// What the app's own keys decide may be meant so.
  @Test(arguments: [
    "!present(memory.state) || !same(event.state, memory.state)", "present(memory.verifier) && !ours",
    "!(event.state in store.asked)", "!present(store.asked[?event.state])", "present(event.code) && !ours",
    "!(ours || present(memory.uri))",
  ]) func whatTakesAwayWhatWasNotSentIsALook(others: String) {
    let lets = #""ours": "same(event.state, memory.state)""#
    #expect(SignIn(heard: [#"{"when": "\#(others)"}"#, SignIn.takes], lets: lets).told == [], "\(others)")
  }

  @Test func aStateThatIsKeptIsWhereThatIsCompared() {
    let kept = [SignIn.taking("present(event.code)", #", "got": "${event.state}""#)]
    #expect(SignIn(heard: kept).told == Self.nowhere)
    #expect(SignIn(heard: kept, next: #"{"when": "memory.got == memory.state", "goto": "home"}, "#).told == [])
    #expect(SignIn(heard: kept, next: #"{"when": "present(memory.got)", "goto": "home"}, "#).told == Self.nowhere)
    let sent =
      #""form": {"grant_type": "authorization_code", "code_verifier": "${memory.verifier}", "s": "${memory.got}"}"#
    #expect(SignIn(heard: kept, redeems: sent).told == [])
    let emitted = SignIn.takes.replacing(
      #""do": ["#, with: #""do": [{"emit": {"came": {"state": "${event.state}"}}}, "#)
    #expect(SignIn(heard: [emitted]).told == [])
  }

  @Test func whatIsMissingIsSaid() {
    func help(_ fields: String) -> String? {
      SignIn(heard: [SignIn.takes], fields: fields).diagnostics.first { $0.code == "weak-grant" }?.help
    }
    #expect(help(#""code": {"type": "string"}"#)?.hasPrefix("give the event a field \"state\" and go on where") == true)
    #expect(help(SignIn().fields)?.hasPrefix("go on where that is what was sent") == true)
  }
}
