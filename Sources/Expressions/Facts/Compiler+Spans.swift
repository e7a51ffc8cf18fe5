/// Which durations count: those by which a stored instant is looked at.
///
/// `now + duration('720h')` only makes an instant, and how long ago another one was does not depend on it. So it does not
/// count while the instant goes nowhere but into a result, a list, a map or a JWT.
extension Compiler {
  /// Whether it is `now` and a written duration, added.
  func makesInstantAhead(_ node: SyntaxNode) -> Bool {
    guard case .binary(.add, let left, let right) = node.kind else { return false }
    return (isNow(left) && isWrittenDuration(right)) || (isWrittenDuration(left) && isNow(right))
  }

  private func isNow(_ node: SyntaxNode) -> Bool {
    guard case .name("now", _) = node.kind else { return false }
    return !locals.contains { $0.name == "now" }
  }

  private func isWrittenDuration(_ node: SyntaxNode) -> Bool {
    guard case .call(let name, let arguments) = node.kind, let function = Function.global[name.text],
      function.traits.readsWritten, function.result == .duration
    else { return false }
    return arguments.allSatisfy { if case .literal = $0.kind { true } else { false } }
  }

  /// Whether an instant in a part only becomes part of the value.
  func passesOn(_ node: SyntaxNode) -> Bool {
    switch node.kind {
    case .name, .list, .map: true
    case .call(let name, _): Function.global[name.text]?.traits.makesToken == true
    default: false
    }
  }

  /// Something looks at the instants that were made since then.
  mutating func countSpansAhead(from index: Int) {
    for span in spansAhead[index...] { facts.countSpan(span) }
    spansAhead.removeSubrange(index...)
  }

  mutating func noteDuration(_ duration: Duration) {
    if instantsAhead > 0 {
      spansAhead.append(duration)
    } else {
      facts.countSpan(duration)
    }
  }
}
