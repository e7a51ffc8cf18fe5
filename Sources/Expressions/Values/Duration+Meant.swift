extension String {
  /// The duration that somebody meant who wrote it in other words or with blanks, as documents write it: of `9m 59s` it
  /// is `9m59s`, of `2 hours` `2h`.
  ///
  /// `nil` where it is one already, and where no duration is meant.
  package var meantDuration: String? {
    guard utf8.count < 40 else { return nil }
    var (meant, rest) = ("", lowercased()[...])
    while case let part = rest.drop(while: { $0 == " " }), !part.isEmpty {
      let number = part.prefix { ("0"..."9").contains($0) || $0 == "." }
      let behind = part[number.endIndex...].drop { $0 == " " }
      let word = behind.prefix { ("a"..."z").contains($0) }
      guard let unit = Self.unit(String(word)) else { return nil }
      meant += "\(number)\(unit)"
      rest = behind[word.endIndex...]
    }
    return meant != self && Duration(celText: meant, allowingDays: true) != nil ? meant : nil
  }

  private static func unit(_ word: String) -> String? {
    switch word {
    case "ms", "millisecond", "milliseconds": "ms"
    case "s", "sec", "secs", "second", "seconds": "s"
    case "m", "min", "mins", "minute", "minutes": "m"
    case "h", "hr", "hrs", "hour", "hours": "h"
    case "d", "day", "days": "d"
    default: nil
    }
  }
}
