/// The same lines several times on end, as a poll draws them.
struct Repetition {
  let lines: Range<Int>
  let times: Int

  /// Two of a kind are no loop: an error and its one retry are looked at one by one.
  private static let fewest = 3
  /// The longest round that is looked for, in lines.
  private static let longest = 24

  /// The one that begins with a line and covers most of what follows, of the shortest rounds; `nil` where none does.
  static func beginning(at start: Int, of lines: [String]) -> Repetition? {
    var best: Repetition?
    for length in 1...longest where start + fewest * length <= lines.count {
      let round = lines[start..<start + length]
      var times = 1
      while lines[(start + times * length)...].starts(with: round) { times += 1 }
      guard times >= fewest, times * length > best.map({ $0.times * $0.lines.count }) ?? 0 else { continue }
      best = Repetition(lines: start..<start + length, times: times)
    }
    return best
  }

  /// Where what follows it stands.
  var end: Int { lines.lowerBound + times * lines.count }
}
