import Expressions

/// The encoding of a part of a snapshot, counted by itself: the same wherever the part stands.
///
/// Most of a snapshot is as it was in the one before, and is not looked through again.
final class EncodedPart: Sendable {
  let fingerprint: Fingerprint
  /// Fresh values and identifiers, by first appearance in it.
  let made: [CanonicalEncoding.Made]
  /// So many of them stand in the key of the row.
  let madeInKey: Int
  /// The key of its service's store to which the row belongs.
  let key: Int
  /// Stored instants that are not past, by first appearance.
  let instants: [Timestamp]
  /// The latest of those that are past.
  private let lastPast: Timestamp?
  private let firstAhead: Timestamp?

  init(_ scope: CanonicalEncoding.Scope, key: Int, madeInKey: Int) {
    fingerprint = scope.writer.fingerprint
    // The room stays where it is.
    made = scope.made.isEmpty ? [] : Array(scope.made[...])
    self.key = key
    self.madeInKey = madeInKey
    instants = scope.instants.isEmpty ? [] : Array(scope.instants[...])
    lastPast = scope.lastPast
    firstAhead = instants.min()
  }

  /// Whether the same instants are past; `past` is the latest that is.
  func holds(past: Timestamp?) -> Bool {
    if let lastPast {
      guard let past, lastPast <= past else { return false }
    }
    guard let firstAhead, let past else { return true }
    return firstAhead > past
  }
}

/// The encodings of what a snapshot is made of and changes seldom.
struct EncodedParts: Sendable {
  var store: EncodedPart?
  var memory: EncodedPart?
  var jar: EncodedPart?
  var inbox: EncodedPart?
  /// By flight.
  var requests: [EncodedPart] = []
  /// By service: the keys of which no row may be left out, then the rows of the others, key by key.
  var services: [[EncodedPart]] = []
}

/// How the stores of the services were written, behind all else: how much was counted before, and what was written.
struct ServiceSection: Sendable {
  var fingerprint = Fingerprint(first: 0, second: 0)
  var made = 0
  var instants = 0
  var stored = 0
}

/// A snapshot with the encodings of its parts.
final class EncodedSnapshot: Sendable {
  let snapshot: Snapshot
  let parts: EncodedParts
  let section: ServiceSection
  private let scope: CanonicalEncoding.Scope
  /// The latest instant that was past.
  let past: Timestamp?

  /// Takes a snapshot that was encoded just now.
  init(_ snapshot: Snapshot, _ encoding: CanonicalEncoding) {
    self.snapshot = snapshot
    parts = encoding.parts
    section = encoding.section
    scope = encoding.scope
    past = encoding.past
  }

  /// Counts what the stores of its services made be counted, if the same was counted before them; else false.
  func countSection(in other: inout CanonicalEncoding.Scope) -> Bool {
    guard section.made == other.made.count, section.instants == other.instants.count,
      section.stored == other.stored.count, scope.made.starts(with: other.made),
      scope.instants.starts(with: other.instants), scope.stored.starts(with: other.stored)
    else { return false }
    other.made += scope.made[section.made...]
    other.instants += scope.instants[section.instants...]
    other.stored += scope.stored[section.stored...]
    return true
  }
}
