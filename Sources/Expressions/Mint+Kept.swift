import JSONSyntax

extension Mint {
  /// Makes values that differ from those that earlier runs left in what was kept; the same for the same.
  package init(behind kept: [Value]) {
    var writer = JSONWriter()
    writer.write(.list(kept))
    self.init(seed: .live(base64URL(sha256(writer.bytes))), behind: kept)
  }

  /// Makes identifiers that differ from those in what was kept, numbered as in any simulated run.
  package init(seed: Seed, behind kept: [Value]) {
    var identifiers: [Count] = []
    for value in kept { Self.count(value, &identifiers) }
    self.init(seed: seed, numberedBehind: identifiers)
  }

  /// Notes the highest number of each name among the texts that read like identifiers: `user-3`.
  private static func count(_ value: Value, _ counts: inout [Count]) {
    switch value {
    case .string(let text): count(text.string, &counts)
    case .list(let elements): for element in elements { count(element, &counts) }
    case .map(let map):
      for entry in map.entries {
        count(entry.key, &counts)
        count(entry.value, &counts)
      }
    default: break
    }
  }

  private static func count(_ text: String, _ counts: inout [Count]) {
    guard let hyphen = text.lastIndex(of: "-"), let number = Int32(text[text.index(after: hyphen)...]), number > 0
    else { return }
    let name = String(text[..<hyphen])
    if let index = counts.firstIndex(where: { $0.name == name }) {
      counts[index].made = max(counts[index].made, Int(number))
    } else {
      counts.append(Count(name: name, made: Int(number)))
    }
  }
}
