/// What a part of an expression reads of time.
struct TimeReads: OptionSet {
  let rawValue: Int
  /// `now`: its value moves as time passes.
  static let now = TimeReads(rawValue: 1)
  /// Instants that snapshots keep.
  static let kept = TimeReads(rawValue: 2)
}

/// Where two values are compared, added or subtracted: by what time an instant is looked at shows there.
final class Meeting: Sendable {
  /// The side that alone moves with `now` is the left one.
  private let isLeft: Bool
  /// One side alone moves with `now`.
  private let isMoving: Bool
  /// The other side, or one of two, is made of instants that snapshots keep.
  private let isKept: Bool
  private let now: Slot

  /// `nil` where both move with `now`, or neither does nor is kept.
  init?(_ left: TimeReads, _ right: TimeReads, now: Slot) {
    if left.contains(.now), right.contains(.now) { return nil }
    isLeft = left.contains(.now)
    isMoving = isLeft != right.contains(.now)
    isKept = (isLeft ? right : isMoving ? left : left.union(right)).contains(.kept)
    self.now = now
    if !isMoving, !isKept { return nil }
  }

  /// Notes the span between what moves and what is kept, and an instant that nothing keeps.
  ///
  /// Of `now + seconds(5)` nothing is noted before it is compared: mostly it is only kept.
  func note(_ left: Value, _ right: Value, in frame: inout Frame) {
    switch isLeft ? (left, right) : (right, left) {
    case (.timestamp(let moving), .timestamp(let other)) where isMoving:
      guard case .timestamp(let now) = frame.roots[now.root][now.index] else { return }
      note(moving.since(now), in: &frame)
      if !isKept { frame.times?.note(other, seenFrom: now, at: ObjectIdentifier(self)) }
    case (.duration, .duration(let span)) where isMoving: note(span, in: &frame)
    case (.timestamp, .duration(let span)) where !isMoving && isKept: note(span, in: &frame)
    case (.duration(let span), .timestamp) where !isMoving && isKept: note(span, in: &frame)
    default: break
    }
  }

  private func note(_ span: Duration, in frame: inout Frame) {
    frame.times?.note(span)
    frame.times?.note(.zero - span)
  }
}

extension Compiler {
  /// Compiles a part and says what it reads of time.
  mutating func timed(_ compile: (inout Compiler) -> Term) -> (term: Term, reads: TimeReads) {
    let outer = reads
    reads = []
    let term = compile(&self)
    let own = reads
    reads.formUnion(outer)
    return (term, own)
  }

  /// Notes what a selection reads of time; what comes from settings and events is not kept.
  mutating func noteTime(_ term: Term, _ node: SyntaxNode) {
    guard case .timestamp = term.type.unwrapped else { return }
    switch node.kind {
    case .name(let name, let isRoot): if !isRoot, locals.contains(where: { $0.name == name }) { reads.insert(.kept) }
    case .select, .index:
      if !["config", "event"].contains(term.selection?.path.first) { reads.insert(.kept) }
    default: break
    }
  }

  func meeting(_ left: TimeReads, _ right: TimeReads) -> Meeting? {
    guard let now = scope.variables.first(where: { $0.name == "now" }) else { return nil }
    return Meeting(left, right, now: Slot(root: now.root, index: 0))
  }
}
