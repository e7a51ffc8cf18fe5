import Expressions
import JSONSyntax

extension JSONNode {
  /// Every string and every name of a member in it, but for secrets that are listed and what is said about things.
  var texts: [String] {
    switch kind {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.texts)
    case .object(let members):
      members.filter { !["secrets", "note", "despite"].contains($0.name) }.flatMap { [$0.name] + $0.value.texts }
    case .null, .bool, .int, .double, .wholeNumberTooLarge: []
    }
  }
}

extension String {
  /// Whether this stands in it, and not as a part of another word.
  func has(word: String) -> Bool {
    var (text, word) = (self, word)
    return text.withUTF8 { text in
      word.withUTF8 { word in
        guard let first = word.first else { return true }
        return text.indices.contains { start in
          guard text[start] == first, text[start...].starts(with: word) else { return false }
          let end = start + word.count
          return (start == 0 || !text[start - 1].isOfWord) && (end == text.count || !text[end].isOfWord)
        }
      }
    }
  }
}

/// The words of many texts, to be looked up.
struct Words {
  private(set) var all: Set<Substring> = []

  init(_ texts: [String] = []) { add(texts) }

  mutating func add(_ texts: [String]) {
    for text in texts {
      all.formUnion(text.split { $0.isASCII && !($0.utf8.first?.isOfWord ?? false) })
    }
  }

  func has(_ word: String) -> Bool { all.contains(word[...]) }
}

extension JSONNode {
  /// The same object without a member.
  func without(_ name: String) -> JSONNode {
    guard case .object(let members) = kind else { return self }
    return JSONNode(kind: .object(members.filter { $0.name != name }), range: range)
  }
}

extension Examined {
  /// Names of which some document says that what stands under them is secret, each word of theirs.
  var secretNames: Names {
    let documents =
      (flow.map { [$0.document] + $0.services.compactMap(\.model?.document) } ?? []) + [document.site.document]
    let names = documents.flatMap { WrittenSecrets.names(in: LooseText($0.bytes)) } + WrittenSecrets.everywhere
    return Names(Words(names).all.map(String.init).sorted())
  }

  /// The documents of the flow beside this one: its models, and for a model the flow itself.
  var others: [JSONNode] {
    guard let flow else { return [] }
    let models = flow.services.indices.filter { $0 != service }.compactMap { flow.services[$0].model?.document }
    let documents = model == nil ? models : models + [flow.document]
    return documents.compactMap { try? JSONParser.parse($0.bytes, as: .document) }
  }
}
