import FlowSpec

/// Goals that the app has left with nobody's doing, and what a kill makes of that.
extension Explorer {
  /// Where the app rests by an answer or a timer as a first launch does, with a secret stored that it had in a goal, and is
  /// in that once more when it is killed and opened: whoever sees that is signed out there, and is not.
  ///
  /// Of those that are come to from one state so many are tried, up to the first that is so.
  func leftByThemselves(
    _ isReal: [Bool], _ first: Int?, _ bare: Set<Int?>, _ trail: inout Trail
  ) -> [Finding] {
    guard let first else { return [] }
    var (found, tries) = ([Finding](), [Int?: Int]())
    for index in nodes.indices where isReal[index] && index < expanded {
      let node = nodes[index]
      guard node.leaf == first, !node.isGoal, !node.isBare, let parent = node.parent, nodes[parent].leaf != first,
        tries[nodes[parent].leaf, default: 0] < Self.mostTriesFromState, let before = goal(before: index)
      else { continue }
      if nodes[parent].isGoal, isOfPerson(node.way, from: parent, &trail) { continue }
      tries[nodes[parent].leaf, default: 0] += 1
      let (had, snapshot) = (
        secrets(in: trail.snapshot(of: before, among: nodes, in: world, sometimes)),
        trail.snapshot(of: index, among: nodes, in: world, sometimes)
      )
      guard secrets(in: snapshot).contains(where: had.contains), !waitsForBrowser(snapshot),
        let opened = relaunch(snapshot, of: index, behind: [], bare), let target = goal(around: opened.after.leaf),
        goal(around: nodes[before].leaf) == target
      else { continue }
      tries[nodes[parent].leaf] = .max
      found += finding(.backAgain, [opened])
    }
    return found
  }

  private static let mostTriesFromState = 10

  /// Whether a person did what led on from a node.
  private func isOfPerson(_ way: Way, from parent: Int, _ trail: inout Trail) -> Bool {
    let choices = moves(in: trail.snapshot(of: parent, among: nodes, in: world, sometimes))
    return choices.indices.contains(way.move) && choices[way.move].isOfPerson
  }

  /// The last node before one that is in a goal; `nil` for none.
  private func goal(before index: Int) -> Int? {
    var node: Int? = index
    while let index = node, !nodes[index].isGoal { node = nodes[index].parent }
    return node
  }
}
