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
  /// Names under which JSON of the line under way is secret.
  private(set) var hidden: SecretMembers.Names
  var aliases: AliasTable
  /// The lines so far, and the one under way.
  var line = JSONWriter(room: 16_384)
  private var lineCount = 0

  package var bytes: [UInt8] { line.bytes }

  /// The instant at which it starts is that of the header, which says it as text.
  init(
    _ words: TraceWords, scenario: String?, situation: String?, started: String, start: Timestamp, bases: [Text] = [],
    display: AliasTable.Display = .aliases
  ) {
    self.words = words
    self.start = start
    self.bases = bases
    hidden = words.secrets.anywhere
    aliases = AliasTable(display)
    line.beginObject()
    line.rawValue(words.headerStart, 1..<words.headerStart.count)
    line.member("scenario", scenario)
    line.member("situation", situation)
    line.member("started", started)
    line.raw(words.headerEnd)
    line.endObject()
    line.endLine()
  }

  package mutating func write(_ happening: Happening) {
    lineCount += 1
    hidden =
      switch happening.fact {
      case .request(let sent): words.secrets.between(sent.from, sent.to)
      case .answer(let arrived): words.secrets.between(arrived.from, arrived.to)
      default: words.secrets.anywhere
      }
    line.beginObject()
    line.rawName("\"n\":")
    line.int(Int64(lineCount))
    line.rawName(",\"at\":")
    line.int(Int64(happening.at.milliseconds(since: start)))
    write(happening.fact, refs: happening.refs)
    line.endObject()
    line.endLine()
  }

  /// Gives what was written since it was last asked.
  package mutating func taken() -> [UInt8] { line.taken() }

  /// The first members of a line about one participant.
  mutating func begin(_ kind: TraceKind, who: Happening.Lane? = nil, refs: [String]) {
    line.member("kind", kind.rawValue)
    line.member("who", who.map(name))
    line.member("ref", refs)
  }

  /// The first members of a line that goes from one participant to another; from nobody it is about the one.
  mutating func begin(_ kind: TraceKind, from: Happening.Lane?, to: Happening.Lane, refs: [String]) {
    guard let from else { return begin(kind, who: to, refs: refs) }
    line.member("kind", kind.rawValue)
    line.member("from", name(from))
    line.member("to", name(to))
    line.member("ref", refs)
  }

  private func name(_ lane: Happening.Lane) -> String {
    precondition(words.header.participants.indices.contains(lane), "A happening names participants of its flow.")
    return words.header.participants[lane].name
  }
}

extension TraceWriter {
  package init(
    _ world: World, scenario: Scenario? = nil, startedAt: Timestamp, config: [Value],
    display: AliasTable.Display = .aliases
  ) {
    self.init(
      world.words, scenario: scenario?.name, situation: scenario?.title, started: startedAt.text, start: startedAt,
      bases: world.bases(config: config), display: display)
  }

  /// The trace of a run, in UTF-8.
  package static func trace(
    of flow: Flow, scenario: Scenario?, outcome: RunOutcome, display: AliasTable.Display = .aliases
  ) -> [UInt8] {
    trace(of: World(flow), scenario: scenario, outcome: outcome, display: display)
  }

  package static func trace(
    of world: World, scenario: Scenario?, outcome: RunOutcome, display: AliasTable.Display = .aliases
  ) -> [UInt8] {
    var writer = TraceWriter(
      world, scenario: scenario, startedAt: outcome.startedAt, config: outcome.snapshot.app.config,
      display: display)
    // Through the buffer, none of them is copied to be looked at.
    outcome.happenings.withUnsafeBufferPointer { happenings in
      for index in happenings.indices { writer.write(happenings[index]) }
    }
    return writer.taken()
  }
}

extension Timestamp {
  /// Rounded down.
  fileprivate func milliseconds(since start: Timestamp) -> Int {
    let nanoseconds = Int(nanoseconds) - Int(start.nanoseconds)
    return Int(seconds - start.seconds) * 1000 + (nanoseconds < 0 ? nanoseconds - 999_999 : nanoseconds) / 1_000_000
  }
}
