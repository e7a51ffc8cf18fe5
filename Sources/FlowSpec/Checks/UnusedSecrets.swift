import Expressions
import JSONSyntax

extension Check {
  /// Names under a service's `secrets` that stand nowhere else: misspelt, they would leave the value in plain.
  static let unusedSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow, examined.document.kind == .service else { return [] }
    let own = examined.document.node.words(except: "secrets")
    let bytes = flow.document.bytes + own.joined(separator: "\n").utf8
    return examined.document["secrets"].items.compactMap { entry in
      guard let text = entry.string else { return nil }
      let name = SecretName(text).name
      guard !bytes.contains(run: Array(name.utf8)) else { return nil }
      let words = Set(
        own.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "-" }.map(String.init) })
      return Diagnostic(
        code: "unused-secret", severity: .warning, message: "nothing here is called \"\(name)\"",
        labels: [Diagnostic.Label(site: entry.site, text: "marks nothing")],
        help: nearestName(to: name, among: words.sorted()).map { "did you mean \"\($0)\"?" } ?? "remove it")
    }
  }
}

extension JSONNode {
  /// Every string and every name of a member in it, but for what stands under one name.
  fileprivate func words(except name: String) -> [String] {
    switch kind {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap { $0.words(except: name) }
    case .object(let members):
      members.filter { $0.name != name }.flatMap { [$0.name] + $0.value.words(except: name) }
    case .null, .bool, .int, .double, .wholeNumberTooLarge: []
    }
  }
}

extension [UInt8] {
  /// Whether these bytes stand in it one behind the other.
  fileprivate func contains(run: [UInt8]) -> Bool {
    guard let first = run.first, run.count <= count else { return run.isEmpty }
    return withUnsafeBufferPointer { bytes in
      for start in 0...(bytes.count - run.count) where bytes[start] == first {
        if bytes[start..<(start + run.count)].elementsEqual(run) { return true }
      }
      return false
    }
  }
}
