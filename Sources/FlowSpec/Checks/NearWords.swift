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

  private typealias ByMember = [String: Set<String>]

  private let others: [JSONNode]
  private let pages: [JSONNode]
  private lazy var words = {
    var words: ByMember = [:]
    for document in others + pages { Self.add(document, isPayload: false, to: &words) }
    return words
  }()
  private var looked: [String: OfMember] = [:]
  private lazy var texts = others.flatMap(\.texts)
  /// Of all texts.
  private lazy var alone = Words(texts)

  /// How many pairs of words are still held against each other letter by letter.
  private var left = 1_000_000

  /// Of the `others`, and of `pages`, which the document sends itself.
  init(_ others: [JSONNode], pages: [JSONNode]) { (self.others, self.pages) = (others, pages) }

  private static func add(_ node: JSONNode, isPayload: Bool, to words: inout ByMember) {
    switch node.kind {
    case .array(let elements): for element in elements { add(element, isPayload: isPayload, to: &words) }
    case .object(let members):
      for member in members {
        // What a key or a field of that name may hold.
        if let choice = member.value.choice { words[member.name, default: []].formUnion(choice) }
        if isPayload, case .string(let text) = member.value.kind {
          words[member.name, default: []].formUnion(text.wordsWrittenOut)
        } else {
          // Fields are declared there, and hold no words themselves.
          let isInside = isPayload || member.name != "fields" && JSONNode.payloads.contains(member.name)
          add(member.value, isPayload: isInside, to: &words)
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
      let near = known.joined[word.joined] ?? nearest(to: word, among: known.all)
      if let near, !word.isNumbered(as: near), !isSomewhere(word) { return (word, near) }
    }
    return nil
  }

  /// Whether somebody gives a member this word.
  mutating func says(_ word: String, as member: String) -> Bool { words[member]?.contains(word) == true }

  private mutating func nearest(to word: String, among all: [String]) -> String? {
    guard word.utf8.count > 3, left >= all.count else { return nil }
    left -= all.count
    return nearestName(to: word, among: all, within: 1)
  }

  private mutating func isSomewhere(_ word: String) -> Bool {
    word.utf8.allSatisfy(\.isOfWord) ? alone.has(word) : texts.contains { $0.has(word: word) }
  }
}

extension Examined {
  /// Words with which a member of an answer, a request or an event is compared, that nobody gives it, and that are much
  /// like one that somebody does.
  ///
  /// What is secret is not quoted.
  func nearWords(_ said: consuming SaidWords, isAnswerKnown: Bool) -> [Diagnostic] {
    var said = said
    var (looked, lets): (Set<[String]>, Set<WrittenPlace>) = ([], [])
    lazy var ownWords = Words(document.node.dataWords)
    lazy var secrets = secretNames
    // What a service without a model answers, or a redirect of it brings, nobody here knows.
    let areKnown = flow?.services.allSatisfy { $0.model != nil } ?? false
    func isKnown(_ source: String) -> Bool {
      source.hasPrefix("request.") || (source.hasPrefix("response.") ? isAnswerKnown : areKnown)
    }
    let misspelt = MisspeltWords(self, &said)
    let compared = expressions.flatMap { placed in
      placed.expression.facts.written.compactMap { written -> Diagnostic? in
        // A let is looked into once, however often it is used.
        if let name = written.definition, !lets.insert(WrittenPlace(name, written.range)).inserted { return nil }
        let words = written.value.words
        guard !written.isSecret, written.handedOn.count == 1, isKnown(written.handedOn[0]),
          let member = MemberPath(compared: written.handedOn[0])?.last, looked.insert([member] + words).inserted,
          let (word, meant) = said.meant(by: words, as: member), !ownWords.has(word),
          !misspelt.meant.contains([member, word]),
          !written.other.quoted.contains(word),
          !([written.other] + written.handedOn).contains(where: { secrets.index(amongWordsOf: $0) != nil })
        else { return nil }
        let definition = written.definition.flatMap { machine.definitions[$0] }
        return Diagnostic(
          "near-miss", severity: .warning, "nobody here gives \"\(member)\" the value \"\(word)\"",
          at: (definition ?? placed.site).inside(written.range, from: definition == nil ? placed.offset : 0),
          "compared with \(written.other)", help: "did you mean \"\(meant)\"?")
      }
    }
    return misspelt.found + compared
  }
}

/// Where in a let something is written out.
private struct WrittenPlace: Hashable {
  let definition: String
  let range: Range<Int>

  init(_ definition: String, _ range: Range<Int>) { (self.definition, self.range) = (definition, range) }
}

extension JSONNode {
  /// The words of a declaration's `one of`.
  fileprivate var choice: [String]? {
    guard case .object(let members) = kind,
      case .array(let words)? = members.first(where: { $0.name == "one of" })?.value.kind
    else { return nil }
    return words.compactMap { if case .string(let word) = $0.kind { word } else { nil } }
  }

  /// The texts that it sends, keeps or gives as examples.
  fileprivate var dataWords: [String] {
    switch kind {
    case .array(let elements): elements.flatMap(\.dataWords)
    case .object(let members):
      members.flatMap { Self.data.contains($0.name) ? $0.value.texts.flatMap(\.wordsWrittenOut) : $0.value.dataWords }
    default: []
    }
  }

  private static let data = payloads.union(["initial", "value", "example", "set", "one of", "with"])
}

extension MemberPath {
  /// To what an expression compares, when it is a member that comes from outside: `response.json.?error`.
  fileprivate init?(compared selection: String) {
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
  var words: [String] {
    switch self {
    case .string(let text): [text.string]
    case .list(let elements): elements.compactMap(\.text?.string)
    default: []
    }
  }
}

extension String {
  /// Itself where it holds no expression, else the texts in quotes.
  var wordsWrittenOut: [String] { holdsExpression ? quoted : [self] }

  private var holdsExpression: Bool {
    zip(utf8, utf8.dropFirst()).contains { $0 == (UInt8(ascii: "$"), UInt8(ascii: "{")) }
  }

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
