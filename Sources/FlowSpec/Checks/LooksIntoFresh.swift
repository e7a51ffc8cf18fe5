import Expressions

extension Check {
  /// Expressions that look into a value that is different in every run.
  static let looksIntoFresh: @Sendable (Examined) -> [Diagnostic] = { examined in
    let fresh = examined.freshKeys
    return examined.expressions.flatMap { placed -> [Diagnostic] in
      placed.expression.references.compactMap { reference in
        guard fresh.contains(reference.path), let what = placed.look(at: reference) else { return nil }
        let name = reference.path.joined(separator: ".")
        return Diagnostic(
          code: "looks-into-fresh", message: "\"\(name)\" holds a fresh value, and \(what) looks into it",
          labels: [Diagnostic.Label(site: placed.site(of: reference.range), text: "is different in every run")],
          help: "a fresh value can be passed on, compared for equality and hashed, not taken apart")
      }
    }
  }
}

extension Examined {
  /// Keys that hold nothing but what `fresh` or `newId` made.
  fileprivate var freshKeys: Set<[String]> {
    var fresh: Set<[String]> = []
    var others: Set<[String]> = []
    for action in actions {
      guard case .set(let assignments) = action.kind else { continue }
      for assignment in assignments where assignment.place.row == nil {
        let isStore = assignment.place.area == .store
        let key = (isStore ? machine.store : machine.memory)[assignment.place.key]
        let path = [isStore ? "store" : "memory", key.name]
        if assignment.value.isFresh { fresh.insert(path) } else { others.insert(path) }
      }
    }
    return fresh.subtracting(others)
  }
}

extension ValueTemplate {
  /// Whether it is `${fresh('name')}` and nothing else.
  fileprivate var isFresh: Bool {
    guard case .template(let placed) = self, placed.template.isAlone, let expression = placed.template.expressions.first
    else { return false }
    let source = expression.source.drop { $0 == " " }
    return (source.hasPrefix("fresh(") || source.hasPrefix("newId(")) && source.count { $0 == "(" } == 1
  }
}

/// An expression that was compiled, in the string that holds it: ranges count from its start.
struct NotedExpression: Sendable {
  let expression: Expression
  let source: String
  let site: Site
  let offset: Int
}

extension NotedExpression {
  fileprivate func site(of range: Range<Int>) -> Site {
    site.inside((range.lowerBound + offset)..<(range.upperBound + offset))
  }

  /// What is done with a selection that needs to know its text; `nil` when nothing is.
  fileprivate func look(at reference: Expression.Reference) -> String? {
    let (start, end) = (reference.range.lowerBound, reference.range.upperBound)
    let bytes = Array(source.utf8)
    // Of what is read inside a let the range is the let's.
    guard end <= bytes.count, bytes[start..<end].elementsEqual(reference.path.joined(separator: ".").utf8) else {
      return nil
    }
    let behind = bytes[end...].drop { $0 == UInt8(ascii: " ") }
    let functions = ["contains", "split", "size", "lowerAscii", "upperAscii", "replace", "substring", "trim"]
    if let function = functions.first(where: { behind.starts(with: ".\($0)(".utf8) }) { return "\"\(function)\"" }
    if let sign = ["<", ">"].first(where: { behind.starts(with: $0.utf8) }) { return "\"\(sign)\"" }
    let before = bytes[..<start].reversed().drop { $0 == UInt8(ascii: " ") }
    if before.starts(with: "(ezis".utf8) { return "\"size\"" }
    return ["<", ">"].first { sign in before.starts(with: sign.utf8) || before.starts(with: "=\(sign)".utf8) }
      .map { "\"\($0)\"" }
  }
}
