import Testing

@testable import Expressions

/// Runs an expression while its times are watched; those that are new are as expected, spans in seconds.
private func checkNotes(
  _ source: String, spans: [Int] = [], instants: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
) throws {
  var scope = World.scope
  scope.lets["later"] = "now + seconds(store.count)"
  scope.lets["known"] = try Let("now + seconds(store.count)").compiled(as: "known", in: World.scope)
  var frame = World.frame
  frame.times = Times(spans: [.zero])
  _ = try Expression.compile(source, in: scope).evaluate(&frame)
  let times = try #require(frame.times)
  #expect(times.spans.dropFirst().map { Int($0.components.seconds) } == spans, sourceLocation: sourceLocation)
  #expect(times.instants.map(\.text) == instants, sourceLocation: sourceLocation)
  #expect(times.isNew == (!spans.isEmpty || !instants.isEmpty), sourceLocation: sourceLocation)
}

@Suite struct TimesTests {
  @Test(arguments: [
    "now > store.expiresAt + seconds(store.count)", "seconds(store.count) + store.expiresAt < now",
    "now - store.expiresAt > seconds(store.count)", "seconds(store.count) > store.expiresAt - now",
    "now - store.expiresAt - seconds(store.count) > duration('0s')", "later > store.expiresAt",
    "present(later) && later > store.expiresAt", "known > store.expiresAt",
    "store.expiresAt <= now + seconds(store.count)",
    "[store.expiresAt].exists(x, x + seconds(store.count) < now)",
    "store.users.exists(k, present(store.users[k].seen) && store.users[k].seen + seconds(store.count) < now)",
  ]) func aSpanIsNotedBehindAndBeforeAnInstant(_ source: String) throws {
    try checkNotes(source, spans: [3, -3])
  }

  @Test func aGraceIsNotedBeforeAnInstantAlone() throws {
    try checkNotes("expired(store.expiresAt, string(store.count) + 's')", spans: [-3])
  }

  @Test(arguments: [
    "now > timestamp('2026-03-01T00:00:00Z')", "expired(timestamp('2026-03-01T00:00:00Z'))",
    "timestamp('2026-03-01T00:00:00Z') - now > duration('0s')", "now <= timestamp(dyn('2026-03-01T00:00:00Z'))",
  ]) func anInstantThatNothingKeepsIsNoted(_ source: String) throws {
    try checkNotes(source, instants: ["2026-03-01T00:00:00Z"])
  }

  @Test(arguments: [
    "now > store.expiresAt", "expired(store.expiresAt)", "now + seconds(store.count)", "[later, known]",
    "timestamp('2026-03-01T00:00:00Z') + seconds(store.count)", "later > now", "seconds(store.count) > duration('1s')",
    "timestamp(claims(jwt({'exp': timestamp('2026-03-01T00:00:00Z')})).exp) > now",
    "[store.expiresAt].exists(x, x < now)",
    "now > timestamp('2020-01-01T00:00:00Z')",
  ]) func whatIsOnlyMadeOrKeptOrLongAgoIsNot(_ source: String) throws {
    try checkNotes(source)
  }
}
