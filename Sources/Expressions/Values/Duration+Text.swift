extension Duration {
  /// Reads CEL's form: `1h30m`, `-1.5s`, `250ms`; `nil` when it is none or does not fit 64 bits of nanoseconds.
  ///
  /// - Parameter allowingDays: Takes the unit `d` for 24 hours too, which documents have and CEL has not.
  package init?(celText text: String, allowingDays: Bool = false) {
    var rest = text[...].utf8
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    if rest.elementsEqual("0".utf8) {
      self = .zero
      return
    }
    guard !rest.isEmpty else { return nil }
    var total = Duration.zero
    while !rest.isEmpty {
      guard let part = Duration.part(of: &rest, allowingDays: allowingDays) else { return nil }
      total = isNegative ? total - part : total + part
      // The range has one more below zero than above it.
      guard total.isInRange else { return nil }
    }
    self = total
  }

  /// In seconds: `5400s`, `-1.5s`.
  package var text: String {
    let (seconds, attoseconds) = components
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    return sign + "\(seconds.magnitude)" + decimals(ofNanoseconds: Int(attoseconds.magnitude / 1_000_000_000)) + "s"
  }

  /// Whether it fits nanoseconds in 64 bits, which is CEL's range.
  package var isInRange: Bool { self >= .nanoseconds(Int64.min) && self <= .nanoseconds(Int64.max) }

  /// Rounded towards zero.
  func count(of unit: Duration) -> Int64 {
    let (seconds, attoseconds) = components
    let (unitSeconds, unitAttoseconds) = unit.components
    if unitSeconds > 0 { return seconds / unitSeconds }
    return attoseconds / unitAttoseconds
  }

  private static func part(of rest: inout Substring.UTF8View, allowingDays: Bool) -> Duration? {
    let whole = rest.prefix(while: \.isDigit)
    rest.removeFirst(whole.count)
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = rest.prefix(while: \.isDigit)
      rest.removeFirst(fraction.count)
    }
    let letters = rest.prefix { !$0.isDigit && $0 != UInt8(ascii: ".") }
    rest.removeFirst(letters.count)
    guard whole.count + fraction.count > 0, let number = UInt64("0" + String(decoding: whole, as: UTF8.self)),
      let unit = nanoseconds(ofUnit: String(decoding: letters, as: UTF8.self), allowingDays: allowingDays)
    else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: UInt64(unit))
    if overflow { return nil }
    // From the last digit on: cut off once only.
    let part = fraction.reversed().reduce(0) { ($0 + Int64($1 - UInt8(ascii: "0")) * unit) / 10 }
    let (seconds, rest) = product.quotientAndRemainder(dividingBy: 1_000_000_000)
    return .seconds(Int64(seconds)) + .nanoseconds(Int64(rest) + part)
  }

  private static func nanoseconds(ofUnit unit: String, allowingDays: Bool) -> Int64? {
    switch unit {
    case "ns": 1
    case "us", "µs", "μs": 1000
    case "ms": 1_000_000
    case "s": 1_000_000_000
    case "m": 60_000_000_000
    case "h": 3_600_000_000_000
    case "d" where allowingDays: 86_400_000_000_000
    default: nil
    }
  }
}
