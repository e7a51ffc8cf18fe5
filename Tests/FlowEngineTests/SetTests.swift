import FlowSpec
import Testing

@testable import FlowEngine

/// Sections 3 and 4: `set`, `clear`, tables.
@Suite struct SetTests {
  private static let store = #"""
    "store": {
      "a": {"type": "int", "initial": 1}, "b": {"type": "int", "initial": 2}, "s": {"type": "string", "group": "g"},
      "d": {"type": "double", "group": ["g", "h"], "initial": 0.5}, "at": {"type": "timestamp"}, "span": {"type": "duration"}, "kind": {"one of": ["A", "B"]},
      "flag": {"type": "bool", "initial": true}, "list": {"type": "list"}, "map": {"type": "map"}, "any": {"type": "json"},
      "users": {"group": "h", "rows": {"name": {"type": "string"}, "ok": {"type": "bool", "initial": false}, "n": {"type": "int", "initial": 4}},
        "initial": {"ada": {"name": "Ada"}}}},
    """#

  private static func doing(_ actions: String) -> Sketch {
    Sketch(
      flow: #"""
        \#(store) "config": {"raw": {"type": "json", "value": {"n": 1, "s": "x", "kind": "C", "row": {"n": "no"}, "none": null}}},
        "start": "go", "states": {"go": {"goal": true, "do": [\#(actions)]}}
        """#)
  }

  private static func check(_ actions: String, _ expected: String) throws {
    try checkStory(doing(actions), has: "in go\n\(expected)\nended at goal \"go\"")
    try checkUntold(actions)
  }

  /// What nobody is told of is written in other ways, and comes to the same.
  private static func checkUntold(_ actions: String) throws {
    let world = World(try doing(actions).load())
    let told = Running.runAutomatically(world, recording: true)
    let untold = Running.runAutomatically(world, recording: false)
    #expect(told.snapshot == untold.snapshot)
    #expect(told.problems == untold.problems)
  }

  private static let see = #"{"show": {"users": {"u": "${store.users}"}}}"#

  @Test func allRightSidesAreEvaluatedBeforeAnyKeyChanges() throws {
    try Self.check(#"{"set": {"a": "${store.b}", "b": "${store.a}"}}"#, "set a = 2, b = 1")
    try Self.check(
      #"{"set": {"s": "bob", "users[store.s == null ? 'nobody' : store.s].n": 1}}"#, "set s = bob, users[nobody].n = 1")
  }

  @Test func anAbsentOptionalLeavesTheKey() throws {
    try Self.check(#"{"set": {"a": 5, "s": "${config.raw.?nothing}"}}"#, "set a = 5")
    try Self.check(#"{"set": {"s": "x"}}, {"set": {"s": "${config.raw.?none}", "a": 3}}"#, "set s = x\nset a = 3")
  }

  @Test func nullUnsets() throws {
    try Self.check(
      #"{"set": {"s": "x", "a": 7}}, {"set": {"s": null, "a": null}}"#, "set s = x, a = 7\nset s = null, a = 1")
  }

  @Test func valuesKeepTheTypeOfTheirKey() throws {
    try Self.check(#"{"set": {"d": "${config.raw.n}", "s": "n ${config.raw.n}"}}"#, "set d = 1.0, s = n 1")
    try Self.check(
      #"{"set": {"at": "2026-02-03T04:05:06Z", "span": "1h", "kind": "B"}}"#,
      "set at = \"2026-02-03T04:05:06Z\", span = \"3600s\", kind = B")
    try Self.check(
      #"{"set": {"list": [1, "${store.a}"], "map": {"x": "${store.b}"}, "any": "${config.raw.s}"}}"#,
      #"set list = [1,1], map = {"x":2}, any = x"#)
  }

  /// It is written so for the next launch, and no launch has it otherwise.
  @Test func whatHasNoTypeIsKeptAsJSON() throws {
    let held = #"{"at":"2026-01-01T09:00:00Z","for":["60s"],"n":null,"m":{"1":true}}"#
    let sees = "store.any == {'at': '2026-01-01T09:00:00Z', 'for': ['60s'], 'n': null, 'm': {'1': true}}"
    try Self.check(
      #"{"set": {"any": {"at": "${now}", "for": ["${duration('1m')}"], "n": "${0.0/0.0}", "m": "${{1: true}}"}}}, {"show": {"v": {"same": "${\#(sees)}"}}}"#,
      "set any = \(held)\nshow v {same=true}")
    try Self.check(
      #"{"set": {"list": ["${now}"], "map": {"x": "${[store.?s]}"}}}, {"show": {"v": {"same": "${store.list == ['2026-01-01T09:00:00Z'] && store.map.x == [null]}"}}}"#,
      "set list = [\"2026-01-01T09:00:00Z\"], map = {\"x\":[null]}\nshow v {same=true}")
    for none in ["0.0/0.0", "1.0/0.0", "-1.0/0.0"] {
      try Self.check(#"{"set": {"d": 1.0}}, {"set": {"d": "${\#(none)}"}}"#, "set d = 1.0\nset d = 0.5")
      try Self.check(#"{"set": {"any": {"n": ["${\#(none)}", 1.5]}}}"#, #"set any = {"n":[null,1.5]}"#)
    }
  }

  @Test func twoKeysThatBecomeOneAreARunErrorAtTheirPlace() throws {
    for key in ["any", "map"] {
      try checkProblem(
        Self.doing(#"{"set": {"a": 3, "\#(key)": {"in": ["${{1: 1, '1': 2}}"]}}}"#), is: "repeated-key",
        at: "\"${{1: 1, '1': 2}}\"", says: #"would both be "1" in JSON"#)
    }
    // What is told is written as JSON, too, whether anybody hears of it or not.
    for value in ["${{1: 1, '1': 2}}", "${[{1: 1, '1': 2}]}"] {
      let action = #"{"show": {"v": {"m": "\#(value)"}}}"#
      let outcome = Running.runAutomatically(World(try Self.doing(action).load()), recording: false)
      #expect(outcome.problems.map(\.code) == ["repeated-key"])
      try checkProblem(Self.doing(action), is: "repeated-key", at: "\"\(value)\"", says: #"would both be "1" in JSON"#)
    }
  }

  /// Its tokens have instants among their claims.
  @Test func whatAModelHoldsKeepsItsTypes() throws {
    let sketch = Sketch(
      flow: #"""
        "start": "ask", "states": {"ask": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "done",
          "do": [{"show": {"v": {"exp": "${claims(response.json.token).exp}"}}}]}]}, "done": {"goal": true}}
        """#,
      services: [
        "api": #"""
        "store": {"kept": {"type": "map"}}, "routes": [{"on": "GET /x", "next": [{"goto": "answering"}]}],
        "states": {"answering": {"do": [{"set": {"kept": {"exp": "${now}"}}}],
          "next": [{"reply": {"json": {"token": "${jwt(store.kept)}"}}}]}}
        """#
      ])
    try checkStory(sketch, has: "show v {exp=1767258000}")
  }

  /// What decided is to be seen in a golden: not all rows, but how many there are.
  @Test(arguments: [
    ("size(store.t) > 1", #","with":{"store.t":"2 rows"}"#), ("'z' in store.t", ""),
    ("'a' in store.t && store.t['a'].who == 'y'", #","with":{"store.t['a'].who":"x"}"#),
    ("store.t.exists(k, store.t[k].who == 'y')", #","with":{"store.t":"2 rows"}"#),
    ("many", #","with":{"store.t":"2 rows"}"#),
  ]) func aTableThatIsCountedIsShownByItsRows(condition: String, shown: String) throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"t": {"rows": {"who": {"type": "string"}}, "initial": {"a": {"who": "x"}, "b": {"who": "x"}}}},
        "let": {"many": "store.t.filter(k, k != 'c').size() >= 2"}, "start": "go", "states": {
          "go": {"next": [{"when": "\#(condition)", "goto": "done"}, {"goto": "done"}]}, "done": {"goal": true}}
        """#)
    let trace = String(decoding: TraceWriter.trace(of: try sketch.run(), scenario: nil), as: UTF8.self)
    let holds = trace.contains(#""holds":true"#)
    #expect(trace.contains(#""when":"\#(condition)","holds":\#(holds)\#(shown)}"#), "\(trace)")
  }

  @Test func whatIsSecretOrFreshStaysSoAsJSON() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"key": {"type": "string", "secret": true}, "any": {"type": "json"}, "hidden": {"type": "json", "secret": true}},
        "start": "go", "states": {"go": {"goal": true, "do": [
          {"set": {"key": "${fresh('k')}"}}, {"set": {"any": {"at": "${now}", "key": "${store.key}"}, "hidden": {"at": "${now}"}}},
          {"show": {"v": {"same": "${store.any.key == store.key}", "any": "${store.any}"}}}]}}
        """#)
    let trace = String(decoding: TraceWriter.trace(of: try sketch.run(), scenario: nil), as: UTF8.self)
    #expect(trace.contains(#""with":{"same":true,"any":{"at":"<hidden#2>","key":"<key#1>"}}"#), "\(trace)")
  }

  @Test(arguments: [
    #""a": "${config.raw.s}""#, #""s": "${config.raw.n}""#, #""flag": "${config.raw.n}""#, #""at": "${config.raw.s}""#,
    #""list": "${config.raw.s}""#, #""users['x'].n": "${config.raw.s}""#, #""kind": "${config.raw.kind}""#,
    #""users['x']": "${config.raw.row}""#, #""users['x']": "${config.raw.n}""#,
  ]) func aDynamicValueOfTheWrongTypeIsARunError(assignment: String) throws {
    let outcome = try Self.doing("{\"set\": {\(assignment)}}").run()
    #expect(Story.codes(of: outcome).first == "wrong-type")
  }

  @Test(arguments: [
    ("claims(config.raw.token).?name", #""claims(config.raw.token).?name", made of "config.raw.token", is a map"#),
    ("config.raw.map", #""config.raw.map" is a map"#),
  ]) func ofAValueOfTheWrongTypeItIsToldWhatItIs(value: String, words: String) throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"s": {"type": "string"}},
        "config": {"raw": {"type": "json", "value": {"token": "e30.eyJuYW1lIjp7ImEiOjF9fQ.x", "map": {}}}},
        "start": "go", "states": {"go": {"goal": true, "do": [{"set": {"s": "${\#(value)}"}}]}}
        """#)
    #expect(try sketch.run().problems.map(\.message) == [words + ", where a string is needed"])
  }

  @Test func theWordsThatASecretCanBeAreNotTold() throws {
    let sketch = Sketch(
      flow: #"""
        "store": {"kind": {"secret": true, "one of": ["A", "B"]}}, "config": {"raw": {"type": "json", "value": "C"}},
        "start": "go", "states": {"go": {"goal": true, "do": [{"set": {"kind": "${config.raw}"}}]}}
        """#)
    #expect(try sketch.run().problems.map(\.message) == ["\"kind\" is one of a few secrets, and another string came"])
  }

  @Test func ofSeveralFieldsOfTheWrongTypeTheFirstDeclaredIsTold() throws {
    let written = #"{"n": "${config.raw.s}", "ok": "${config.raw.n}", "name": "${config.raw.n}"}"#
    let outcome = try Self.doing("{\"set\": {\"users['x']\": \(written)}}").run()
    #expect(outcome.problems.map(\.message) == ["\"config.raw.n\" is an int, where a string is needed"])
  }

  @Test func clearRestoresKeysAndGroups() throws {
    try Self.check(
      #"{"set": {"a": 5, "s": "x", "d": 3.0, "users['bob'].n": 2}}, {"clear": ["a", "g"]}"#,
      "set a = 5, s = x, d = 3.0, users[bob].n = 2\nset a = 1, s = null, d = 0.5")
    try Self.check(
      #"{"set": {"users['bob'].n": 2}}, {"clear": "h"}, \#(Self.see)"#,
      #"show users {u={"ada":{"name":"Ada","ok":false,"n":4}}}"#)
  }

  @Test func aMissingRowIsMadeWithItsInitials() throws {
    try Self.check(
      #"{"set": {"users['bob'].name": "Bob"}}, \#(Self.see)"#,
      #"show users {u={"ada":{"name":"Ada","ok":false,"n":4},"bob":{"name":"Bob","ok":false,"n":4}}}"#)
  }

  @Test func aRowThatIsMadeIsAChangeThoughNothingElseIs() throws {
    for (field, value) in [("ok", "false"), ("name", "null")] {
      try Self.check(#"{"set": {"users['bob'].\#(field)": \#(value)}}"#, "set users[bob].\(field) = \(value)")
      let outcome = try Self.doing(#"{"set": {"users['bob'].\#(field)": \#(value)}}"#).run()
      let trace = String(decoding: TraceWriter.trace(of: outcome, scenario: nil), as: UTF8.self)
      #expect(trace.contains(#"[{"path":"users[bob].\#(field)","old":null,"new":\#(value)}]"#), "\(trace)")
    }
    try Self.check(#"{"set": {"users['ada'].ok": false}}, {"set": {"a": 5}}"#, "set a = 5")
  }

  @Test func aWholeRowReplacesTheRow() throws {
    try Self.check(
      #"{"set": {"users['ada'].n": 9}}, {"set": {"users['ada']": {"name": "Lovelace"}}}, \#(Self.see)"#,
      #"show users {u={"ada":{"name":"Lovelace","ok":false,"n":4}}}"#)
  }

  @Test func aRowIsInDeclaredOrderHoweverItIsWritten() throws {
    try Self.check(
      #"{"set": {"users['x']": {"n": "${config.raw.n}", "name": "X"}}}, \#(Self.see)"#,
      #"show users {u={"ada":{"name":"Ada","ok":false,"n":4},"x":{"name":"X","ok":false,"n":1}}}"#)
    try Self.check(
      #"{"set": {"users['ada']": {"ok": true, "n": "${config.raw.none}", "name": null}}}, \#(Self.see)"#,
      #"show users {u={"ada":{"name":null,"ok":true,"n":4}}}"#)
  }

  @Test func clearDeletesARowAndRestoresAField() throws {
    try Self.check(#"{"clear": ["users['ada']"]}, \#(Self.see)"#, "set users[ada] = null\nshow users {u={}}")
    try Self.check(
      #"{"set": {"users['ada'].n": 9}}, {"clear": ["users['ada'].n", "users['nobody'].n"]}, \#(Self.see)"#,
      #"set users[ada].n = 4\#nshow users {u={"ada":{"name":"Ada","ok":false,"n":4}}}"#)
    try Self.check(#"{"set": {"users['ada']": "${config.raw.none}"}}, \#(Self.see)"#, "show users {u={}}")
  }

  @Test(arguments: [
    (#""at": "${config.raw.s}""#, "timestamp(…) makes a timestamp of it"),
    (#""at": "${config.raw.row}""#, "check what the peer answered"),
    (#""users['ada'].name": "${config.raw.n}""#, "string(…) makes a string of it"),
    (#""users['ada'].n": "${config.raw.s}""#, "int(…) makes an int of it"),
  ]) func whatMakesAValueOfAnotherIsTold(assignment: String, help: String) throws {
    let problem = try #require(try Self.doing("{\"set\": {\(assignment)}}").run().problems.first)
    #expect(problem.help?.contains(help) == true)
  }

  @Test func tablesAreGoneThroughInTheOrderOfMaking() throws {
    try Self.check(
      #"{"set": {"users['z'].n": 1}}, {"set": {"users['b'].n": 1}}, {"clear": ["users['z']"]}, {"set": {"users['z'].n": 2}}, {"set": {"users['b'].n": 3}}, {"show": {"keys": {"k": "${store.users.map(u, u)}"}}}"#,
      #"show keys {k=["ada","b","z"]}"#)
  }

  @Test func anEmptyRowNameIsAnError() throws {
    try checkProblem(
      Self.doing(#"{"set": {"users[config.raw.s.substring(0, 0)].n": 1}}"#), is: "row-key",
      at: "\"users[config.raw.s.substring(0, 0)].n\"",
      says: "not by an empty string; come here only where it is set")
  }

  @Test func aFailedSetChangesNothing() throws {
    let outcome = try Self.doing(#"{"set": {"a": 9, "b": "${config.raw.s}"}}"#).run()
    #expect(Story.codes(of: outcome).first == "wrong-type")
    #expect(Story.storeValues(of: outcome).prefix(2) == ["1", "2"])
    try Self.checkUntold(#"{"set": {"a": 9, "b": "${config.raw.s}"}}"#)
    try Self.checkUntold(#"{"set": {"b": "${config.raw.s}"}}"#)
  }

  @Test func aDeclaredFieldAlwaysExists() throws {
    try Self.check(
      #"{"show": {"v": {"s": "${store.s}", "has": "${has(store.s)}", "or": "${store.?s.orValue('none')}", "list": "${store.list.size()}", "row": "${store.users['ada'].name}"}}}"#,
      "show v {s=null, has=false, or=none, list=0, row=Ada}")
  }
}
