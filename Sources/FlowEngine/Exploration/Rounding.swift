import Expressions

/// From one instant to another, in numbers that are quickly had and compared.
struct Span: Equatable {
  var seconds: Int64
  /// 0 to 999 999 999, backwards too.
  var nanoseconds: Int32

  init(from earlier: Timestamp, to later: Timestamp) {
    seconds = later.seconds - earlier.seconds
    nanoseconds = later.nanoseconds - earlier.nanoseconds
    guard nanoseconds < 0 else { return }
    seconds -= 1
    nanoseconds += 1_000_000_000
  }

  /// What is nearer is exact: so long a try of a request takes unless its author says otherwise.
  static let near = Int64(30)

  var isFar: Bool { seconds > Self.near || (seconds == Self.near && nanoseconds > 0) }
}

extension [Timestamp] {
  /// How far ahead distinct instants are; those far ahead are rounded up to powers of two, what is earlier stays earlier.
  ///
  /// Without rounding, each second at which a token may have been issued would make a world of its own.
  func roundedAhead(of now: Timestamp) -> [Span] {
    var spans = map { Span(from: now, to: $0) }
    var last = Int64(0)
    for index in indicesByTime() where spans[index].isFar {
      let power = Int64(1) << (64 - (spans[index].seconds - 1).leadingZeroBitCount)
      // Of two that fall together the later one stays behind.
      last = Swift.max(power, last + 1)
      (spans[index].seconds, spans[index].nanoseconds) = (last, 0)
    }
    return spans
  }

  private func indicesByTime() -> [Int] {
    count == 1 ? [0] : indices.sorted { self[$0] < self[$1] }
  }
}
