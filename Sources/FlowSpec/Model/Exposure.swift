/// Who can read what is sent to an address.
package struct Exposure: Sendable, Hashable {
  /// Whether anyone on the way can read it: unencrypted, and not within this machine.
  package let isOpen: Bool

  /// Of an absolute URL, or of the beginning of one.
  package init(_ url: String) {
    guard url.lowercased().hasPrefix("http://") else {
      isOpen = false
      return
    }
    let authority = url.dropFirst("http://".count).prefix { !"/?#\\".contains($0) }
    isOpen = !Self.isLoopback(authority)
  }

  /// RFC 6890: 127.0.0.0/8 and ::1; and the name that stands for them.
  ///
  /// An authority with a user name is none: programs disagree about where its host begins.
  package static func isLoopback(_ authority: some StringProtocol) -> Bool {
    let authority = authority.lowercased()
    if authority.hasPrefix("[") { return authority == "[::1]" || authority.hasPrefix("[::1]:") }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first, parts.count <= 2 else { return false }
    if host == "localhost" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers[0] == "127"
      && numbers.allSatisfy { number in
        (1...3).contains(number.utf8.count) && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
          && (UInt16(number) ?? 256) < 256
      }
  }
}
