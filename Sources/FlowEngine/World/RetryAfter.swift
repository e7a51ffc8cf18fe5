import Expressions

/// What `Retry-After` asks for (RFC 9110 §10.2.3): so many seconds, or an instant.
enum RetryAfter {
  /// `nil` when it is neither.
  ///
  /// An instant that is over asks for nothing to wait.
  static func wait(_ text: String, now: Timestamp) -> Duration? {
    if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
      // More digits than an integer has are long enough to be too long.
      return .seconds(Int64(text) ?? Int64(UInt32.max))
    }
    guard let instant = instant(text) else { return nil }
    return max(.zero, instant.since(now))
  }

  /// The preferred form of RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func instant(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT", words[1].utf8.count == 2,
      let month = months.firstIndex(of: String(words[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Timestamp(text: "\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
