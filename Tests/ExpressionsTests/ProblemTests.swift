import Testing

@testable import Expressions

@Suite struct ProblemTests {
  /// Each expression with the code of its problem, the text it points at, and a piece of its help or message.
  static let cases: [(source: String, code: String, place: String, words: String)] = [
    ("", "expression-syntax", "", "the expression ends"), ("1 +", "expression-syntax", "", "a value"),
    ("(1", "expression-syntax", "", "\")\""), ("1 2", "expression-syntax", "2", "the end of the expression"),
    ("a = 1", "expression-syntax", "=", "=="), ("'abc", "expression-syntax", "'abc", "does not end"),
    ("if", "expression-syntax", "if", "reserved"),
    ("9223372036854775808", "expression-syntax", "9223372036854775808", "large"),
    ("'\\q'", "expression-syntax", "\\q", "escape"), ("store.", "expression-syntax", "", "name of a field"),
    ("storr.id", "unknown-name", "storr", "did you mean \"store\"?"),
    ("event.x", "unknown-name", "event", "transitions"),
    ("store.tokn", "unknown-field", "tokn", "did you mean \"token\"?"),
    ("store.users['a'].stats", "unknown-field", "stats", "did you mean \"status\"?"),
    ("presnt(1)", "unknown-function", "presnt", "did you mean \"present\"?"),
    ("'a'.startWith('b')", "unknown-function", "startWith", "did you mean \"startsWith\"?"),
    ("startsWith('a', 'b')", "unknown-function", "startsWith", "x.startsWith"),
    ("store", "whole-object", "store", "field by field"), ("store == null", "whole-object", "store", "field"),
    ("store.count + 'a'", "type-mismatch", "store.count + 'a'", "int and string"),
    ("store.count == 'a'", "type-mismatch", "store.count == 'a'", "int with string"),
    ("store.registered == null", "type-mismatch", "store.registered == null", "never null"),
    ("store.codes[0] > 1", "type-mismatch", "store.codes[0] > 1", "string with int"),
    ("store.users[1]", "type-mismatch", "1", "keys"), ("!store.count", "type-mismatch", "store.count", "bool"),
    ("store.id.x", "type-mismatch", "x", "no fields"), ("size(1)", "type-mismatch", "1", "string, list or map"),
    ("true ? 1 : 'a'", "type-mismatch", "true ? 1 : 'a'", "string(…)"),
    ("true ? null : 'a'", "type-mismatch", "true ? null : 'a'", "dyn(…)"),
    ("true ? store.?id : 'a'", "type-mismatch", "true ? store.?id : 'a'", "orValue"),
    ("[1].map(1, 2)", "invalid-macro", "1", "variable"),
    ("store.kind == 'SOCIL'", "unknown-value", "'SOCIL'", "did you mean \"SOCIAL\"?"),
    ("store.?count + 1", "type-mismatch", "store.?count + 1", "orValue"),
    ("response.json.?a == 'x'", "type-mismatch", "response.json.?a == 'x'", "optional value with string"),
    ("store.?id in store.users", "type-mismatch", "store.?id in store.users", "orValue"),
    ("1 in store.users", "type-mismatch", "1 in store.users", "in table users"),
    ("response.json.?a && true", "type-mismatch", "response.json.?a", "orValue"),
    ("size(store.?id)", "type-mismatch", "store.?id", "orValue"),
    ("response.status in 200", "type-mismatch", "200", "in [200]"),
    ("response.status in (200, 201)", "expression-syntax", ",", "a list stands in [ ]"),
    ("expired(now, 60)", "type-mismatch", "60", "'60s'"),
    ("expired(now, 60)", "type-mismatch", "60", "\"expired\" takes"),
    ("duration(60)", "type-mismatch", "60", "string or duration"),
    ("nul == store.id", "unknown-name", "nul", "did you mean \"null\"?"),
    ("falsq", "unknown-name", "falsq", "did you mean \"false\"?"),
    ("“a”", "expression-syntax", "“", "straight quotes"),
    ("store.users['a'].status in ['NEW', 'GONE']", "unknown-value", "['NEW', 'GONE']", "one of"),
    ("same(store.?kind, 'SOCIAL ')", "unknown-value", "'SOCIAL '", "SOCIAL"),
    ("one == 1", "let-circle", "one", "itself"), ("broken", "unknown-field", "broken", "count"),
    ("size()", "wrong-arguments", "size()", "1 value"), ("duration('1x')", "invalid-duration", "'1x'", "10m"),
    ("b'a'", "outside-profile", "b'a'", "bytes"), ("1u", "outside-profile", "1u", "unsigned"),
    ("type(1)", "outside-profile", "type(1)", "type"), ("'a'.matches('b')", "outside-profile", "matches", "matches"),
    ("'%s'.format([1])", "outside-profile", "format", "format"),
    ("now.getHours('UTC')", "outside-profile", "'UTC'", "time zone"),
    ("Msg{a: 1}", "outside-profile", "Msg{", "message"), ("[?store.?id]", "outside-profile", "[?", "optional"),
    ("math.abs(1)", "outside-profile", "math.abs(1)", "math.abs"), ("int", "outside-profile", "int", "type"),
    ("{'a': 1}.`a`", "outside-profile", "`a`", "backticks"),
    ("optional.of(1)", "outside-profile", "optional.of(1)", "optional.of"),
    ("size(fresh('x'))", "looks-into-fresh", "fresh('x')", "fresh"),
    ("s256(fresh('x')).contains('a')", "looks-into-fresh", "s256(fresh('x'))", "contains"),
    ("('a' + newId('x')) < 'b'", "looks-into-fresh", "('a' + newId('x'))", "<"),
    ("jwt({'exp': now}).split('.')", "looks-into-fresh", "jwt({'exp': now})", "split"),
    ("int(newId('x'))", "looks-into-fresh", "newId('x')", "int"),
    ("fresh('x').trim()", "looks-into-fresh", "fresh('x')", "trim"),
    ("fresh('x').startsWith('a')", "looks-into-fresh", "fresh('x')", "startsWith"),
    ("'a'.replace('b', fresh('x'))", "looks-into-fresh", "fresh('x')", "replace"),
    ("(true ? fresh('x') : newId('x')).size()", "looks-into-fresh", "(true ? fresh('x') : newId('x'))", "size"),
    ("jwt({'exp': 3600})", "jwt-needs-timestamp", "3600", "now + duration"),
    ("jwt({'sub': 'a', 'iat': int(now)})", "jwt-needs-timestamp", "int(now)", "timestamp"),
    (
      "response.json.access-token == 'a'", "unknown-name", "response.json.access-token", "response.json['access-token']"
    ),
    ("response.headers.retry-after", "unknown-name", "response.headers.retry-after", "response.headers['retry-after']"),
    ("store.count === 1", "expression-syntax", "===", "\"==\""),
    ("store.count <> 1", "expression-syntax", "<>", "\"!=\""),
    ("present(1) and present(2)", "expression-syntax", "and", "&&"),
    ("not present(1)", "expression-syntax", "present", "\"!\""),
    ("not (present(1))", "unknown-function", "not", "\"!\""),
    ("store.id\u{A0}== 'a'", "expression-syntax", "\u{A0}", "\\u{A0}"),
    ("store.id\u{A0}== 'a'", "expression-syntax", "\u{A0}", "a non-breaking space: type an ordinary one"),
    ("store.id ==\u{2003}'a'", "expression-syntax", "\u{2003}", "not the usual blank: type an ordinary one"),
    ("sto\u{200B}re.id == 'a'", "expression-syntax", "\u{200B}", "nobody sees this character: remove it"),
    ("config.limit > 1", "unknown-field", "limit", "config has no fields at all: declare it first"),
    ("store.id ?? 'a'", "expression-syntax", "??", "orValue"),
    ("store.id ?: 'a'", "expression-syntax", ":", "orValue"),
    ("store?.id == 'a'", "expression-syntax", "", "a.?b"),
    ("present(1) ? 2", "expression-syntax", "", "condition ? this : that"),
    ("let.late", "expression-syntax", "let", "by its name alone"),
    ("isList(store.id)", "unknown-function", "isList", "present(x.?name)"),
    ("store()", "unknown-function", "store", "read without brackets"),
    ("${store.id}", "expression-syntax", "${", "as it is"),
    ("store.id.length > 1", "type-mismatch", "length", "size(x)"),
    ("store.id.toLowerCase()", "unknown-function", "toLowerCase", "lowerAscii"),
    ("len(store.id)", "unknown-function", "len", "size(x)"), ("uuid()", "unknown-function", "uuid", "fresh"),
    ("store.id.value()", "outside-profile", "value", "orValue"),
    ("undefined", "unknown-name", "undefined", "null"), ("kind == 'SOCIAL'", "unknown-name", "kind", "store.kind"),
    ("store.count == '1'", "type-mismatch", "store.count == '1'", "without quotes"),
    ("now < '2026-01-01T00:00:00Z'", "type-mismatch", "now < '2026-01-01T00:00:00Z'", "timestamp('2026"),
    ("now < '2026-01-01'", "type-mismatch", "now < '2026-01-01'", "write timestamp('2026-01-01T00:00:00Z')"),
    ("now == 'noon'", "type-mismatch", "now == 'noon'", "write timestamp('2026-01-01T00:00:00Z')"),
    ("now - now > '1h'", "type-mismatch", "now - now > '1h'", "duration('1h') makes"),
    ("now - now > '1 hour'", "type-mismatch", "now - now > '1 hour'", "write duration('1h')"),
    ("now - now > 'an hour'", "type-mismatch", "now - now > 'an hour'", "duration('90s')"),
    ("now - now > duration('9m 59s')", "invalid-duration", "'9m 59s'", "write '9m59s'"),
    ("now + '3d'", "type-mismatch", "now + '3d'", "duration('24h')"),
    ("now + hours(1)", "unknown-function", "hours", "write duration('90s') or duration('1h30m')"),
    ("duration('3d')", "invalid-duration", "'3d'", "a day is '24h'"),
    ("now < store.id", "type-mismatch", "now < store.id", "timestamp(store.id) makes"),
    ("now + 60", "type-mismatch", "now + 60", "seconds"),
    ("[1].exists(i, v, true)", "outside-profile", "[1].exists(i, v, true)", "two variables"),
    ("[1].all(true)", "invalid-macro", "[1].all(true)", "a variable and an expression"),
    ("store.count.all(x, true)", "type-mismatch", "store.count", "goes through a list or a map, not int"),
    ("'a'.present()", "unknown-function", "present", "write present(x)"),
    ("expired()", "wrong-arguments", "expired()", "a timestamp and a grace"),
    ("expired(store.count)", "type-mismatch", "store.count", "takes a timestamp, not int"),
    ("store.id.orValue('x')", "type-mismatch", "store.id", "a.?b and a[?k] give optionals"),
    ("response.json.error.hasValue()", "type-mismatch", "response.json.error", "write response.json.?error"),
    ("response.json.data['n'].orValue(0)", "type-mismatch", "response.json.data['n']", "response.json.data[?'n']"),
    ("response.json.list.exists(x, x.a.orValue('') == 'b')", "type-mismatch", "x.a", "write x.?a"),
    ("response.json.list.all(x, x.hasValue())", "type-mismatch", "x", "this is none"),
    ("claims(store.id).sub.orValue('')", "type-mismatch", "claims(store.id).sub", "write claims(store.id).?sub"),
    ("store.?id.orValue()", "wrong-arguments", "store.?id.orValue()", "with 0 values"),
    ("store.?id.hasValue(1)", "wrong-arguments", "store.?id.hasValue(1)", "with 1 values"),
    ("store.?id.orValue(1)", "type-mismatch", "1", "or else int"),
    ("store.codes['a']", "type-mismatch", "'a'", "indexed by int, not by string"),
    ("{1: 'a'}.x", "type-mismatch", "x", "with keys of int has no fields"),
    ("{store.?id: 1}", "type-mismatch", "store.?id", "orValue"), ("{1.5: 1}", "type-mismatch", "1.5", "key of a map"),
    ("response.json[store.?id]", "type-mismatch", "store.?id", "orValue"),
    ("-store == 1", "whole-object", "store", "write \"store.\""), ("--storr", "unknown-name", "storr", "\"store\""),
    ("-now > 1", "type-mismatch", "-now", "\"-\" does not work"), ("store.users[-1]", "type-mismatch", "-1", "keys"),
    ("-0x", "expression-syntax", "0x", "no digits"), ("0x_1", "expression-syntax", "0x", "0x1F"),
    ("99999999999999999999", "expression-syntax", "99999999999999999999", "too large for an int"),
    ("0x11112222333344445", "expression-syntax", "0x11112222333344445", "too large for an int"),
    ("1e999", "expression-syntax", "1e999", "too large for a double"),
    ("'\\ud800'", "expression-syntax", "\\ud800", "no character"),
    ("'\\u12'", "expression-syntax", "\\u12'", "no character"), ("store.`a", "expression-syntax", "`a", "does not end"),
  ]

  @Test(arguments: cases) func saysWhatIsWrong(source: String, code: String, place: String, words: String) {
    checkProblem(source, code, place, words)
  }

  /// What its type leaves open may be an optional where an expression makes it.
  @Test(arguments: [
    "response.json.?a.b.orValue('') == ''", "response.json.list[?0].hasValue()", "dyn(store.?id).hasValue()",
    "[store.?id, dyn(1)][0].hasValue()", "[store.?id, dyn(1)].exists(x, x.hasValue())",
    "{'a': store.?id, 'b': dyn(1)}.a.hasValue()", "(store.count > 1 ? dyn(store.?id) : 1).orValue('') == ''",
  ])
  func whatMayBeAnOptionalIsTakenForOne(source: String) { #expect(problems(of: source).isEmpty) }

  @Test(arguments: [
    "{dyn(store.?id): 1}", "{store.?id.orValue(''): 1}", "{response.json.a: 1}", "response.json[1.0] == 1",
  ])
  func whatMayBeAKeyIsTakenForOne(source: String) { #expect(problems(of: source).isEmpty) }

  @Test func aLetIsAnOptionalWhereWhatItSelectsIsOne() {
    var scope = World.scope
    scope.lets["error"] = "response.json.error"
    scope.lets["mayBe"] = "response.json.?error"
    scope.lets["made"] = "[store.?id, dyn(1)][0]"
    scope.lets["said"] = "claims(store.id)"
    for source in ["error.hasValue()", "error.code.hasValue()", "said.sub.hasValue()"] {
      #expect(problems(of: source, in: scope).map(\.code) == ["type-mismatch"], "\(source)")
    }
    for source in ["mayBe.hasValue()", "mayBe.code.hasValue()", "made.hasValue()", "said.?sub.hasValue()"] {
      #expect(problems(of: source, in: scope).isEmpty, "\(source)")
    }
  }

  /// A run names the kind of what it found.
  @Test func whatIsFoundInPlaceOfAnOptionalIsNamed() throws {
    for (source, kind) in [
      ("dyn(store.id).hasValue()", "hasValue does not work on string"),
      ("dyn(store.count).orValue(0) == 0", "orValue does not work on int"),
      ("dyn(store.unset).hasValue()", "hasValue does not work on null"),
    ] {
      var frame = World.frame
      let expression = try Expression.compile(source, in: World.scope)
      do throws(EvaluationError) {
        _ = try expression.evaluate(&frame)
        Issue.record("\(source) works")
      } catch { #expect(error.message.hasPrefix(kind) && error.help?.contains("a.?b") == true, "\(error.message)") }
    }
  }

  @Test func findsSeveralProblemsAtOnce() {
    let problems = problems(of: "store.a == 1 && store.b == 2 && store.count")
    #expect(problems.map(\.code) == ["unknown-field", "unknown-field", "type-mismatch"])
  }

  @Test func refusesWhatIsTooDeepOrTooLong() {
    for nested in ["(", "[", "!", "-", "{1:", "f(", "a[", "a?", "1+", "a.b."] {
      let source = String(repeating: nested, count: 3000) + "1"
      #expect(!problems(of: source).isEmpty)
    }
    let brackets = { String(repeating: "(", count: $0) + "1" + String(repeating: ")", count: $0) }
    #expect(problems(of: brackets(100)).isEmpty)
    #expect(problems(of: brackets(101)).first?.message.contains("100 brackets") == true)
    let lists = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(problems(of: lists(100)).isEmpty)
    #expect(problems(of: lists(101)).first?.message.contains("100 brackets") == true)
    #expect(problems(of: (0..<1000).map { "\($0)" }.joined(separator: " + ")).first?.code == "too-deep")
    #expect(problems(of: String(repeating: " ", count: 40_000)).first?.code == "too-long")
  }

  @Test func runsWhatIsJustNotTooDeep() throws {
    for (open, close) in [("[", "]"), ("[0].map(x, ", ")"), ("!(", ")"), ("{'a': ", "}"), ("false ? true : ", "")] {
      let source = String(repeating: open, count: 90) + "true" + String(repeating: close, count: 90)
      var frame = World.frame
      _ = try Expression.compile(source, in: World.scope).evaluate(&frame)
    }
  }

  /// A chain of lets does not make a chain of sentences.
  @Test func tellsTheFirstLetAndTheOneThatIsWrong() {
    var lets: [String: Let] = ["l0": "nope + 1"]
    for number in 1...50 { lets["l\(number)"] = Let("l\(number - 1) + 1") }
    let works = "does not work here:"
    #expect(
      problems(of: "l50", in: Scope(variables: [], lets: lets)).map(\.message)
        == ["the let \"l50\" \(works) the let \"l0\" \(works) nothing is called \"nope\" here"])
  }

  @Test func refusesLetsThatNestTooDeep() {
    var scope = World.scope
    for number in 0..<100 {
      scope.lets["l\(number)"] = "(l\(number + 1) + 1) * 2 - 3 + 4 - (5 * 6)"
    }
    #expect(problems(of: "l0", in: scope).map(\.code) == ["too-deep"])
  }

  @Test func allowsFunctionsOnlyWhereTheyBelong() {
    var scope = World.scope
    scope.abilities = []
    for source in ["fresh('a')", "newId('a')", "jwt({})", "int(now)"] {
      #expect(problems(of: source, in: scope).map(\.code) == ["not-allowed-here"])
    }
  }

  @Test func checksTheTypeThatItsPlaceNeeds() {
    #expect(problems(of: "store.count", expecting: .bool).map(\.code) == ["type-mismatch"])
    #expect(problems(of: "store.count", expecting: .int).isEmpty)
    #expect(problems(of: "response.json.a", expecting: .bool).isEmpty)
    #expect(problems(of: "store.?id", expecting: .string).isEmpty)
    #expect(problems(of: "null", expecting: .string).isEmpty)
  }

  @Test func saysHowToAskForWhatMayBeAbsent() {
    #expect(
      problems(of: "store.?id == null").map(\.help) == [
        "what may be absent is never null: ask present(…), or write .orValue(null)"
      ])
    #expect(problems(of: "size([1]) == null").map(\.help) == ["this is never null"])
  }

  @Test func neverCrashesOnAPieceOfAnExpression() {
    let sample = Array(#"!has(a.?b[?c]) && [1, -2.5e3].map(x, x > 0, {'k': "é\n" + r'\'}) ? a.b(1) : 'x' in null"#.utf8)
    for start in sample.indices {
      for end in start..<sample.count {
        _ = problems(of: String(decoding: sample[start...end], as: UTF8.self))
      }
    }
  }

  private func checkProblem(_ source: String, _ code: String, _ place: String, _ words: String) {
    guard let problem = problems(of: source).first else {
      Issue.record("\(source) compiles")
      return
    }
    #expect(problem.code == code)
    let bytes = Array(source.utf8)
    #expect(problem.range.upperBound <= bytes.count)
    #expect(String(decoding: bytes[problem.range.clamped(to: 0..<bytes.count)], as: UTF8.self) == place)
    #expect((problem.message + " " + (problem.help ?? "")).contains(words), "\(problem.message) \(problem.help ?? "")")
  }

  private func problems(
    of source: String, in scope: Scope = World.scope, expecting: ValueType? = nil
  ) -> [ExpressionProblem] {
    do throws(ExpressionProblems) {
      _ = try Expression.compile(source, in: scope, expecting: expecting)
      return []
    } catch { return error.all }
  }
}
