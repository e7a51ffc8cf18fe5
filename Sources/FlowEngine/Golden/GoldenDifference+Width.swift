extension GoldenDifference {
  /// The lines of `diff` with so many characters at most: of a line that took the place of another, what differs.
  package func diff(within width: Int) -> [String] {
    var lines: [String] = []
    var removed: [Substring] = []
    var added: [Substring] = []
    func close() {
      // The lines of one change in order: the first that goes for the first that comes.
      let shared = zip(removed, added).map { Self.shared($0, $1) }
      for (sign, changed) in [("-", removed), ("+", added)] {
        for (index, line) in changed.enumerated() {
          lines.append(sign + Self.cut(line, from: index < shared.count ? shared[index] : 0, to: width - 1))
        }
      }
      (removed, added) = ([], [])
    }
    for line in diff {
      switch line.first {
      case "-": removed.append(line.dropFirst())
      case "+": added.append(line.dropFirst())
      default:
        close()
        lines.append(Self.cut(line[...], from: 0, to: width))
      }
    }
    close()
    return lines
  }

  /// Where two lines part, behind `n` and `at`, which differ in all that comes later; a first line has neither.
  private static func shared(_ old: Substring, _ new: Substring) -> Int {
    let starts = [old, new].map { line in
      line.prefix(60).firstRange(of: "\"kind\"").map { line[..<$0.lowerBound].count } ?? 0
    }
    let rests = zip([old, new], starts).map { $0.dropFirst($1) }
    return min(starts[0], starts[1]) + zip(rests[0], rests[1]).prefix { $0 == $1 }.count
  }

  /// Its beginning, and what stands around `place` where that lies too far behind.
  private static func cut(_ line: Substring, from place: Int, to width: Int) -> String {
    if line.count <= width { return String(line) }
    let (head, before) = (width / 3, 16)
    guard place > width - before else { return line.prefix(width - 1) + "…" }
    let rest = line.dropFirst(place - before)
    let room = width - head - 1
    return line.prefix(head) + "…" + (rest.count <= room ? rest : rest.prefix(room - 1) + "…")
  }
}
