import Expressions

/// From one instant to another, in numbers that are quickly had and compared.
struct Interval {
  var seconds: Int64
  /// 0 to 999 999 999, backwards too.
  var nanoseconds: Int32

  init(from earlier: Timestamp, to later: Timestamp) {
    self.init(from: earlier, to: EncodedPart.Instant(later, isStored: false))
  }

  init(from earlier: Timestamp, to later: EncodedPart.Instant) {
    seconds = later.seconds - earlier.seconds
    nanoseconds = later.nanoseconds - earlier.nanoseconds
    guard nanoseconds < 0 else { return }
    seconds -= 1
    nanoseconds += 1_000_000_000
  }

  /// What is nearer is exact: so long a try of a request takes unless its author says otherwise.
  static let near = Int64(30)

  var isFar: Bool { seconds > Self.near || (seconds == Self.near && nanoseconds > 0) }

  /// So much less is rounded up to the same.
  var still: Interval {
    guard isFar else { return .zero }
    let half = Int64(1) << (63 - (seconds - 1).leadingZeroBitCount)
    return Interval(seconds: seconds - 1 - Swift.max(half, Self.near))
  }

  /// Rounds up to a power of two; what would fall together with an earlier time stays behind it.
  mutating func roundUp(behind earlier: Int64 = 0) {
    let power = Int64(1) << (64 - (seconds - 1).leadingZeroBitCount)
    (seconds, nanoseconds) = (Swift.max(power, earlier + 1), 0)
  }
}

extension Interval {
  static let zero = Interval(seconds: 0)

  init(seconds: Int64) { (self.seconds, nanoseconds) = (seconds, 0) }

  /// Since 1970.
  init(_ instant: Timestamp) { (seconds, nanoseconds) = (instant.seconds, instant.nanoseconds) }

  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    (self.seconds, nanoseconds) = (seconds, Int32(attoseconds / 1_000_000_000))
    guard nanoseconds < 0 else { return }
    self.seconds -= 1
    nanoseconds += 1_000_000_000
  }

  static func + (left: Interval, right: Interval) -> Interval {
    var sum = left
    sum.seconds += right.seconds
    sum.nanoseconds += right.nanoseconds
    guard sum.nanoseconds >= 1_000_000_000 else { return sum }
    sum.seconds += 1
    sum.nanoseconds -= 1_000_000_000
    return sum
  }
}

extension Interval: Comparable {
  static func < (left: Interval, right: Interval) -> Bool {
    left.seconds < right.seconds || (left.seconds == right.seconds && left.nanoseconds < right.nanoseconds)
  }
}

extension Pile<Interval> {
  /// Rounds distinct times that are far ahead up to powers of two; what is earlier stays earlier.
  ///
  /// Without rounding, each second at which a token may have been issued would make a world of its own. Gives what tells
  /// apart times that are rounded to the same, `nil` where there is nothing to be rounded. `order` is room to work in.
  mutating func roundAhead(_ order: inout [Int]) -> UInt64? {
    var far: (count: Int, last: Int) = (0, 0)
    var writer = FingerprintWriter()
    for index in indices where self[index].isFar {
      far = (far.count + 1, index)
      writer.add(self[index])
    }
    if far.count == 0 { return nil }
    if far.count == 1 {
      self[far.last].roundUp()
      return writer.first
    }
    order.removeAll(keepingCapacity: true)
    for index in indices where self[index].isFar { order.append(index) }
    let intervals = self
    order.sort { intervals[$0] < intervals[$1] }
    var last = Int64(0)
    for index in order {
      self[index].roundUp(behind: last)
      last = self[index].seconds
    }
    return writer.first
  }
}
