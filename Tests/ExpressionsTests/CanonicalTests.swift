import Testing

@testable import Expressions

@Suite struct CanonicalTests {
  private func fresh(_ number: Int, _ name: String = "v") -> Text {
    Text(origin: .fresh(name: name, number: number, seed: .simulated))
  }

  private func derived(_ number: Int) -> Value {
    .string(Text(origin: .derived(.s256, .string(fresh(number)))))
  }

  @Test func numbersByFirstAppearance() {
    let world = Value.list([derived(7), .string(fresh(3)), .string(fresh(7)), .string(Text("plain"))])
    let expected = Value.list([derived(1), .string(fresh(2)), .string(fresh(1)), .string(Text("plain"))])
    checkRenaming(world, expected)
  }

  @Test func writesTextsAnewAndMovesTheirMarks() {
    let identifier = Text(origin: .identifier(name: "u", number: 12))
    let secret = Text("secret").marked(secret: "s")
    let world = Value.string(Text("a") + identifier + secret + identifier.marked(secret: "t"))
    let renamed = Text(origin: .identifier(name: "u", number: 1))
    checkRenaming(world, .string(Text("a") + renamed + secret + renamed.marked(secret: "t")))
  }

  @Test func goesThroughKeysAndTokens() {
    func token(_ number: Int) -> Value {
      let payload = ValueMap([ValueMap.Entry(key: .string("jti"), value: .string(fresh(number)))])
      return .string(Text(origin: .derived(.jwt, .map(payload))))
    }
    func map(_ number: Int) -> Value {
      .map(ValueMap([ValueMap.Entry(key: .string(fresh(number)), value: token(number))]))
    }
    checkRenaming(map(9), map(1))
  }

  @Test func countsWhatItMet() {
    var renaming = Renaming()
    _ = renaming.rename(.list([.string(fresh(4)), .string(fresh(9)), .string(fresh(2, "w"))]))
    _ = renaming.rename(Text(origin: .identifier(name: "u", number: 5)))
    #expect(renaming.freshCounts == [Mint.Count(name: "v", made: 2), Mint.Count(name: "w", made: 1)])
    #expect(renaming.identifierCounts == [Mint.Count(name: "u", made: 1)])
    var mint = Mint(seed: .simulated)
    mint.restart(fresh: renaming.freshCounts, identifiers: renaming.identifierCounts)
    #expect(mint.make(Mint.Call("v")).string.hasPrefix("v-3_"))
  }

  @Test func shiftsInstantsAndForgetsOldOnes() {
    let epoch = World.instant("1970-01-01T00:00:00Z")
    let past = World.instant("1969-12-31T00:00:00Z")
    var renaming = Renaming(shift: epoch.since(World.now), past: past)
    let old = World.instant("2020-01-01T00:00:00Z")
    let world = Value.list([.timestamp(World.now), .timestamp(old), .duration(.seconds(5))])
    #expect(renaming.rename(world) == .list([.timestamp(epoch), .timestamp(past), .duration(.seconds(5))]))
  }

  private func checkRenaming(_ world: Value, _ expected: Value) {
    var renaming = Renaming()
    let renamed = renaming.rename(world)
    #expect(renamed == expected)
    var again = Renaming()
    #expect(again.rename(renamed) == renamed)
  }
}
