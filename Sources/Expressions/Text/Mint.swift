/// Makes fresh values and identifiers, counted by name.
///
/// A value: the snapshot carries it.
package struct Mint: Sendable, Hashable {
  package enum Seed: Sendable, Hashable {
    /// `name-1`, of what is fresh padded to 43 characters: two runs of one scenario are alike.
    case simulated
    /// base64url of SHA-256 over seed, name and count; of identifiers a part of it behind their name.
    case live(String)
  }

  /// Of what is fresh.
  package let seed: Seed
  /// Of identifiers.
  private let identifierSeed: Seed
  /// How many of each name were made, in order of first making.
  package private(set) var freshCounts: [Count] = []
  package private(set) var identifierCounts: [Count] = []

  package struct Count: Sendable, Hashable {
    package var name: String
    package var made: Int
  }

  package init(seed: Seed) { (self.seed, identifierSeed) = (seed, seed) }

  /// Goes on counting identifiers behind these.
  init(seed: Seed, numberedBehind identifiers: [Count]) {
    (self.seed, identifierSeed) = (seed, .simulated)
    restart(fresh: [], identifiers: identifiers)
  }

  /// A call of `fresh` or of `newId`.
  package final class Call: Sendable {
    fileprivate let name: SoughtName
    fileprivate let isFresh: Bool

    package init(_ name: String, isFresh: Bool = true) { (self.name, self.isFresh) = (SoughtName(name), isFresh) }
  }

  package mutating func make(_ call: Call) -> Text {
    let name = call.name
    guard call.isFresh else {
      return Text(
        origin: .identifier(name: name.string, number: Self.next(name, in: &identifierCounts), seed: identifierSeed))
    }
    return Text(origin: .fresh(name: name.string, number: Self.next(name, in: &freshCounts), seed: seed))
  }

  /// Sets what was made so far, as a canonical world has it: sorted by name.
  package mutating func restart(fresh: [Count], identifiers: [Count]) {
    freshCounts = fresh.sorted { $0.name < $1.name }
    identifierCounts = identifiers.sorted { $0.name < $1.name }
  }

  /// Counts one more of a name.
  static func next(_ name: SoughtName, in counts: inout [Count]) -> Int {
    for index in counts.indices where name.isEqual(to: counts[index].name) {
      counts[index].made += 1
      return counts[index].made
    }
    if counts.isEmpty { counts.reserveCapacity(8) }
    counts.append(Count(name: name.string, made: 1))
    return 1
  }
}
