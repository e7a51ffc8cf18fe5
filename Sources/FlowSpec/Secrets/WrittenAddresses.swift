import Expressions
import JSONSyntax

/// Which segments of a path are secret, wherever an address is written out: what routes and links say of theirs.
///
/// An address may be misspelt, or stand in a place that takes none: then what nobody would have chosen as a segment is
/// taken for what is secret. What stands in a route or a link as it is, is none.
struct WrittenAddresses {
  private enum Segment {
    case literal(String)
    case variable(before: String, behind: String, isSecret: Bool)

    var isSecret: Bool { if case .variable(_, _, isSecret: true) = self { true } else { false } }
    var isLiteral: Bool { if case .literal = self { true } else { false } }
  }

  /// Of those that have a secret variable, hosts included; of too many to be held against each address every segment is
  /// secret.
  private let patterns: [[Segment]]
  private static let mostPatterns = 1_000
  private let known: Set<String>
  /// The same in order; the way through a list is shorter.
  private let listed: [String]
  /// Members whose texts are addresses that somebody has chosen.
  private static let ofKnown: Set = ["on", "url"]

  /// `names` are those that are secret.
  init(in texts: [LooseText], secretBy names: Names) {
    var (patterns, known, listed) = ([[Segment]](), Set<String>(), [String]())
    for text in texts {
      for node in text.nodes where node.kind == .string {
        let isChosen = text.name(of: node).map(Self.ofKnown.contains) == true
        guard isChosen || text.bytes[node.range].contains(UInt8(ascii: "{")) else { continue }
        for address in WrittenText(node.range, in: text.bytes).addresses {
          let segments = address.map { Self.segment($0.text, names) }
          if isChosen || !segments.allSatisfy(\.isLiteral) {
            for case .literal(let text) in segments where !text.contains("{") && known.insert(text).inserted {
              listed.append(text)
            }
          }
          if segments.contains(where: \.isSecret) { patterns.append(segments) }
        }
      }
    }
    (self.patterns, self.known, self.listed) = (patterns, known, listed)
  }

  /// The segments of a text that are not to be shown, templates in them included.
  func places(in range: Range<Int>, of bytes: [UInt8]) -> [Range<Int>] {
    if patterns.isEmpty { return [] }
    let written = WrittenText(range, in: bytes)
    let areMany = patterns.count > Self.mostPatterns
    return written.addresses.flatMap { address in
      var hidden: Set<Int> = []
      for index in address.indices where areMany || written.isAddress && isStrange(address[index].text) {
        hidden.insert(index)
      }
      for pattern in areMany ? [] : patterns where pattern.count <= address.count {
        // What has nothing to be known by is what an address ends with.
        let last = address.count - pattern.count
        for start in (pattern.contains(where: \.isLiteral) ? 0 : last)...last {
          let part = address[start..<(start + pattern.count)]
          guard zip(pattern, part).allSatisfy({ Self.matches($0, $1.text) }) else { continue }
          hidden.formUnion(pattern.indices.filter { pattern[$0].isSecret }.map { start + $0 })
        }
      }
      return hidden.sorted().filter { mayBeSecret(address[$0].text) }.map { address[$0].place }
    }
  }

  private func mayBeSecret(_ text: String) -> Bool {
    // A variable's name stands in braces; a template is shown anyway.
    !known.contains(text) && !text.replacing("${", with: "").contains("{")
  }

  /// Whether nobody would have chosen it, and it is like nothing that somebody has.
  private func isStrange(_ text: String) -> Bool {
    let words = percentDecoded(text).text.utf8.split { !$0.isOfWord && $0 != UInt8(ascii: ".") }
    let areChosen = words.allSatisfy { word in
      var (turns, digits, most) = (0, 0, 0)
      for byte in word {
        if !byte.isDigit, digits > 0 { turns += 1 }
        digits = byte.isDigit ? digits + 1 : 0
        most = max(most, digits)
      }
      return word.count <= 40 && most <= 4 && (turns == 0 || turns == 1 && word.count <= 20)
    }
    return !areChosen && !text.contains("{") && nearestName(to: text, among: listed) == nil
  }

  private static func segment(_ text: String, _ names: Names) -> Segment {
    let template = text.firstRange(of: "${")
    guard template == nil, let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}") else {
      return .literal(text)
    }
    let name = String(text[text.index(after: open)..<close])
    return .variable(
      before: String(text[..<open]), behind: String(text[text.index(after: close)...]),
      isSecret: names.index(of: name) != nil)
  }

  private static func matches(_ segment: Segment, _ written: String) -> Bool {
    switch segment {
    case .literal(let text):
      text.lowercased() == written.lowercased() || text.utf8.count > 3 && nearestName(to: written, among: [text]) != nil
    case .variable(let before, let behind, _): written.hasPrefix(before) && written.hasSuffix(behind)
    }
  }
}

/// The addresses in a string of a document.
private struct WrittenText {
  typealias Segment = (text: String, place: Range<Int>)

  /// Of each what stands between its slashes, the host first and no scheme.
  var addresses: [[Segment]] = []
  /// Whether it is an address and nothing else, but for a method before it.
  private(set) var isAddress = false

  init(_ range: Range<Int>, in bytes: [UInt8]) {
    let quoted = range.lowerBound - 1..<range.upperBound + 1
    var (text, offsets) = (Array(bytes[range]), StringTokenOffsets?.none)
    // Characters may stand as escapes.
    if text.contains(UInt8(ascii: "\\")), quoted.lowerBound >= 0, quoted.upperBound <= bytes.count,
      let decoded = readString(Array(bytes[quoted]))
    {
      (text, offsets) = (Array(decoded.utf8), StringTokenOffsets(ofStringToken: quoted, in: bytes))
    }
    let words = text.split { $0 <= 0x20 }
    isAddress = words.count == 1 || words.count == 2 && words[0].allSatisfy { $0 | 0x20 >= 0x61 }
    for word in words where word.contains(UInt8(ascii: "/")) || word.contains(UInt8(ascii: "#")) {
      let path = word.prefix { $0 != UInt8(ascii: "?") }
      let segments = path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }
      addresses.append(
        segments.filter { $0.last != UInt8(ascii: ":") }.map { segment in
          let place = segment.startIndex..<segment.endIndex
          return (
            String(decoding: segment, as: UTF8.self),
            offsets?.documentRange(place) ?? place.lowerBound + range.lowerBound..<place.upperBound + range.lowerBound
          )
        })
    }
  }
}

/// What a string of JSON says, with its quotation marks; `nil` where it is none.
func readString(_ bytes: [UInt8]) -> String? {
  if case .string(let text)? = (try? JSONParser.parse(bytes, as: .written))?.kind { text } else { nil }
}
