import Testing

@testable import Expressions

@Suite struct FactTests {
  @Test func namesTheLargestSelections() throws {
    try checkReadings("response.json.error == 'x' && store.id == store.id", ["response.json.error", "store.id"])
    try checkReadings("store.users[store.id].status == 'NEW'", ["store.users[store.id].status", "store.id"])
    try checkReadings(
      "store.users.exists(u, store.users[u].status == 'NEW' && u != store.id)", ["store.users", "store.id"])
    try checkReadings("canRefresh && has(store.unset)", ["store.token", "store.unset"])
    try checkReadings("expired(store.expiresAt, '60s')", ["store.expiresAt", "now"])
    try checkReadings("[1].all(x, x > 0)", [])
  }

  @Test func readsWhatItNames() throws {
    var frame = World.frame
    let expression = try Expression.compile(
      "store.users[store.id].status == 'NEW' && response.json.?none == response.json.missing", in: World.scope)
    let values = expression.readings.map { $0.evaluate(&frame).map(World.shown) }
    #expect(values == [#""ACTIVE""#, #""u-1""#, nil, nil])
  }

  @Test(arguments: [
    ("present(store.token) && !present(store.token)", "both never do"),
    ("store.registered && !store.registered", "both"),
    ("!store.registered || store.registered", "one of them always"),
    ("store.id == 'a' && store.id != 'a'", "both never"),
    ("store.id == 'a' || store.id != 'a'", "one of them always"),
    ("store.id == 'a' && 'b' == store.id", "two things"),
    ("store.id != 'a' || store.id != 'b'", "always differs"),
    ("!(store.id == 'a') || store.id != 'b'", "always differs"),
    ("response.status > 500 && response.status < 400", "both never"),
    ("500 < response.status && response.status == 402", "both"),
    ("response.status >= 500 && store.registered && response.status < 500", "both never"),
    ("response.status < 500 || response.status >= 500", "one of them always"),
    ("response.json.a > 1.5 && response.json.a <= 1", "both never"),
    ("present(store.registered)", "always there"), ("!present(response.status)", "always there"),
  ]) func testsThatTellNothingTogetherAreNoted(source: String, words: String) throws {
    let doubts = try Expression.compile(source, in: World.scope).facts.doubts.map(\.problem)
    #expect(doubts.map(\.code) == ["constant-condition"] && doubts[0].message.contains(words), "\(doubts)")
  }

  @Test(arguments: [
    "response.status >= 500 && response.status <= 500", "response.status > 400 && response.status < 500",
    "response.status == 400 || response.status == 401", "store.id != 'a' && store.id != 'b'",
    "!store.registered && known", "present(store.count)", "present(store.kind)", "present(store.codes)",
    "store.registered || present(store.token)", "response.status > 400 || response.status < 500 && known",
    "fresh('a') == 'x' && !present(fresh('a'))", "store.id != 'a' && response.status != 1",
    "response.json.a == 1 && response.json.b != 1", "response.status > 400 || response.status > 500",
    "(store.registered || known) && (!store.registered || canRefresh)",
  ]) func testsThatTellSomethingTogetherAreNot(source: String) throws {
    #expect(try Expression.compile(source, in: World.scope).facts.doubts.map(\.problem).isEmpty)
  }

  @Test(arguments: [
    ("response.json.a", ["response.json.a"]), ("store.?token", ["store.?token"]),
    ("string(response.json.a)", ["response.json.a"]), ("dyn(string(response.json.a))", ["response.json.a"]),
    ("response.json.?a.orValue(response.json.b)", ["response.json.?a", "response.json.b"]),
    ("known ? dyn(response.json.a) : null", ["response.json.a"]),
    ("known ? response.json.a : string(response.json.a)", ["response.json.a"]),
    ("'a' + response.json.a", []), ("response.json.a == 'a'", []), ("size(response.json.a)", []),
    ("response.json.a.trim()", []), ("[response.json.a]", []), ("claims(response.json.a).?b.orValue('')", []),
  ]) func knowsWhatIsHandedOnAsItIs(source: String, names: [String]) throws {
    #expect(try Expression.compile(source, in: World.scope).handedOn == names)
  }

  /// Who asks whether something is there uses no value of it.
  @Test(arguments: [
    ("present(store.id)", []), ("!present(store.id)", []), ("has(store.id)", []), ("store.id != null", []),
    ("'' == store.id", []), ("store.id in [null, '']", []), ("size(store.id) > 0", []), ("store.id.size() > 0", []),
    ("isString(response.json.a)", []), ("store.?id.hasValue()", []), ("store.?id.orValue('') != ''", []),
    ("(present(store.id) ? store.id : '') == ''", []), ("present(kindly)", []),
    ("present(kindly) || kindly != null", []),
    ("same(store.id, store.state)", ["store.id", "store.state"]), ("store.id == 'a'", ["store.id"]),
    ("present(store.id) && store.id == store.state", ["store.id", "store.state"]),
    ("store.id == store.state && present(store.id)", ["store.id", "store.state"]),
    ("store.?id.orValue('') != store.state", ["store.?id", "store.state"]),
    ("store.id in store.users", ["store.id", "store.users"]), ("present(store.users[?store.id])", ["store.id"]),
    ("present(store.id == 'a' ? store.kind : null)", ["store.id"]), ("string(store.id)", ["store.id"]),
    ("store.id.startsWith('a')", ["store.id"]), ("present(kindly) && kindly == 'SOCIAL'", ["store.kind"]),
    ("present(texted) && texted == 'a'", ["store.id"]), ("texted == 'a' && present(texted)", ["store.id"]),
    ("['a'].exists(k, present(store.users[k].status))", ["store.users"]),
    ("present(texted)", []), ("present(chosen)", ["store.id"]), ("present(own)", ["store.id"]),
    ("(store.id == 'a' ? store.id : '') != ''", ["store.id"]),
    ("present(store.id == 'a' ? store.id : '')", ["store.id"]),
    ("present(store.registered ? store.id : store.id.trim())", ["store.registered", "store.id"]),
    ("(has(store.id) ? store.id : (store.id == 'a' ? store.id : '')) != ''", ["store.id"]),
  ]) func knowsWhoseValueIsUsed(source: String, names: [String]) throws {
    var scope = World.scope
    scope.lets["texted"] = "string(store.id)"
    scope.lets["own"] = "store.id == 'a' ? store.id : null"
    scope.lets["chosen"] = "store.id == 'a' ? store.kind : null"
    #expect(try Expression.compile(source, in: scope).facts.used == names)
    for name in ["kindly", "texted", "chosen", "own"] {
      scope.lets[name] = try scope.lets[name]?.compiled(as: name, in: scope)
    }
    #expect(try Expression.compile(source, in: scope).facts.used == names)
  }

  @Test func knowsTheDeclaredNames() throws {
    try checkReferences(
      "store.users[store.id].status == response.json.a.b", ["store/id", "store/users/status", "response/json"])
    try checkReferences("1 < 2 && user.status == 'NEW'", ["store/id", "store/users/status"])
    try checkReferences("store.id == 'a' || store.id == 'b'", ["store/id"])
  }

  private func checkReferences(_ source: String, _ expected: [String]) throws {
    let references = try Expression.compile(source, in: World.scope).facts.references
    #expect(references.map { $0.joined(separator: "/") } == expected)
  }

  @Test(arguments: [
    "canRefresh && user.status == 'NEW'", "user.status == 'NEW' || canRefresh && canRefresh", "has(user.status)",
    "[1, 2].exists(x, canRefresh && x > 1)", "store.users[user.status].status < 'x'", "!canRefresh", "user",
    "!known || 2 < store.count", "size(user.status) > 0 ? canRefresh : store.id == ''",
  ])
  func aLetIsTheSameWhereverItIsCompiled(source: String) throws {
    var scope = World.scope
    for name in ["canRefresh", "user", "known", "big"] {
      let compiled = try scope.lets[name]?.compiled(as: name, in: scope)
      #expect(compiled?.compiled != nil, "\(name)")
      scope.lets[name] = compiled
    }
    let (there, here) = (try Expression.compile(source, in: scope), try Expression.compile(source, in: World.scope))
    #expect(there.readings.map(\.name) == here.readings.map(\.name))
    let (facts, same) = (there.facts, here.facts)
    #expect(facts.references == same.references)
    #expect(facts.used == same.used)
    #expect(facts.lets == same.lets && facts.tested == same.tested && Set(facts.spans) == Set(same.spans))
    #expect(facts.traversed == same.traversed && facts.looks == same.looks && there.warnings() == here.warnings())
    #expect(facts.comparisons.map(\.path) == same.comparisons.map(\.path))
    #expect(facts.comparisons.map(\.definition) == same.comparisons.map(\.definition))
    #expect(there.type == here.type && there.secret == here.secret && there.selection == here.selection)
    var frame = World.frame
    let (one, other) = (try? there.evaluate(&frame), try? here.evaluate(&frame))
    #expect(one.map(World.shown) == other.map(World.shown))
  }

  /// Of many lets each counts once, those behind several others too.
  @Test func whatManyLetsAddIsMerged() throws {
    var scope = World.scope
    func define(_ name: String, _ source: Let) throws { scope.lets[name] = try source.compiled(as: name, in: scope) }
    let leaves = (0..<20).map { "leaf\($0)" }
    for (index, leaf) in leaves.enumerated() { try define(leaf, "response.json.k\(index) == 'x'") }
    for (name, parts) in [("left", leaves.prefix(15)), ("right", leaves.suffix(15))] {
      try define(name, Let(parts.joined(separator: " || ")))
    }
    let whole = try Expression.compile("store.registered && left && right", in: scope)
    #expect(whole.facts.lets == (leaves + ["left", "right"]).sorted())
    #expect(whole.readings.map(\.name) == ["store.registered"] + (0..<20).map { "response.json.k\($0)" })
    #expect(whole.facts.references == [["store", "registered"], ["response", "json"]])
  }

  /// Each level names the one below twice.
  @Test func spansOfLetsThatDoubleAreCountedOnce() throws {
    var scope = World.scope
    scope.lets["l0"] = try Let("[now + duration('1h')]").compiled(as: "l0", in: scope)
    for level in 1...60 {
      scope.lets["l\(level)"] = try Let("[l\(level - 1), l\(level - 1)]").compiled(as: "l\(level)", in: scope)
    }
    #expect(try Expression.compile("l60.size() > 0", in: scope).facts.spans.count == 2)
  }

  @Test func aLetThatMeansSomethingElseElsewhereIsCompiledThere() throws {
    var scope = World.scope
    scope.lets["whole"] = "int(store.count)"
    scope.lets["broken"] = "store.none"
    #expect(try scope.lets["whole"]?.compiled(as: "whole", in: scope) == nil)
    #expect(throws: ExpressionProblems.self) { try scope.lets["broken"]?.compiled(as: "broken", in: scope) }
    let answered = try #require(
      try (scope.lets["answered"] ?? "response.status == 200").compiled(as: "answered", in: scope))
    var narrow = scope
    narrow.variables.removeAll { $0.name == "response" }
    narrow.lets["answered"] = answered
    #expect(throws: ExpressionProblems.self) { try Expression.compile("answered", in: narrow) }
  }

  @Test func aDivisionByZeroIsToldBeforeItRuns() throws {
    for source in ["1 / 0 == 1 || true", "store.count % 0 == 1", "size(store.codes) / 0 > 1"] {
      #expect(try Expression.compile(source, in: World.scope).warnings().contains { $0.code == "division-by-zero" })
    }
    for source in ["1 / 1 == 1", "1.0 / 0.0 > 1.0", "response.json.a / 0 == 1"] {
      #expect(try Expression.compile(source, in: World.scope).warnings().isEmpty)
    }
  }

  @Test func knowsItsLets() throws {
    let expression = try Expression.compile("canRefresh && user.status == 'NEW'", in: World.scope)
    #expect(expression.facts.lets == ["canRefresh", "user"])
  }

  @Test func knowsWhatIsGoneThrough() throws {
    try checkTraversed("store.codes[0] == 'a' && 'b' in store.codes", [])
    try checkTraversed("store.users[store.id].status == 'NEW' && store.id in store.users", [])
    try checkTraversed("size(store.codes) > 0", [["store", "codes"]])
    try checkTraversed("store.users.exists(u, u == 'a')", [["store", "users"]])
    try checkTraversed("store.codes == ['a']", [["store", "codes"]])
    try checkTraversed("store.users[store.id].tags", [["store", "users", "tags"]])
    try checkTraversed("present(store.users)", [["store", "users"]])
  }

  @Test func knowsByWhichSpansItLooksAtInstants() throws {
    func spans(_ source: String) throws -> [Int] {
      try Expression.compile(source, in: World.scope).facts.spans.map { Int($0.components.seconds) }.sorted()
    }
    #expect(try spans("store.expiresAt + duration('1h') - duration('-2h') > now") == [-7200, -3600, 3600, 7200])
    #expect(try spans("expired(store.expiresAt, '60s')") == [-60])
    #expect(try spans("now > store.expiresAt") == [])
  }

  @Test func anInstantThatIsOnlyMadeFromNowDoesNotCount() throws {
    func spans(_ source: String) throws -> Set<Duration> {
      var scope = World.scope
      scope.lets["later"] = "now + duration('1h')"
      return Set(try Expression.compile(source, in: scope).facts.spans)
    }
    for source in [
      "now + duration('720h')", "seconds(3) + now", "[now + duration('1h')]", "{'exp': now + duration('1h')}",
      "{'exp': later, 'nbf': later}",
    ] { #expect(try spans(source) == [], "\(source)") }
    for source in [
      "now + duration('1h') < store.expiresAt", "now - duration('1h')", "store.expiresAt + duration('1h')",
      "store.expiresAt - duration('1h')", "now + duration('30m') + duration('1h')", "later == store.expiresAt",
      "later.getHours() == 1", "[later][0] == now", "duration('1h')",
      "store.registered ? store.expiresAt < later : later == now", "[later].exists(x, x < now)",
      "now + duration('1h') - store.expiresAt < duration('1m')", "expired(store.expiresAt, '1h')",
    ] { #expect(try spans(source).contains(.seconds(-3600)), "\(source)") }
  }

  @Test func knowsStaticallyWhatIsSecret() throws {
    func secret(_ source: String) throws -> String? { try Expression.compile(source, in: World.scope).secret }
    #expect(try secret("'a' + store.token") == "token")
    #expect(try secret("store.users[store.id].email.trim()") == "email")
    #expect(try secret("store.users[store.id]") == "email")
    #expect(try secret("[true ? store.id : store.token]") == "token")
    #expect(try secret("store.token == 'a'") == nil)
    #expect(try secret("s256(store.token) + store.id") == nil)
    #expect(try secret("store.users[store.id].status") == nil)
    #expect(try secret("store.users.map(u, store.users[u].email)") == "email")
  }

  @Test func warnsOfWhatMayBeNull() throws {
    try checkWarnings("store.expiresAt < now", ["store.expiresAt"])
    try checkWarnings("store.expiresAt != null && store.expiresAt < now", [])
    try checkWarnings("present(store.count) && store.count + 1 > 2", [])
    try checkWarnings("known && store.count > 2", [])
    try checkWarnings("store.count > 2 || store.count < 1", ["store.count"])
    try checkWarnings("'x' + store.id == 'xy'", ["store.id"])
    try checkWarnings("store.users[store.id].seen < now", ["store.users[store.id].seen"])
    // What a condition chooses may be null, whichever other it tests.
    try checkWarnings("'x' + (store.count == null ? '' : store.id) == 'xy'", ["store.id"])
    try checkWarnings("'x' + (store.id == null ? '' : store.id) == 'xy'", [])
    try checkWarnings("'x' + (known ? (known ? store.id : '') : 'y') == 'xy'", ["store.id"])
    try checkWarnings("has(user.seen) && user.seen < now", [])
    try checkWarnings("store.id == 'a' && store.registered", [])
    try checkWarnings("present(store.users[?store.id].?seen) && store.users[store.id].seen < now", [])
    try checkWarnings("!expired(store.users[?store.id].?seen) && store.users[store.id].seen < now", [])
  }

  private func checkReadings(_ source: String, _ names: [String]) throws {
    #expect(try Expression.compile(source, in: World.scope).readings.map(\.name) == names)
  }

  private func checkTraversed(_ source: String, _ paths: Set<[String]>) throws {
    #expect(try Expression.compile(source, in: World.scope).facts.traversed == paths, "\(source)")
  }

  private func checkWarnings(_ source: String, _ names: [String]) throws {
    let warnings = try Expression.compile(source, in: World.scope, expecting: .bool).warnings()
    #expect(warnings.map { $0.message.split(separator: "\"").first.map(String.init) } == names)
    #expect(warnings.allSatisfy { $0.code == "may-be-null" })
  }
}
