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

  /// Whether any object at any depth names a member twice.
  package var hasDuplicateMembers: Bool { !duplicateMembers().isEmpty }

  private func collectDuplicates(into found: inout [DuplicateMember]) {
    switch kind {
    case .array(let elements):
      for element in elements { element.collectDuplicates(into: &found) }
    case .object(let members):
      // Bytes, since `String` holds names equal that only look equal (composed and decomposed letters).
      var firsts: [[UInt8]: Range<Int>] = [:]
      for member in members {
        let name = Array(member.name.utf8)
        if let first = firsts[name] {
          found.append(DuplicateMember(name: member.name, first: first, again: member.nameRange))
        } else if members.count > 1 {
          firsts[name] = member.nameRange
        }
        member.value.collectDuplicates(into: &found)
      }
    case .null, .bool, .int, .double, .string, .wholeNumberTooLarge:
      break
    }
  }
}
