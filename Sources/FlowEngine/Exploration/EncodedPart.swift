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
    made = scope.made.copied
    self.key = key
    self.madeInKey = madeInKey
    instants = scope.instants.copied
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
  private let made: [CanonicalEncoding.Made]
  private let instants: [Timestamp]
  private let stored: [Timestamp]
  /// The latest instant that was past.
  let past: Timestamp?

  /// Takes a snapshot that was encoded just now.
  init(_ snapshot: Snapshot, _ encoding: CanonicalEncoding) {
    self.snapshot = snapshot
    parts = encoding.parts
    section = encoding.section
    made = encoding.scope.made.copied
    instants = encoding.scope.instants.copied
    stored = encoding.scope.stored.copied
    past = encoding.past
  }

  /// Counts what the stores of its services made be counted, if the same was counted before them; else false.
  func countSection(in other: inout CanonicalEncoding.Scope) -> Bool {
    guard section.made == other.made.count, section.instants == other.instants.count,
      section.stored == other.stored.count, made.starts(with: other.made),
      instants.starts(with: other.instants), stored.starts(with: other.stored)
    else { return false }
    other.made += made[section.made...]
    other.instants += instants[section.instants...]
    other.stored += stored[section.stored...]
    return true
  }
}

extension Array {
  /// The same in a buffer of its own with no room behind it, so that the room where it was made is used again.
  fileprivate var copied: [Element] { isEmpty ? [] : map { $0 } }
}
