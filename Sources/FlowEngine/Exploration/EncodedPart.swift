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
    made = scope.made
    self.key = key
    self.madeInKey = madeInKey
    instants = scope.instants
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
  /// By service: the keys of which no row may be left out, then the rows of the others, key by key.
  var services: [[EncodedPart]] = []
}

/// A snapshot with the encodings of its parts.
final class EncodedSnapshot: Sendable {
  let snapshot: Snapshot
  let parts: EncodedParts

  init(_ snapshot: Snapshot, _ parts: EncodedParts) {
    self.snapshot = snapshot
    self.parts = parts
  }
}
