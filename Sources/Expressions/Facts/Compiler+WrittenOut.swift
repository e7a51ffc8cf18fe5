/// What is written out in an expression and may be a secret, as it is held against one.
extension Compiler {
  /// Notes what is written out, in whatever way, in what is held against something that is or may be secret.
  ///
  /// What lets hold is not shown. Without `constants`, what is one as a whole is noted elsewhere.
  mutating func noteBesideSecrets(_ left: Term, _ right: Term, constants: Bool = true) {
    guard lets.open.isEmpty else { return }
    for (term, other) in [(left, right), (right, left)] where constants || other.constant == nil {
      let isSecret = term.secret != nil || digests.contains(term.range)
      guard isSecret || readsTraffic(term) else { continue }
      let ranges = writtenOut(in: other)
      if ranges.isEmpty { continue }
      facts.besides.append(
        Facts.Beside(
          ranges: ranges, isSecret: isSecret, read: isSecret ? "" : text(term.range),
          written: isSecret ? "" : text(other.range)))
    }
  }

  private func readsTraffic(_ term: Term) -> Bool {
    let bytes = source[term.range.clamped(to: source.indices)]
    return bytes.indices.contains { start in
      bytes[start] == UInt8(ascii: "r")
        && (bytes[start...].starts(with: "request.".utf8) || bytes[start...].starts(with: "response.".utf8))
    }
  }

  /// Where texts are written out in a term, or in what the variable of a macro goes through.
  func writtenOut(in term: Term) -> [Range<Int>] {
    if !locals.isEmpty {
      let name = text(term.range)
      if let local = locals.last(where: { $0.name == name }) { return local.writtenOut }
    }
    let bytes = source[term.range.clamped(to: source.indices)]
    guard bytes.contains(where: { $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\"") }) else { return [] }
    let start = term.range.lowerBound
    let tokens = (try? Lexer.tokens(of: Array(bytes))) ?? []
    return tokens.indices.compactMap { index in
      guard case .string(let text) = tokens[index].kind, !text.isEmpty, !isMember(index, of: tokens) else { return nil }
      return start + tokens[index].range.lowerBound..<start + tokens[index].range.upperBound
    }
  }

  /// Whether a token stands in brackets behind something: `response.json['pin']`.
  private func isMember(_ index: Int, of tokens: [Token]) -> Bool {
    guard index > 1, tokens[index - 1].is("[") || tokens[index - 1].is("[?") else { return false }
    if case .name = tokens[index - 2].kind { return tokens[index - 2].kind != .name("in") }
    return tokens[index - 2].is("]") || tokens[index - 2].is(")")
  }
}
