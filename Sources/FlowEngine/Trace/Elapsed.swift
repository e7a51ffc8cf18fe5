/// Milliseconds in words, in its two largest units: `0.3s`, `2m 5s`, `3d 2h`.
func elapsedWords(_ milliseconds: Int) -> String {
  if milliseconds < 60_000 { return "\(milliseconds / 1000).\(milliseconds % 1000 / 100)s" }
  let seconds = milliseconds / 1000
  let units = [("d", seconds / 86_400), ("h", seconds / 3600 % 24), ("m", seconds / 60 % 60), ("s", seconds % 60)]
  return units.filter { $0.1 > 0 }.prefix(2).map { "\($0.1)\($0.0)" }.joined(separator: " ")
}
