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
      var known: Set<String> = []
      for index in members.indices {
        // Few are found faster by looking at them.
        let isNew = members.count > 64 && known.insert(members[index].name).inserted
        if !isNew, let first = members.first(withNameOf: index) {
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
  /// The first before one that has its name, by bytes: `String` holds names equal that only look so (composed and
  /// decomposed letters).
  fileprivate func first(withNameOf index: Int) -> Int? {
    let name = self[index].name
    let length = name.utf8.count
    return (0..<index).first { other in
      self[other].name.utf8.count == length && self[other].name == name
        && self[other].name.utf8.elementsEqual(name.utf8)
    }
  }
}
