import Testing

@testable import Expressions

@Suite struct FreshnessTests {
  static let cases: [(source: String, freshness: Freshness)] = [
    ("fresh('x')", .whole), ("newId('x')", .whole), ("s256(fresh('x'))", .whole), ("fresh('x') + newId('y')", .whole),
    ("'a' + fresh('x')", .part), ("[fresh('x'), 'a'].join('-')", .part), ("jwt({'sub': newId('x')})", .whole),
    ("jwt({'exp': now})", .whole), ("jwt({'sub': 'a'})", .none), ("store.state", .none), ("'a'", .none),
    ("store.registered ? fresh('x') : 'a'", .none), ("store.registered ? fresh('x') : fresh('y')", .whole),
    ("base64url('a')", .none), ("store.?id.orValue(fresh('x'))", .none),
  ]

  @Test(arguments: cases) func tellsWhatIsFresh(source: String, freshness: Freshness) throws {
    #expect(try Expression.compile(source, in: World.scope).freshness == freshness)
  }

  static let looks: [(source: String, paths: [[String]])] = [
    ("size(store.state) > 1", [["store", "state"]]), ("store.state.startsWith('a')", [["store", "state"]]),
    ("store.state == 'a'", []), ("same(store.state, store.id)", []), ("s256(store.state) == 'a'", []),
    ("store.id < store.state", [["store", "id"], ["store", "state"]]), ("size(store.codes)", []),
    ("store.users['a'].email.trim() == ''", [["store", "users", "email"]]), ("store.state.startsWith('')", []),
    ("store.?state.orValue('') == 'a'", []), ("store.count > 1", []),
  ]

  @Test(arguments: looks) func notesWhatIsLookedInto(source: String, paths: [[String]]) throws {
    #expect(try Expression.compile(source, in: World.scope).facts.looks.map(\.path) == paths)
  }

  /// Everything found before a run is an error of the run too, and only that.
  @Test func agreesWithTheRun() throws {
    for source in ["size(dyn(fresh('x')))", "dyn(s256(fresh('x'))).contains('a')", "dyn('a' + newId('x')) < 'b'"] {
      #expect(World.result(of: source).hasSuffix("looks-into-fresh"))
    }
    #expect(World.result(of: "('a' + fresh('x')).startsWith('a')") == "true")
    #expect(World.result(of: "('ab' + fresh('x')).substring(0, 1)") == #""a""#)
    #expect(World.result(of: "size(store.state)") == "run: looks-into-fresh")
  }

  @Test func saysHowToTakeOffWhatStandsInFront() throws {
    for call in ["replace('é ', '')", "split(' ')"] {
      let expression = try Expression.compile("('é ' + store.state).\(call)", in: World.scope)
      var frame = World.frame
      let error = #expect(throws: EvaluationError.self) { try expression.evaluate(&frame) }
      #expect(error?.help?.contains("substring(2)") == true)
    }
  }

  @Test func tellsTheOnlyStringsThatAnExpressionCanBe() throws {
    for (source, allowed) in [
      ("store.kind", ["SOCIAL", "PASSWORDLESS"]), ("store.registered ? 'a' : 'b'", ["a", "b"]), ("'a'", ["a"]),
      ("store.registered ? store.kind : 'x'", ["SOCIAL", "PASSWORDLESS", "x"]), ("store.id", nil),
      ("store.registered ? 'a' : store.id", nil), ("store.kind == 'SOCIAL' ? 'x' : store.kind", ["x", "PASSWORDLESS"]),
      ("store.kind in ['SOCIAL'] && known ? store.kind : 'x'", ["SOCIAL", "x"]),
      ("!('SOCIAL' != store.kind) ? store.kind : 'x'", ["SOCIAL", "x"]),
      ("store.kind == 'SOCIAL' || known ? store.kind : 'x'", ["SOCIAL", "PASSWORDLESS", "x"]),
      ("store.kind == 'SOCIAL' || known ? 'x' : store.kind", ["x", "PASSWORDLESS"]),
      ("kindly == 'SOCIAL' ? 'x' : kindly", ["x", "PASSWORDLESS"]),
      ("store.id == 'SOCIAL' ? 'x' : store.kind", ["x", "SOCIAL", "PASSWORDLESS"]),
    ] as [(String, [String]?)] {
      #expect(try Expression.compile(source, in: World.scope).allowed == allowed)
    }
  }
}
