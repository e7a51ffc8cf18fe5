import Expressions

extension Check {
  /// What a request sends of the store and each good answer has anew, where it is not taken: who rotates refresh tokens
  /// takes each once (RFC 9700 §4.14.2), and the next try with the old one signs the person out.
  static let droppedRotations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    var known: [ObjectIdentifier: MadeAnew] = [:]
    lazy var sources = Sources(examined)
    return examined.machine.states.flatMap { state -> [Diagnostic] in
      guard case .request(let request) = state.activity, let (model, route) = examined.surelyAsks(request) else {
        return []
      }
      let sent = request.secretsSent(of: examined.machine)
      if sent.isEmpty { return [] }
      let made = known[ObjectIdentifier(route)] ?? MadeAnew(of: route, in: model)
      known[ObjectIdentifier(route)] = made
      return sent.flatMap { sent in
        let paths = sent.name.map { [MemberPath([.member($0)])] } ?? []
        for path in paths + sources.members(of: sent.secret, sent.row, in: model, answeredBy: route) {
          guard let reply = made.first(whereAllHave: path), let name = path.name else { continue }
          let found = examined.dropped(path, for: sent, by: state.next, on: model.goodStatuses(of: route))
          return found.map { place, how, label, help in
            Diagnostic(
              "dropped-rotation", severity: .warning,
              "each good answer of \(route.line) of \"\(model.name)\" has a new \"\(name)\", which \(how)",
              at: place ?? sent.site, label,
              help: help ?? "set \"\(examined.machine.title(of: sent.secret))\" to it where the answer is taken",
              related: (reply.site, "is answered here"))
          }
        }
        return []
      }
    }
  }
}

extension Examined {
  /// What is said of a member of good answers that does not get where the secret is: `place` is that of a transition,
  /// where others take it.
  fileprivate func dropped(
    _ path: MemberPath, for secretSent: RequestSpec.SecretSent, by next: [Transition], on statuses: [Int64]
  ) -> [(place: Site?, how: String, label: String, help: String?)] {
    let secret = secretSent.secret
    let ofRow = next.flatMap(\.actions).flatMap(\.assignments).filter { $0.place.isAlike(secretSent.row) }
    let isGone = ofRow.flatMap(\.secretsLeftOut).contains(secret)
    let sent = "is sent, and " + (isGone ? "is gone with the old row" : "stays the old one")
    if !next.contains(where: { $0.mayTake(path) || $0.secretsNamed.contains(secret) }) {
      return [(nil, "nothing takes", sent, nil)]
    }
    if !next.contains(where: { $0.secretsNamed.contains(secret) }) {
      let places = next.flatMap { $0.placesTaking(path) ?? [] }
      let isLeft =
        !places.isEmpty && next.allSatisfy { $0.placesTaking(path) != nil } && places.allSatisfy { !hands(on: $0) }
      return isLeft ? [(nil, "is taken into the memory alone", sent, nil)] : []
    }
    let taking = statuses.flatMap { next.mayTake(status: $0) }
    // Where a guard asks for it, what stands behind takes answers that lack it.
    return next.prefix { $0.when?.mayRead(path) != true }.filter { transition in
      taking.contains { $0 === transition } && transition.takesSecret && !transition.mayTake(path)
        && !transition.secretsNamed.contains(secret) && !transition.clears(secret)
    }.map {
      (
        $0.site, "this does not take", "takes the rest of the answer",
        "set \"\(machine.title(of: secret))\" to it here, too"
      )
    }
  }

  /// Whether something that is kept in the memory is put elsewhere, told or shown.
  private func hands(on place: Place) -> Bool {
    let name = [place.area.rawValue, place.declared.name]
    return actions.handedOn.contains { $0.facts.references.contains { $0.prefix(2) == name[...] } }
  }
}

/// The members of the answers of each model that secrets of the store are set to.
private struct Sources {
  private struct Taken: Hashable {
    let secret: StoredSecret
    let model: ObjectIdentifier
  }
  /// How answers that are taken have a member.
  private struct Source {
    let path: MemberPath
    let texts: Set<String>
    let row: RowName?
  }
  private var known: [Taken: [Source]] = [:]

  init(_ examined: Examined) {
    for state in examined.machine.states {
      let taken = state.next.flatMap(\.membersTaken)
      guard !taken.isEmpty, case .request(let request) = state.activity,
        let (model, route) = examined.surelyAsks(request)
      else { continue }
      let answers = model.replies(of: route).compactMap(\.json)
      for (secret, row, path) in taken {
        let texts = Set(answers.compactMap { $0.template(at: path)?.template.source })
        let taken = Taken(secret: secret, model: ObjectIdentifier(model))
        let isKnown = known[taken]?.contains {
          $0.path == path && $0.row == row && texts.isSubset(of: $0.texts)
        }
        if isKnown != true { known[taken, default: []].append(Source(path: path, texts: texts, row: row)) }
      }
    }
  }

  /// Those of a secret, as far as a route gives the same there: what has only the name in common may be anything, and so
  /// may what is put into the row of another constant.
  func members(
    of secret: StoredSecret, _ row: RowName?, in model: ServiceModel, answeredBy route: Route
  ) -> [MemberPath] {
    guard let known = known[Taken(secret: secret, model: ObjectIdentifier(model))] else { return [] }
    let answers = model.replies(of: route).compactMap(\.json)
    return known.filter { source in
      source.row?.isSurelyOther(than: row) != true
        && answers.contains { $0.template(at: source.path).map { source.texts.contains($0.template.source) } ?? false }
    }.map(\.path)
  }
}

extension ServiceModel {
  fileprivate func goodStatuses(of route: Route) -> [Int64] {
    Set(replies(of: route).map { Int64($0.status) }.filter { (200..<300).contains($0) }).sorted()
  }
}

extension Transition {
  /// Whether its actions read a member of the JSON of an answer, or all of what it stands in; a guard that asks for one
  /// keeps nothing.
  fileprivate func mayTake(_ path: MemberPath) -> Bool { actions.handedOn.contains { $0.mayRead(path) } }

  /// Where in the memory it puts a member of the JSON of an answer; `nil` where it does more with it.
  fileprivate func placesTaking(_ path: MemberPath) -> [Place]? {
    if actions.shown.contains(where: { $0.mayRead(path) }) { return nil }
    let taking = actions.flatMap(\.assignments).filter { $0.value.expressions.contains { $0.mayRead(path) } }
    let whole = taking.contains { !$0.value.expressions.flatMap(\.answeredMembers).contains(path) }
    return whole || taking.contains(where: \.place.isDurable) ? nil : taking.map(\.place)
  }

  /// The members of an answer to which it sets secrets of the store, as they are; but not those of a row that an answer
  /// has as a whole.
  fileprivate var membersTaken: [(secret: StoredSecret, row: RowName?, path: MemberPath)] {
    actions.flatMap(\.assignments).filter { !$0.takesWholeRow }.flatMap { assignment in
      assignment.secretsSet.flatMap { secret, value in
        value.expressions.flatMap(\.handedOn).compactMap(MemberPath.init(answered:))
          .filter { !$0.parts.isEmpty && !$0.parts.contains(.any) }
          .map { (secret, assignment.place.rowName, $0) }
      }
    }
  }

  /// The secrets of the store that it sets; what a row that it sets does not name nobody has thought of.
  fileprivate var secretsNamed: [StoredSecret] { actions.flatMap(\.assignments).flatMap(\.secretsNamed).map(\.secret) }

  fileprivate func clears(_ secret: StoredSecret) -> Bool {
    actions.flatMap(\.cleared).flatMap(\.secrets).contains(secret)
  }

  /// Whether it sets a secret of the store to something of an answer.
  fileprivate var takesSecret: Bool {
    actions.secretsSet.contains { $0.value.expressions.contains { !$0.answeredMembers.isEmpty } }
  }
}

extension Assignment {
  /// Whether it sets a row to what one expression gives.
  fileprivate var takesWholeRow: Bool {
    if case .template = value { place.isWholeRow } else { false }
  }
}

extension MemberPath {
  /// Of the JSON of an answer, from the name of a reading.
  init?(answered reading: String) { self.init(reading, below: "response.json") }

  /// That of the innermost member.
  fileprivate var name: String? { if case .member(let name)? = parts.last { name } else { nil } }

  /// Whether one is the other, or stands in it.
  fileprivate func meets(_ other: MemberPath) -> Bool {
    zip(parts, other.parts).allSatisfy { $0 == $1 || $0 == .any || $1 == .any }
  }
}

extension Expression {
  /// What it reads of the JSON of an answer.
  var answeredMembers: [MemberPath] { readings.map(\.name).compactMap(MemberPath.init(answered:)) }

  fileprivate func mayRead(_ path: MemberPath) -> Bool { answeredMembers.contains { $0.meets(path) } }
}

extension Condition {
  fileprivate func mayRead(_ path: MemberPath) -> Bool { expressions.contains { $0.expression.mayRead(path) } }
}

extension [Action] {
  /// What they keep, tell and show.
  var handedOn: [Expression] { shown + flatMap(\.assignments).flatMap(\.value.expressions) }

  /// What they tell and show.
  fileprivate var shown: [Expression] {
    flatMap { action -> [FieldValue] in
      switch action.kind {
      case .emit(_, let fields), .show(_, let fields): fields
      case .set, .clear, .open, .close, .send: []
      }
    }.flatMap(\.value.expressions)
  }
}

extension RequestSpec {
  /// A secret of the store that is sent as it is, with the name that it has in the body and the row that it is of.
  typealias SecretSent = (name: String?, secret: StoredSecret, row: RowName?, site: Site)

  /// The secrets of the store that it sends as they are.
  func secretsSent(of machine: Machine) -> [SecretSent] {
    let members: [FieldValue] =
      switch body {
      case .json(.object(let members)): members
      case .form(let fields): fields
      default: []
      }
    let named = members.map { (name: Optional($0.name), value: $0.value) }
    let others = headers.map(\.value) + [bearer].compactMap { $0.map(ValueTemplate.template) }
    return (named + others.map { (name: nil, value: $0) }).compactMap { name, value in
      guard case .template(let placed) = value, placed.template.parts.count == 1,
        let expression = placed.template.expressions.first,
        let secret = expression.copied.flatMap(machine.secret(readAs:))
      else { return nil }
      return (name, secret, machine.row(of: secret, in: expression), placed.site)
    }
  }
}
