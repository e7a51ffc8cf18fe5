import FlowSpec
import Testing

/// What is said of a flow that pays in a sub-flow, with this behind the answer, behind its end and around.
private func told(
  asking: String = "", answered: String,
  request: String = #""post": "/payments", "json": {"amount": "${memory.amount}"}"#,
  calling: String = #"{"when": "result.ended == 'paid'", "goto": "home"}, {"goto": "waiting"}"#, beside: String = "",
  waiting: String = #""after": [{"wait": "5s", "goto": "paying"}]"#, states: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "device": {"kind": "device"}, "api": {"kind": "service", "url": "https://api.example"}},
      "events": {"user.pays": {}, "user.again": {}}, "config": {"key": {"type": "string", "value": "a"}},
      "memory": {"amount": {"type": "int", "initial": 1}, "key": {"type": "string"},
        "made": {"type": "string"}, "tries": {"type": "int", "initial": 0}},
      "flows": {"pay": {"ends": ["paid", "lost", "refused"], "start": "asking", "states": {
        "asking": {"request": {"to": "api", \#(request)}, \#(asking)
          "next": [{"when": "response.status == 201", "end": "paid"}, \#(answered)]},
        "over": {"end": "lost"}}}},
      "start": "home", "states": {
        "home": {"goal": true, "on": {"user.pays": {"goto": "paying"}}},
        "paying": {"call": "pay", \#(beside) "next": [\#(calling)]},
        \#(states) "waiting": {"rest": true, \#(waiting)}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter {
    $0.code == "unsafe-retry" && $0.message.contains("sent again")
      || $0.severity == .error && $0.code != "unreachable-state"
  }.map { "\($0.code): \($0.message)" }
}

/// A POST whose answer was lost is sent again by time or by the network, perhaps by what calls its sub-flow.
@Suite struct BlindTryTests {
  private static let again =
    "unsafe-retry: this POST is sent again by itself where its answer was lost, and the server may have done it already"
  private static let meanwhile = again.replacing("where its answer was lost", with: "while its answer is awaited")
  private static let lost = #"{"when": "response.failure != null", "end": "lost"}, {"end": "refused"}"#
  private static let onlyLost = #"{"when": "result.ended == 'lost'", "goto": "waiting"}, {"goto": "home"}"#

  @Test func whatItsCallerCallsAgainIsTold() {
    #expect(told(answered: Self.lost, calling: Self.onlyLost) == [Self.again])
    #expect(told(answered: #"{"end": "lost"}"#) == [Self.again])
    #expect(told(answered: #"{"goto": "over"}"#) == [Self.again])
    let patch = #""patch": "/payments", "json": {"amount": "${memory.amount}"}"#
    #expect(
      told(answered: Self.lost, request: patch, calling: Self.onlyLost) == [
        Self.again.replacing("POST", with: "PATCH")
      ])
  }

  /// How often it was tried is no look at what has become of it; another number may be.
  @Test(arguments: [("memory.tries + 1", true), ("memory.amount", false)])
  func aCountDecidesNothing(count: String, isTold: Bool) {
    let (counts, found) = (#""do": [{"set": {"tries": "${\#(count)}"}}], "#, isTold ? [Self.again] : [])
    let fewer = #""when": "memory.tries < 3", "#
    let answered =
      #"{"when": "response.failure != null && memory.tries < 3", \#(counts)"end": "lost"}, {"end": "refused"}"#
    #expect(told(answered: answered, calling: Self.onlyLost) == found)
    let counting = #""counting": {"next": [{\#(fewer)\#(counts)"goto": "waiting"}, {"goto": "home"}]}, "#
    let toCounting = Self.onlyLost.replacing("waiting", with: "counting")
    #expect(told(answered: Self.lost, calling: toCounting, states: counting) == found)
    let timed = #""after": [{\#(fewer)\#(counts)"wait": "5s", "goto": "paying"}]"#
    #expect(told(answered: Self.lost, calling: Self.onlyLost, waiting: timed) == found)
  }

  @Test func theNetworkIsAsGoodAsATimer() {
    let online = #""on": {"device.online": {"goto": "paying"}}"#
    #expect(told(answered: Self.lost, calling: Self.onlyLost, waiting: online) == [Self.again])
    #expect(told(answered: #"{"end": "refused"}"#, waiting: online) == [Self.again])
    let asked = #""on": {"device.online": {"when": "memory.amount > 1", "goto": "paying"}}"#
    #expect(told(answered: Self.lost, calling: Self.onlyLost, waiting: asked) == [])
    let around =
      #""around": {"start": "idle", "on": {"device.online": {"goto": "paying"}}, "states": {"idle": {"rest": true}}},"#
    let toAround = Self.onlyLost.replacing("waiting", with: "around")
    #expect(told(answered: Self.lost, calling: toAround, states: around) == [Self.again])
    let heard = around.replacing(#""rest": true"#, with: #""rest": true, "on": {"device.online": {}}"#)
    #expect(told(answered: Self.lost, calling: toAround, states: heard) == [])
  }

  @Test func whatHappensBesideTheRequestIsTold() {
    let home = Self.onlyLost.replacing("waiting", with: "home")
    for beside in [
      #""after": [{"wait": "9s", "goto": "waiting"}],"#, #""on": {"device.online": {"goto": "waiting"}},"#,
    ] {
      #expect(told(answered: Self.lost, calling: home, beside: beside) == [Self.meanwhile])
      let heard = #""on": {"device.online": {}}, "after": [{"wait": "0s"}],"#
      let isTold = beside.contains("after") ? [Self.meanwhile] : []
      #expect(told(asking: heard, answered: Self.lost, calling: home, beside: beside) == isTold)
    }
    let own = #""on": {"device.online": {"end": "lost"}},"#
    let unreachable = #"{"when": "response.failure != null", "end": "refused"}, {"end": "refused"}"#
    #expect(told(asking: own, answered: unreachable, calling: Self.onlyLost) == [Self.meanwhile])
    // Where the network goes, the answer is lost first.
    let offline = own.replacing("online", with: "offline")
    #expect(told(asking: offline, answered: unreachable, calling: Self.onlyLost) == [])
  }

  @Test func whereAPersonOrAnotherRequestDecidesItIsNot() {
    let tapped = #""on": {"user.again": {"goto": "paying"}}"#
    #expect(told(answered: Self.lost, calling: Self.onlyLost, waiting: tapped) == [])
    let looking =
      #""looking": {"request": {"to": "api", "get": "/payments"}, "next": [{"when": "response.status == 404", "goto": "paying"}, {"goto": "home"}]},"#
    let looks = #""on": {"device.online": {"goto": "looking"}}"#
    #expect(told(answered: Self.lost, calling: Self.onlyLost, waiting: looks, states: looking) == [])
    #expect(told(answered: Self.lost, calling: Self.onlyLost.replacing("waiting", with: "home")) == [])
    // What else a condition looks at may come to anything.
    let unsure = Self.onlyLost.replacing("'lost'", with: "'lost' && memory.amount > 1")
    #expect(told(answered: Self.lost, calling: unsure) == [])
  }

  /// A poll comes round whatever it was answered; a service that is down has answered nothing.
  @Test func aPollIsNoneAndAServiceThatIsDownIsNoPoll() {
    let polls = #"{"when": "response.status == 202", "end": "lost"}, "# + Self.lost
    #expect(told(answered: polls, calling: Self.onlyLost) == [])
    let down = #"{"when": "response.status in [429, 503]", "end": "lost"}, "# + Self.lost
    #expect(told(answered: down, calling: Self.onlyLost) == [Self.again])
    let unreachable = #"{"when": "response.failure == 'unreachable'", "end": "lost"}, "# + Self.lost
    #expect(told(answered: unreachable, calling: Self.onlyLost) == [Self.again])
  }

  /// What else may hold beside a status, and what else the same transition takes, changes nothing of that.
  @Test(arguments: [
    "response.json.?state.orValue('') == 'pending' || response.status == 429",
    "response.status == 429 || response.json.?state.orValue('') in ['pending', 'later']",
    "response.status in [429, 503] || present(response.json.?pending)",
    "!(response.status != 429 && response.json.?state.orValue('') != 'pending') && response.failure == null",
    "response.status == 429 ? true : response.json.?state.orValue('') == 'pending'",
  ])
  func howAPollAsksDoesNotMatter(when: String) {
    let polls = #"{"when": "\#(when)", "end": "lost"}, "#
    #expect(told(answered: polls + Self.lost, calling: Self.onlyLost) == [])
    let both = #"{"when": "response.failure != null || \#(when)", "end": "lost"}, {"end": "refused"}"#
    #expect(told(answered: both, calling: Self.onlyLost) == [])
  }

  @Test func whatTakesTheAnswerAndTheLossUnaskedIsNoPoll() {
    for when in ["response.status >= 400", "response.status == 503", "response.status in [429, 500, 502]"] {
      let both = #"{"when": "response.failure != null || \#(when)", "end": "lost"}, {"end": "refused"}"#
      #expect(told(answered: both, calling: Self.onlyLost) == [Self.again], "\(when)")
    }
    let named =
      #"{"when": "response.failure != null || response.status in [202, 503]", "end": "lost"}, {"end": "refused"}"#
    #expect(told(answered: named, calling: Self.onlyLost) == [])
  }

  /// Such a poll is to go on where no answer came (RFC 8628 §3.5).
  @Test func aPollForTokensGoesOn() {
    func found(grant: String, in body: String = "form") -> [String] {
      told(
        answered: #"{"end": "lost"}"#,
        request: #""post": "/token", "\#(body)": {"grant_type": "\#(grant)", "code": "${string(memory.amount)}"}"#)
    }
    #expect(found(grant: "urn:ietf:params:oauth:grant-type:device_code") == [])
    #expect(found(grant: "urn:openid:params:grant-type:ciba", in: "json") == [])
    #expect(found(grant: "refresh_token") == [Self.again])
  }

  /// A token that is revoked already may be revoked again (RFC 7009 §2.2).
  @Test func aTokenMayBeRevokedAgain() {
    func found(_ fields: String, at path: String = "/gone") -> [String] {
      told(answered: #"{"end": "lost"}"#, request: #""post": "\#(path)", "form": {"token": "t", \#(fields)}"#)
    }
    #expect(found(#""token_type_hint": "refresh_token""#) == [])
    #expect(found(#""client_id": "c""#, at: "/revoke") == [])
    #expect(found(#""client_id": "c""#) == [Self.again])
  }

  @Test func whatIsMadeAnewOnTheWayIsSomethingElse() {
    let another = #""do": [{"set": {"amount": "${memory.amount + 1}"}}], "after": [{"wait": "5s", "goto": "paying"}]"#
    #expect(told(answered: Self.lost, calling: Self.onlyLost, waiting: another) == [])
    let keyed = #""post": "/payments", "headers": {"Idempotency-Key": "${string(memory.amount)}"}"#
    #expect(told(answered: Self.lost, request: keyed, calling: Self.onlyLost) == [])
  }

  private func toldOf(key: String, asking: String = "", waiting: String? = nil) -> [String] {
    let request = #""post": "/payments", "headers": {"Idempotency-Key": "\#(key)"}"#
    let set = #""do": [{"set": {"key": "\#(waiting ?? "")"}}], "#
    return told(
      asking: asking, answered: Self.lost, request: request, calling: Self.onlyLost,
      waiting: #""after": [{"wait": "5s", \#(waiting == nil ? "" : set)"goto": "paying"}]"#)
  }

  /// Its service knows a try again by a key that is neither the same for all nor another for each.
  @Test func aKeyThatTellsNothingIsNone() {
    for key in ["payment", "${config.key}", "${device.platform}", "x-${string(now)}"] {
      #expect(toldOf(key: key) == [Self.again])
    }
    let kept = "${memory.key}"
    #expect(toldOf(key: kept) == [])
    #expect(toldOf(key: kept, waiting: "${newId('key')}") == [Self.again])
    let anew = #""do": [{"set": {"key": "${newId('key')}"}}],"#
    #expect(toldOf(key: kept, asking: anew) == [Self.again])
    // What is there already stays.
    let once = "${present(memory.key) ? memory.key : newId('key')}"
    #expect(toldOf(key: kept, asking: anew.replacing("${newId('key')}", with: once)) == [])
    let copied = #""do": [{"set": {"key": "${memory.made}"}}],"#
    #expect(toldOf(key: kept, asking: copied) == [])
    for same in [
      "${s256(memory.made)}", "${'order-' + memory.made}", "order-${string(memory.amount)}",
      "${memory.?made.orValue('none')}", "${memory.?key.orValue('none')}",
      "${present(memory.made) ? memory.made : 'none'}",
    ] {
      #expect(toldOf(key: kept, asking: copied.replacing("${memory.made}", with: same)) == [], "\(same)")
    }
    for other in ["${memory.made}-${string(now)}", "${memory.made}-${newId('key')}", "${memory.key + 'x'}"] {
      #expect(toldOf(key: kept, asking: copied.replacing("${memory.made}", with: other)) == [Self.again], "\(other)")
    }
    let both = copied.replacing("[{", with: #"[{"set": {"made": "${newId('key')}"}}, {"#)
    #expect(toldOf(key: kept, asking: both) == [Self.again])
  }
}
