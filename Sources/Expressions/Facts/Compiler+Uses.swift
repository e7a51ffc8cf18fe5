extension Compiler {
  /// Compiles a part of a term that may hand on the same as another part does; what this one uses and does not hand on
  /// stays used.
  mutating func compile(_ node: SyntaxNode, isHandedOn: Bool) -> Term {
    let others = facts.takeUses()
    let term = compile(node)
    facts.settleUses(but: isHandedOn ? term.handedOn : [])
    facts.noteUses(before: others)
    return term
  }
}

extension Facts {
  mutating func noteUses(of names: [String]) { used.addMissing(names) }

  /// Takes those out that are known, so that what comes behind them stands by itself.
  mutating func takeUses() -> [String] {
    defer { used = [] }
    return used
  }

  /// Puts those back that were taken out.
  mutating func noteUses(before others: [String]) {
    let own = used
    used = others
    noteUses(of: own)
  }

  /// Holds those that are known as used for good, apart from some that may only be asked about.
  mutating func settleUses(but names: [String]) { settled.addMissing(used.filter { !names.contains($0) }) }

  /// Leaves out what a term hands on as it is, where nothing has used it before there were so many, nor the term itself
  /// otherwise, as in the condition of a choice: it is only asked about.
  mutating func forgetUses(of term: Term, since known: Int) {
    if used.count == known { return }
    let asked = term.handedOn
    used[known...].removeAll { asked.contains($0) && !settled.contains($0) }
  }

  /// The same where it is compared with null or the empty text.
  mutating func forgetUses(of term: Term, besideNothing other: Term, since known: Int) {
    if other.constant?.isNothing == true { forgetUses(of: term, since: known) }
  }
}

extension Value {
  /// Whether it is null, the empty text or a list of these: who compares with it asks whether something is there.
  fileprivate var isNothing: Bool {
    if case .list(let elements) = self { return elements.allSatisfy(\.isNothing) }
    return isNull || self == .string("")
  }
}
