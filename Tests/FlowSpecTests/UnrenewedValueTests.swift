import FlowSpec
import Testing

/// What is said of a flow that signs in in the browser, with this done where the app starts, where the person asks for it
/// and where the browser opens.
private func signingIn(
  launch: String = "", asked: String = "", opening: String = "", back: String = "",
  state: String = "${memory.state}", challenge: String = "${s256(memory.verifier)}", home: String = "",
  out: String = "out", pushes: Bool = false
) -> [String] {
  let query =
    #"{"response_type": "code", "state": "\#(state)", "code_challenge": "\#(challenge)", "code_challenge_method": "S256"}"#
  let opens = pushes ? #""query": {"request_uri": "${memory.?uri}"}"# : #""query": \#(query)"#
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "browser": {"kind": "browser"},
       "app": {"kind": "app", "redirectUris": ["com.example:/back"], "links": {"promo": "https://app.example/promo"}},
       "id": {"kind": "service", "url": "https://id.example"}},
     "config": {"prefix": {"type": "string", "value": "p"}},
     "memory": {"state": {"type": "string"}, "verifier": {"type": "string"}, "uri": {"type": "string"},
       "made": {"type": "string"}},
     "events": {"user.in": {}, "user.out": {}, "user.again": {}, "link.promo": {},
       "browser.redirected": {"fields": {"code": {"type": "string"}, "state": {"type": "string"}}}},
     "start": "launch", "states": {
       "launch": {"do": [\#(launch)], "next": [{"goto": "out"}]},
       "out": {"rest": true, "on": {"user.in": {"do": [\#(asked)], "goto": "\#(pushes ? "pushing" : "inBrowser")"}}},
       "pushing": {"request": {"to": "id", "post": "/par", "form": \#(query)}, "next": [
         {"when": "response.status == 201", "do": [{"set": {"uri": "${string(response.json.uri)}"}}], "goto": "inBrowser"},
         {"goto": "failed"}]},
       "failed": {"rest": true, "on": {"user.again": {"goto": "pushing"}}},
       "inBrowser": {"rest": true, "do": [\#(opening) {"open": {"to": "id", "get": "/authorize", \#(opens)}}],
         "on": {"browser.redirected": [{"when": "!same(event.state, memory.state)"}, {\#(back) "goto": "home"}],
           "browser.closed": {"goto": "closed"}, "link.promo": {"goto": "closed"}, "user.again": {"goto": "inBrowser"}}},
       "closed": {"rest": true, "on": {"user.again": {"goto": "inBrowser"}}},
       "home": {"goal": true, "on": {"user.out": {\#(home) "goto": "\#(out)"}}}}}
    """#
  ])
  return documents.flow("x.json").diagnostics
    .filter {
      ["weak-grant", "unsafe-retry"].contains($0.code) || $0.severity == .error && $0.code != "unreachable-state"
    }
    .map { "\($0.code): \($0.message.prefix(60))" }
    .filter { !$0.contains("anybody") && !$0.contains("whoever") }
}

/// What is said of a flow that sends orders, with their key made here or there.
private func ordering(
  launch: String = "", asked: String = "", sending: String = "", answered: String = "", key: String = "${store.key}",
  beside: String = "", again: String = #""goto": "cart""#, method: String = "post", decides: String? = nil
) -> [String] {
  let succeeds = #"{"when": "response.status == 201", \#(answered) "end": "done"}, {"goto": "failed"}"#
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "shop": {"kind": "service", "url": "https://shop.example"}},
     "store": {"key": {"type": "string"}, "other": {"type": "string"}}, "memory": {"item": {"type": "string"}},
     "events": {"user.orders": {"fields": {"item": {"type": "string"}}}, "user.again": {}},
     "flows": {"order": {"ends": ["done", "not"], "start": "sending", "states": {
       "sending": {"do": [\#(sending)],
         "request": {"to": "shop", "\#(method)": "/orders", "headers": {"Idempotency-Key": "\#(key)"}},
         "next": [\#(decides ?? succeeds)]},
       "failed": {"rest": true, "on": {"user.again": {"goto": "sending"}}}}}},
     "start": "launch", "states": {
       "launch": {"do": [\#(launch)], "next": [{"goto": "cart"}]},
       "cart": {"rest": true, "on": {\#(beside) "user.orders": {"do": [\#(asked)], "goto": "ordering"}}},
       "ordering": {"call": "order", "next": [{"when": "result.ended == 'done'", "goto": "home"}, {"goto": "cart"}]},
       "home": {"goal": true, "on": {"user.again": {\#(again)}}}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "unsafe-retry" || $0.severity == .error }
    .map { "\($0.code): \($0.labels.first?.text ?? "")" }
}

/// What is to be another each time and is made once for all.
@Suite struct UnrenewedValueTests {
  private static let makes = #"{"set": {"state": "${fresh('state')}", "verifier": "${fresh('verifier')}"}}"#
  private static let both = ["state", "code_challenge"].map {
    "weak-grant: \("the next authorization request has the \"\($0)\" of the first: who knows that one".prefix(60))"
  }

  @Test func whatIsMadeAtTheStartIsTold() {
    #expect(signingIn(launch: Self.makes) == Self.both)
    #expect(signingIn(launch: Self.makes, pushes: true) == Self.both)
    #expect(signingIn(launch: Self.makes, state: "${config.prefix}-${memory.state}") == Self.both)
    let derived = Self.makes + #", {"set": {"made": "${s256(memory.verifier)}"}}"#
    #expect(signingIn(launch: derived, challenge: "${memory.made}") == Self.both)
  }

  @Test func whatATransitionOpensIsToldToo() {
    let query = #"{"response_type": "code", "state": "${memory.state}"}"#
    let opens = #"{"open": {"to": "id", "get": "/authorize", "query": \#(query)}}"#
    let found = signingIn(launch: Self.makes, asked: opens)
    #expect(found == [Self.both[0]] + Self.both)
    #expect(signingIn(asked: Self.makes + ", " + opens) == [])
  }

  @Test func whatIsMadeForEachIsNot() {
    for pushes in [false, true] {
      #expect(signingIn(asked: Self.makes, pushes: pushes) == [])
      #expect(signingIn(launch: Self.makes, home: #""do": [\#(Self.makes)],"#, pushes: pushes) == [])
      #expect(signingIn(launch: Self.makes, back: #""do": [{"clear": ["state", "verifier"]}],"#, pushes: pushes) == [])
    }
    #expect(signingIn(opening: Self.makes + ",") == [])
    #expect(signingIn(launch: Self.makes, state: "${memory.state}-${string(now)}") == [Self.both[1]])
  }

  /// A key that keeps what it has is another only where something clears it.
  @Test(arguments: [
    "present(memory.KEY) ? dyn(memory.KEY) : dyn(fresh('KEY'))", "memory.?KEY.orValue(fresh('KEY'))",
    "!present(memory.KEY) ? fresh('KEY') : memory.KEY",
  ]) func whatIsKeptIsTold(made: String) {
    let sets = ["state", "verifier"].map { "\"\($0)\": \"${\(made.replacing("KEY", with: $0))}\"" }
    let keeps = "{\"set\": {\(sets.joined(separator: ", "))}}"
    #expect(signingIn(opening: keeps + ",") == Self.both)
    for pushes in [false, true] {
      #expect(signingIn(asked: keeps, pushes: pushes) == Self.both)
      #expect(signingIn(asked: keeps, back: #""do": [{"clear": ["state", "verifier"]}],"#, pushes: pushes) == [])
      #expect(signingIn(asked: keeps, home: #""do": [\#(Self.makes)],"#, pushes: pushes) == [])
    }
    // Something else decides whether it is kept.
    let decided = keeps.replacing("present(memory.", with: "present(memory.uri) && present(memory.")
    if decided != keeps { #expect(signingIn(asked: decided) == []) }
  }

  /// One attempt may open the browser twice, and what nobody asks for again is sent once.
  @Test func whatIsNotAskedForAgainIsNot() {
    #expect(signingIn(launch: Self.makes, out: "home") == [])
    #expect(signingIn(launch: Self.makes, out: "home", pushes: true) == [])
  }

  private static let once = ["unsafe-retry: is not made anew"]
  private static let key = #"{"set": {"key": "${newId('key')}"}}"#

  @Test func aKeyThatIsMadeOnceIsToldWhereAnotherOrderHasIt() {
    #expect(ordering(launch: Self.key) == Self.once)
    #expect(ordering(launch: Self.key, key: "order-${store.key}") == Self.once)
    let copied = Self.key + #", {"set": {"other": "o-${store.key}"}}"#
    #expect(ordering(launch: copied, key: "${store.other}") == Self.once)
  }

  @Test func whatIsNoSuccessOrNoOrderIsNot() {
    for decides in [
      #"{"when": "response.failure != null || response.status != 201", "goto": "failed"}, {"end": "done"}"#,
      #"{"when": "response.status == 200 && response.json.ok == true", "end": "done"}, {"when": "response.status == 200", "goto": "failed"}, {"end": "not"}"#,
    ] {
      #expect(ordering(asked: Self.key, decides: decides) == [])
    }
    #expect(ordering(launch: Self.key, method: "put") == [])
  }

  @Test func aKeyOfItsOwnForEachOrderIsNot() {
    #expect(ordering(asked: Self.key) == [])
    #expect(ordering(launch: Self.key, answered: #""do": [{"clear": "key"}],"#) == [])
    #expect(ordering(launch: Self.key, answered: #""do": [\#(Self.key)],"#) == [])
    #expect(ordering(launch: Self.key, again: #""do": [\#(Self.key)], "goto": "cart""#) == [])
    let kept = #"{"set": {"key": "${present(store.key) ? store.key : newId('key')}"}}"#
    #expect(ordering(sending: kept) == Self.once)
    #expect(ordering(sending: kept, answered: #""do": [{"clear": "key"}],"#) == [])
  }

  /// A further try of the same has the same key; what is not asked for again has one for good.
  @Test func aFurtherTryIsNoOtherOrder() {
    #expect(ordering(launch: Self.key, again: #""goto": "home""#) == [])
    #expect(ordering(launch: Self.key, beside: #""user.again": {"do": [\#(Self.key)]},"#) == [])
    #expect(ordering(launch: Self.key, key: "${store.key}-${memory.item}") == [])
  }
}
