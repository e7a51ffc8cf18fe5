import Expressions

/// The parts of a request that have members with names of the author's choice.
enum RequestPart: String, CaseIterable {
  case json, form, query
}

/// A member of a request, with its value where a document says it.
struct SentMember {
  let name: String
  let value: ValueTemplate?

  init(name: String, value: ValueTemplate? = nil) { (self.name, self.value) = (name, value) }

  init(_ field: FieldValue) { self.init(name: field.name, value: field.value) }

  /// What the value is called where it comes from, when it goes as it is: `phone` of `${memory.phone}`.
  var source: String? {
    guard case .template(let placed) = value, placed.template.isAlone,
      let selection = placed.template.expressions.first?.selection, selection.last != "]"
    else { return nil }
    return selection.split { ".?".contains($0) }.last.map(String.init)
  }
}

extension Visit {
  /// The members of a part of what it sends; `nil` where they may be any.
  func sent(in part: RequestPart) -> [SentMember]? {
    let filled = form?.fields.fields.map { SentMember(name: $0.name) } ?? []
    if part == .query { return query.map(SentMember.init) + (form?.method == "GET" ? filled : []) }
    if let form { return part == .form && form.method != "GET" ? filled : [] }
    switch (request?.body, part) {
    case (.text, _): return nil
    case (.form(let fields), .form): return fields.map(SentMember.init)
    case (.json(.object(let members)), .json): return members.map(SentMember.init)
    case (.json(.literal(.map(let map))), .json):
      return map.entries.compactMap { member in
        member.key.text.map { SentMember(name: $0.string, value: .literal(member.value)) }
      }
    case (.json(.template), .json): return nil
    default: return keepsMethod ? nil : []
    }
  }
}

/// The members of a request that a route reads.
struct ReadMembers {
  struct Reading {
    let part: RequestPart
    let name: String
    /// As a trace shows it.
    let whole: String
    let placed: PlacedExpression
  }

  /// Those that the route reads itself, in order; one may be there several times.
  let own: [Reading]
  /// Those of the states to which it may lead, and of what serves every route, too.
  private let all: [RequestPart: Set<String>]
  /// The parts of which it may read any member.
  private let anyOf: Set<RequestPart>

  init(of route: Route, in model: ServiceModel) {
    own = route.expressions.flatMap { placed in
      placed.expression.readings.compactMap { reading in
        Self.member(readBy: reading.name).flatMap { part, name in
          name.map { Reading(part: part, name: $0, whole: reading.name, placed: placed) }
        }
      }
    }
    var (all, anyOf): ([RequestPart: Set<String>], Set<RequestPart>) = ([:], [])
    for reading in (route.expressions + model.expressions).lazy.flatMap(\.expression.readings) {
      if MemberPath(reading.name, below: "request.text") != nil { anyOf.formUnion([.json, .form]) }
      guard let (part, name) = Self.member(readBy: reading.name) else { continue }
      if let name { all[part, default: []].insert(name) } else { anyOf.insert(part) }
    }
    (self.all, self.anyOf) = (all, anyOf)
  }

  func mayRead(_ name: String, in part: RequestPart) -> Bool {
    anyOf.contains(part) || all[part]?.contains(name) == true
  }

  /// The part that is read, and the member of it; no member where all or any are.
  private static func member(readBy reading: String) -> (part: RequestPart, name: String?)? {
    for part in RequestPart.allCases {
      guard let path = MemberPath(reading, below: "request.\(part.rawValue)") else { continue }
      if case .member(let name)? = path.parts.first { return (part, name) }
      return (part, nil)
    }
    return nil
  }
}

/// What routes read of requests, worked out once for each.
struct KnownReadings {
  private var known: [ObjectIdentifier: ReadMembers] = [:]

  mutating func members(of route: Route, in model: ServiceModel) -> ReadMembers {
    if let members = known[ObjectIdentifier(route)] { return members }
    let members = ReadMembers(of: route, in: model)
    known[ObjectIdentifier(route)] = members
    return members
  }
}

extension Flow {
  /// Everything that goes over the network, each with the service from whose document it does; `nil` for the app.
  var visits: [(service: Destination?, visit: Visit)] {
    let models = services.indices.compactMap { index in
      services[index].model.map { (index as Destination?, $0.machine, $0.transitions) }
    }
    return ([(nil, app, app.transitions)] + models).flatMap { service, machine, transitions in
      let visits =
        machine.requests.map(Visit.init) + machine.actions(transitions).opens.map { Visit($0) }
        + transitions.replies.flatMap(\.visits)
      return visits.map { (service, $0) }
    }
  }

  /// Whether something may come to a route with such a member.
  ///
  /// What is worked out at run time, an address in a mail or a header, may lead to any route of its method.
  func maySend(
    _ name: String, in part: RequestPart, to route: Route, of model: ServiceModel,
    among visits: [(service: Destination?, visit: Visit)]
  ) -> Bool {
    let sends = visits.contains { service, visit in
      if let sent = visit.sent(in: part), !sent.contains(where: { $0.name == name }), visit.uri == nil { return false }
      guard case .segments(let path) = visit.path, let service = visit.to ?? service else {
        return visit.methods.contains(route.method)
      }
      guard services[service].model === model else { return false }
      return visit.methods.contains { method in model.routes(method, path).contains { model.routes[$0] === route } }
    }
    if sends || part != .query { return sends }
    return services.compactMap(\.model).contains { model in
      !model.mails.isEmpty
        || model.transitions.replies.contains { $0.headers.contains { $0.name.lowercased() == "location" } }
    }
  }
}
