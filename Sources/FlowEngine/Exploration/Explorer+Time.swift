import Expressions
import FlowSpec

extension Explorer {
  /// So many instants are come to at once: of more, what is done before each would wait for too long.
  static let mostAhead = 24

  /// Comes to an instant, and to others behind it at which nothing happens by itself; gives the node of the first.
  ///
  /// However many lie on the way, who waits for one of them does one thing: what comes of that is found as early as what
  /// comes of anything else.
  mutating func letTimePass(
    from parent: Int, after base: EncodedSnapshot, to instant: Timestamp, by way: Way
  ) -> Int {
    let first = add(from: parent, after: base, at: instant, by: way)
    // On a way behind one that counts as another each goes on by itself.
    guard passing[first] == nil, passing.way(to: first) == nil else { return first }
    var node = first
    let last = min(first + Self.mostAhead, most - 1)
    while node < last, let pending = next.last, pending.node == node, let base = pending.snapshot {
      let moves = world.moves(in: base.snapshot, isStart: false, turn: pending.turn, sometimes)
      guard case .clock(let instant)? = moves.last else { break }
      encoding.encode(base.snapshot, at: instant, after: base)
      guard known[encoding.fingerprint] == nil else { break }
      node = add(base.snapshot, at: instant, from: node, by: Way(move: moves.count - 1))
    }
    return first
  }

  /// Gives the node of what the clock alone leads to: what could happen without it has happened.
  private mutating func add(from parent: Int, after base: EncodedSnapshot, at instant: Timestamp, by way: Way) -> Int {
    encoding.encode(base.snapshot, at: instant, after: base)
    return same(behind: parent) ?? add(base.snapshot, at: instant, from: parent, by: way)
  }

  private mutating func add(_ snapshot: Snapshot, at instant: Timestamp, from parent: Int, by way: Way) -> Int {
    var snapshot = snapshot
    (snapshot.now, snapshot.transitionsNow) = (instant, 0)
    return add(consume snapshot, from: parent, by: way)
  }
}
