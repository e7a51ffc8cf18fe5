import Expressions

/// The JSON with which a route may answer.
struct AnsweredMembers {
  /// Before what is read, in a label.
  static let reading = "reads "
  /// All of them; `nil` where one is not written out.
  private let all: LazySequence<FlattenSequence<[[AnsweredBody]]>>?

  /// Of lists of bodies, which many routes may share; `nil` for one of which something is not written out.
  fileprivate init(_ bodies: [[AnsweredBody]?]) {
    let known = bodies.compactMap { $0?.isEmpty == true ? nil : $0 }
    all = bodies.contains { $0 == nil } ? nil : known.joined().lazy
  }

  func mayHave(_ path: MemberPath) -> Bool {
    guard let all, !path.parts.isEmpty else { return true }
    return all.contains { $0.mayHave(path) }
  }

  /// Whether one of its answers with such a status has a value there that is written out.
  func has(_ path: MemberPath, whereStatus isMeant: (Int64) -> Bool) -> Bool {
    all?.contains { $0.value(at: path) != nil && isMeant($0.status) } ?? false
  }

  /// What its answers have there; none where some of it is not written out.
  func values(at path: MemberPath) -> [Value] {
    let having = all?.filter { $0.mayHave(path) }.map(\.self) ?? []
    let values = having.compactMap { $0.value(at: path) }
    return values.count == having.count ? values : []
  }

  /// The names of its members, in order.
  var names: [String] { Set(all?.flatMap(\.json.names).map(\.self) ?? []).sorted() }
}

/// What routes answer, worked out once for each.
struct KnownAnswers {
  private var known: [ObjectIdentifier: AnsweredMembers] = [:]
  /// Of each state of each model, and of all of them.
  private var ofStates: [ObjectIdentifier: (each: [[AnsweredBody]?], all: [AnsweredBody]?)] = [:]
  private var behind = StatesBehind()
  private var found: [MemberPath: Bool] = [:]

  /// Of a route that leads on, what the states behind it answer too.
  mutating func members(of route: Route, in model: ServiceModel) -> AnsweredMembers {
    if let members = known[ObjectIdentifier(route)] { return members }
    var bodies = [Self.bodies(model.ownTransitions(of: route).replies)]
    let states = behind.states(behind: route, in: model)
    if states?.isEmpty != true {
      let ofModel = ofStates[ObjectIdentifier(model)] ?? Self.ofStates(of: model.machine)
      ofStates[ObjectIdentifier(model)] = ofModel
      bodies += states.map { $0.map { ofModel.each[$0] } } ?? [ofModel.all]
    }
    let members = AnsweredMembers(bodies)
    known[ObjectIdentifier(route)] = members
    return members
  }

  /// Whether one of those that were worked out may have it; all of them have to be by then.
  mutating func mayHave(_ path: MemberPath) -> Bool {
    if let found = found[path] { return found }
    let isThere = known.values.contains { $0.mayHave(path) }
    found[path] = isThere
    return isThere
  }

  private static func ofStates(of machine: Machine) -> (each: [[AnsweredBody]?], all: [AnsweredBody]?) {
    let each = machine.states.map { bodies($0.transitions.replies) }
    return (each, each.contains { $0 == nil } ? nil : each.flatMap { $0 ?? [] })
  }

  private static func bodies(_ replies: [Reply]) -> [AnsweredBody]? {
    replies.contains(where: \.mayBeAnyJSON)
      ? nil : replies.compactMap { reply in reply.json.map { AnsweredBody(Int64(reply.status), $0) } }
  }
}

/// A body of JSON that is written out in a model.
private struct AnsweredBody {
  let status: Int64
  let json: ValueTemplate
  /// Its members, where it is an object; of many it would take long to find each.
  private let members: [String: ValueTemplate]?

  init(_ status: Int64, _ json: ValueTemplate) {
    (self.status, self.json) = (status, json)
    switch json {
    case .object(let members) where members.count > 8:
      self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    case .literal(.map(let map)) where map.count > 8:
      members = map.entries.reduce(into: [:]) { members, entry in
        if let name = entry.key.text?.string { members[name] = .literal(entry.value) }
      }
    default: members = nil
    }
  }

  func mayHave(_ path: MemberPath) -> Bool {
    guard let members, case .member(let name)? = path.parts.first else { return json.mayHave(path) }
    return members[name]?.mayHave(path.rest) ?? false
  }

  func value(at path: MemberPath) -> Value? {
    guard let members, case .member(let name)? = path.parts.first else { return json.value(at: path) }
    return members[name]?.value(at: path.rest)
  }
}

extension ValueTemplate {
  func mayHave(_ path: MemberPath) -> Bool {
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
  func value(at path: MemberPath) -> Value? {
    switch (self, path.parts.first) {
    case (.literal(let value), nil): return value
    case (.object(let members), .member(let name)):
      return members.first { $0.name == name }?.value.value(at: path.rest)
    case (.literal(.map(let map)), .member(let name)):
      return map[name].flatMap { ValueTemplate.literal($0).value(at: path.rest) }
    default: return nil
    }
  }

  var names: [String] {
    switch self {
    case .object(let members): members.map(\.name)
    case .literal(.map(let map)): map.entries.compactMap(\.key.text?.string)
    case .literal, .template, .list: []
    }
  }
}
