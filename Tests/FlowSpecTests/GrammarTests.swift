import Testing

@testable import FlowSpec

@Test(arguments: Kind.allCases)
func rulesOfAKindNameItsOwnMembers(_ kind: Kind) {
  let grammar = kind.grammar
  let names = Set(grammar.members.map(\.name))
  #expect(names.count == grammar.members.count)
  for name in grammar.required + grammar.exactlyOne.joined() + grammar.atMostOne.joined() {
    #expect(names.contains(name), "\(grammar.title) has \(name)")
  }
}

@Test func everyKindStandsInSomeDocument() {
  var reached: Set<Kind> = []
  var pending: [Kind] = [.flow, .service, .scenario]
  while let kind = pending.popLast() {
    guard reached.insert(kind).inserted else { continue }
    for member in kind.grammar.members { pending += member.shape.kinds }
  }
  #expect(Set(Kind.allCases).subtracting(reached).map(\.rawValue).sorted() == [])
}

@Test func everyParticipantKindHasItsGrammar() {
  for word in Kind.participantKinds { #expect(Kind.participant(word).grammar.shape(of: "kind") != nil) }
}

extension Shape {
  /// The kinds of objects that may stand there.
  var kinds: [Kind] {
    switch self {
    case .object(let kind), .textOr(let kind), .trueOr(let kind): [kind]
    case .list(let shape), .oneOrMore(let shape), .map(let shape): shape.kinds
    case .participant: Kind.participantKinds.map(Kind.participant)
    default: []
    }
  }
}
