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
    if host == "localhost" || host == "[::1]" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { number in
        // With a nought in front it is a name for some, which they ask the network for.
        number.allSatisfy(\.isDigit) && UInt8(number).map { String($0) == number } ?? false
      }
  }
}

extension Character {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
