import FlowSpec
import Testing

/// The circles that are told of a flow of these states.
private func told(
  _ states: String, _ memory: String = #""v": {"type": "string"}"#, more: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "device": {"kind": "device"}, "s": {"kind": "service", "url": "https://s.example"}},
      "config": {"name": {"type": "string", "value": "x"}, "most": {"type": "int", "value": 2}},
      "store": {"n": {"type": "int", "initial": 1}, "pending": {"type": "string"}}, "memory": {\#(memory)},
      "events": {"user.asks": {"fields": {"what": {"type": "string"}}}}, "start": "launch", "states": {\#(states),
        "home": {"goal": true, "on": {"user.asks": {"do": [{"set": {"pending": "${event.what}"}}\#(more)], "goto": "launch"}}}}}
    """#
  ])
  let found = documents.flow("x.json").diagnostics
  #expect(!found.contains { $0.severity == .error }, "\(found)")
  return found.filter { $0.code == "loop-without-wait" }.compactMap(\.help)
    .map { $0.replacing("; a count is no wait where it goes on for more than 3 rounds", with: "") }
}

/// Circles that nobody can go round, as they end by what they write themselves.
@Suite struct ImpossibleCircleTests {
  private static func making(_ value: String, when: String) -> String {
    #""launch": {"next": [{"name": "make", "when": "\#(when)", "do": [{"set": {"v": "\#(value)"}}], "goto": "launch"}, {"goto": "home"}]}"#
  }
  private static let made = [#"launch → launch: goes round without a wait while it takes "make""#]

  /// What is made is there, whatever it is.
  @Test(arguments: [
    "${fresh('v')}", "${newId('v')}", "${'a' + fresh('v')}", "${s256(fresh('v'))}", "v-${store.n}",
    "${store.n > 1 ? 'many' : 'one'}",
  ]) func whatIsMadeOnceIsNoCircle(value: String) {
    for when in [
      "!present(memory.v)", "memory.v == null", "!has(memory.v)", "device.online && memory.?v.orValue('') == ''",
    ] {
      #expect(told(Self.making(value, when: when)) == [], "\(when)")
    }
    // The other way round: what is there already leads on.
    let other = Self.making(value, when: "true").replacing(
      #"{"name": "make", "when": "true", "#, with: #"{"when": "present(memory.v)", "goto": "home"}, {"name": "make", "#
    ).replacing(#", {"goto": "home"}"#, with: "")
    #expect(told(other) == [], "\(other)")
  }

  @Test func whatIsMadeMayBeAnything() {
    for when in ["memory.v != 'x'", "!present(memory.v) || device.online", "size(memory.?v.orValue('')) < 9"] {
      #expect(told(Self.making("${config.name}", when: when)) == Self.made, "\(when)")
    }
    for value in ["${store.?pending}", "${store.pending}", "${device.online ? store.pending : 'x'}", "${null}"] {
      #expect(told(Self.making(value, when: "!present(memory.v)")) == Self.made, "\(value)")
    }
    // A text that is made may be empty, and then nothing is there.
    for value in ["${config.name}", "${store.?pending.orValue('')}", "${store.?pending.orValue(' ').trim()}"] {
      #expect(told(Self.making(value, when: "!present(memory.v)")) == Self.made, "\(value)")
    }
    #expect(told(Self.making("v-${store.n}", when: "size(memory.?v.orValue('')) != 9")) == Self.made)
    // Only a run knows the one of two that it is.
    let chosen = "${store.n > 1 ? 'many' : 'one'}"
    #expect(told(Self.making(chosen, when: "memory.v != 'many'")) == Self.made)
    #expect(told(Self.making(chosen, when: "!(memory.v in ['one', 'many'])")) == [])
  }

  @Test(arguments: [
    ("timestamp", "${now}", "memory.v == null"),
    ("int", "${store.n}", "!present(memory.v)"), ("duration", "${duration('1m')}", "!has(memory.v)"),
  ]) func whatIsNoTextIsThere(type: String, value: String, when: String) {
    #expect(told(Self.making(value, when: when), #""v": {"type": "\#(type)"}"#) == [])
  }

  /// After three rounds it ends, as tries at once do; many more do harm.
  @Test(arguments: [
    ("memory.v < 1", "${memory.v + 1}", true), ("memory.v < 3", "${1 + memory.v}", true),
    ("memory.v < 4", "${memory.v + 1}", false), ("memory.v < 7", "${memory.v + 3}", true),
    ("memory.v > -3", "${memory.v - 1}", true), ("memory.v > -3", "${memory.v + 1}", false),
    ("memory.v < config.most && device.online", "${memory.v + 1}", true),
    ("memory.v < store.n", "${memory.v + 1}", false),
    ("memory.v != 3", "${memory.v + 2}", false), ("memory.v % 2 == 0", "${memory.v + 1}", false),
    ("memory.v < 3", "${memory.v + store.n}", false), ("memory.v < 18", "${memory.v == 12 ? 0 : memory.v + 6}", false),
    ("memory.v < 3", "${memory.v * 1}", false),
  ]) func whatIsCountedEnds(when: String, value: String, ends: Bool) {
    let count = #""v": {"type": "int", "initial": 0}"#
    #expect(told(Self.making(value, when: when), count) == (ends ? [] : Self.made))
    // From where it is set to elsewhere.
    let back = #", {"set": {"v": -9}}"#
    let isFarther = !value.contains("- 1")
    #expect(
      told(Self.making(value, when: when), count, more: back) == (ends && !isFarther ? [] : Self.made))
    #expect(told(Self.making(value, when: when), count, more: #", {"set": {"v": "${store.n}"}}"#) == Self.made)
  }

  private static func looking(over: String, later: String, again: String) -> String {
    #"""
    "launch": {"next": [{"when": "present(store.pending)", "goto": "looking"}, {"goto": "loading"}]},
    "looking": {"request": {"to": "s", "post": "/look", "json": {"what": "${store.?pending}"}}, "next": [
      {"name": "over", "when": "response.status == 410", "do": [\#(over)], "goto": "loading"},
      {"name": "not now", "do": [\#(later)], "goto": "loading"}]},
    "loading": {"request": {"to": "s", "get": "/me"}, "next": [
      {"name": "pending", "when": "\#(again)", "goto": "looking"}, {"goto": "home"}]}
    """#
  }
  private static let keys = #""later": {"type": "bool", "initial": false}"#
  private static let (clears, puts) = (#"{"clear": "pending"}"#, #"{"set": {"later": true}}"#)
  private static let again = "present(store.pending) && !memory.later"
  private static func circle(_ name: String) -> String {
    #"looking → loading → looking: goes round without a wait while it takes "\#(name)", "pending""#
  }

  /// Each way back by its own key; one that changes neither is told alone.
  @Test func eachWayBackMayEndByAnotherKey() {
    func found(_ over: String, _ later: String, _ again: String = Self.again) -> [String] {
      told(Self.looking(over: over, later: later, again: again), Self.keys)
    }
    #expect(found(Self.clears, Self.puts) == [])
    #expect(found(Self.puts, Self.clears) == [])
    #expect(found(Self.clears, "") == [Self.circle("not now")])
    #expect(found("", Self.puts) == [Self.circle("over")])
    #expect(found(#"{"set": {"later": false}}"#, Self.puts) == [Self.circle("over")])
    #expect(found(Self.clears, Self.puts, "present(store.pending) || !memory.later").count == 2)
  }

  /// Two decisions that set what the other asks for go round together, by one circle that has both.
  @Test func aCircleHasAllThatKeepsItGoing() {
    let states = #"""
      "launch": {"next": [{"name": "on", "when": "!memory.later", "do": [{"set": {"later": true}}], "goto": "launch"},
        {"name": "off", "when": "memory.later && device.online", "do": [{"set": {"later": false}}], "goto": "launch"}, {"goto": "home"}]}
      """#
    #expect(
      told(states, Self.keys) == [
        #"launch → launch → launch: goes round without a wait while it takes "on", "off""#
      ])
  }
}
