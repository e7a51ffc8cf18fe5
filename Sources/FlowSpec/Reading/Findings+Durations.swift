import Expressions

extension Findings {
  /// Tells why a text is none of the durations that may stand at a place; `help` is for one that is no duration at all.
  mutating func wrongDuration(
    _ text: String, named name: String, at site: Site, help: String? = nil, isSecret: Bool = false
  ) {
    if Duration(celText: text, allowingDays: true) != nil {
      error("wrong-duration", "\(name) cannot be negative", at: site, "negative", help: "write it without \"-\"")
    } else if text.isWrittenAsDuration {
      error(
        "wrong-duration", "\(name) is longer than 292 years", at: site, "too long",
        help: "292 years are the longest that there is: write \"106751d\" at most")
    } else {
      let meant = isSecret ? nil : text.meantDuration
      error(
        "wrong-duration", "\(name) is no duration", at: site, "not a duration",
        help: meant.map { "write \"\($0)\"" } ?? help ?? ValueType.duration.spelling)
    }
  }
}

extension String {
  /// Whether it is spelt as a duration, however long: with other digits it is one.
  fileprivate var isWrittenAsDuration: Bool {
    guard let last = utf8.last, !last.isDigit else { return false }
    let zeros = utf8.map { $0.isDigit ? UInt8(ascii: "0") : $0 }
    return Duration(celText: String(decoding: zeros, as: UTF8.self), allowingDays: true) != nil
  }
}
