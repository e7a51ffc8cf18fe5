extension [Duration] {
  /// Distinct times, of which those far ahead are rounded up to powers of two; what is earlier stays earlier.
  ///
  /// Without rounding, each second at which a token may have been issued would make a world of its own.
  var roundedAhead: [Duration] {
    guard contains(where: { $0 > Duration.near }) else { return self }
    var rounded = self
    var last = Int64(0)
    for index in indices.sorted(by: { self[$0] < self[$1] }) where self[index] > Duration.near {
      let seconds = self[index].components.seconds
      let power = Int64(1) << (64 - (seconds - 1).leadingZeroBitCount)
      // Of two that fall together the later one stays behind.
      last = Swift.max(power, last + 1)
      rounded[index] = .seconds(last)
    }
    return rounded
  }
}

extension Duration {
  /// What is nearer is exact: so long a try of a request takes unless its author says otherwise.
  static let near = Duration.seconds(30)
}
