import Expressions
import Testing

@Suite struct EvaluationTests {
  static let operators: [(String, String)] = [
    ("1 + 2 * 3 - -4", "11"), ("7 / 2", "3"), ("-7 % 3", "-1"), ("7.0 / 2.0", "3.5"), ("'a' + 'b'", #""ab""#),
    ("[1] + [2]", "[1,2]"), ("9223372036854775807 + 1", "run: overflow"), ("1 / 0", "run: division-by-zero"),
    ("true ? 1 : 2", "1"), ("!true || 1 < 2", "true"), ("1 / 0 == 1 || true", "true"), ("1/0 == 1 && false", "false"),
    ("'b' in store.codes", "true"), ("'x' in {'x': 1}", "true"), ("1 in [1, 2]", "true"),
    ("{'b': 1, 'a': [true, null]}", #"{"a":[true,null],"b":1}"#), ("[1, 2,]", "[1,2]"), ("'é' < 'f'", "false"),
    ("now + duration('1h')", #""2026-01-01T10:00:00Z""#), ("now - now", #""0s""#),
    ("store.expiresAt - now > duration('5m')", "true"), ("duration('90s') + duration('-1.5s')", #""88.5s""#),
    ("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "run: out-of-range"), ("0x10", "16"), (".5 + 1e2", "100.5"),
    ("{1: 'a'}[dyn(1.0)]", #""a""#), ("{'a': 1, 'a': 2}", "check: repeated-key"), ("r'\\n' == '\\\\n'", "true"),
    ("r'\\' == '\\\\'", "true"), ("r\"\"\"\\\"\"\" == '\\\\'", "true"), ("r'a\\'b'", "check: expression-syntax"),
    ("0X10", "check: expression-syntax"),
  ]

  static let selections: [(String, String)] = [
    ("store.id", #""u-1""#), ("store.unset", "null"), ("has(store.unset)", "false"), ("has(store.id)", "true"),
    ("store.?unset", "none"), ("store.?unset.orValue('x')", #""x""#), ("store.?id.hasValue()", "true"),
    ("store.users[store.id].status", #""ACTIVE""#), ("store.users['u-9'].status", "run: no-such-key"),
    ("store.users[?'u-9'].status.orValue('none')", #""none""#), ("store.users[?'u-2'].seen.hasValue()", "false"),
    ("user.status", #""ACTIVE""#),
    ("store.users['u-2']", #"{"status":"NEW","email":"a@b.c","seen":null,"tags":["x"]}"#),
    ("store.users.filter(u, store.users[u].status != 'GONE')", "check: unknown-value"),
    ("store.users.map(u, store.users[u].status)", #"["NEW","ACTIVE"]"#), ("size(store.users)", "2"),
    ("response.json.error", #""gone""#), ("response.json.none", "run: no-such-key"),
    ("response.json.?none", "none"), ("response.json.?error.?code", "none"),
    ("response.json.error.code", "run: no-such-overload"),
    ("response.json.data.?none.hasValue()", "true"), ("has(response.json.data.none.x)", "false"),
    ("response.json.data.none.?x.y.orValue(1)", "1"), ("response.json.data.none.x", "run: no-such-overload"),
    ("has(response.json.error.x)", "run: no-such-overload"), ("{'a': dyn(null)}.?a.b", "run: no-such-overload"),
    ("response.json.list[1]", "2.5"),
    ("response.json.list[?7]", "none"),
    ("response.headers.etag", #""x""#), ("has(response.headers.date)", "false"), ("response.headers['etag']", #""x""#),
    ("store.codes[5]", "run: no-such-key"), ("canRefresh", "true"), ("[1, 2].map(y, big[0] + y)", "[3,4]"),
  ]

  static let macros: [(String, String)] = [
    ("[1, 2, 3].all(x, x > 0)", "true"), ("[1, 2].exists(x, x / 0 == 1 || x == 2)", "true"),
    ("[1, 2].exists(x, x / 0 == 1)", "run: division-by-zero"), ("[1, 2, 2].exists_one(x, x == 2)", "false"),
    ("[1, 2, 3].filter(x, x % 2 == 1)", "[1,3]"), ("[1, 2, 3].map(x, x > 1, x * 10)", "[20,30]"),
    ("[[1], [2]].map(x, x.map(y, y + x[0]))", "[[2],[4]]"), ("{'b': 1, 'a': 2}.map(k, k)", #"["a","b"]"#),
    ("response.json.map(k, k)", #"["data","error","list"]"#), ("store.users.map(u, u)", #"["u-2","u-1"]"#),
    ("[1].map(x, [2].map(x, x))", "[[2]]"), ("[1].all(x, x)", "check: type-mismatch"),
  ]

  static let strings: [(String, String)] = [
    ("'añb'.size()", "3"), ("size('e\\u0301')", "2"), ("'abc'.contains('bc')", "true"),
    ("'a,b,,c'.split(',')", #"["a","b","","c"]"#),
    ("'abc'.split('')", #"["a","b","c"]"#), ("'a,b,c'.split(',', 2)", #"["a","b,c"]"#), ("'a'.split(',', 0)", "[]"),
    ("['a', 'b'].join('-')", #""a-b""#), ("' x '.trim()", #""x""#), ("'aBc'.upperAscii()", #""ABC""#),
    ("'aBc'.lowerAscii()", #""abc""#), ("'aaa'.replace('a', 'b', 2)", #""bba""#),
    ("'ab'.replace('', '_')", #""_a_b_""#),
    ("'hello'.substring(1, 3)", #""el""#), ("'hello'.substring(5)", #""""#),
    ("'hello'.substring(6)", "run: out-of-range"),
    ("'abc'.startsWith('ab') && 'abc'.endsWith('bc')", "true"), ("'' in 'a'", "check: type-mismatch"),
    ("'a--b--c'.split('--', 2)", #"["a","b--c"]"#),
    ("''.split('')", "[]"), ("''.split('', 1)", "[]"), ("''.split(',')", #"[""]"#),
  ]

  static let conversions: [(String, String)] = [
    ("int('12') + int(2.9)", "14"), ("int(-9.3e18)", "run: out-of-range"), ("string(-0.0)", #""-0""#),
    ("int('x')", "run: no-conversion"), ("double('1.5')", "1.5"),
    ("string(1.0)", #""1""#),
    ("string(0.1)", #""0.1""#), ("string(1e21)", #""1e+21""#), ("string(true)", #""true""#), ("bool('false')", "false"),
    ("timestamp(0)", #""1970-01-01T00:00:00Z""#), ("int(now)", "1767258000"),
    ("string(duration('1h1.5s'))", #""3601.5s""#),
    ("duration('3d')", "check: invalid-duration"), ("timestamp('2026-02-30T00:00:00Z')", "check: invalid-timestamp"),
    ("timestamp('2026-01-01T00:30:00.25+01:00')", #""2025-12-31T23:30:00.25Z""#), ("now.getDayOfWeek()", "4"),
    ("timestamp('2026-01-01T00:30:00+05:30')", #""2025-12-31T19:00:00Z""#),
    ("timestamp('2026-01-01T00:00:60Z')", "check: invalid-timestamp"),
    ("timestamp('2100-02-29T00:00:00Z')", "check: invalid-timestamp"),
    ("timestamp('2000-02-29T00:00:00Z').getDayOfYear()", "59"),
    ("now.getFullYear() * 100 + now.getMonth()", "202600"), ("duration('3730s').getMinutes()", "62"),
    ("seconds(90) == duration('90s')", "true"), ("seconds(1.5)", #""1.5s""#), ("seconds(-1.5)", #""-1.5s""#),
    ("dyn(1) == 1.0", "true"),
    ("double('0x10')", "run: no-conversion"), ("double('1.5\\u0000abc')", "run: no-conversion"),
    ("isDouble('1.5\\u0000abc')", "false"), ("isDouble('1.5\\u0000')", "false"),
    ("double('nan(1)')", "run: no-conversion"),
    ("double('1e400')", "run: no-conversion"), ("double('-Infinity') < double('-1e308')", "true"),
    ("string(double('NaN'))", #""NaN""#), ("seconds(9223372036.0) == seconds(9223372036)", "true"),
    ("seconds(9223372037.0)", "check: invalid-duration"), ("duration('0.0000000000099h') == duration('35ns')", "true"),
    ("duration('-9223372036.854775808s')", #""-9223372036.854775808s""#),
    ("duration('-9223372036854775808ns') == duration('-9223372036.854775808s')", "true"),
    ("duration('9223372036.854775808s')", "check: invalid-duration"),
    ("duration('-9223372036.854775809s')", "check: invalid-duration"),
    ("timestamp('2026-01-01T00:00:00.1234567899Z')", #""2026-01-01T00:00:00.123456789Z""#),
    ("timestamp('2026-01-01T00:00:00.Z')", "check: invalid-timestamp"),
    ("timestamp('2026-03-31T00:00:00Z').getDayOfMonth()", "30"),
    ("timestamp('2026-03-31T00:00:00Z').getDate()", "31"),
  ]

  static let tests: [(String, String)] = [
    ("isInt(1)", "true"), ("isInt(1.5)", "true"), ("isInt('12')", "true"), ("isInt('soon')", "false"),
    ("isInt('9223372036854775808')", "false"), ("isInt(9.3e18)", "false"), ("isInt(now)", "true"),
    ("isInt([1])", "false"),
    ("isInt(null)", "false"), ("isInt(store.unset)", "false"), ("isInt(response.json.?none)", "false"),
    ("isInt(response.json.error)", "false"), ("isInt(response.json.?error.?code)", "false"),
    ("isDouble('1e3')", "true"), ("isDouble('1e400')", "false"), ("isDouble(now)", "false"),
    ("isBool('TRUE')", "true"), ("isBool('yes')", "false"), ("isBool(1)", "false"),
    ("isString(1)", "true"), ("isString({'a': 1})", "false"), ("isString('')", "true"),
    ("isString(store.unset)", "false"),
    ("isTimestamp('2026-02-28T00:00:00Z')", "true"), ("isTimestamp('2026-13-41T00:00:00Z')", "false"),
    ("isTimestamp(253402300800)", "false"), ("isTimestamp(store.expiresAt)", "true"),
    ("isDuration('90s')", "true"), ("isDuration('90')", "false"), ("isDuration(90)", "false"),
    ("isInt()", "check: wrong-arguments"), ("isInt(1) ? 1 : 2", "1"), ("isInt(1) + 1", "check: type-mismatch"),
  ]

  static let additions: [(String, String)] = [
    ("present(store.token)", "true"), ("present(store.unset)", "false"), ("present(response.json.?none)", "false"),
    ("present('')", "false"), ("present(false)", "true"), ("present([])", "false"),
    ("present(response.json.data.?none)", "false"),
    ("same(null, null)", "false"), ("same(store.?id, 'u-1')", "true"), ("same(store.unset, store.unset)", "false"),
    ("same(store.count, 'x')", "check: type-mismatch"), ("expired(store.expiresAt, '60s')", "false"),
    ("expired(store.expiresAt, '10m')", "true"), ("expired(store.never, '0s')", "true"), ("expired(now)", "true"),
    ("s256('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')", #""E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM""#),
    ("base64url('a?b>')", #""YT9iPg""#), ("urlEncode('a b/ü~')", #""a%20b%2F%C3%BC~""#), ("claims('x')", "null"),
    ("claims('e30.eyJzdWIiOiJhIn0.x').?sub", #""a""#), ("claims('x').?sub", "none"),
    ("claims('e30.eyJhIjoxMjN9A.x')", "null"), ("claims('e30.eyJhIjoxLCJhIjoyfQ.x')", "null"),
    ("claims(jwt({'sub': 'u', 'exp': now})).exp", "1767258000"), ("jwt({'exp': dyn(1)})", "run: jwt-needs-timestamp"),
    ("jwt({'a': {1: 1, '1': 2}})", "run: repeated-key"),
    ("fresh('state')", #""state-1____________________________________""#), ("newId('user')", #""user-1""#),
    ("fresh(store.id)", "check: wrong-arguments"),
  ]

  @Test(arguments: operators) func operatorsWork(source: String, result: String) { checkResult(source, result) }
  @Test(arguments: selections) func selectionsWork(source: String, result: String) { checkResult(source, result) }
  @Test(arguments: macros) func macrosWork(source: String, result: String) { checkResult(source, result) }
  @Test(arguments: strings) func stringFunctionsWork(source: String, result: String) { checkResult(source, result) }
  @Test(arguments: tests) func whatAConversionGivesIsKnownBefore(source: String, result: String) {
    checkResult(source, result)
  }
  @Test(arguments: conversions) func conversionsWork(source: String, result: String) { checkResult(source, result) }
  @Test(arguments: additions) func addedFunctionsWork(source: String, result: String) { checkResult(source, result) }

  /// A token that an instant stands in is told from others, and keeps what was put in.
  @Test(arguments: ["", "'iat': now, "]) func claimsAreWhatJSONMakesOfThem(instant: String) {
    let payload =
      "{\(instant)'d': duration('1s'), 'm': {1: 2}, 'n': 0.0 / 0.0, 'i': -1.0 / 0.0, 'x': [store.?unset], 'f': 1.0}"
    for claim in ["d == '1s'", "m['1'] == 2", "n == null", "i == null", "x == [null]", "f == 1.0"] {
      checkResult("claims(jwt(\(payload))).\(claim)", "true")
      checkResult("[claims(jwt(\(payload)))].all(c, c.\(claim))", "true")
    }
  }

  @Test func endsWhatTakesTooLong() {
    let list = "[" + (0..<100).map { "\($0)" }.joined(separator: ",") + "]"
    checkResult("\(list).all(a, \(list).all(b, \(list).all(c, \(list).all(d, a + b + c + d >= 0))))", "run: too-costly")
  }

  /// What goes through long values pays for their length: a chain of lets doubles a text forty times.
  @Test(arguments: ["l40", "size(l40)", "l40 == l40", "l40 in [l40]", "'${l40}'.split('l')[0] + l40"])
  func endsWhatMakesTooLongValues(_ source: String) throws {
    var lets = ["l0": "'0123456789abcdef'"]
    for number in 1...40 { lets["l\(number)"] = "l\(number - 1) + l\(number - 1)" }
    let expression = try Expression.compile(source, in: Scope(variables: [], lets: lets.mapValues { Let($0) }))
    var frame = Frame(roots: [])
    #expect(throws: EvaluationError.self) { try expression.evaluate(&frame) }
    #expect(frame.budget < 0)
  }

  /// Each look into a list goes through all of it.
  @Test func endsWhatLooksIntoAListForEachOfItsElements() throws {
    let variable = Scope.Variable(
      name: "memory", type: .object(ObjectType(title: "memory", fields: [ObjectType.Field(name: "l", type: .dyn)])),
      root: 0)
    let expression = try Expression.compile("memory.l.all(x, x in memory.l)", in: Scope(variables: [variable]))
    for (count, ends) in [(1000, false), (20_000, true)] {
      var frame = Frame(roots: [[.list((0..<count).map { .int(Int64($0)) })]])
      let result = Result { () throws(EvaluationError) in try expression.evaluate(&frame) }
      #expect((frame.budget < 0) == ends)
      #expect((try? result.get()) == (ends ? nil : .bool(true)))
    }
  }

  /// Each look into a large map goes through its keys, and what is compared is gone through at any depth.
  @Test(arguments: [
    ("memory.m.k19999 == 1", 156), ("memory.m['k19999'] == 1", 156), ("has(memory.m.k)", 156),
    ("'k19999' in memory.m", 156), ("'k' in {'m': memory.m}.m", 156), ("memory.m.exists(k, true)", 2500),
    ("memory.m == memory.reversed", 5000), ("[memory.m] == [memory.m]", 2500), ("memory.m in [memory.reversed]", 5000),
    ("same(memory.m, memory.reversed)", 5000), ("memory.long in [memory.long]", 4000),
    ("memory.?long == memory.?long", 4000), ("same(memory.?long, memory.?long)", 4000),
    ("[memory.?long] == [memory.?long]", 4000), ("{'x': memory.?long} == {'x': memory.?long}", 4000),
    ("memory.long in {memory.long: 1}", 4000), ("{memory.long: 1}[memory.long] == 1", 4000),
    ("{memory.long: 1} == {memory.long: 1}", 4000), ("memory.few == memory.few && memory.few.k9 == 1", -20),
  ])
  func paysForLooksIntoLargeMaps(_ source: String, _ cost: Int) throws {
    let fields = ["m", "reversed", "few", "long"].map { ObjectType.Field(name: $0, type: .dyn) }
    let memory = Scope.Variable(name: "memory", type: .object(ObjectType(title: "memory", fields: fields)), root: 0)
    let expression = try Expression.compile(source, in: Scope(variables: [memory]))
    let entries = (0..<20_000).map { ValueMap.Entry(key: .string(Text("k\($0)")), value: .int(1)) }
    let maps = [entries, entries.reversed(), Array(entries.prefix(10))].map { Value.map(ValueMap(distinct: $0)) }
    var frame = Frame(roots: [maps + [.string(String(repeating: "a", count: 262_144))]])
    let result = try expression.evaluate(&frame)
    let spent = Frame.usualBudget - frame.budget
    #expect(cost < 0 ? spent <= -cost : spent >= cost, "\(spent)")
    #expect(result == .bool(source != "has(memory.m.k)" && !source.hasPrefix("'k' in")))
  }

  /// A peer may write one name twice among many: the last counts, where the first stands.
  @Test(.timeLimit(.minutes(20))) func aNameThatStandsTwiceAmongManyIsSoonFound() {
    let names = (0..<200_000).map { "n\($0)" } + ["n7", "\u{E9}", "e\u{301}", "\u{E9}"]
    let map = ValueMap(
      names.enumerated().map { ValueMap.Entry(key: .string(Text($1)), value: .int(Int64($0))) })
    #expect(map.count == 200_002 && map.entries[7].value == .int(200_000))
    #expect(map.entries.suffix(2).map(\.value) == [.int(200_003), .int(200_002)])
    #expect(map.entries.prefix(7).map(\.value) == (0..<7).map { .int($0) })
  }

  /// What a function has made is paid for by its size, whatever it was made from.
  @Test(arguments: [
    ("size(l14.split(''))", "size(l14)", 131_072), ("l9.replace('0', l9)", "[l9, l9]", 65_536),
    ("[l14].join()", "[l14]", 4096),
  ])
  func paysForWhatFunctionsMake(_ source: String, without other: String, _ cost: Int) throws {
    var lets = ["l0": "'0123456789abcdef'"]
    for number in 1...14 { lets["l\(number)"] = "l\(number - 1) + l\(number - 1)" }
    let budgets = try [source, other].map { source in
      let expression = try Expression.compile(source, in: Scope(variables: [], lets: lets.mapValues { Let($0) }))
      var frame = Frame(roots: [])
      _ = try expression.evaluate(&frame)
      return frame.budget
    }
    #expect(budgets[1] - budgets[0] >= cost)
  }

  /// A search that goes back to each place would take hours for the last of these.
  @Test func findsWhatRepeatsItself() throws {
    let type = ValueType.object(
      ObjectType(title: "t", fields: ["text", "sought"].map { ObjectType.Field(name: $0, type: .string) }))
    let expression = try Expression.compile(
      "t.text.replace(t.sought, '_')", in: Scope(variables: [Scope.Variable(name: "t", type: type, root: 0)]))
    func replaced(_ text: String, _ sought: String) throws -> Value {
      var frame = Frame(roots: [[.string(Text(text)), .string(Text(sought))]])
      return try expression.evaluate(&frame)
    }
    func words(_ length: Int) -> [String] {
      (0..<1 << length).map { bits in String((0..<length).map { bits >> $0 & 1 == 0 ? "a" : "b" }) }
    }
    for sought in (1...4).flatMap(words) {
      for text in words(7) {
        var (expected, rest) = ("", Substring(text))
        while let first = rest.first {
          let isThere = rest.hasPrefix(sought)
          expected += isThere ? "_" : String(first)
          rest = rest.dropFirst(isThere ? sought.count : 1)
        }
        #expect(try replaced(text, sought) == .string(Text(expected)), "\(sought) in \(text)")
      }
    }
    let long = String(repeating: "a", count: 400_000)
    #expect(try replaced(long + "b" + long, long + "b") == .string(Text("_" + long)))
  }

  @Test func whatATraceReadsChangesNothing() throws {
    let source = "[1].exists(x, store.users['c' in store.codes + ['b'] ? 'u-1' : 'u-2'].status == 'ACTIVE')"
    let expression = try Expression.compile(source, in: World.scope)
    var frame = World.frame
    #expect(try expression.evaluate(&frame) == .bool(false))
    for reading in expression.readings { _ = reading.evaluate(&frame) }
    frame.roots[0][7] = .list([.string("c")])
    #expect(try expression.evaluate(&frame) == .bool(true))
  }

  private func checkResult(_ source: String, _ result: String) {
    #expect(World.result(of: source) == result, "\(source)")
  }
}
