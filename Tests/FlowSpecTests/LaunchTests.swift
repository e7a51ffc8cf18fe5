import FlowSpec
import Testing

/// What some checks say of a flow of which `launch` decides where an app comes that is opened, and where `home` sends a POST.
private func told(
  launch: String, on: String = "", pays: String = #"{"set": {"paying": true}}"#,
  request: String = #""post": "/payments""#, good: Int = 201, answered: String = #"{"clear": "paying"}"#,
  otherwise: String = #"{"goto": "home"}"#, whole: String = "", states: String = "", flows: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example"}}, \#(whole)
      "store": {"paying": {"type": "bool", "initial": false}, "stage": {"one of": ["a", "b", "c"]},
        "key": {"type": "string"}, "token": {"type": "string", "secret": true}},
      "memory": {"until": {"type": "timestamp"}, "may": {"type": "bool", "initial": true}, "name": {"type": "string"}},
      "events": {"user.pays": {}, "user.asks": {}, "user.locks": {}}, "start": "launch", "flows": {\#(flows)}, "states": {
        "launch": {\#(launch)},
        "home": {"goal": true, "on": {\#(on) "user.locks": {"goto": "locked"}, "user.pays": {"do": [\#(pays)], "goto": "paying"}}},
        "paying": {"request": {"to": "api", \#(request)}, "next": [
          {"when": "response.status == \#(good)", "do": [\#(answered)], "goto": "home"}, \#(otherwise)]},
        \#(states) "locked": {"rest": true, "on": {"user.asks": {"goto": "home"}}}}}
    """#
  ])
  let found = documents.flow("x.json").diagnostics.filter {
    ["unsafe-retry", "constant-condition", "may-be-null"].contains($0.code) || $0.severity == .error
  }
  #expect(!found.contains { $0.severity == .error }, "\(found)", sourceLocation: sourceLocation)
  return found.map { "\($0.code): \($0.message)" }
}

@Suite struct ResentAtLaunchTests {
  private static let again = [
    "unsafe-retry: an app that is killed while it awaits the answer to this POST sends it again when it is opened, and "
      + "the server may have done it already"
  ]
  private static let goesOn = #""next": [{"when": "store.paying", "goto": "paying"}, {"goto": "home"}]"#

  @Test func whatIsStoredBeforeLeadsThereAgain() {
    #expect(told(launch: Self.goesOn) == Self.again)
    #expect(told(launch: #""next": [{"when": "!store.paying", "goto": "home"}, {"goto": "paying"}]"#) == Self.again)
    #expect(told(launch: Self.goesOn, answered: #"{"set": {"paying": false}}"#) == Self.again)
    #expect(
      told(launch: Self.goesOn, request: #""patch": "/a""#) == Self.again.map { $0.replacing("POST", with: "PATCH") })
    let between = #""deciding": {"next": [{"when": "present(store.token)", "goto": "paying"}, {"goto": "home"}]},"#
    let further = Self.goesOn.replacing(#""paying"}"#, with: #""deciding"}"#)
    #expect(told(launch: further, states: between) == Self.again)
  }

  /// Of several stages the one that is stored before counts.
  @Test func theStageThatIsStoredCounts() {
    let to = { (stage: String) in
      #""next": [{"when": "store.stage == '\#(stage)'", "goto": "paying"}, {"goto": "home"}]"#
    }
    let (begins, ends) = (#"{"set": {"stage": "a"}}"#, #"{"set": {"stage": "b"}}"#)
    #expect(told(launch: to("a"), pays: begins, answered: ends) == Self.again)
    #expect(told(launch: to("b"), pays: begins, answered: ends) == [])
  }

  @Test func theRequestInASubflowIsOneToo() {
    let flows =
      #""pay": {"ends": ["done"], "start": "asking", "states": {"asking": {"request": {"to": "api", "post": "/b"}, "next": [{"do": [{"clear": "paying"}], "end": "done"}]}}}"#
    let calling = #""calling": {"call": "pay", "next": [{"goto": "home"}]},"#
    let begins = #""user.asks": {"do": [{"set": {"paying": true}}], "goto": "calling"},"#
    let launch = Self.goesOn.replacing(#""goto": "paying""#, with: #""goto": "calling""#)
    let told = told(
      launch: launch, on: begins, pays: #"{"set": {"stage": "a"}}"#, answered: "", states: calling, flows: flows)
    #expect(told == Self.again)
  }

  @Test func whatTheServerKnowsAgainIsNot() {
    let key = #""post": "/payments", "headers": {"Idempotency-Key": "${store.key}"}"#
    let begins = #"{"set": {"paying": true, "key": "${newId('key')}"}}"#
    #expect(told(launch: Self.goesOn, pays: begins, request: key) == [])
    let anew = Self.goesOn.replacing(
      #""goto": "paying""#, with: #""do": [{"set": {"key": "${newId('key')}"}}], "goto": "paying""#)
    #expect(told(launch: anew, pays: begins, request: key) == Self.again)
    #expect(told(launch: Self.goesOn, request: #""put": "/payments""#) == [])
  }

  /// Where the server is asked first, nothing is sent again; what every launch sends, and what comes of an answer, say
  /// nothing of a request that is under way.
  @Test func whatIsAskedFirstOrSentByEachLaunchIsNot() {
    let asks =
      #""asking": {"request": {"to": "api", "get": "/payments"}, "next": [{"when": "response.status == 404", "goto": "paying"}, {"goto": "home"}]},"#
    #expect(told(launch: Self.goesOn.replacing(#""paying"}"#, with: #""asking"}"#), states: asks) == [])
    #expect(told(launch: Self.goesOn, answered: "") == [])
    let signedIn = #""next": [{"when": "present(store.token)", "goto": "paying"}, {"goto": "home"}]"#
    #expect(told(launch: signedIn, pays: "", answered: #"{"set": {"token": "${fresh('t')}"}}"#) == [])
    #expect(told(launch: #""next": [{"goto": "home"}]"#) == [])
    // What only a refusal takes back is no mark of a request, and what an answer gave is none.
    #expect(told(launch: Self.goesOn, good: 400) == [])
    let signing =
      #""signing": {"request": {"to": "api", "get": "/in"}, "next": [{"when": "isString(response.json.?t)", "do": [{"set": {"token": "${string(response.json.t)}"}}], "goto": "paying"}, {"goto": "home"}]},"#
    let signsIn = #""user.asks": {"goto": "signing"},"#
    #expect(told(launch: signedIn, on: signsIn, pays: "", answered: #"{"clear": "token"}"#, states: signing) == [])
    let waits = #""next": [{"when": "store.paying", "goto": "locked"}, {"goto": "home"}]"#
    #expect(told(launch: waits) == [])
  }

  /// A poll asks again by itself.
  @Test func aPollIsNot() {
    let later = #""later": {"after": [{"wait": "5s", "goto": "paying"}]},"#
    let otherwise = #"{"when": "response.status == 202", "goto": "later"}, {"goto": "home"}"#
    #expect(told(launch: Self.goesOn, otherwise: otherwise, states: later) == [])
    #expect(told(launch: Self.goesOn, otherwise: otherwise.replacing("202", with: "503"), states: later) == Self.again)
  }

  /// What is done on the way, and what is stored along with it.
  @Test func theWayThereCounts() {
    #expect(told(launch: #""do": [{"clear": "paying"}], \#(Self.goesOn)"#) == [])
    #expect(told(launch: Self.goesOn, pays: #"{"set": {"paying": true}}, {"clear": "paying"}"#) == [])
    let asking = #""asking": {"request": {"to": "api", "get": "/a"}, "next": [{"goto": "home"}]},"#
    let asksFirst =
      #""next": [{"when": "present(store.key)", "goto": "asking"}, {"when": "store.paying", "goto": "paying"}, {"goto": "home"}]"#
    let both = #"{"set": {"paying": true, "key": "${newId('key')}"}}"#
    #expect(told(launch: asksFirst, pays: both, states: asking) == [])
    #expect(told(launch: asksFirst, states: asking) == Self.again)
    let stage = #""next": [{"when": "store.stage == 'a'", "goto": "paying"}, {"goto": "home"}]"#
    let other = #""user.asks": {"do": [{"set": {"stage": "b"}}], "goto": "paying"},"#
    #expect(
      told(launch: stage, on: other, pays: #"{"set": {"stage": "a"}}"#, answered: #"{"clear": "stage"}"#) == Self.again)
    let key = #""post": "/payments", "headers": {"Idempotency-Key": "${store.key}"}"#
    let twoWays =
      #""next": [{"when": "store.paying && present(store.token)", "goto": "paying"}, {"when": "store.paying", "do": [{"set": {"key": "${newId('key')}"}}], "goto": "paying"}, {"goto": "home"}]"#
    #expect(told(launch: twoWays, pays: both, request: key) == Self.again)
  }
}

@Suite struct EmptyMemoryTests {
  private static func next(_ when: String) -> String {
    #""next": [{"when": "\#(when)", "goto": "locked"}, {"goto": "home"}]"#
  }

  private static func told(_ holds: String) -> [String] {
    ["constant-condition: this \(holds) holds: when the app is opened, its memory is as it begins"]
  }

  @Test func whatAKillHasTakenAwayDecidesNothing() {
    #expect(FlowSpecTests.told(launch: Self.next("present(memory.name)")) == Self.told("never"))
    #expect(FlowSpecTests.told(launch: Self.next("!expired(memory.until)")) == Self.told("never"))
    #expect(FlowSpecTests.told(launch: Self.next("memory.may")) == Self.told("always"))
    #expect(FlowSpecTests.told(launch: Self.next("!memory.may && present(store.token)")) == Self.told("never"))
    let whole = #""let": {"free": "memory.may"},"#
    #expect(FlowSpecTests.told(launch: Self.next("!free"), whole: whole) == Self.told("never"))
    let second = #""second": {\#(Self.next("memory.may"))},"#
    #expect(FlowSpecTests.told(launch: #""next": [{"goto": "second"}]"#, states: second) == Self.told("always"))
  }

  @Test func whatElseMayDecideIsLeftAlone() {
    #expect(FlowSpecTests.told(launch: Self.next("present(store.token)")) == [])
    #expect(FlowSpecTests.told(launch: Self.next("memory.may && present(store.token)")) == [])
    // Who comes back may have set it, and so may what is done on the way.
    let back = #""user.asks": {"goto": "launch"},"#
    #expect(FlowSpecTests.told(launch: Self.next("memory.may"), on: back) == [])
    let sets = #""next": [{"do": [{"set": {"may": false}}], "goto": "second"}]"#
    let second = #""second": {\#(Self.next("memory.may"))},"#
    #expect(FlowSpecTests.told(launch: sets, states: second) == [])
    let oneSets = #"{"when": "!store.paying", "do": [{"set": {"may": false}}], "goto": "second"}"#
    for ways in [
      [oneSets, #"{"goto": "second"}"#],
      [#"{"when": "store.paying", "goto": "second"}"#, oneSets, #"{"goto": "home"}"#],
    ] {
      let launch = #""next": [\#(ways.joined(separator: ", "))]"#
      #expect(FlowSpecTests.told(launch: launch, states: second) == [])
    }
    let third = #""third": {"next": [{"do": [{"set": {"may": false}}], "goto": "second"}]},"#
    let both = #""next": [{"when": "store.paying", "goto": "third"}, {"goto": "second"}]"#
    #expect(FlowSpecTests.told(launch: both, states: second + third) == [])
    #expect(FlowSpecTests.told(launch: #""do": [{"set": {"may": false}}], \#(Self.next("memory.may"))"#) == [])
  }

  /// A key of the store says nothing of one of the memory at a launch, but later they may be set together.
  @Test func whatIsStoredVouchesForNoMemory() {
    let timed = #""showing": {"rest": true, "after": [{"at": "${memory.until}", "goto": "home"}]},"#
    let both = #"{"set": {"until": "${now}", "key": "k"}}"#
    let shows = #""user.asks": {"do": [\#(both)], "goto": "showing"},"#
    let goesOn = #""next": [{"when": "present(store.key)", "goto": "showing"}, {"goto": "home"}]"#
    let null = ["may-be-null: \"memory.until\" may be null where \"at\" needs a value"]
    #expect(FlowSpecTests.told(launch: goesOn, on: shows, states: timed) == null)
    let later = #""user.asks": [{"when": "present(store.key)", "goto": "showing"}, {"do": [\#(both)]}],"#
    #expect(FlowSpecTests.told(launch: #""next": [{"goto": "home"}]"#, on: later, states: timed) == [])
    let asks = goesOn.replacing("present(store.key)", with: "present(memory.until)")
    #expect(FlowSpecTests.told(launch: asks, on: shows, states: timed) == Self.told("never"))
  }
}
