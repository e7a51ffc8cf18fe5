import Expressions

extension Check {
  /// What a request sends of the store and each good answer has anew under the same name, where nothing takes that: who
  /// rotates refresh tokens takes each once (RFC 9700 §4.14.2), and the next try with the old one signs the person out.
  static let droppedRotations: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard examined.model == nil else { return [] }
    return examined.machine.states.flatMap { state -> [Diagnostic] in
      guard case .request(let request) = state.activity, let (model, route) = examined.surelyAsks(request) else {
        return []
      }
      let (read, set) = (state.next.flatMap(\.readOfAnswer), Set(state.next.flatMap(\.keysSet)))
      // The whole of an answer may be kept, or gone through.
      if read.contains(.any) { return [] }
      return request.sentOfStore.compactMap { name, key, site in
        guard !read.contains(.member(name)), !set.contains(key), examined.keeps(key),
          let reply = model.givesAnew(name, where: route)
        else { return nil }
        return Diagnostic(
          "dropped-rotation", severity: .warning,
          "each good answer of \(route.line) of \"\(model.name)\" has a new \"\(name)\", which nothing takes", at: site,
          "is sent, and stays the old one", help: "set \"\(key)\" to it where the answer is taken",
          related: (reply.site, "is answered here"))
      }
    }
  }
}

extension Examined {
  /// Whether a key of the store is secret.
  fileprivate func keeps(_ key: String) -> Bool {
    machine.store.contains { $0.name == key && !$0.isTable && $0.keeping.field.secret != nil }
  }
}

extension Transition {
  /// What its actions read of the JSON of an answer: members, or all of it; a guard that asks for one keeps nothing.
  fileprivate var readOfAnswer: [MemberPath.Part] {
    actions.handedOn.flatMap(\.readings).compactMap { reading in
      MemberPath(reading.name, below: "response.json").map { $0.parts.first ?? .any }
    }
  }

  /// The keys of the store that it sets.
  fileprivate var keysSet: [String] {
    actions.flatMap(\.assignments).map(\.place).filter(\.isDurable).map(\.declared.name)
  }
}

extension [Action] {
  /// What they keep, tell and show.
  var handedOn: [Expression] {
    let values = flatMap { action -> [ValueTemplate] in
      switch action.kind {
      case .set(let assignments): assignments.map(\.value)
      case .emit(_, let fields), .show(_, let fields): fields.map(\.value)
      case .clear, .open, .close, .send: []
      }
    }
    return values.flatMap(\.placed).flatMap(\.template.expressions)
  }
}

extension RequestSpec {
  /// What its body has under a name that is a key of the store, as it is.
  fileprivate var sentOfStore: [(name: String, key: String, site: Site)] {
    let members: [FieldValue] =
      switch body {
      case .json(.object(let members)): members
      case .form(let fields): fields
      default: []
      }
    return members.compactMap { member in
      guard case .template(let placed) = member.value, let copied = placed.template.expressions.first?.copied,
        placed.template.parts.count == 1, copied.count == 2, copied[0] == "store"
      else { return nil }
      return (member.name, copied[1], placed.site)
    }
  }
}

extension ServiceModel {
  /// The first good answer of a route, where each has a member that is made for it.
  fileprivate func givesAnew(_ name: String, where route: Route) -> Reply? {
    let good = replies(of: route).filter { (200..<300).contains($0.status) }
    // One that lacks it may be the one that is asked for here: another grant.
    return good.allSatisfy { $0.givesAnew(name) } ? good.first : nil
  }
}

extension Reply {
  /// Whether its JSON has a member that is fresh, or was worked out for this answer.
  fileprivate func givesAnew(_ name: String) -> Bool {
    guard case .content(.json(.object(let members))) = body,
      case .template(let placed)? = members.first(where: { $0.name == name })?.value
    else { return false }
    let expressions = placed.template.expressions
    let read = expressions.flatMap(\.facts.references)
    return expressions.contains { $0.freshness != .none } || read.contains { $0.first == "memory" }
  }
}
