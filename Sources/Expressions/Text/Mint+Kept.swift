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
    var identifiers: [String: Int] = [:]
    for value in kept { Self.count(value, &identifiers) }
    self.init(seed: seed, numberedBehind: identifiers.map { Count(name: $0, made: $1) })
  }

  /// Notes the highest number of each name among the texts that read like identifiers: `user-3`.
  private static func count(_ value: Value, _ counts: inout [String: Int]) {
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

  private static func count(_ text: String, _ counts: inout [String: Int]) {
    guard let hyphen = text.lastIndex(of: "-"), let number = Int32(text[text.index(after: hyphen)...]), number > 0
    else { return }
    let name = String(text[..<hyphen])
    counts[name] = max(counts[name] ?? 0, Int(number))
  }
}
