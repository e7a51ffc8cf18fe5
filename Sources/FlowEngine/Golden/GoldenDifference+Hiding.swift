import FlowSpec

/// What is secret today may have been plain when a golden was made.
extension GoldenDifference {
  /// The same with dots for what a run hides.
  package func hiding(_ outcome: RunOutcome) -> GoldenDifference {
    let aliases = TraceWriter.aliases(of: outcome)
    return GoldenDifference(
      sentences: sentences.map(aliases.hiding), diff: diff.map(aliases.hiding))
  }
}

extension TraceWriter {
  /// The table of all that the trace of a run hides, and of what is secret where it begins and ends.
  static func aliases(of outcome: RunOutcome) -> AliasTable {
    let (world, snapshot) = (outcome.world, outcome.snapshot)
    var writer = TraceWriter(
      world.words, scenario: nil, situation: nil, start: outcome.startedAt,
      bases: world.book(for: snapshot.app.config).texts, isFromOutside: true)
    writer.know(world.initial(now: outcome.startedAt), of: world)
    writer.know(snapshot, of: world)
    writer.write(outcome.happened)
    return writer.aliases
  }
}
