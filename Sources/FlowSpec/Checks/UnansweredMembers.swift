import Expressions

extension Check {
  /// Members that are read behind a request and that no answer of the model's route has.
  ///
  /// Nothing is said of a route one of whose bodies is not written out, nor of what a named list of actions reads; of what a
  /// let reads only where no route that is asked has it. What is misspelt is told as that alone.
  static let unansweredMembers: @Sendable (Examined) -> [Diagnostic] = { examined in
    let found = membersOfNoAnswer(examined)
    if found.isEmpty { return [] }
    let misspelt = Set(nearMisses(examined).compactMap { $0.labels.first?.site })
    return found.filter { $0.labels.first.map { !misspelt.contains($0.site) } ?? true }
  }

  private static func membersOfNoAnswer(_ examined: Examined) -> [Diagnostic] {
    let readings = AnswerReadings(in: examined)
    if readings.isEmpty { return [] }
    var answers = KnownAnswers()
    let asking = examined.machine.states.compactMap { state -> (State, RequestSpec, Route, ServiceModel)? in
      guard case .request(let request) = state.activity, let (model, route) = examined.surelyAsks(request) else {
        return nil
      }
      _ = answers.members(of: route, in: model)
      return (state, request, route, model)
    }
    return asking.flatMap { state, request, route, model -> [Diagnostic] in
      let answered = answers.members(of: route, in: model)
      var told: Set<MemberPath> = []
      return (state.next.map(\.site) + [request.site]).flatMap(readings.within).compactMap { reading in
        let isElsewhere = reading.isOfLet && answers.mayHave(reading.path)
        guard !answered.mayHave(reading.path), !isElsewhere, told.insert(reading.path).inserted else { return nil }
        let names = reading.path.parts.count == 1 ? answered.names : []
        return Diagnostic(
          "unanswered-member", severity: .warning,
          "no answer of \(route.line) of \"\(model.name)\" has \(reading.name)",
          at: examined.site(of: reading.name, in: reading.placed), AnsweredMembers.reading + reading.name,
          help: names.isEmpty
            ? "let a reply of the route have it, or read what one has" : "its answers have \(names.listed)")
      }
    }
  }
}

/// What the expressions of a document read of answers, in the order of the text.
private struct AnswerReadings {
  struct Reading {
    let path: MemberPath
    let name: String
    let placed: PlacedExpression
    /// Whether a let has it.
    let isOfLet: Bool
  }

  private let all: [Reading]

  var isEmpty: Bool { all.isEmpty }

  init(in examined: Examined) {
    let own = examined.document.site.document
    let readings = examined.expressions.filter { $0.site.document == own }.flatMap { placed in
      placed.expression.readings.compactMap { reading -> Reading? in
        guard let path = MemberPath(reading.name, below: "response.json"), path.isChosen else { return nil }
        let isWritten = placed.expression.source.contains(reading.name)
        return Reading(path: path, name: reading.name, placed: placed, isOfLet: !isWritten)
      }
    }
    all = readings.enumerated().sorted { left, right in
      let (start, other) = (left.element.placed.site.range.lowerBound, right.element.placed.site.range.lowerBound)
      return (start, left.offset) < (other, right.offset)
    }.map(\.element)
  }

  /// Those that stand in a part of the document.
  func within(_ site: Site) -> ArraySlice<Reading> {
    let start = all.partitioningIndex { $0.placed.site.range.lowerBound >= site.range.lowerBound }
    let end = all.partitioningIndex { $0.placed.site.range.lowerBound >= site.range.upperBound }
    return all[start..<max(start, end)]
  }
}

extension MemberPath {
  /// Whether each name in it may have been chosen: what is written out for another may be a secret.
  var isChosen: Bool {
    parts.allSatisfy { part in if case .member(let name) = part { name.mayBeChosen } else { true } }
  }
}

extension Scenario {
  /// What faults answer in place of models.
  var answers: [Reply] {
    let steps = (script ?? []).compactMap { step in if case .fault(let fault) = step.kind { fault } else { nil } }
    return (faults + steps).compactMap { fault in
      switch fault.effect {
      case .answer(let reply), .replaced(let reply): reply
      default: nil
      }
    }
  }
}

extension Reply {
  /// Whether it may have the member that was found to be in no answer.
  func mayHave(whatIsReadIn diagnostic: Diagnostic) -> Bool {
    let reading = diagnostic.labels.first?.text.dropFirst(AnsweredMembers.reading.count) ?? ""
    guard let path = MemberPath(String(reading), below: "response.json") else { return false }
    return mayBeAnyJSON || json?.mayHave(path) == true
  }

  var json: ValueTemplate? {
    if case .content(.json(let template)) = body { template } else { nil }
  }

  /// Whether its body is text that may be an object.
  var mayBeAnyJSON: Bool {
    guard case .content(.text(let placed)) = body, let first = placed.template.parts.first else { return false }
    guard case .literal(let text) = first, let sign = text.first(where: { !$0.isWhitespace }) else { return true }
    return sign == "{"
  }
}
