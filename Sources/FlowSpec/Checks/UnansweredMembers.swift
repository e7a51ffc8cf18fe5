import Expressions

extension Check {
  /// What is misspelt here is told as that alone.
  static let unknownMembers: @Sendable (Examined) -> [Diagnostic] = { examined in
    let misspelt = nearMisses(examined)
    let places = Set(misspelt.compactMap { $0.labels.first?.site })
    return misspelt + unansweredMembers(examined).filter { $0.labels.first.map { !places.contains($0.site) } ?? true }
  }

  /// Members that are read behind a request and that no answer of the model's route has.
  ///
  /// Nothing is said of a route one of whose bodies is not written out, nor of what a named list of actions reads; of what a
  /// let reads only where no route that is asked has it.
  private static let unansweredMembers: @Sendable (Examined) -> [Diagnostic] = { examined in
    let readings = AnswerReadings(in: examined)
    if readings.isEmpty { return [] }
    var known: [ObjectIdentifier: AnsweredMembers] = [:]
    let asking = examined.machine.states.compactMap { state -> (State, RequestSpec, Route, ServiceModel)? in
      guard case .request(let request) = state.activity, let (model, route) = examined.surelyAsks(request) else {
        return nil
      }
      if known[ObjectIdentifier(route)] == nil {
        known[ObjectIdentifier(route)] = AnsweredMembers(of: route, in: model)
      }
      return (state, request, route, model)
    }
    return asking.flatMap { state, request, route, model -> [Diagnostic] in
      guard let answered = known[ObjectIdentifier(route)] else { return [] }
      var told: Set<MemberPath> = []
      return (state.next.map(\.site) + [request.site]).flatMap(readings.within).compactMap { reading in
        let isElsewhere = reading.isOfLet && known.values.contains { $0.mayHave(reading.path) }
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

/// The JSON with which a route may answer.
struct AnsweredMembers {
  /// Before what is read, in a label.
  static let reading = "reads "
  /// `nil` where one of them is not written out.
  private let bodies: [(status: Int64, json: ValueTemplate)]?

  /// Of one that leads on, that of all states too.
  init(of route: Route, in model: ServiceModel) {
    let replies = (route.next + model.sometimes + (route.goesOn ? model.machine.transitions : [])).replies
    bodies =
      replies.contains(where: \.mayBeAnyJSON)
      ? nil : replies.compactMap { reply in reply.json.map { (Int64(reply.status), $0) } }
  }

  func mayHave(_ path: MemberPath) -> Bool {
    guard let bodies, !path.parts.isEmpty else { return true }
    return bodies.contains { $0.json.mayHave(path) }
  }

  /// Whether one of its answers with such a status has a value there that is written out.
  func has(_ path: MemberPath, whereStatus isMeant: (Int64) -> Bool) -> Bool {
    (bodies ?? []).contains { $0.json.value(at: path) != nil && isMeant($0.status) }
  }

  /// What its answers have there; none where some of it is not written out.
  func values(at path: MemberPath) -> [Value] {
    let having = (bodies ?? []).map(\.json).filter { $0.mayHave(path) }
    let values = having.compactMap { $0.value(at: path) }
    return values.count == having.count ? values : []
  }

  /// The names of its members, in order.
  var names: [String] { Set((bodies ?? []).flatMap(\.json.names)).sorted() }
}

extension Scenario {
  /// What faults answer in place of models.
  var answers: [Reply] {
    let steps = (script ?? []).compactMap { step in if case .fault(let fault) = step.kind { fault } else { nil } }
    return (faults + steps).compactMap { fault in if case .answer(let reply) = fault.effect { reply } else { nil } }
  }
}

extension Reply {
  /// Whether it may have the member that was found to be in no answer.
  func mayHave(whatIsReadIn diagnostic: Diagnostic) -> Bool {
    let reading = diagnostic.labels.first?.text.dropFirst(AnsweredMembers.reading.count) ?? ""
    guard let path = MemberPath(String(reading), below: "response.json") else { return false }
    return mayBeAnyJSON || json?.mayHave(path) == true
  }

  fileprivate var json: ValueTemplate? {
    if case .content(.json(let template)) = body { template } else { nil }
  }

  /// Whether its body is text that may be an object.
  fileprivate var mayBeAnyJSON: Bool {
    guard case .content(.text(let placed)) = body, let first = placed.template.parts.first else { return false }
    guard case .literal(let text) = first, let sign = text.first(where: { !$0.isWhitespace }) else { return true }
    return sign == "{"
  }
}

extension ValueTemplate {
  fileprivate func mayHave(_ path: MemberPath) -> Bool {
    guard let part = path.parts.first else { return true }
    switch (self, part) {
    case (.template, _), (_, .any): return true
    case (.object(let members), .member(let name)):
      return members.contains { $0.name == name && $0.value.mayHave(path.rest) }
    case (.literal(let value), .member(let name)):
      guard case .map(let map) = value, let member = map[name] else { return false }
      return ValueTemplate.literal(member).mayHave(path.rest)
    case (.list, .member): return false
    }
  }

  /// `nil` where nothing stands there, or what is known in a run alone.
  fileprivate func value(at path: MemberPath) -> Value? {
    switch (self, path.parts.first) {
    case (.literal(let value), nil): return value
    case (.template(let placed), nil): return placed.template.literalText.map { .string(Text($0)) }
    case (.object(let members), .member(let name)):
      return members.first { $0.name == name }?.value.value(at: path.rest)
    case (.literal(.map(let map)), .member(let name)):
      return map[name].flatMap { ValueTemplate.literal($0).value(at: path.rest) }
    default: return nil
    }
  }

  fileprivate var names: [String] {
    switch self {
    case .object(let members): members.map(\.name)
    case .literal(.map(let map)): map.entries.compactMap(\.key.text?.string)
    case .literal, .template, .list: []
    }
  }
}
