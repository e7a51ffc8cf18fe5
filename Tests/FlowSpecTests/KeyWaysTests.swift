import FlowSpec
import Testing

/// What each way to a state has set, or found to be there, needs no test in it; what some way leaves null is no time.
@Suite struct KeyWaysTests {
  /// `later` is entered from `first` and by an event of `waits`.
  private static func flow(
    _ later: String, first: String = #""next": [{"goto": "waits"}]"#, sets: String = #"{"set": {"until": "${now}"}}"#,
    when: String = "", more: String = ""
  ) -> String {
    """
    {"flow": "f", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
      "store": {"until": {"type": "timestamp"}, "old": {"type": "timestamp"}, "on": {"type": "bool", "initial": false}},
      "screens": {"x": {"fields": {"t": {"type": "bool"}}}}, "events": {"user.a": {}, "user.b": {}}, \(more)
      "start": "first", "states": {"first": {\(first)},
        "waits": {"rest": true, "on": {"user.a": {\(when) "do": [\(sets)], "goto": "later"}}},
        "later": {"goal": true, \(later)}}}
    """
  }

  private static func told(_ flow: String, sourceLocation: SourceLocation = #_sourceLocation) -> Int {
    var documents = Documents(texts: ["f.json": flow])
    let diagnostics = documents.flow("f.json").diagnostics
    let errors = diagnostics.filter { $0.severity == .error }
    #expect(errors.isEmpty, sourceLocation: sourceLocation)
    return diagnostics.count { $0.code == "may-be-null" }
  }

  private static let plus = #""after": [{"at": "${store.until + duration('1h')}", "goto": "waits"}]"#
  private static let bare = #""after": [{"at": "${store.until}", "goto": "waits"}]"#
  private static let shows = #""do": [{"show": {"x": {"t": "${store.until < now}"}}}]"#
  private static let asks = #""next": [{"when": "present(store.until)", "goto": "later"}, {"goto": "waits"}]"#
  private static let asksFirst = #""next": [{"when": "!present(store.until)", "goto": "waits"}, {"goto": "later"}]"#

  @Test(arguments: [plus, bare, shows, #""on": {"user.b": {"when": "store.until < now", "goto": "waits"}}"#])
  func whatEachWayHasSetOrFound(later: String) {
    #expect(Self.told(Self.flow(later)) == 0)
    #expect(Self.told(Self.flow(later, first: Self.asks)) == 0)
    #expect(Self.told(Self.flow(later, first: Self.asksFirst)) == 0)
    let partly = #""next": [{"when": "store.on && present(store.until)", "goto": "later"}, {"goto": "waits"}]"#
    #expect(Self.told(Self.flow(later, first: partly)) == 0)
  }

  /// What is made of the key itself leaves it there.
  @Test func whatIsMadeOfItselfStaysThere() {
    for (value, told) in [
      ("store.until < timestamp('2020-01-01T00:00:00Z') ? store.until + duration('1h') : store.until", 0),
      ("store.until < timestamp('2020-01-01T00:00:00Z') ? null : dyn(store.until)", 1),
      ("store.until > timestamp('2020-01-01T00:00:00Z') ? null : dyn(store.until)", 1),
    ] {
      let later = #""after": [{"at": "${store.until}", "goto": "later", "do": [{"set": {"until": "${\#(value)}"}}]}]"#
      #expect(Self.told(Self.flow(later)) == told, "\(value)")
    }
  }

  @Test func whatOneWayHasNot() {
    let first = #""next": [{"when": "device.online", "goto": "later"}, {"goto": "waits"}]"#
    for later in [Self.plus, Self.bare, Self.shows] {
      #expect(Self.told(Self.flow(later, first: first)) == 1, "\(later)")
    }
  }

  /// Whoever asks otherwise than that it shows whether it is there is not told of a time, and of the rest as ever.
  @Test func whatIsAskedForInAnotherWay() {
    let either = #""next": [{"when": "store.on || present(store.until)", "goto": "later"}, {"goto": "waits"}]"#
    #expect(Self.told(Self.flow(Self.bare, first: either)) == 0)
    #expect(Self.told(Self.flow(Self.plus, first: either)) == 1)
  }

  /// Keys are set together: one that is asked for tells of the others.
  @Test(arguments: ["present(store.old)", "store.on"])
  func whatIsSetAlongWithWhatIsAskedFor(when: String) {
    let both = #"{"set": {"until": "${now}", "old": "${now}", "on": true}}"#
    for first in [
      #""next": [{"when": "\#(when)", "goto": "later"}, {"goto": "waits"}]"#,
      #""next": [{"when": "!(\#(when))", "goto": "waits"}, {"goto": "later"}]"#,
    ] { #expect(Self.told(Self.flow(Self.bare, first: first, sets: both)) == 0) }
  }

  /// Whoever comes there because a key is unset finds it so.
  @Test(arguments: [
    ("expired(store.until)", true), ("!present(store.until)", true), ("isOver", true), ("store.until == null", true),
    ("store.on || !present(store.until)", true), ("device.online && isOver", false),
    ("store.on && !present(store.until)", false), ("!present(store.old) && store.on", false), ("!store.on", false),
    ("!present(store.old)", false), ("!present(store.old) || present(store.until)", false),
  ])
  func whatIsUnsetWhereThatIsAsked(when: String, isTold: Bool) {
    let lets = #""let": {"isOver": "expired(store.until)"},"#
    for first in [
      #""next": [{"when": "\#(when)", "goto": "later"}, {"goto": "waits"}]"#,
      #""next": [{"when": "!(\#(when))", "goto": "waits"}, {"goto": "later"}]"#,
      #""next": [{"when": {"any": ["\#(when)"]}, "goto": "later"}, {"goto": "waits"}]"#,
    ] {
      #expect(Self.told(Self.flow(Self.bare, first: first, more: lets)) == (isTold ? 1 : 0), "\(first)")
      // Where it is there it waits for it.
      let other = first.replacing("later", with: "_").replacing("waits", with: "later").replacing("_", with: "waits")
      if isTold { #expect(Self.told(Self.flow(Self.bare, first: other, more: lets)) == 0, "\(other)") }
    }
  }

  @Test func whatIsTakenAwayOnTheWay() {
    let cleared = #"{"set": {"until": "${now}"}}, {"clear": ["until"]}"#
    for later in [Self.plus, Self.bare, Self.shows] { #expect(Self.told(Self.flow(later, sets: cleared)) == 1) }
    // A copy may be null, and may not.
    let copied = #"{"set": {"until": "${store.old}"}}"#
    #expect(Self.told(Self.flow(Self.plus, sets: copied)) == 1)
    #expect(Self.told(Self.flow(Self.bare, sets: copied)) == 0)
  }

  @Test func whatMayBeTakenAwayMeanwhile() {
    let clears = #""user.b": {"do": [{"clear": ["until"]}]}"#
    #expect(Self.told(Self.flow(Self.plus + #", "on": {\#(clears)}"#)) == 1)
    let asks = #""on": {"user.b": {"when": "store.until < now", "goto": "waits"}}"#
    let called = #""call": "sub", "next": [{"when": "store.until < now", "goto": "waits"}, {"goto": "waits"}]"#
    let sub =
      #""flows": {"sub": {"ends": ["e"], "start": "s", "states": {"s": {"do": [{"clear": ["until"]}], "end": "e"}}}},"#
    #expect(Self.told(Self.flow(asks)) == 0)
    #expect(Self.told(Self.flow(called, more: sub)) == 1)
  }

  /// What a sub-flow may set is not known behind it, and nobody is told that it is missing.
  @Test func whatASubflowMaySet() {
    let next = #""next": [{"when": "store.on", "do": [{"set": {"until": "${now}"}}], "end": "e"}, {"end": "e"}]"#
    let sub = #""flows": {"sub": {"ends": ["e"], "start": "s", "states": {"s": {\#(next)}}}},"#
    let first = #""call": "sub", "next": [{"goto": "later"}]"#
    #expect(Self.told(Self.flow(Self.bare, first: first, more: sub)) == 0)
    #expect(Self.told(Self.flow(Self.plus, first: first, more: sub)) == 1)
  }

  /// Its timer is armed behind its `do`.
  @Test func whatTheStateSetsItself() {
    let sets = #""do": [{"set": {"until": "${now}"}}], "#
    let first = #""next": [{"goto": "later"}]"#
    #expect(Self.told(Self.flow(sets + Self.bare, first: first)) == 0)
    #expect(Self.told(Self.flow(sets + Self.plus, first: first)) == 0)
    #expect(Self.told(Self.flow(#""do": [{"clear": ["until"]}], "# + Self.bare)) == 1)
  }

  @Test func aCompoundStateArmsItsTimersFirst() {
    let inside =
      #""start": "in", "states": {"in": {"on": {"user.b": {"do": [{"clear": ["until"]}], "goto": "waits"}}}}, "#
    #expect(Self.told(Self.flow(inside + Self.bare)) == 0)
    #expect(Self.told(Self.flow(inside + Self.bare, first: #""next": [{"goto": "in"}]"#)) == 1)
  }

  // MARK: Tests that stand elsewhere

  /// The lines of a list are looked at in order.
  @Test func aTestCountsForTheLinesBehindIt() {
    func told(_ when: String) -> Int {
      Self.told(Self.flow(#""title": "L""#, when: #""when": \#(when),"#))
    }
    #expect(told(#"{"all": ["present(store.until)", "store.until < now"]}"#) == 0)
    #expect(told(#"{"all": ["store.until < now", "present(store.until)"]}"#) == 1)
    #expect(told(#"{"any": ["!present(store.until)", "store.until < now"]}"#) == 0)
    #expect(told(#"{"any": ["store.until < now", "!present(store.until)"]}"#) == 1)
    #expect(told(#"{"all": ["store.on", {"any": ["present(store.until)"]}, {"not": "store.until < now"}]}"#) == 0)
  }

  @Test(arguments: [
    ("present(store.until) || store.until < now", 1), ("!present(store.until) && store.until < now", 1),
    ("present(store.until) ? store.until < now : store.until > now", 1),
    ("store.until == null && store.until < now", 1),
    ("present(store.until) && store.until < now", 0), ("!present(store.until) || store.until < now", 0),
    ("store.until < now && present(store.until)", 0), ("store.until == null || store.until < now", 0),
    ("present(store.until) ? store.until < now : store.on", 0),
    // What else is read may decide.
    ("store.on || present(store.until) || store.until < now", 0),
  ])
  func aTestOnTheWrongSide(when: String, told: Int) {
    let flow = Self.flow(#""title": "L""#, when: #""when": "\#(when)","#)
      .replacing("< now", with: "< timestamp('2030-01-01T00:00:00Z')")
      .replacing("> now", with: "> timestamp('2030-01-01T00:00:00Z')")
    #expect(Self.told(flow) == told)
  }

  // MARK: What takes a value

  @Test(arguments: [
    ("size(store.name) > 0", 1), ("store.name.startsWith('a')", 1), ("int(store.name) > 0", 1),
    ("isInt(store.name) && int(store.name) > 0", 0), ("present(store.name) && store.name.startsWith('a')", 0),
    ("present(store.name)", 0), ("same(store.name, 'a')", 0), ("size(store.full) > 0", 0),
    ("store.rows[?'a'].?name.orValue('').size() > 0", 0),
  ])
  func aFunctionOfWhatMayBeNull(when: String, told: Int) {
    let flow = Self.flow(#""title": "L""#, when: #""when": "\#(when)","#)
      .replacing(
        #""store": {"#,
        with:
          #""store": {"name": {"type": "string"}, "full": {"type": "string", "initial": "x"}, "rows": {"rows": {"name": {"type": "string"}}}, "#
      )
    #expect(Self.told(flow) == told)
  }

  /// What came of an event or an answer may have been looked at, and what is kept of it may be there.
  @Test func aFunctionOfWhatSomethingElseTellsOf() {
    let typed = #""user.types": {"fields": {"text": {"type": "string"}}}, "#
    func told(_ handler: String, _ later: String) -> Int {
      let flow = Self.flow(later, sets: #"{"set": {"name": "n"}}"#).replacing(
        #""user.a": {}, "#, with: #""user.a": {}, \#(typed)"#
      )
      .replacing(#""rest": true, "on": {"#, with: #""rest": true, "on": {"user.types": \#(handler), "#)
      .replacing(#""store": {"#, with: #""store": {"name": {"type": "string"}, "n": {"type": "int"}, "#)
      return Self.told(flow)
    }
    let hashes = #""do": [{"show": {"x": {"t": "${s256(store.name) == 'a'}"}}}]"#
    let keeps = #"{"when": "present(event.text)", "do": [{"set": {"name": "${event.text}"}}], "goto": "later"}"#
    #expect(told(keeps, hashes) == 0)
    let reads = #"[{"when": "!isInt(event.text)", "goto": "later"}, {"do": [{"set": {"n": "${int(event.text)}"}}]}]"#
    #expect(told(reads, #""title": "L""#) == 0)
    let asks = #"[{"when": "store.on", "goto": "later"}, {"when": "size(store.name) > 0", "goto": "later"}]"#
    #expect(told(asks, #""title": "L""#) == 0)
  }

  @Test func anInitialNullIsNone() {
    let flow = Self.flow(#""title": "L""#, when: #""when": "store.n > 3","#)
    func told(_ initial: String) -> Int {
      Self.told(flow.replacing(#""store": {"#, with: #""store": {"n": {"type": "int"\#(initial)}, "#))
    }
    #expect(told("") == 1)
    #expect(told(#", "initial": null"#) == 1)
    #expect(told(#", "initial": 0"#) == 0)
  }

  @Test(arguments: ["${string(1)}", "${fresh('v')}", "${s256('a')}", "${store.full}"])
  func aTextThatIsSurelySet(value: String) {
    let sets = #"{"set": {"name": "\#(value)"}}, {"show": {"x": {"t": "${'a' + store.name == 'b'}"}}}"#
    let flow = Self.flow(#""title": "L""#, sets: sets).replacing(
      #""store": {"#, with: #""store": {"name": {"type": "string"}, "full": {"type": "string", "initial": "x"}, "#)
    #expect(Self.told(flow) == 0)
  }
}
