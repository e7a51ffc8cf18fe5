/// Whether anyone on the way can read what is sent to an absolute URL, or to the beginning of one: unencrypted, and not
/// within this machine.
package func goesInTheOpen(_ url: String) -> Bool {
  // What begins with another letter needs no copy in lower case.
  guard url.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "h"), url.lowercased().hasPrefix("http://") else {
    return false
  }
  return !url.dropFirst("http://".count).prefix { !"/?#".contains($0) }.isLoopback
}

extension Substring {
  /// 127.0.0.0/8 (RFC 1122, section 3.2.1.3), ::1 (RFC 4291, section 2.5.3), and the name that stands for them.
  ///
  /// An authority with a user name or a backslash is none: programs disagree about where its host begins and ends.
  fileprivate var isLoopback: Bool {
    let authority = lowercased()
    let colon = authority.lastIndex(of: ":") ?? authority.endIndex
    let hasPort = colon < authority.endIndex && !authority[colon...].contains("]")
    let host = hasPort ? authority[..<colon] : authority[...]
    guard !hasPort || authority[colon...].dropFirst().allSatisfy(\.isDigit) else { return false }
    if host == "localhost" || host.isLoopbackOfSix { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { number in
        // With a nought in front it is a name for some, which they ask the network for.
        number.allSatisfy(\.isDigit) && UInt8(number).map { String($0) == number } ?? false
      }
  }
}

extension Substring {
  /// `[::1]`, or the same written out in full, or with zeros in front (RFC 4291, section 2.2).
  fileprivate var isLoopbackOfSix: Bool {
    guard first == "[", last == "]" else { return false }
    let groups = dropFirst().dropLast().split(separator: ":", omittingEmptySubsequences: false)
    guard let last = groups.last, last.drop(while: { $0 == "0" }) == "1",
      groups.dropLast().allSatisfy({ $0.allSatisfy { $0 == "0" } }), groups.allSatisfy({ $0.utf8.count <= 4 })
    else { return false }
    // Two colons stand for as many zeros as are missing, once.
    let begins = groups.first?.isEmpty == true
    let empty = groups.count { $0.isEmpty }
    return empty == 0
      ? groups.count == 8 : groups.count <= 8 && empty == (begins ? 2 : 1) && (!begins || groups[1].isEmpty)
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
