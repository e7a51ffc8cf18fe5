import Expressions

/// What `Retry-After` asks for (RFC 9110 §10.2.3): so many seconds, or an instant.
enum RetryAfter {
  /// `nil` when it is neither; negative for an instant that is over; of several numbers the longest, since who gave one
  /// wants it kept.
  static func wait(_ text: String, now: Timestamp) -> Duration? {
    let all = text.split { ", \t".contains($0) }.map(String.init)
    if all.count > 1, all.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) {
      return all.compactMap { wait($0, now: now) }.max()
    }
    if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
      // More digits than an integer has are long enough to be too long.
      return .seconds(Int64(text) ?? Int64(UInt32.max))
    }
    return instant(text, now: now)?.since(now)
  }

  /// Each form of RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`, and `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994` of old.
  private static func instant(_ text: String, now: Timestamp) -> Timestamp? {
    let words = text.split { " -".contains($0) }.map(String.init)
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT" else {
      return words.count == 5 ? instant(words[4], words[1], words[2], words[3]) : nil
    }
    guard words[3].utf8.count == 2 else { return instant(words[3], words[2], words[1], words[4]) }
    // Of two digits that would be more than 50 years ahead, the year is one of the past.
    let centuries = ["20", "19"].compactMap { instant($0 + words[3], words[2], words[1], words[4]) }
    return centuries.first { $0.since(now) <= .seconds(50 * 31_556_952) } ?? centuries.last
  }

  private static func instant(_ year: String, _ month: String, _ day: String, _ time: String) -> Timestamp? {
    guard let month = months.firstIndex(of: month) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    // A leap second is the one behind the last of its minute.
    let (isLeap, clock) = time.hasSuffix(":60") ? (true, time.dropLast(2) + "59") : (false, time[...])
    return Timestamp(text: "\(year)-\(number)-\(day.utf8.count == 1 ? "0" : "")\(day)T\(clock)Z")?
      .advanced(by: .seconds(isLeap ? 1 : 0))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
