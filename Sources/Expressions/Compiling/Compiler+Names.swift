extension Compiler {
  mutating func nameTerm(_ name: String, isRoot: Bool, at range: Range<Int>) -> Term {
    if !isRoot, let index = locals.lastIndex(where: { $0.name == name }) {
      boundUses += 1
      return Term(locals[index].type, range, secret: locals[index].secret) { frame in frame.locals[index] }
    }
    if let variable = scope.variables.first(where: { $0.name == name }) { return variableTerm(variable, at: range) }
    if let definition = scope.lets[name] { return letTerm(name, definition, at: range) }
    let (scope, bound) = (scope, locals.map(\.name))
    if let sentence = scope.elsewhere[name] {
      return fail(
        "unknown-name", "\"\(name)\" is not known here: \(sentence)", at: range, label: "not known here",
        help: Scope.listed(scope.names))
    }
    if OutsideNames.types.contains(name) {
      return failOutside("a type as a value (\"\(name)\")", at: range)
    }
    return fail(
      "unknown-name", "nothing is called \"\(name)\" here", at: range, label: "unknown name",
      help: ForeignWords.help(forName: name) ?? scope.help(for: name, besides: bound))
  }

  private mutating func variableTerm(_ variable: Scope.Variable, at range: Range<Int>) -> Term {
    if variable.name == "now" { reads.insert(.now) }
    let root = variable.root
    let path = Path(.slot(Slot(root: root, index: 0)))
    let selection = Selection(name: variable.name, path: [variable.name], range: range)
    if case .object = variable.type { return Term(variable.type, range, at: path, selection, root: root, secret: nil) }
    note(Slot(root: root, index: 0))
    return Term(variable.type, range, at: path, selection, secret: variable.type.secretInside)
  }

  mutating func selectTerm(
    _ baseNode: SyntaxNode, _ name: SyntaxNode.Name, isOptional: Bool, node: SyntaxNode
  ) -> Term {
    if case .name("google", _) = baseNode.kind, !isKnown("google") {
      return failOutside("a type as a value (\"\(node.rendered ?? "google")\")", at: node.range)
    }
    if !isOptional, let (variable, index) = field(name.text, of: baseNode) {
      return fieldTerm(variable, index, at: node.range)
    }
    let base = term(baseNode)
    let member = member(name, of: base, isOptional: isOptional)
    return finish(member, of: base, isOptional: isOptional, step: (isOptional ? ".?" : ".") + name.text, node)
  }

  /// A declared field of a variable, which most selections are, without the steps on the way to it.
  private func field(_ name: String, of base: SyntaxNode) -> (variable: Int, index: Int)? {
    guard case .name(let root, let isRoot) = base.kind, isRoot || !locals.contains(where: { $0.name == root }),
      let variable = scope.variables.firstIndex(where: { $0.name == root }),
      case .object(let object) = scope.variables[variable].type, let index = object.index(of: name)
    else { return nil }
    return (variable, index)
  }

  private mutating func fieldTerm(_ variable: Int, _ index: Int, at range: Range<Int>) -> Term {
    let variable = scope.variables[variable]
    guard case .object(let object) = variable.type else { preconditionFailure("Only objects have declared fields.") }
    let slot = Slot(root: variable.root, index: index)
    note(slot)
    let field = object.fields[index]
    var name = variable.name
    name += "."
    name += field.name
    return Term(
      field.type, range, at: Path(.slot(slot)),
      Selection(name: name, path: [variable.name, field.name], range: range),
      secret: field.secret ?? field.type.secretInside, isNullable: field.isNullable && !field.type.isCollection,
      allowed: field.allowed)
  }

  mutating func indexTerm(
    _ baseNode: SyntaxNode, _ keyNode: SyntaxNode, isOptional: Bool, node: SyntaxNode
  ) -> Term {
    var base = term(baseNode)
    if base.root != nil { settle(&base, isWhole: false, readingAt: facts.readings.count) }
    let readingAt = facts.readings.count
    let before = boundUses
    let key = compile(keyNode)
    if boundUses != before, let selection = base.selection, selection.isFree {
      addReading(selection.name, of: base, at: readingAt)
      facts.noteUses(of: [selection.name])
      base = base.bound
    }
    let member = element(key, of: base, isOptional: isOptional, at: node.range)
    let keyName = key.selection?.name ?? keyNode.rendered ?? text(keyNode.range)
    return finish(member, of: base, isOptional: isOptional, step: "[\(isOptional ? "?" : "")\(keyName)]", node)
  }

  func isKnown(_ name: String) -> Bool {
    locals.contains { $0.name == name } || scope.variables.contains { $0.name == name } || scope.lets[name] != nil
      || scope.elsewhere[name] != nil
  }

  /// Makes a selection of a member: what `.`, `.?`, `[]` and `[?]` give where it is absent differs.
  func finish(_ member: Member, of base: Term, isOptional: Bool, step: String, _ node: SyntaxNode) -> Term {
    let givesOptional = isOptional || base.type.isOptional
    let path = member.path(from: base, isOptional: givesOptional, isAsked: isOptional, at: node.range)
    var selection = base.selection
    if let start = selection?.range {
      selection?.name += step
      selection?.isAtField = member.field != nil
      if let field = member.field {
        selection?.path.append(field.name)
        selection?.range = start.lowerBound..<max(start.upperBound, node.range.upperBound)
      }
    }
    return Term(
      member.type, node.range, at: path, selection, secret: member.secret,
      isNullable: !givesOptional && member.isNullable, allowed: member.field?.allowed)
  }
}

extension Scope {
  fileprivate var names: [String] { variables.map(\.name) + lets.keys.sorted() }

  /// What may be meant by a name that nothing has here, where macros bind some besides.
  fileprivate func help(for name: String, besides bound: [String]) -> String? {
    let known = names + bound
    let field = owner(of: name).map { "\($0).\(name)" }
    let nearest = field ?? nearestName(to: name, among: known + ["true", "false", "null"])
    return nearest.map { "did you mean \"\($0)\"?" } ?? Self.listed(known)
  }

  /// The variable that has a field of this name: keys are often written bare.
  private func owner(of field: String) -> String? {
    variables.first { variable in
      if case .object(let object) = variable.type { object.index(of: field) != nil } else { false }
    }?.name
  }

  fileprivate static func listed(_ names: [String]) -> String? {
    names.isEmpty ? nil : "known here: \(names.prefix(12).joined(separator: ", ")); a text stands in single quotes"
  }
}

extension ValueType {
  var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The name of the first secret in the declared fields inside.
  package var secretInside: String? {
    switch self {
    case .object(let object):
      for index in object.fields.indices {
        if let name = object.fields[index].secret ?? object.fields[index].type.secretInside { return name }
      }
      return nil
    case .list(let element): return element.secretInside
    case .map(_, let value): return value.secretInside
    case .optional(let wrapped): return wrapped.secretInside
    case .null, .bool, .int, .double, .string, .timestamp, .duration, .dyn: return nil
    }
  }
}
