/// A named expression: parsed once, and compiled once where it means the same in every place that uses it.
package final class Let: Sendable, ExpressibleByStringInterpolation {
  package let source: String
  let bytes: [UInt8]
  let node: Result<SyntaxNode, ExpressionProblems>
  /// What compiling it gives; `nil` where each place compiles it for itself.
  let compiled: CompiledLet?

  package convenience init(_ source: String) {
    let bytes = Array(source.utf8)
    self.init(source, bytes, Result { () throws(ExpressionProblems) in try Parser.parse(bytes) }, compiled: nil)
  }

  package convenience init(stringLiteral source: String) { self.init(source) }

  private init(
    _ source: String, _ bytes: [UInt8], _ node: Result<SyntaxNode, ExpressionProblems>, compiled: CompiledLet?
  ) {
    (self.source, self.bytes, self.node, self.compiled) = (source, bytes, node, compiled)
  }

  /// The same, compiled for every place where what it reads is as in this scope; `nil` where what it means depends on the
  /// functions that a place grants.
  package func compiled(as name: String, in scope: Scope) throws(ExpressionProblems) -> Let? {
    _ = try node.get()
    var compiler = Compiler(scope: scope, source: bytes, isChecked: true)
    let term = compiler.compileForAll(name, self)
    guard compiler.problems.isEmpty else { throw ExpressionProblems(compiler.problems) }
    if compiler.asksForAbilities { return nil }
    return Let(source, bytes, node, compiled: CompiledLet(term, consume compiler))
  }
}

/// The term of a let, and all that using it adds to what is known of an expression.
final class CompiledLet: Sendable {
  let term: Term
  let facts: Facts
  let spansAhead: [Duration]
  let reads: TimeReads
  let boundUses: Int
  /// Levels of nodes, those of the lets inside included.
  let depth: Int
  /// Where the fields stand that it reads, each once.
  let slots: [Slot]
  /// The variables they are in, as they were declared where it was compiled.
  private let variables: [Scope.Variable]

  init(_ term: Term, _ compiler: Compiler) {
    self.term = term
    (facts, spansAhead, boundUses) = (compiler.facts.ofLet(), compiler.spansAhead.eachOnce, compiler.boundUses)
    reads = compiler.reads
    (depth, slots) = (compiler.lets.deepest, compiler.slots)
    variables = compiler.scope.variables.filter { variable in compiler.slots.contains { $0.root == variable.root } }
  }

  /// Whether the fields it reads are declared there as where it was compiled.
  func fits(_ scope: Scope) -> Bool {
    variables.indices.allSatisfy { index in
      let root = variables[index].root
      guard let other = scope.variables.firstIndex(where: { $0.root == root }) else { return false }
      // Mostly it is the same declaration, which need not be looked into.
      if variables[index].identity === scope.variables[other].identity { return true }
      return slots.allSatisfy {
        $0.root != root || variables[index].field(at: $0.index) == scope.variables[other].field(at: $0.index)
      }
    }
  }
}

extension Scope.Variable {
  /// What stands in a slot of its root, `nil` where nothing does.
  ///
  /// A variable without declared fields is a field itself.
  fileprivate func field(at index: Int) -> ObjectType.Field? {
    guard case .object(let object) = type else { return ObjectType.Field(name: name, type: type, isNullable: false) }
    return object.fields.indices.contains(index) ? object.fields[index] : nil
  }
}
