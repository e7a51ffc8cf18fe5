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

private func secondWords(_ milliseconds: Int) -> String {
  let fraction = milliseconds % 1000
  guard fraction > 0 else { return "\(milliseconds / 1000)s" }
  var digits = String(String(fraction + 1000).dropFirst())
  while digits.last == "0" { digits.removeLast() }
  return "\(milliseconds / 1000).\(digits)s"
}
