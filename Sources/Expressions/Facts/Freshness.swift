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
  mutating func noteLooks(_ function: Function, _ terms: [Term]) {
    let name = function.name
    switch function.traits.looks {
    case .intoFirst: noteLook(terms[0], "\"\(name)\"")
    case .intoTexts: for term in terms where term.type.carriesText { noteLook(term, "\"\(name)\"") }
    case .intoEnds: noteLook(terms[0], "\"\(name)\"", whereWhole: true)
    case .intoComparedEnd:
      // What is known at that end can be compared, and nothing at all starts everything.
      guard let sought = terms[1].constant?.text, !sought.isEmpty else { return }
      noteLook(terms[0], "\"\(name)\"", whereWhole: true)
    case .nowhere: break
    }
  }

  /// What is known of a call's result.
  func freshness(of function: Function, _ terms: [Term]) -> Freshness {
    // The instants in a token move as time passes.
    if function.traits.makesToken, terms[0].entries.contains(where: { $0.type == .timestamp }) { return .whole }
    switch function.traits.freshness {
    case .nothing: return .none
    case .asFirst: return terms[0].freshness
    case .part: return terms.contains { $0.freshness != .none } ? .part : .none
    case .whole: return terms.contains { $0.freshness != .none } ? .whole : .none
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
