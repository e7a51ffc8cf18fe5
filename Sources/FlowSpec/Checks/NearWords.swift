import Expressions
import JSONSyntax

/// The words that members of bodies, queries and forms are given where that is written out.
struct SaidWords {
  /// Those of one member, in order, and each by its words joined.
  private struct OfMember {
    let all: [String]
    let joined: [String: String]

    init(_ words: Set<String>) {
      all = words.sorted()
      joined = Dictionary(all.map { ($0.joined, $0) }) { first, _ in first }
    }
  }

  /// By the names of the members.
  private var words: [String: Set<String>] = [:]
  private var looked: [String: OfMember] = [:]
  private let texts: [String]
  /// Of all texts.
  private let alone: Words

  /// Reads of `others` whatever they say, of a document's `own` what it sends.
  init(_ others: [JSONNode], own: [JSONNode]) {
    texts = others.flatMap(\.texts)
    alone = Words(texts)
    for document in others + own { add(document, isPayload: false) }
  }

  private mutating func add(_ node: JSONNode, isPayload: Bool) {
    switch node.kind {
    case .array(let elements): for element in elements { add(element, isPayload: isPayload) }
    case .object(let members):
      for member in members {
        if isPayload, case .string(let text) = member.value.kind {
          words[member.name, default: []].formUnion(text.wordsWrittenOut)
        } else {
          add(member.value, isPayload: isPayload || JSONNode.payloads.contains(member.name))
        }
      }
    default: break
    }
  }

  /// The first of the words that nobody says, and the one that was meant by it, which its member is given; `nil` where one
  /// of them is said, for which the others are other ways to write it, or all are like none.
  mutating func meant(by sought: [String], as member: String) -> (word: String, meant: String)? {
    guard let said = words[member], !sought.contains(where: said.contains) else { return nil }
    let known = looked[member] ?? OfMember(said)
    looked[member] = known
    for word in sought {
      let near =
        known.joined[word.joined] ?? (word.utf8.count > 3 ? nearestName(to: word, among: known.all, within: 1) : nil)
      if let near, !isSomewhere(word) { return (word, near) }
    }
    return nil
  }

  private func isSomewhere(_ word: String) -> Bool {
    word.utf8.allSatisfy(\.isOfWord) ? alone.has(word) : texts.contains { $0.has(word: word) }
  }
}

extension Examined {
  /// Words with which a member of an answer, a request or an event is compared, that nobody gives it, and that are much
  /// like one that somebody does.
  ///
  /// What is secret is not quoted.
  func nearWords(_ said: consuming SaidWords) -> [Diagnostic] {
    var said = said
    let secrets = Set(flow?.services.flatMap(\.secrets).map(\.name) ?? [])
    var looked: Set<[String]> = []
    return expressions.flatMap { placed in
      placed.expression.facts.written.filter { !$0.isSecret }.compactMap { written -> Diagnostic? in
        guard let member = MemberPath(comparedWith: written.other)?.last, !secrets.contains(member) else { return nil }
        let words = written.value.words
        guard looked.count < Findings.most, looked.insert([member] + words).inserted,
          let (word, meant) = said.meant(by: words, as: member)
        else { return nil }
        let definition = written.definition.flatMap { machine.definitions[$0] }
        return Diagnostic(
          "near-miss", severity: .warning, "nobody here gives \"\(member)\" the value \"\(word)\"",
          at: (definition ?? placed.site).inside(written.range, from: definition == nil ? placed.offset : 0),
          "compared with \(written.other)", help: "did you mean \"\(meant)\"?")
      }
    }
  }
}

extension MemberPath {
  /// To what an expression compares, when it is a member that comes from outside: `response.json.?error.orValue('')`.
  fileprivate init?(comparedWith source: String) {
    let selection = source.firstRange(of: ".orValue(").map { String(source[..<$0.lowerBound]) } ?? source
    for root in JSONNode.readPayloads + ["event"] {
      guard let path = MemberPath(selection, below: root) else { continue }
      self = path
      return
    }
    return nil
  }

  /// The last member; `nil` where an index or a key is last.
  fileprivate var last: String? { if case .member(let name)? = parts.last { name } else { nil } }
}

extension Value {
  /// Itself where it is a text; of a list those among its elements.
  fileprivate var words: [String] {
    switch self {
    case .string(let text): [text.string]
    case .list(let elements): elements.compactMap(\.text?.string)
    default: []
    }
  }
}

extension String {
  /// Itself where it holds no expression, else the texts in quotes.
  var wordsWrittenOut: [String] { contains("${") ? quoted : [self] }

  /// What stands outside of its expressions, and the texts in quotes.
  var wordsOutside: [String] {
    let pieces = split(separator: "${", omittingEmptySubsequences: false)
    return pieces.prefix(1).map(String.init)
      + pieces.dropFirst().map { String($0[($0.lastIndex(of: "}") ?? $0.startIndex)...]) } + quoted
  }

  var isAddress: Bool { hasPrefix("/") || contains("://") }

  var quoted: [String] {
    var words: [String] = []
    var rest = self[...]
    while let start = rest.firstIndex(where: { $0 == "'" || $0 == "\"" }) {
      let behind = rest[rest.index(after: start)...]
      guard let end = behind.firstIndex(of: rest[start]) else { break }
      words.append(String(behind[..<end]))
      rest = behind[behind.index(after: end)...]
    }
    return words
  }
}
