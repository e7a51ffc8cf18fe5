import Expressions
import JSONSyntax

extension Check {
  /// Members that are read of an answer or a request, that nobody gives or sends, and that are much like one that
  /// somebody does; so for the words with which they are compared.
  ///
  /// A model may serve other flows, and a real service say more than its model: what is like nothing here is theirs.
  static let nearMisses: @Sendable (Examined) -> [Diagnostic] = { examined in
    // Each model is held against all the others.
    guard let flow = examined.flow, flow.services.count <= mostServices else { return [] }
    let others = examined.others
    // What is in the document itself says nothing of what others send, but for the pages of a model; a name that a model
    // gives is none that it misspells.
    let pages = examined.model == nil ? [] : examined.document.node.pages
    let own = examined.model == nil ? [] : [examined.document.node]
    // Nearly all that is read is given just so, and no more is looked at.
    var near = NearNames(given: others.flatMap(\.payload) + pages.flatMap(\.payload))
    lazy var words = Words((others + own).flatMap { $0.givenWords(isPayload: false) })
    // What a service without a model answers nobody here knows.
    let isAnswerKnown = examined.machine.requests.allSatisfy { flow.services[$0.to].model != nil }
    var looked: Set<String> = []
    let requests = examined.misspeltRequests(flow) { looked.insert($0).inserted }
    let members = examined.expressions.flatMap { placed in
      placed.expression.readings.compactMap { reading -> Diagnostic? in
        let isAnswer = reading.name.hasPrefix("response.")
        guard isAnswerKnown || !isAnswer, near.hasAny(of: reading),
          let name = near.unknownMembers(of: reading).first(where: { !words.has($0) }), looked.insert(name).inserted,
          let near = near.near(name)
        else { return nil }
        return Diagnostic(
          "near-miss", severity: .warning,
          "no \(isAnswer ? "answer" : "request") here has a member \"\(name)\"",
          at: examined.site(of: reading.name, in: placed),
          "reads \(reading.name)", help: "did you mean \"\(near)\"?")
      }
    }
    return members + requests + examined.nearWords(SaidWords(others, pages: pages), isAnswerKnown: isAnswerKnown)
  }
}

extension Check {
  private static let mostServices = 50
}

extension Examined {
  /// Members that a route of this model reads, and that a request to it does not have, but in their place one that is
  /// much like them and that the route does not read, whoever else has or reads such names.
  fileprivate func misspeltRequests(_ flow: Flow, isNew: (String) -> Bool) -> [Diagnostic] {
    guard let model, let service, !model.hasBrokenRoutes else { return [] }
    var readings = KnownReadings()
    return flow.visits.flatMap { from, visit -> [Diagnostic] in
      guard visit.to ?? from == service, let route = model.surelyAsked(by: visit) else { return [] }
      return RequestPart.allCases.flatMap { part -> [Diagnostic] in
        guard let sent = visit.sent(in: part), !sent.isEmpty else { return [] }
        let read = readings.members(of: route, in: model)
        let names = Set(sent.map(\.name))
        var near = NearNames(given: names.filter { !read.mayRead($0, in: part) })
        return read.own.compactMap { reading in
          guard reading.part == part, !names.contains(reading.name),
            let sent = near.slip(reading.name), isNew(reading.name)
          else { return nil }
          return Diagnostic(
            "near-miss", severity: .warning, "\(route.line) reads \"\(reading.name)\", and is sent \"\(sent)\"",
            at: site(of: reading.whole, in: reading.placed), "reads \(reading.whole)",
            help: "call both the same", related: (visit.line, "sends \(sent)"))
        }
      }
    }
  }

  /// Where a part of an expression stands, in a let where that has it; else the whole of the expression.
  func site(of part: String, in placed: PlacedExpression) -> Site {
    for definition in placed.expression.facts.lets.compactMap({ machine.definitions[$0] }) {
      let token = definition.document.bytes[definition.range]
      let source = String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
      // Behind an escape bytes stand elsewhere than in the text that they are read as.
      guard !source.utf8.contains(UInt8(ascii: "\\")), let range = source.firstRange(of: part) else { continue }
      let start = source.utf8.distance(from: source.startIndex, to: range.lowerBound)
      return definition.inside(start..<start + part.utf8.count)
    }
    return placed.site
  }
}

extension String {
  /// One text for all ways to join the same words: `userId`, `user_id`, `user-id`.
  var joined: String { filter { $0 != "_" && $0 != "-" }.lowercased() }

  /// Whether nothing but numbers tells them apart, as codes and versions: neither was meant by the other.
  func isNumbered(as other: String) -> Bool { filter { !$0.isNumber } == other.filter { !$0.isNumber } }
}

/// The names that members of bodies and queries are given, to find those that are much like one of them.
struct NearNames {
  private let given: Set<String>
  private lazy var sorted = given.sorted()
  private lazy var joined = Dictionary(sorted.map { ($0.joined, $0) }) { first, _ in first }
  /// What was looked for, with what it is like.
  private var looked: [String: String?] = [:]
  /// How many pairs of names are still held against each other.
  private var left = 1_000_000

  init(given: [String]) { self.given = Set(given) }

  /// The members of a body or a query that a reading goes through and that nobody gives.
  func unknownMembers(of reading: Expression.Reading) -> [String] {
    for root in JSONNode.readPayloads {
      guard let path = MemberPath(reading.name, below: root) else { continue }
      return path.parts.compactMap { part in
        if case .member(let name) = part, name.utf8.count > 3, !given.contains(name) { name } else { nil }
      }
    }
    return []
  }

  /// Whether one of them is much like one that somebody gives.
  mutating func hasAny(of reading: Expression.Reading) -> Bool {
    for name in unknownMembers(of: reading) where near(name) != nil { return true }
    return false
  }

  /// The name that is much like one that nobody gives; `nil` for none, and where too many were looked for.
  mutating func near(_ name: String) -> String? {
    if let known = looked[name] { return known }
    guard left >= 0 else { return nil }
    left -= given.count
    let near = joined[name.joined] ?? nearestName(to: name, among: sorted, within: 1)
    let meant = near.flatMap { name.isNumbered(as: $0) ? nil : $0 }
    looked[name] = .some(meant)
    return meant
  }

  /// The same, but of a name that is so short that it is like many there is none.
  mutating func slip(_ name: String) -> String? { name.utf8.count > 3 ? near(name) : nil }
}

extension JSONNode {
  /// What documents call what is sent, answered or filled in, and what expressions call it.
  static let payloads: Set<String> = ["json", "form", "query", "fields"]
  /// What may be kept, given by the device or set by an author, and sent as a whole.
  fileprivate static let kept: Set<String> = ["initial", "value", "example", "rows"]
  static let readPayloads = ["response.json", "request.json", "request.form", "request.query"]

  /// The pages in it, with their forms and links.
  fileprivate var pages: [JSONNode] {
    switch kind {
    case .array(let elements): elements.flatMap(\.pages)
    case .object(let members): members.flatMap { $0.name == "page" ? [$0.value] : $0.value.pages }
    default: []
    }
  }

  /// The names of what is sent, answered or filled in somewhere in it.
  fileprivate var payload: [String] {
    var names: [String] = []
    addNames(isPayload: false, to: &names)
    return names
  }

  private func addNames(isPayload: Bool, to names: inout [String]) {
    switch kind {
    case .array(let elements): for element in elements { element.addNames(isPayload: isPayload, to: &names) }
    case .object(let members):
      for member in members {
        if isPayload { names.append(member.name) }
        member.value.addNames(isPayload: isPayload || Self.payloads.contains(member.name), to: &names)
      }
    default: break
    }
  }

  /// Texts in which a name may stand that a body gets: those of payloads and of what is kept, which may be sent as a
  /// whole, addresses, and what expressions have in quotes; what they read is none.
  fileprivate func givenWords(isPayload: Bool) -> [String] {
    switch kind {
    case .string(let text): return isPayload || text.isAddress ? text.wordsOutside : text.quoted
    case .array(let elements): return elements.flatMap { $0.givenWords(isPayload: isPayload) }
    case .object(let members):
      return members.flatMap { member in
        guard !isPayload, member.name == "set", case .object(let kept) = member.value.kind else {
          let isInside = isPayload || Self.payloads.union(Self.kept).contains(member.name)
          return (isPayload ? [member.name] : []) + member.value.givenWords(isPayload: isInside)
        }
        // Of `users[event.id].status` the field is one of a row, which may be sent as a whole; what names the row is read.
        let fields = kept.compactMap { entry in
          entry.name.lastIndex(of: ".").map { String(entry.name[$0...].dropFirst()) }
        }.filter { !$0.contains("]") }
        return fields + kept.flatMap { $0.value.givenWords(isPayload: true) }
      }
    default: return []
    }
  }
}
