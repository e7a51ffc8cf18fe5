import Testing

@testable import FlowEngine

/// A table begins to look where the first half of a fingerprint says: alike for all, each is looked for among all.
@Test func fingerprintsThatDifferInAWordBehindThemBeginElsewhere() {
  var writer = FingerprintWriter()
  writer.word(7)
  let one = writer.fingerprint
  let others = (0..<1000).map { one.followed(by: UInt64($0), 3) } + (1...1000).map { one.followed(by: 5, 3 + $0) }
  #expect(Set(others.map(\.first)).count == others.count && Set(others.map(\.second)).count == others.count)
}

@Test func manyThatWereMadeAreFoundWhereTheyStand() {
  var part = EncodedPart()
  func made(_ number: Int) -> EncodedPart.Made { EncodedPart.Made(number: number, name: 1, isFresh: true) }
  for round in 0..<2 {
    part.empty()
    for number in 0..<500 {
      #expect(part.number(of: made(number * 7 + round)) == nil)
      #expect(part.number(of: made(number * 7 + round)) == number)
    }
    for number in stride(from: 0, to: 500, by: 31) { #expect(part.index(of: made(number * 7 + round)) == number) }
    #expect(part.index(of: made(3501)) == nil && part.index(of: made(5)) == nil)
  }
}
