import Expressions
import JSONSyntax

extension JSONNode {
  /// Every string and every name of a member in it, but for secrets that are listed and what is said about things.
  var texts: [String] {
    var texts: [String] = []
    addTexts(to: &texts)
    return texts
  }

  private func addTexts(to texts: inout [String]) {
    switch kind {
    case .string(let text): texts.append(text)
    case .array(let elements): for element in elements { element.addTexts(to: &texts) }
    case .object(let members):
      for member in members where !Self.apart.contains(member.name) {
        texts.append(member.name)
        member.value.addTexts(to: &texts)
      }
    case .null, .bool, .int, .double, .wholeNumberTooLarge: break
    }
  }

  private static let apart = ["secrets", "note", "despite"]
}

extension String {
  /// Whether this stands in it, and not as a part of another word.
  package func has(word: String) -> Bool {
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
  private(set) var all: Set<String> = []

  init(_ texts: [String]) { for text in texts { add(text) } }

  private mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var start = 0
      for end in 0...bytes.count where end == bytes.count || bytes[end] < 0x80 && !bytes[end].isOfWord {
        if start < end {
          all.insert(String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self))
        }
        start = end + 1
      }
    }
  }

  func has(_ word: String) -> Bool { all.contains(word) }
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
    return Names(Words(names).all.sorted())
  }

  /// The documents of the flow beside this one: its models, and for a model the flow itself.
  var others: [JSONNode] {
    guard let flow else { return [] }
    let models = flow.services.indices.filter { $0 != service }.compactMap { flow.services[$0].model?.document }
    let documents = model == nil ? models : models + [flow.document]
    return documents.compactMap { try? JSONParser.parse($0.bytes, as: .document) }
  }
}
