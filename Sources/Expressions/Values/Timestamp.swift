/// An instant, in UTC, within CEL's range: years 1 to 9999, to the nanosecond.
@usableFromInline
package struct Timestamp: Sendable, Hashable, Comparable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  package let seconds: Int64
  /// 0 to 999 999 999.
  package let nanoseconds: Int32

  /// `nil` outside the years 1 to 9999.
  package init?(seconds: Int64, nanoseconds: Int32 = 0) {
    guard (-62_135_596_800...253_402_300_799).contains(seconds), (0...999_999_999).contains(nanoseconds) else {
      return nil
    }
    (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
  }

  /// 1970-01-01T00:00:00Z.
  package static let epoch: Timestamp = {
    guard let epoch = Timestamp(seconds: 0) else { preconditionFailure("1970 lies within CEL's range.") }
    return epoch
  }()

  @usableFromInline
  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// No two instants are further apart.
  private static let span = Duration.seconds(253_402_300_799 + 62_135_596_800 + 1)

  /// `nil` when the sum leaves the years 1 to 9999.
  package func advanced(by duration: Duration) -> Timestamp? {
    // The components of a duration must fit 64 bits, which not every one does.
    guard duration <= Self.span, duration >= .zero - Self.span else { return nil }
    let (seconds, attoseconds) = duration.components
    let nanoseconds = Int64(nanoseconds) + (attoseconds == 0 ? 0 : attoseconds / 1_000_000_000)
    let carry = nanoseconds < 0 ? Int64(-1) : nanoseconds / 1_000_000_000
    return Timestamp(seconds: self.seconds + seconds + carry, nanoseconds: Int32(nanoseconds - carry * 1_000_000_000))
  }

  /// The time from `other` to this instant.
  package func since(_ other: Timestamp) -> Duration {
    .seconds(seconds - other.seconds) + .nanoseconds(Int64(nanoseconds) - Int64(other.nanoseconds))
  }
}
