import Expressions
import JSONSyntax

/// Words that requests give a member of theirs, and that are much like one with which its route compares that.
struct MisspeltWords {
  private(set) var found: [Diagnostic] = []
  /// Members, each with the word that was meant: it is right where it stands.
  private(set) var meant: Set<[String]> = []

  /// What requests to this model misspell; nobody gives the member the word that was meant, and the model compares it with
  /// no such word as is sent.
  ///
  /// What is secret is not quoted.
  init(_ examined: Examined, _ said: inout SaidWords) {
    guard let flow = examined.flow, let model = examined.model, let service = examined.service, !model.hasBrokenRoutes
    else { return }
    let compared = ComparedWords(model, examined)
    for (from, visit) in flow.visits where visit.to ?? from == service {
      guard let route = model.surelyAsked(by: visit) else { continue }
      for part in RequestPart.allCases {
        lazy var places = flow.valuePlaces(in: part, of: visit, from: from)
        for member in visit.sent(in: part) ?? [] {
          guard let word = member.value?.text, !compared.has(word, as: member.name, in: part),
            let near = compared.words(of: route, as: member.name, in: part)
              .first(where: { word.isSlip(of: $0.word) && !said.says($0.word, as: member.name) })
          else { continue }
          meant.insert([member.name, near.word])
          let site = member.value?.site ?? places[member.name] ?? visit.line
          found.append(
            Diagnostic(
              "near-miss", severity: .warning,
              "\(route.line) compares \"\(member.name)\" with no such word as \"\(word)\"",
              at: site, "is sent to it", help: "did you mean \"\(near.word)\"?",
              related: (near.site, "nobody here sends this")))
        }
      }
    }
  }
}

/// The words with which a model compares members of requests.
private struct ComparedWords {
  struct Compared {
    let member: [String]
    let word: String
    let site: Site
  }

  /// By the part and the member.
  private typealias Index = [[String]: [Compared]]

  private let ofRoutes: [ObjectIdentifier: Index]
  private let ofStates: Index
  private let all: Set<[String]>

  init(_ model: ServiceModel, _ examined: Examined) {
    let secrets = examined.secretNames
    func compared(_ expressions: [PlacedExpression]) -> Index {
      let all = expressions.flatMap { placed in
        placed.expression.facts.written.flatMap { written -> [Compared] in
          guard !written.isSecret, written.handedOn.count == 1, let member = Self.member(written.handedOn[0]),
            !([written.other] + written.handedOn).contains(where: { secrets.index(amongWordsOf: $0) != nil })
          else { return [] }
          let definition = written.definition.flatMap { examined.machine.definitions[$0] }
          let site = (definition ?? placed.site).inside(written.range, from: definition == nil ? placed.offset : 0)
          return written.value.words.map { Compared(member: member, word: $0, site: site) }
        }
      }
      return Dictionary(grouping: all, by: \.member)
    }
    ofStates = compared(model.expressions)
    ofRoutes = model.routes.reduce(into: [:]) { $0[ObjectIdentifier($1)] = compared($1.expressions) }
    all = Set(([ofStates] + ofRoutes.values).flatMap(\.values).joined().map { $0.member + [$0.word] })
  }

  /// The part and the member that a reading goes to, where it goes no deeper.
  private static func member(_ reading: String) -> [String]? {
    for part in RequestPart.allCases {
      guard let path = MemberPath(reading, below: "request.\(part.rawValue)") else { continue }
      if path.parts.count == 1, case .member(let name)? = path.parts.first { return [part.rawValue, name] }
    }
    return nil
  }

  /// Whether some route compares the member with it.
  func has(_ word: String, as member: String, in part: RequestPart) -> Bool {
    all.contains([part.rawValue, member, word])
  }

  /// Those with which a route, or a state behind it, compares a member.
  func words(of route: Route, as member: String, in part: RequestPart) -> [Compared] {
    let member = [part.rawValue, member]
    return (ofRoutes[ObjectIdentifier(route)]?[member] ?? []) + (ofStates[member] ?? [])
  }
}

extension String {
  /// Whether it was surely meant to be another: one letter away, or joined otherwise.
  fileprivate func isSlip(of other: String) -> Bool {
    if self == other || isNumbered(as: other) { return false }
    return joined == other.joined || utf8.count > 3 && nearestName(to: self, among: [other], within: 1) != nil
  }
}

extension Flow {
  /// Where the values stand that a document sends in such a part, by the names of the members.
  fileprivate func valuePlaces(in part: RequestPart, of visit: Visit, from service: Destination?) -> [String: Site] {
    guard let machine = service.map({ services[$0].model?.machine }) ?? app else { return [:] }
    let fields = machine.fields(of: part.rawValue, at: visit.site)
    let places = fields.map { ($0.name, Site(document: visit.site.document, range: $0.value.range)) }
    return Dictionary(places) { first, _ in first }
  }
}
