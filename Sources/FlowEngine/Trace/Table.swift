import FlowSpec

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
    (self.limits, self.isFitted, self.width, self.style) = (limits, isFitted, width, style)
  }

  mutating func add(_ row: Row) { rows.append(row) }

  var text: String {
    var needed = limits
    if isFitted {
      for column in limits.indices {
        var most = 0
        for row in rows { most = max(most, row.cells[column].cells) }
        needed[column] = min(limits[column], most)
      }
    }
    var rest = width
    for needed in needed where needed > 0 { rest -= needed + 2 }
    var text: [UInt8] = []
    text.reserveCapacity(rows.count * (width + 2))
    for row in rows { add(row, needed, rest: max(20, rest), to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Columns that need nothing are left out.
  private func add(_ row: Row, _ needed: [Int], rest: Int, to text: inout [UInt8]) {
    let cells = row.cells.indices.map { wrapped(row.cells[$0], width: $0 < limits.count ? max(1, needed[$0]) : rest) }
    var height = 0
    for (column, cell) in cells.enumerated() where column == limits.count || needed[column] > 0 {
      height = max(height, cell.count)
    }
    for index in 0..<height {
      for column in limits.indices where needed[column] > 0 {
        let cell = index < cells[column].count ? cells[column][index] : ""
        let emphasis: TextStyle.Emphasis = column == 2 ? .none : .faint
        text += style.opening(emphasis).utf8
        text += cell.utf8
        for _ in 0..<max(0, needed[column] - cell.cells) { text.append(UInt8(ascii: " ")) }
        text += style.closing(emphasis).utf8
        text.append(UInt8(ascii: " "))
        text.append(UInt8(ascii: " "))
      }
      if index < cells[limits.count].count { text += style.styled(cells[limits.count][index], row.emphasis).utf8 }
      while text.last == UInt8(ascii: " ") { text.removeLast() }
      text.append(UInt8(ascii: "\n"))
    }
  }
}
