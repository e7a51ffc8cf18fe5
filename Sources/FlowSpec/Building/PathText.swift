import Expressions

/// A path as written, taken apart: `users[request.path.id].status`.
struct PathText: Sendable, Hashable {
  /// UTF-8 offsets in the path.
  var key: Range<Int>
  var row: Range<Int>?
  var field: Range<Int>?

  /// `nil` when it is no path.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    let keyEnd = bytes.firstIndex { !$0.isIdentifierPart } ?? bytes.count
    guard keyEnd > 0 else { return nil }
    key = 0..<keyEnd
    var rest = keyEnd
    if rest < bytes.count, bytes[rest] == UInt8(ascii: "[") {
      // The last bracket closes the row: field names have none, and the expression may.
      guard let close = bytes.lastIndex(of: UInt8(ascii: "]")), close > rest + 1 else { return nil }
      row = (rest + 1)..<close
      rest = close + 1
    }
    if rest == bytes.count { return }
    guard bytes[rest] == UInt8(ascii: "."), rest + 1 < bytes.count,
      bytes[(rest + 1)...].allSatisfy(\.isIdentifierPart)
    else { return nil }
    field = (rest + 1)..<bytes.count
  }
}
