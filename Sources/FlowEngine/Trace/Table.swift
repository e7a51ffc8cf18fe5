/// Columns of text whose cells wrap within their width.
struct Table {
  struct Row {
    var cells: [String]
    /// Of the last cell.
    var emphasis: TextStyle.Emphasis
  }

  /// The most that each column but the last may take.
  private let limits: [Int]
  /// Whether they take no more than they need.
  private let isFitted: Bool
  private let width: Int
  private let style: TextStyle
  private var rows: [Row] = []

  init(columns limits: [Int], isFitted: Bool = true, width: Int, style: TextStyle) {
    self.limits = limits
    self.isFitted = isFitted
    self.width = width
    self.style = style
  }

  mutating func add(_ row: Row) { rows.append(row) }

  var text: String {
    let needed = limits.indices.map { column in
      isFitted ? min(limits[column], rows.map { $0.cells[column].width }.max() ?? 0) : limits[column]
    }
    let shown = needed.indices.filter { needed[$0] > 0 }
    let rest = max(20, width - shown.map { needed[$0] + 2 }.reduce(0, +))
    var result = ""
    for row in rows {
      let cells = shown.map { wrapped(row.cells[$0], width: needed[$0]) }
      let last = wrapped(row.cells[limits.count], width: rest)
      for index in 0..<max(last.count, cells.map(\.count).max() ?? 0) {
        var line = ""
        for (place, column) in shown.enumerated() {
          let cell = index < cells[place].count ? cells[place][index] : ""
          line += style.styled(padded(cell, to: needed[column]), column == 2 ? .none : .faint) + "  "
        }
        line += index < last.count ? style.styled(last[index], row.emphasis) : ""
        result += withoutTrailingSpaces(line) + "\n"
      }
    }
    return result
  }
}

private func padded(_ text: String, to width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.width))
}

private func withoutTrailingSpaces(_ text: String) -> String {
  var text = text[...]
  while text.utf8.last == UInt8(ascii: " ") { text.unicodeScalars.removeLast() }
  return String(text)
}
