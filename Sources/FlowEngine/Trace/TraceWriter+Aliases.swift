import FlowSpec

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
