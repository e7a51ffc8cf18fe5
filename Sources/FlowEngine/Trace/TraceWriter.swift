import Expressions
import FlowSpec
import JSONSyntax

/// Writes what happened as a trace: JSON Lines, the header first, members in a fixed order.
///
/// A line has `n` (from 1), `at` (milliseconds since the start), `kind`, then `who` or `from` and `to` (names of
/// participants), `ref` where it carries steps of the source document, then what its kind tells. A member that has
/// nothing to say is left out. `schemas/trace.schema.json` describes every line.
package struct TraceWriter: Sendable {
  let words: TraceWords
  private let start: Timestamp
  /// The address before each service's paths, as `Flow.services` counts them.
  let bases: [Text]
  /// What is secret in JSON by its name where the line under way says nothing else.
  var hidden: Names
  var aliases: AliasTable
  private var lines = JSONLines(room: 16_384)
  private var lineCount = 0

  init(
    _ words: TraceWords, scenario: String?, situation: String?, start: Timestamp, bases: [Text] = [],
    display: AliasTable.Display = .aliases, isFromOutside: Bool = false, live: [String] = []
  ) {
    self.words = words
    hidden = words.secrets.anywhere
    self.start = start
    self.bases = bases
    aliases = AliasTable(display, isFromOutside: isFromOutside)
    lines.add(1) { _, line in
      line.raw("{\"trace\":")
      line.int(Int64(TraceHeader.version))
      line.member("flow", words.header.flow)
      line.member("title", words.header.title)
      line.member("scenario", scenario)
      line.member("situation", situation)
      line.member("started", start.text)
      line.name("participants")
      for (index, participant) in words.header.participants.enumerated() {
        line.raw(index == 0 ? "[{\"name\":" : ",{\"name\":")
        line.string(participant.name)
        line.member("title", participant.title)
        line.member("kind", participant.kind)
        line.raw("}")
      }
      line.raw("]")
      line.member("live", live)
      line.raw("}")
    }
  }

  package mutating func write(_ happening: Happening) { write(Record(happening)) }

  /// Takes the lines out meanwhile, so that what writes one may change what else there is.
  mutating func write(_ record: Record) {
    var lines = JSONLines()
    swap(&lines, &self.lines)
    record.happenings.withUnsafeBufferPointer { happenings in
      guard let first = happenings.baseAddress else { return }
      lines.add(happenings.count) { index, line in write(first + index, of: record, to: &line) }
    }
    swap(&lines, &self.lines)
  }

  /// It is looked at where it stands: to copy it takes as long as to write a short one.
  private mutating func write(_ happening: UnsafePointer<Happening>, of record: Record, to line: inout JSONLine) {
    lineCount += 1
    line.raw("{\"n\":")
    line.int(Int64(lineCount))
    line.raw(",\"at\":")
    line.int(Int64(happening.pointee.at.milliseconds(since: start)))
    writeFact(of: happening, of: record, to: &line)
    line.raw("}")
  }

  /// Gives what was written since it was last asked.
  package mutating func taken() -> [UInt8] { lines.taken() }

  /// The first members of a line about one participant.
  func begin(_ kind: TraceKind, who: Happening.Lane? = nil, refs: [String] = [], to line: inout JSONLine) {
    line.member("kind", kind.rawValue)
    if let who { line.member("who", words.header.participants[who].name) }
    line.member("ref", refs)
  }

  /// The first members of a line that goes from one participant to another; from nobody it is about the one.
  func begin(
    _ kind: TraceKind, from: Happening.Lane?, to: Happening.Lane, refs: [String] = [], to line: inout JSONLine
  ) {
    guard let from else { return begin(kind, who: to, refs: refs, to: &line) }
    line.member("kind", kind.rawValue)
    line.member("from", words.header.participants[from].name)
    line.member("to", words.header.participants[to].name)
    line.member("ref", refs)
  }
}

extension TraceWriter {
  package init(
    _ world: World, scenario: Scenario? = nil, startedAt: Timestamp, config: [Value],
    display: AliasTable.Display = .aliases
  ) {
    self.init(
      world.words, scenario: scenario?.name, situation: scenario?.title, start: startedAt,
      bases: world.book(for: config).texts, display: display,
      isFromOutside: !world.outside.services.isEmpty || world.outside.device,
      live: world.flow.services.indices.filter(world.isLive).map {
        world.flow.participants[world.flow.services[$0].participant].name
      })
  }

  /// Knows beforehand what is secret where a live run begins; hosts stand in the reasons of failures.
  package mutating func know(_ snapshot: Snapshot, of world: World) {
    let simulated = world.flow.services.indices.filter { !world.isLive($0) }
    let machines = simulated.compactMap { world.flow.services[$0].model?.machine }
    let began = machines.flatMap { $0.configValues + $0.initialMemory } + simulated.flatMap { snapshot.services[$0] }
    for value in snapshot.app.config + snapshot.app.store + world.flow.app.initialMemory + began { aliases.know(value) }
    for base in bases { aliases.know(hostOf: base) }
  }

  /// The trace of a run, in UTF-8.
  package static func trace(
    of outcome: RunOutcome, scenario: Scenario?, display: AliasTable.Display = .aliases
  ) -> [UInt8] {
    var writer = TraceWriter(
      outcome.world, scenario: scenario, startedAt: outcome.startedAt, config: outcome.snapshot.app.config,
      display: display)
    writer.write(outcome.happened)
    return writer.taken()
  }
}

extension Timestamp {
  /// Rounded down.
  func milliseconds(since start: Timestamp) -> Int {
    let nanoseconds = Int(nanoseconds) - Int(start.nanoseconds)
    return Int(seconds - start.seconds) * 1000 + (nanoseconds < 0 ? nanoseconds - 999_999 : nanoseconds) / 1_000_000
  }
}
