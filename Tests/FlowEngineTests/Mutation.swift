/// Texts that are nearly a given one: with a token dropped, doubled, or in the place of another.
struct Mutation: Sequence, IteratorProtocol {
  /// What a token is: of JSON, where a string is one; or of what stands in strings too, where a word is one.
  enum Grain: CaseIterable { case json, words }

  private let bytes: [UInt8]
  private let tokens: [Range<Int>]
  private let step: Int
  private var number: Int

  /// Every `step`-th mutant, from the one numbered `first`.
  init(of bytes: [UInt8], _ grain: Grain, every step: Int = 1, from first: Int = 0) {
    self.bytes = bytes
    self.step = step
    number = first
    tokens = Self.tokens(of: bytes, grain)
  }

  mutating func next() -> [UInt8]? {
    let (index, way) = number.quotientAndRemainder(dividingBy: 4)
    guard index < tokens.count else { return nil }
    number += step
    let token = tokens[index]
    var mutant = bytes
    switch way {
    case 0: mutant.removeSubrange(token)
    case 1: mutant.insert(contentsOf: bytes[token], at: token.upperBound)
    // The neighbour of a name is its colon, and the one behind that its value.
    default:
      guard index + way - 1 < tokens.count else { return bytes }
      let other = tokens[index + way - 1]
      mutant.replaceSubrange(other, with: bytes[token])
      mutant.replaceSubrange(token, with: bytes[other])
    }
    return mutant
  }

  /// Where the tokens of a text stand.
  static func tokens(of bytes: [UInt8], _ grain: Grain) -> [Range<Int>] {
    grain == .json ? jsonTokens(of: bytes) : words(of: bytes)
  }

  private static func jsonTokens(of bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while position < bytes.count {
      let start = position
      position += 1
      if bytes[start] <= 0x20 { continue }
      if bytes[start] == UInt8(ascii: "\"") {
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position = Swift.min(position + 1, bytes.count)
      } else if !"{}[]:,".utf8.contains(bytes[start]) {
        while position < bytes.count, bytes[position] > 0x20, !"{}[]:,\"".utf8.contains(bytes[position]) {
          position += 1
        }
      }
      found.append(start..<position)
    }
    return found
  }

  private static func words(of bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while position < bytes.count {
      let start = position
      position += 1
      if bytes[start] <= 0x20 { continue }
      if isOfWord(bytes[start]) {
        while position < bytes.count, isOfWord(bytes[position]) { position += 1 }
      }
      found.append(start..<position)
    }
    return found
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }
}
