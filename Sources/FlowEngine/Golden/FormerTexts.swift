import Expressions
import FlowSpec
import JSONSyntax

/// What a golden shows where its run has an alias: it was plain when the golden was made, and is secret today.
struct FormerTexts {
  private(set) var all: Set<String> = []
  /// How many pairs are still held against one another, beside each line and the one that came in its place.
  private var left = 10_000
  /// What two lines have in common that tell of the same, whatever it brought.
  private static let same = ["kind", "from", "to", "who", "where", "request", "event", "show", "emit", "path"]

  /// `diff` in the unified format.
  init(in diff: [String]) {
    var (removed, added): ([JSONNode], [JSONNode]) = ([], [])
    for line in diff + [""] {
      switch line.first {
      case "-": removed += Self.read(line)
      case "+": added += Self.read(line)
      default:
        for (old, new) in zip(removed, added) where old["kind"]?.text == new["kind"]?.text { compare(old, new) }
        compareAll(removed, added)
        (removed, added) = ([], [])
      }
    }
  }

  private static func read(_ line: String) -> [JSONNode] {
    (try? JSONParser.parse(Array(line.dropFirst().utf8), as: .document)).map { [$0] } ?? []
  }

  private mutating func compareAll(_ removed: [JSONNode], _ added: [JSONNode]) {
    for old in removed {
      for new in added {
        left -= 1
        guard left > 0 else { return }
        if Self.same.allSatisfy({ old[$0]?.text == new[$0]?.text }) { compare(old, new) }
      }
    }
  }

  private mutating func compare(_ old: JSONNode, _ new: JSONNode) {
    switch (old.kind, new.kind) {
    case (.object(let members), .object):
      // A change of another key.
      guard old["path"]?.text == new["path"]?.text else { return }
      for member in members { if let value = new[member.name] { compare(member.value, value) } }
    case (.array(let elements), .array(let others)):
      if elements.contains(where: { $0["path"] != nil }) {
        compareAll(elements, others)
      } else {
        for (old, new) in zip(elements, others) { compare(old, new) }
      }
    case (.string(let text), .string(let other)): addDifference(of: text, from: other)
    case (_, .string(let other)): if aliases(in: other)?.isWhole == true { addAll(in: old) }
    default: break
    }
  }

  /// What stands in a text where the other has aliases; all of it where the rest differs too.
  private mutating func addDifference(of text: String, from other: String) {
    guard text != other, let aliases = aliases(in: other) else { return }
    let (old, new) = (Array(text.utf8), Array(other.utf8))
    let (before, behind) = (new[..<aliases.place.lowerBound], new[aliases.place.upperBound...])
    guard old.count > before.count + behind.count, old.starts(with: before),
      old.reversed().starts(with: behind.reversed())
    else { return add(text) }
    add(String(decoding: old[before.count..<(old.count - behind.count)], as: UTF8.self))
  }

  private mutating func addAll(in node: JSONNode) {
    switch node.kind {
    case .array(let elements): for element in elements { addAll(in: element) }
    case .object(let members): for member in members { addAll(in: member.value) }
    case .null, .bool: break
    default: add(node.words)
    }
  }

  private mutating func add(_ text: String) { if aliases(in: text) == nil { all.insert(text) } }

  /// From the first alias in a text to the last.
  private func aliases(in text: String) -> (place: Range<Int>, isWhole: Bool)? {
    let bytes = Array(text.utf8)
    let starts = bytes.indices.filter { bytes[$0] == UInt8(ascii: "<") && looksLikeAlias(bytes[($0 + 1)...]) }
    guard let first = starts.first, let last = starts.last,
      let end = bytes[last...].firstIndex(of: UInt8(ascii: ">"))
    else { return nil }
    return (first..<end + 1, first == 0 && end == bytes.count - 1)
  }
}

extension GoldenDifference {
  /// The same with dots for what a run hides: what is secret today may have been plain when the golden was made.
  package func hiding(_ outcome: RunOutcome) -> GoldenDifference {
    let former = FormerTexts(in: diff).all.sorted()
    var aliases = TraceWriter.aliases(of: outcome)
    for text in former { aliases.know(.string(Text(text).marked(secret: "text"))) }
    return GoldenDifference(
      sentences: sentences.map {
        former.reduce(aliases.hiding(in: $0)) { $0.hiding($1, [(": ", ")"), (": ", ", ")]) }
      },
      diff: diff.map { line in
        let hidden = aliases.hiding(in: line)
        return line.hasPrefix("-")
          ? former.reduce(hidden) { $0.hiding($1, [(":\"", "\""), (",\"", "\""), ("[\"", "\"")]) } : hidden
      })
  }
}

extension String {
  /// Dots for a text that is too short to be looked for wherever it stands: where it is a value, between such signs.
  fileprivate func hiding(_ text: String, _ signs: [(before: String, behind: String)]) -> String {
    guard (2..<Echoes.leastLength).contains(text.utf8.count), has(word: text) else { return self }
    return signs.reduce(self) { shown, signs in
      shown.replacing(signs.before + text + signs.behind, with: signs.before + hiddenText + signs.behind)
    }
  }
}
