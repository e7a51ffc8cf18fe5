/// How much is still done to tell what an exploration has found: what is first in its report comes first.
///
/// It counts steps that are run, and more for each the longer the way is.
final class Effort {
  private var left = 4_000_000
  /// Whether there was too much to be told, so that not everything has a scenario, or the shortest.
  private(set) var isSpent = false
  /// Asked before each run; false where nobody waits for more.
  var goesOn: () -> Bool = { true }

  /// How much may be done for the next finding: a part of what is left, since nobody knows how many follow.
  var share: Int { left / 16 }

  /// Where a share was used up, something shorter may be left.
  func note(leftOfShare: Int) { if leftOfShare == 0 { isSpent = true } }

  /// Takes off what a run of so many steps takes; false where that is too much by now.
  func spend(steps: Int) -> Bool {
    let cost = Self.cost(ofSteps: steps)
    guard left >= cost, goesOn() else {
      (left, isSpent) = (0, true)
      return false
    }
    left -= cost
    return true
  }

  /// Each step, and the more of them there are, the more there is in each snapshot.
  static func cost(ofSteps steps: Int) -> Int { steps + steps * steps / 100 }
}
