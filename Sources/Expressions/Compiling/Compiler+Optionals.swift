extension Compiler {
  /// Whether it is what a variable has, an entry of that or a claim of a token, as it came: none of these is an
  /// optional, though their types say nothing.
  ///
  /// What an expression makes may hold optionals: `[store.?id, 1][0]`.
  func isRead(_ node: SyntaxNode) -> Bool {
    switch node.kind {
    case .select(let base, _, let isOptional), .index(let base, _, let isOptional): return !isOptional && isRead(base)
    case .call(let function, _): return Function.global[function.text]?.traits.opensToken == true
    case .name(let name, let isRoot):
      if !isRoot, let local = locals.last(where: { $0.name == name }) { return local.isRead }
      if scope.variables.contains(where: { $0.name == name }) { return true }
      guard let term = scope.lets[name]?.compiled?.term ?? lets.known[name]?.term else { return false }
      return term.selection != nil || term.token != nil
    default: return false
    }
  }

  /// How what is no optional is selected as one.
  func optionalHelp(_ node: SyntaxNode) -> String {
    switch node.kind {
    case .select(let base, let name, _): "write \(text(base.range)).?\(name.text): \(EvaluationError.makesOptional)"
    case .index(let base, let key, _):
      "write \(text(base.range))[?\(text(key.range))]: \(EvaluationError.makesOptional)"
    default: EvaluationError.makesOptional
    }
  }
}
