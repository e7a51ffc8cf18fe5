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

  private var isContainer: Bool {
    switch kind {
    case .array, .object: true
    default: false
    }
  }

  private func collectDuplicates(into found: inout [DuplicateMember]) {
    switch kind {
    case .array(let elements):
      for index in elements.indices where elements[index].isContainer {
        elements[index].collectDuplicates(into: &found)
      }
    case .object(let members):
      var firsts = FirstMembers(members)
      for index in members.indices {
        if let first = firsts.first(named: index) {
          found.append(
            DuplicateMember(
              name: members[index].name, first: members[first].nameRange, again: members[index].nameRange))
        }
        if members[index].value.isContainer { members[index].value.collectDuplicates(into: &found) }
      }
    case .null, .bool, .int, .double, .string, .wholeNumberTooLarge:
      break
    }
  }
}

/// Finds where a name stands first: by looking at those before it while they are few.
///
/// Compares bytes, since `String` holds names equal that only look equal (composed and decomposed letters).
private struct FirstMembers {
  private static let few = 16

  private let members: [JSONMember]
  private var known: [String: Int] = [:]

  init(_ members: [JSONMember]) { self.members = members }

  /// The member before this one that has its name, `nil` for none; to be asked in order.
  mutating func first(named index: Int) -> Int? {
    let name = members[index].name
    if members.count > Self.few {
      let before = known[name]
      known[name] = before ?? index
      if before == nil { return nil }
    }
    let length = name.utf8.count
    for other in 0..<index {
      let sameLength = members[other].name.utf8.count == length
      // Strings are equal that only look so; those that are not have different bytes for certain.
      if sameLength, members[other].name == name, members[other].name.utf8.elementsEqual(name.utf8) { return other }
    }
    return nil
  }
}
