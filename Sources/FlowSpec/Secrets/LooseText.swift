import Expressions
import JSONSyntax

/// JSON as far as it can be told in text that may be broken anywhere.
struct LooseText {
  /// Small, since a text may have millions of them.
  struct Node {
    enum Kind {
      case object, array, string, other
    }
    let kind: Kind
    private let nameStart, nameEnd, holder, start, end: UInt32

    fileprivate init(_ kind: Kind, _ range: Range<Int>, name: Range<Int>?, in parent: Int?) {
      self.kind = kind
      (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
      // A name stands behind a quotation mark.
      (nameStart, nameEnd) = (UInt32(name?.lowerBound ?? 0), UInt32(name?.upperBound ?? 0))
      holder = UInt32(parent ?? Int(UInt32.max))
    }

    /// The name of the member that it is, its quotes left out.
    var name: Range<Int>? { nameEnd == 0 ? nil : Int(nameStart)..<Int(nameEnd) }
    /// Index of the object or array around it.
    var parent: Int? { holder == .max ? nil : Int(holder) }
    /// Of a string without its quotes; of what holds others only where it begins.
    var range: Range<Int> { Int(start)..<Int(end) }
  }

  let bytes: [UInt8]
  /// In the order of the text.
  private(set) var nodes: [Node] = []
  /// The names of all members, of those without a value too.
  private(set) var names: [Range<Int>] = []

  /// Whether it is too large to be read, and has no nodes.
  var isTooLarge: Bool { bytes.count > JSONParser.largestSize }

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if isTooLarge { return }
    var open: [Int] = []
    var name: Range<Int>?
    // The mark of an encoding, which some programs put before a text, is no part of it.
    var index = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]].first(where: bytes.starts(with:))?.count ?? 0
    while index < bytes.count {
      let start = index
      index += 1
      switch bytes[start] {
      case UInt8(ascii: "\""):
        let text = string(from: index)
        index = min(text.upperBound + 1, bytes.count)
        if isName(endingAt: index) {
          names.append(text)
          name = text
        } else {
          add(.string, text, &name, open.last)
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        add(bytes[start] == UInt8(ascii: "{") ? .object : .array, start..<index, &name, open.last)
        open.append(nodes.count - 1)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      case UInt8(ascii: ","): name = nil
      case UInt8(ascii: ":"), 0...0x20: break
      default:
        while index < bytes.count, !Self.ends(bytes[index]) { index += 1 }
        add(.other, start..<index, &name, open.last)
      }
    }
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Whether it is written so somewhere.
  func has(_ written: StaticString) -> Bool {
    written.withUTF8Buffer { written in
      bytes.withUnsafeBufferPointer { bytes in
        guard let first = written.first else { return true }
        var index = 0
        while index <= bytes.count - written.count {
          if bytes[index] == first, bytes[index...].starts(with: written) { return true }
          index += 1
        }
        return false
      }
    }
  }

  /// The names, numbers and other words in it.
  func words(_ range: Range<Int>) -> [String] {
    bytes[range].split { !$0.isIdentifierPart }.map { String(decoding: $0, as: UTF8.self) }
  }

  /// As it is meant: a serializer may have escaped characters of it.
  func name(of node: Node) -> String? {
    node.name.map(meant)
  }

  /// What is between quotation marks, as it is meant.
  func meant(_ range: Range<Int>) -> String {
    let quoted = range.lowerBound - 1..<range.upperBound + 1
    guard bytes[range].contains(UInt8(ascii: "\\")), quoted.lowerBound >= 0, quoted.upperBound <= bytes.count else {
      return text(range)
    }
    return readString(Array(bytes[quoted])) ?? text(range)
  }

  /// The strings and other words in the value of a member; the range of its name has its quotes.
  func value(ofMemberNamedAt name: Range<Int>) -> [Node] {
    guard let first = nodes.firstIndex(where: { $0.name?.lowerBound == name.lowerBound + 1 }) else { return [] }
    var inside: Set = [first]
    for index in nodes.indices.dropFirst(first + 1) {
      guard let parent = nodes[index].parent, inside.contains(parent) else { break }
      inside.insert(index)
    }
    return inside.map { nodes[$0] }.filter { $0.kind == .string || $0.kind == .other }
  }

  func names(of nodes: Set<Int>) -> [String] { nodes.compactMap { name(of: self.nodes[$0]) } }

  /// The names of what holds a node, the nearest so many at most and first; `nil` in an array and at the top.
  func names(around node: Node, most: Int = 8) -> [String?] {
    var names: [String?] = []
    var holder = node.parent
    while let index = holder, names.count < most {
      names.append(name(of: nodes[index]))
      holder = nodes[index].parent
    }
    return names
  }

  private mutating func add(_ kind: Node.Kind, _ range: Range<Int>, _ name: inout Range<Int>?, _ parent: Int?) {
    nodes.append(Node(kind, range, name: name, in: parent))
    name = nil
  }

  /// Up to the quote that ends it, else to the end of the line.
  private func string(from start: Int) -> Range<Int> {
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\n") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return start..<min(index, bytes.count)
  }

  /// Whether a colon follows.
  func isName(endingAt end: Int) -> Bool {
    var index = end
    while index < bytes.count, bytes[index] <= 0x20 { index += 1 }
    return index < bytes.count && bytes[index] == UInt8(ascii: ":")
  }

  private static func ends(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
