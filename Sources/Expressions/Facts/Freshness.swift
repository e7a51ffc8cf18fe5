/// How much of a text comes from `fresh` or `newId`, as far as that shows before it runs.
package enum Freshness: Sendable, Hashable {
  /// Nothing of which that is certain.
  case none
  /// A part of it.
  case part
  /// All of it, from end to end.
  case whole
}

/// A selection that an operation looks into: its order, its length, what stands in it.
package struct Look: Sendable, Hashable {
  /// The declared names in it: `["memory", "state"]`.
  package let path: [String]
  /// What looks: `"size"`.
  package let what: String
  /// What is wrong if the selection is fresh.
  package let problem: ExpressionProblem
}

/// An entry of a map that an expression writes out.
struct WrittenEntry: Sendable {
  let name: String
  let type: ValueType
  let range: Range<Int>
}

extension Compiler {
  /// Reports that an operation looks into what is fresh, or notes what it looks into.
  mutating func noteLook(_ term: Term, _ name: @autoclosure () -> String, whereWhole: Bool = false) {
    let isReported = term.freshness == .whole || (term.freshness == .part && !whereWhole)
    guard isReported || term.selection?.isAtField == true && term.type.unwrapped == .string else { return }
    let what = name()
    let message = "\(what) looks into a value of fresh or newId, of which nothing is known before it is made"
    let label = "is fresh"
    let help = "compare it with \"==\", or hand it on as it is"
    if isReported {
      report("looks-into-fresh", message, at: term.range, label: label, help: help)
    } else if let selection = term.selection {
      let problem = ExpressionProblem(
        code: "looks-into-fresh", message: message, range: place(term.range), label: label, help: help)
      let look = Look(path: selection.path, what: what, problem: problem)
      if !facts.looks.contains(look) { facts.looks.append(look) }
    }
  }

  /// What a function looks into among its arguments.
  mutating func noteLooks(_ name: String, _ terms: [Term]) {
    switch name {
    case "size", "lowerAscii", "upperAscii", "int", "double", "bool", "timestamp", "duration":
      noteLook(terms[0], "\"\(name)\"")
    case "contains", "split", "replace":
      for term in terms where term.type.carriesText { noteLook(term, "\"\(name)\"") }
    case "substring", "trim": noteLook(terms[0], "\"\(name)\"", whereWhole: true)
    case "startsWith", "endsWith":
      // What is known at that end can be compared, and nothing at all starts everything.
      guard let sought = terms[1].constant?.text, !sought.isEmpty else { return }
      noteLook(terms[0], "\"\(name)\"", whereWhole: true)
    default: break
    }
  }

  /// What is known of a call's result.
  func freshness(of name: String, _ terms: [Term]) -> Freshness {
    guard let first = terms.first else { return .none }
    switch name {
    case "s256", "base64url", "urlEncode": return first.freshness == .none ? .none : .whole
    case "jwt":
      let isMoving = first.entries.contains { $0.type == .timestamp }
      return first.freshness == .none && !isMoving ? .none : .whole
    case "string", "dyn": return first.freshness
    case "join": return terms.contains { $0.freshness != .none } ? .part : .none
    default: return .none
    }
  }

  /// A JWT's instants are timestamps: a number would be fixed while the time goes on.
  mutating func checkInstants(of payload: Term) {
    for entry in payload.entries where JSONWebToken.instantClaims.contains(entry.name) {
      guard entry.type.shape.isDisjoint(with: .timestamp) else { continue }
      report(
        "jwt-needs-timestamp", "\"\(entry.name)\" of jwt is a timestamp, and here it is \(entry.type.title)",
        at: entry.range, label: entry.type.title, help: "write now + duration('1h'), or timestamp(…)")
    }
  }
}
