import Testing

@testable import FlowSpec

@Test(arguments: Kind.allCases)
func rulesOfAKindNameItsOwnMembers(_ kind: Kind) {
  let grammar = kind.grammar
  let names = Set(grammar.names)
  #expect(names.count == grammar.names.count)
  for name in grammar.required + (grammar.atLeastOne + grammar.groups).joined() {
    #expect(names.contains(name), "\(grammar.title) has \(name)")
  }
}

@Test func everyKindStandsInSomeDocument() {
  var reached: Set<Kind> = []
  var pending: [Kind] = [.flow, .service, .scenario]
  while let kind = pending.popLast() {
    guard reached.insert(kind).inserted else { continue }
    for name in kind.grammar.names { pending += kind.grammar.shape(of: name)?.kinds ?? [] }
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
