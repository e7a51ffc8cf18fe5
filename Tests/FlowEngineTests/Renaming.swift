@testable import Expressions

/// Goes through the values of a world and gives fresh values and identifiers numbers by first appearance.
///
/// Worlds that differ only in how often something was made, or when, become equal. Going through the result again changes
/// nothing.
struct Renaming: Sendable {
  private struct Made: Hashable {
    var isFresh: Bool
    var name: String
    var number: Int
  }

  private let shift: Duration
  private let past: Timestamp?
  private var numbers: [Made: Int] = [:]
  /// How many of each name were met, as `Mint.restart` takes them.
  private(set) var freshCounts: [Mint.Count] = []
  private(set) var identifierCounts: [Mint.Count] = []

  /// - Parameters:
  ///   - shift: Is added to every timestamp.
  ///   - past: A shifted instant before it becomes exactly it.
  init(shift: Duration = .zero, past: Timestamp? = nil) {
    (self.shift, self.past) = (shift, past)
  }

  /// The same value with new numbers and instants.
  mutating func rename(_ value: Value) -> Value {
    changed(value) ?? value
  }

  /// The same values; what does not change is not copied.
  mutating func rename(_ values: [Value]) -> [Value] {
    guard case .list(let renamed)? = changed(.list(values)) else { return values }
    return renamed
  }

  /// The same instant shifted; one that would leave the years 1 to 9999 stays.
  func shifted(_ instant: Timestamp) -> Timestamp {
    let moved = instant.advanced(by: shift) ?? instant
    if let past, moved < past { return past }
    return moved
  }

  /// `nil` when nothing changes, so that plain values are not copied.
  private mutating func changed(_ value: Value) -> Value? {
    switch value {
    case .null, .bool, .int, .double, .duration, .optional(nil): return nil
    case .timestamp(let instant):
      let moved = shifted(instant)
      return moved == instant ? nil : .timestamp(moved)
    case .string(let text): return changed(text).map { .string($0) }
    case .optional(let wrapped?): return changed(wrapped).map { .optional($0) }
    case .list(let elements):
      return elements.changing { changed($0) }.map(Value.list)
    case .map(let map): return map.changing { changed($0) }.map(Value.map)
    }
  }

  /// The same text with its origins renumbered and written anew.
  mutating func rename(_ text: Text) -> Text { changed(text) ?? text }

  private mutating func changed(_ text: Text) -> Text? {
    switch text.form {
    case .plain: return nil
    case .whole(let whole): return changed(whole.origin).map { Text(origin: $0, secret: whole.secret) }
    case .mixed: return text.hasOrigin ? renamed(text) : nil
    }
  }

  /// The same for a text of which only parts are fresh.
  private mutating func renamed(_ text: Text) -> Text {
    var pieces: [(old: Range<Int>, new: Range<Int>)] = []
    var spans: [Text.Span] = []
    var result: [UInt8] = []
    let bytes = Array(text.string.utf8)
    var position = 0
    for span in text.spans {
      guard case .origin(let origin) = span.kind else { continue }
      result += bytes[position..<span.range.lowerBound]
      let start = result.count
      let renamed = changed(origin) ?? origin
      result += renamed.string.utf8
      pieces.append((span.range, start..<result.count))
      spans.append(Text.Span(range: start..<result.count, kind: .origin(renamed)))
      position = span.range.upperBound
    }
    result += bytes[position...]
    for span in text.spans {
      if case .origin = span.kind { continue }
      let range = moved(span.range.lowerBound, pieces)..<moved(span.range.upperBound, pieces, isEnd: true)
      spans.append(Text.Span(range: range, kind: span.kind))
    }
    return Text(string: String(decoding: result, as: UTF8.self), spans: spans)
  }

  /// Where an offset of the old text stands in the new one.
  private func moved(_ offset: Int, _ pieces: [(old: Range<Int>, new: Range<Int>)], isEnd: Bool = false) -> Int {
    var drift = 0
    for piece in pieces {
      if offset <= piece.old.lowerBound { break }
      if offset < piece.old.upperBound { return isEnd ? piece.new.upperBound : piece.new.lowerBound }
      drift = piece.new.upperBound - piece.old.upperBound
    }
    return offset + drift
  }

  private mutating func changed(_ origin: Origin) -> Origin? {
    switch origin {
    case .fresh(let name, let number, let seed):
      let new = newNumber(Made(isFresh: true, name: name, number: number))
      return new == number ? nil : .fresh(name: name, number: new, seed: seed)
    case .identifier(let name, let number, let seed):
      let new = newNumber(Made(isFresh: false, name: name, number: number))
      return new == number ? nil : .identifier(name: name, number: new, seed: seed)
    case .derived(let derivation, let argument): return changed(argument).map { .derived(derivation, $0) }
    }
  }

  private mutating func newNumber(_ made: Made) -> Int {
    if let number = numbers[made] { return number }
    let number = made.isFresh ? Self.next(made.name, &freshCounts) : Self.next(made.name, &identifierCounts)
    numbers[made] = number
    return number
  }

  private static func next(_ name: String, _ counts: inout [Mint.Count]) -> Int {
    let index = counts.firstIndex { $0.name == name } ?? counts.count
    if index == counts.count { counts.append(Mint.Count(name: name, made: 0)) }
    counts[index].made += 1
    return counts[index].made
  }
}
