/// A member whose name stands in the same object before.
package struct DuplicateMember: Sendable, Hashable {
  package let name: String
  /// Where the name stands first, and where again; quotes included.
  package let first: Range<Int>
  package let again: Range<Int>
}

extension JSONNode {
  /// Every duplicate member at any depth, in document order.
  package func duplicateMembers() -> [DuplicateMember] {
    var found: [DuplicateMember] = []
    collectDuplicates(into: &found)
    return found
  }

  private func collectDuplicates(into found: inout [DuplicateMember]) {
    switch kind {
    case .array(let elements):
      for index in elements.indices { elements[index].collectDuplicates(into: &found) }
    case .object(let members):
      // Few are found faster by looking at them.
      var places: [ScalarString: Int]? = members.count > 64 ? [:] : nil
      for index in members.indices {
        if let first = members.first(withNameOf: index, &places) {
          found.append(
            DuplicateMember(
              name: members[index].name, first: members[first].nameRange, again: members[index].nameRange))
        }
        members[index].value.collectDuplicates(into: &found)
      }
    default: break
    }
  }
}

extension [JSONMember] {
  /// The first before one that has its name; `places` says where each stands first, if there are many.
  fileprivate func first(withNameOf index: Int, _ places: inout [ScalarString: Int]?) -> Int? {
    let name = ScalarString(self[index].name)
    guard places != nil else { return (0..<index).first { ScalarString(self[$0].name) == name } }
    if let first = places?[name] { return first }
    places?[name] = index
    return nil
  }
}
