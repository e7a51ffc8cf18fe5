extension Timestamp {
  /// Reads RFC 3339: `2026-01-01T09:00:00.5Z`, with any offset; `nil` when it is none or outside the years 1 to 9999.
  package init?(text: String) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
      let day = reader.number(2), reader.take("T") || reader.take("t"),
      let hour = reader.number(2), reader.take(":"), let minute = reader.number(2), reader.take(":"),
      let second = reader.number(2), let nanoseconds = reader.fraction(), let offset = reader.offset(), reader.isAtEnd,
      (1...12).contains(month), (1...Timestamp.days(inMonth: month, of: year)).contains(day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Timestamp.days(year: Int64(year), month: Int64(month), day: Int64(day))
    let seconds = days * 86400 + Int64(hour * 3600 + minute * 60 + second - offset)
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }

  /// RFC 3339 in UTC, with as many decimals as it needs.
  package var text: String {
    let date = calendarDate
    let clock = secondOfDay
    let text = String(unsafeUninitializedCapacity: 20) { bytes in
      func write(_ number: Int, at place: Int, _ end: Unicode.Scalar) {
        bytes[place] = UInt8(ascii: "0") + UInt8(number / 10)
        bytes[place + 1] = UInt8(ascii: "0") + UInt8(number % 10)
        bytes[place + 2] = UInt8(ascii: end)
      }
      // Its last digits come behind it.
      write(date.year / 100, at: 0, "-")
      write(date.year % 100, at: 2, "-")
      write(date.month, at: 5, "-")
      write(date.day, at: 8, "T")
      write(clock / 3600, at: 11, ":")
      write(clock / 60 % 60, at: 14, ":")
      write(clock % 60, at: 17, "Z")
      return 20
    }
    return nanoseconds == 0 ? text : text.dropLast() + decimals(ofNanoseconds: Int(nanoseconds)) + "Z"
  }

  /// The Gregorian date; months and days from 1.
  var calendarDate: (year: Int, month: Int, day: Int) {
    // Eras of 400 years that begin in March, so that the leap day is the last day of a year.
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    return (yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, day)
  }

  /// Whole days since 1970-01-01.
  var dayNumber: Int { Int(seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400) }

  var secondOfDay: Int { Int(seconds) - dayNumber * 86400 }

  /// From 0 for Sunday.
  var dayOfWeek: Int { ((dayNumber + 4) % 7 + 7) % 7 }

  /// From 0 for the first of January.
  var dayOfYear: Int {
    dayNumber - Int(Timestamp.days(year: Int64(calendarDate.year), month: 1, day: 1))
  }

  /// Days from 1970-01-01 to a Gregorian date.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// `.5` for half a second, nothing for none.
package func decimals(ofNanoseconds nanoseconds: Int) -> String {
  guard nanoseconds > 0 else { return "" }
  var digits = "\(1_000_000_000 + nanoseconds)".dropFirst()
  while digits.last == "0" { digits.removeLast() }
  return "." + digits
}

/// Reads the parts of an RFC 3339 text.
private struct DigitReader {
  private var rest: Substring.UTF8View

  init(_ text: String) {
    rest = text[...].utf8
  }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func number(_ width: Int) -> Int? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy(\.isDigit) else { return nil }
    rest.removeFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Nanoseconds, cut off behind them; 0 without a decimal point.
  mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    let digits = rest.prefix(while: \.isDigit)
    guard !digits.isEmpty else { return nil }
    rest.removeFirst(digits.count)
    let nanoseconds = digits.prefix(9)
    let value = nanoseconds.reduce(Int32(0)) { $0 * 10 + Int32($1 - UInt8(ascii: "0")) }
    return (nanoseconds.count..<9).reduce(value) { value, _ in value * 10 }
  }

  /// Seconds east of UTC.
  mutating func offset() -> Int? {
    if take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : take("-") ? -1 : 0
    guard sign != 0, let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60 else {
      return nil
    }
    return sign * (hours * 3600 + minutes * 60)
  }
}
