import Testing

@testable import Expressions

/// When a condition surely holds wherever another does.
@Suite struct DemandTests {
  @Test(arguments: [
    ("canRefresh", "canRefresh"),
    ("canRefresh", "canRefresh && store.count > 1"),
    ("store.count>1", "canRefresh && (store.count > 1)"),
    ("canRefresh && store.id == 'a'", "'a' == store.id && known && canRefresh"),
    ("size(store.codes) > 1", "((size(store.codes)>1)) && canRefresh"),
    ("canRefresh || known", "known"),
    ("canRefresh || known", "store.count > 1 && known"),
    ("canRefresh || known", "known && store.count > 1 || canRefresh"),
    ("!canRefresh", "!(canRefresh || known)"),
    ("!(canRefresh && known)", "store.count > 1 && !known"),
    ("!(store.id == 'a')", "store.id != 'a'"),
    ("canRefresh && known || store.count > 1", "(known && store.count < 9) && canRefresh"),
  ]) func holdsWhereMoreIsAsked(earlier: String, later: String) throws {
    #expect(try demand(earlier).holds(where: demand(later)))
  }

  @Test(arguments: [
    ("canRefresh && known", "canRefresh"),
    ("canRefresh", "canRefresh || known"),
    ("canRefresh", "!canRefresh"),
    ("store.id == 'a'", "store.id == 'A'"),
    ("store.id == 'caf\u{E9}'", "store.id == 'cafe\u{301}'"),
    ("(store.count) > (1)", "(store.count > 1) == (true)"),
    ("!(canRefresh ? known : canRefresh)", "!canRefresh ? known : canRefresh"),
    ("!canRefresh ? known : canRefresh", "!(canRefresh ? known : canRefresh)"),
    ("known == (canRefresh ? known : canRefresh)", "known == canRefresh ? known : canRefresh"),
    ("dyn(store.id) == (dyn('a') == known)", "(dyn(store.id) == dyn('a')) == known"),
    ("store.id == 'a b'", "store.id == 'ab'"),
    ("store.id == 'a'", "store.id != 'a'"),
    ("store.count > 1", "1 > store.count"),
    ("!(canRefresh || known)", "!canRefresh"),
    ("canRefresh", "[1].exists(x, canRefresh)"),
  ]) func saysNothingOfOthers(earlier: String, later: String) throws {
    #expect(try !demand(earlier).holds(where: demand(later)))
  }

  @Test func whatIsNegatedAroundAnExpressionCounts() throws {
    let negated = try Demand(Expression.compile("canRefresh || known", in: World.scope), isNegated: true)
    #expect(try demand("!known").holds(where: negated) && !negated.holds(where: demand("!known")))
  }

  /// As many ways to compare as there are paths through both would never end.
  @Test func whatTakesLongIsLeft() throws {
    let deep = (0..<60).reduce("known") { "(\($0) \($1.isMultiple(of: 2) ? "&&" : "||") store.count > \($1))" }
    let other = (0..<60).reduce("canRefresh") { "(\($0) \($1.isMultiple(of: 2) ? "||" : "&&") store.count < \($1))" }
    #expect(try !demand(deep).holds(where: demand(other)))
  }

  private func demand(_ source: String) throws -> Demand { try Demand(Expression.compile(source, in: World.scope)) }
}
