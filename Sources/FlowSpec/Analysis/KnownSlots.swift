import Expressions

extension Frame {
  /// Where the slots of one variable are known and those of no other.
  ///
  /// Nobody here looks at the clock, and what takes longer than the budget allows is as good as unknown.
  init(knowing slots: [Value], of root: Root, device: [Value] = [], budget: Int = 1_000) {
    self.init(roots: Root.slots(device: device, now: .epoch), budget: budget)
    roots[root.rawValue] = slots
  }
}
