import Expressions

/// Milliseconds in words, nothing left out: `0.3s`, `2m 5s`, `31d 2h 30s`.
package func elapsedWords(_ milliseconds: Int) -> String {
  let minutes = milliseconds / 60_000
  if minutes <= 0 { return secondWords(milliseconds % 60_000) }
  var words: [String] = []
  if minutes / 1440 > 0 { words.append("\(minutes / 1440)d") }
  if minutes / 60 % 24 > 0 { words.append("\(minutes / 60 % 24)h") }
  if minutes % 60 > 0 { words.append("\(minutes % 60)m") }
  if milliseconds % 60_000 > 0 { words.append(secondWords(milliseconds % 60_000)) }
  return words.joined(separator: " ")
}

extension Duration {
  /// The same of a duration of whole milliseconds; any other as the language writes it.
  var elapsedWords: String {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0, attoseconds % 1_000_000_000_000_000 == 0 else { return text }
    let (milliseconds, isTooLong) = Int(seconds).multipliedReportingOverflow(by: 1000)
    guard !isTooLong else { return text }
    return FlowEngine.elapsedWords(milliseconds + Int(attoseconds / 1_000_000_000_000_000))
  }
}

private func secondWords(_ milliseconds: Int) -> String {
  "\(milliseconds / 1000)\(decimals(ofNanoseconds: milliseconds % 1000 * 1_000_000))s"
}
