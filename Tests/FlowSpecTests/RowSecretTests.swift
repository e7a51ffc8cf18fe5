import FlowSpec
import Testing

/// What is said of a flow that keeps the tokens of several profiles in a table and renews those of one of them.
private func told(
  takes: String = RowSecretTests.both, failed: String = #"{"goto": "home"}"#, renewing: String = "",
  leaves: String = #"{"clear": ["who", "profiles"]}"#, sent: String = "${store.profiles[?store.who].?refresh}",
  signsIn: String = RowSecretTests.whole, group: String = #", "group": "session""#,
  offline: String = "", sentAs: String = "refresh"
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "device": {"kind": "device"},
      "api": {"kind": "service", "url": "https://api.example", "model": "api.json"}},
      "store": {"who": {"type": "string"}, "spare": {"type": "string", "secret": true},
        "profiles": {"rows": {"name": {"type": "string"}, "access": {"type": "string", "secret": true},
          "refresh": {"type": "string", "secret": true}}\#(group)}},
      "memory": {"new": {"type": "string"}, "token": {"type": "string", "secret": true}},
      "let": {"profile": "store.profiles[?store.who]", "good": "response.status == 200 && present(response.json.?access)"},
      "events": {"user.renews": {"fields": {"id": {"type": "string"}}}, "user.switches": {}, "user.leaves": {}},
      "start": "launch", "states": {
        "launch": {"next": [{"when": "present(store.who)", "goto": "home"}, {"goto": "out"}]},
        "out": {"rest": true, "on": {"user.renews": {"do": [{"set": {"new": "${event.id}"}}], "goto": "signingIn"}}},
        "signingIn": {"request": {"to": "api", "post": "/login"}, "next": [
          {"when": "good", "do": [{"set": {"who": "${memory.new}"}}, \#(signsIn)], "goto": "home"}, {"goto": "out"}]},
        "home": {"goal": true, "on": {\#(offline) "user.renews": {"goto": "renewing"},
          "user.leaves": {"do": [\#(leaves)], "goto": "out"}}},
        "renewing": {"request": {"to": "api", "post": "/token", "json": {"\#(sentAs)": "\#(sent)"}}, \#(renewing)
          "next": [{"when": "good", "do": [\#(takes)], "goto": "home"}, \#(failed), {"goto": "home"}]}}}
    """#,
    "api.json": #"""
    {"service": "api", "routes": [{"on": "POST /token", "next": [
      {"when": "request.json.?refresh.orValue('') == 'r'", "goto": "issuing"}, {"reply": {"status": 401}}]},
      {"on": "POST /login", "next": [{"goto": "issuing"}]}],
      "states": {"issuing": {"next": [{"reply": {"json": {"access": "${fresh('a')}", "refresh": "${fresh('r')}"}}}]}}}
    """#,
  ])
  let codes = ["cleared-on-failure", "dropped-rotation", "lasting-secret", "split-group"]
  return documents.flow("x.json").diagnostics.filter { codes.contains($0.code) || $0.severity == .error }.map {
    "\($0.code): \($0.message)"
  }
}

/// Secrets that stand in rows are looked after as those under keys are.
@Suite struct RowSecretTests {
  fileprivate static let both =
    #"{"set": {"profiles[store.who].access": "${response.json.access}", "profiles[store.who].refresh": "${response.json.refresh}"}}"#
  fileprivate static let whole =
    #"{"set": {"profiles[memory.new]": {"name": "n", "access": "${response.json.access}", "refresh": "${response.json.refresh}"}}}"#
  private static let access = #"{"set": {"profiles[store.who].access": "${response.json.access}"}}"#

  @Test func whatIsSoundIsNotTold() {
    #expect(told() == [])
    #expect(told(takes: Self.whole.replacing("memory.new", with: "store.who")) == [])
    #expect(told(takes: #"{"set": {"profiles[store.who]": "${response.json}"}}"#) == [])
    // Any row may be the one.
    #expect(told(takes: Self.whole) == [])
  }

  @Test(arguments: [
    "${store.profiles[?store.who].?refresh}", "${store.profiles[store.who].refresh}", "${profile.?refresh}",
  ])
  func aNewTokenThatNoRowTakesIsTold(sent: String) {
    func dropped(_ how: String) -> [String] {
      ["dropped-rotation: each good answer of POST /token of \"api\" has a new \"refresh\", which \(how)"]
    }
    #expect(told(takes: Self.access, sent: sent) == dropped("nothing takes"))
    let remembered = #"\#(Self.access), {"set": {"token": "${response.json.refresh}"}}"#
    #expect(told(takes: remembered, sent: sent) == dropped("is taken into the memory alone"))
    let ofOneRow =
      #"{"set": {"profiles[store.who]": {"access": "${response.json.access}", "refresh": "${memory.token}"}}}"#
    #expect(told(takes: ofOneRow, sent: sent) == [])
    // The old one is gone with the row.
    let replaced = #"{"set": {"profiles[store.who]": {"access": "${response.json.access}"}}}"#
    #expect(told(takes: replaced, sent: sent) == dropped("nothing takes"))
    let moved = #"\#(replaced), {"set": {"spare": "${response.json.refresh}"}}"#
    #expect(told(takes: moved, sent: sent).filter { $0.contains("rotation") } == [])
    let other = #"{"when": "response.status == 200", "do": [\#(Self.access)], "goto": "home"}"#
    #expect(told(failed: other, sent: sent) == dropped("this does not take"))
    #expect(told(failed: other.replacing(Self.access, with: replaced), sent: sent) == dropped("this does not take"))
    let clears = #"\#(Self.access), {"clear": "profiles[store.who].refresh"}"#
    #expect(told(failed: other.replacing(Self.access, with: clears), sent: sent) == [])
  }

  @Test func whoLeavesWhileARowIsRenewedIsTold() {
    let switches = #""on": {"user.switches": {"goto": "home"}},"#
    let left =
      "dropped-rotation: \"user.switches\" leaves this POST while its answer is awaited: the new \"profiles[…].refresh\" is dropped, and the old one is sent the next time"
    #expect(told(renewing: switches) == [left])
    // What another row takes is no new one of that which is sent.
    #expect(told(takes: Self.whole, renewing: switches) == [])
    #expect(told(takes: Self.both, renewing: switches, sent: "${profile.?refresh}") == [left])
    #expect(told(takes: Self.whole.replacing("memory.new", with: "store.who"), renewing: switches) == [left])
    let (ofOne, ofOther) = (
      Self.both.replacing("store.who", with: "'a'"), Self.both.replacing("store.who", with: "'b'")
    )
    #expect(told(takes: ofOne, renewing: switches, sent: "${store.profiles[?'a'].?refresh}") == [left])
    #expect(told(takes: ofOther, renewing: switches, sent: "${store.profiles[?'a'].?refresh}") == [])
    for clears in ["profiles", "profiles[store.who]", "profiles[store.who].refresh"] {
      let removes = #""on": {"user.switches": {"do": [{"clear": "\#(clears)"}], "goto": "home"}},"#
      #expect(told(renewing: removes) == [])
    }
    #expect(told(takes: Self.access, renewing: switches).filter { $0.contains("leaves") } == [])
  }

  @Test(arguments: [
    #"{"clear": "profiles"}"#, #"{"clear": "profiles[store.who]"}"#, #"{"clear": "profiles[store.who].refresh"}"#,
    #"{"set": {"profiles[store.who].refresh": null}}"#, #"{"set": {"profiles[store.who]": {"name": "n"}}}"#,
    #"{"set": {"new": "${store.who}"}}, {"clear": ["profiles[memory.new]", "who"]}"#, #"{"clear": "session"}"#,
  ])
  func aTunnelThatTakesARowAwayIsTold(clears: String) {
    let failed = #"{"when": "response.failure == 'unreachable'", "do": [\#(clears)], "goto": "out"}"#
    let cleared =
      "cleared-on-failure: where the service cannot be reached this clears the secret \"profiles[…].refresh\", though nobody has refused it"
    #expect(told(failed: failed) == [cleared])
    #expect(told(failed: failed.replacing("response.failure == 'unreachable'", with: "response.status == 401")) == [])
  }

  @Test(arguments: [
    #"{"clear": "who"}"#, #"{"clear": "profiles[memory.new]"}"#, #"{"clear": "profiles[store.who].name"}"#,
    #"{"clear": "profiles[store.who].access"}"#, #"{"set": {"profiles[store.who].name": null}}"#,
  ])
  func aTunnelThatLeavesTheRowThatIsSentIsNot(clears: String) {
    #expect(told(failed: #"{"when": "response.failure == 'unreachable'", "do": [\#(clears)], "goto": "out"}"#) == [])
  }

  /// Different constants are different rows.
  @Test func aTunnelThatTakesTheRowOfAnotherConstantAwayIsNot() {
    func found(_ clears: String) -> [String] {
      let failed = #"{"when": "response.failure == 'unreachable'", "do": [{"clear": "\#(clears)"}], "goto": "out"}"#
      let takes = Self.both.replacing("store.who", with: "'a'")
      return told(takes: takes, failed: failed, sent: "${store.profiles[?'a'].?refresh}")
    }
    #expect(found("profiles['b'].refresh") == [])
    #expect(found("profiles['b']") == [])
    #expect(found("profiles['a'].refresh").count == 1)
    #expect(found("profiles[\\\"a\\\"]").count == 1)
    #expect(found("profiles").count == 1)
  }

  /// Nothing is awaited where the network goes.
  @Test func aRowThatNoRequestSendsGoesWithTheNetwork() {
    func found(_ clears: String) -> [String] {
      return told(offline: #""device.offline": {"do": [{"clear": "\#(clears)"}], "goto": "home"},"#)
    }
    #expect(found("profiles[memory.new]") == [])
    #expect(
      found("profiles[store.who]") == [
        "cleared-on-failure: where the network goes this clears the secret \"profiles[…].refresh\", though nobody has refused it"
      ])
  }

  /// What one row is given says nothing of what stands in another.
  @Test func aMemberOfAnotherConstantIsNotDropped() {
    let takes = #"{"set": {"profiles['b'].name": "n"}}"#
    let signsIn = #"{"set": {"profiles['b'].refresh": "${response.json.access}"}}"#
    func found(_ row: String) -> [String] {
      told(takes: takes, sent: "${store.profiles[?'\(row)'].?refresh}", signsIn: signsIn, group: "", sentAs: "token")
    }
    #expect(found("a").filter { $0.contains("dropped") } == [])
    #expect(found("b").filter { $0.contains("dropped") }.count == 1)
  }

  @Test func whatStaysInRowsForGoodIsTold() {
    func lasting(_ name: String, _ other: String) -> String {
      "lasting-secret: nothing ever takes the secret \"\(name)\" out of the store, though \"\(other)\" is cleared"
    }
    let (access, refresh) = ("profiles[…].access", "profiles[…].refresh")
    #expect(told(leaves: #"{"clear": "spare"}"#) == [lasting(access, "spare"), lasting(refresh, "spare")])
    #expect(told(leaves: #"{"clear": "profiles[store.who].access"}"#) == [lasting(refresh, access)])
    #expect(told(leaves: #"{"set": {"profiles[store.who].access": null}}"#) == [lasting(refresh, access)])
    #expect(told(leaves: #"{"set": {"profiles[store.who].access": ""}}"#) == [lasting(refresh, access)])
    for clears in ["profiles", "profiles[store.who]", "session"] {
      #expect(told(leaves: #"{"clear": ["spare", "\#(clears)"]}"#) == [])
    }
    // Nobody signs out, though a new row has no access.
    let replaced = #"{"set": {"profiles[memory.new]": {"refresh": "${response.json.refresh}"}}}"#
    #expect(told(leaves: #"{"clear": "who"}"#, signsIn: replaced) == [])
  }

  @Test func halfOfARowIsTold() {
    let refresh = Self.access.replacing("access", with: "refresh")
    let split =
      "split-group: \"profiles[…].access\" and \"profiles[…].refresh\" of the group \"session\" are set one after the other, and a kill between them leaves half of it"
    #expect(told(takes: "\(Self.access), \(refresh)") == [split])
    #expect(told(takes: "\(Self.access), \(refresh)", group: "") == [])
    #expect(told(takes: "\(Self.access), \(refresh.replacing("store.who", with: "memory.new"))") == [])
    let cleared =
      "split-group: \"profiles[…]\" of the group \"session\" is cleared before it is set, and a kill between them leaves neither what was stored nor what came"
    let row = Self.whole.replacing("memory.new", with: "store.who")
    #expect(told(takes: #"{"clear": "profiles[store.who]"}, \#(row)"#) == [cleared])
    #expect(told(takes: #"{"clear": "profiles[store.who].refresh"}, \#(row)"#) == [cleared])
    // Others go for good.
    #expect(told(takes: #"{"clear": "profiles[memory.new]"}, \#(row)"#) == [])
    #expect(told(takes: #"{"clear": "profiles"}, \#(row)"#) == [])
    #expect(told(takes: #"{"clear": "profiles[store.who].name"}, \#(row)"#) == [])
  }
}
