import Expressions

/// Whether a text that begins so, or is no more than this, can be a redirect URI.
package func mayBeRedirectURI(_ start: String, isWhole: Bool = true) -> Bool {
  let scheme = start.prefix { $0 != ":" }
  guard isScheme(scheme), !start.contains(where: { $0 == "#" || $0.isWhitespace })
  else { return false }
  let rest = start[scheme.endIndex...].dropFirst()
  if !isWhole || rest.isEmpty { return !isWhole }
  guard ["http", "https"].contains(scheme.lowercased()) else {
    return !rest.hasPrefix("//") || hasOnePort(rest.dropFirst(2).prefix { !"/?".contains($0) }.utf8)
  }
  return rest.hasPrefix("//") && isAuthority(rest.dropFirst(2).prefix { !"/?".contains($0) })
}

/// Whether it is the scheme of an address (RFC 3986 §3.1).
func isScheme(_ text: Substring) -> Bool {
  text.utf8.first?.isLetter == true
    && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "+-.".utf8.contains($0) }
}

/// An origin as a run compares it: in lower case (RFC 3986 §6.2.2.1), and without a port that is empty or that the scheme
/// implies, which says nothing (§6.2.3).
package func normalizedOrigin(_ origin: String) -> String {
  let origin = origin.lowercased()
  let last = origin.utf8.last
  guard [UInt8(ascii: "3"), UInt8(ascii: "0"), UInt8(ascii: ":")].contains(last) else { return origin }
  for (scheme, port) in [("https://", ":443"), ("http://", ":80"), ("https://", ":"), ("http://", ":")]
  where origin.hasPrefix(scheme) && origin.hasSuffix(port) {
    return String(origin.dropLast(port.count))
  }
  return origin
}

/// An address with its origin as a run compares it; of one that may go on, a port may be there in part.
func normalizedAddress(_ text: String, isWhole: Bool) -> String {
  guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), isScheme(text[..<colon]) else { return text }
  let behind = text.utf8[colon...].dropFirst()
  guard behind.starts(with: "//".utf8) else { return text[..<colon].lowercased() + text[colon...] }
  let end = behind.dropFirst(2).firstIndex { "/?#".utf8.contains($0) }
  if end == nil, !isWhole { return text.lowercased() }
  let origin = text[..<(end ?? text.endIndex)]
  return normalizedOrigin(String(origin)) + text[origin.endIndex...]
}

/// Whether an authority has one port at most, of digits: of two, one reader would take the first and another the last.
///
/// RFC 3986 §3.2: the host has a colon only within brackets.
package func hasOnePort(_ authority: some BidirectionalCollection<UInt8>) -> Bool {
  var rest = authority[...]
  if let at = rest.lastIndex(of: UInt8(ascii: "@")) { rest = rest[at...].dropFirst() }
  if rest.first == UInt8(ascii: "["), let bracket = rest.firstIndex(of: UInt8(ascii: "]")) {
    rest = rest[bracket...].dropFirst()
  }
  guard let colon = rest.firstIndex(of: UInt8(ascii: ":")) else { return true }
  return rest[colon...].dropFirst().allSatisfy(\.isDigit)
}

/// Whether a host stands there, before it perhaps a user, and behind it no port or one that there can be (RFC 3986 §3.2).
package func isAuthority(_ text: Substring) -> Bool {
  let start = text.lastIndex(of: "@").map { text.index(after: $0) } ?? text.startIndex
  let bracket = text[start...].lastIndex(of: "]") ?? start
  let colon = text[bracket...].lastIndex(of: ":") ?? text.endIndex
  let port = text[colon...].dropFirst()
  return isHost(text[start..<colon]) && (port.isEmpty || UInt16(port) != nil && !"+-".contains(port.prefix(1)))
}

/// A name in ASCII, or an address of IPv6 in brackets, perhaps with its zone (RFC 3986 §3.2.2, RFC 6874 §2).
private func isHost(_ text: Substring) -> Bool {
  func isOfName(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || "-._~!$&'()*+,;=%".utf8.contains(byte) }
  guard text.first == "[" else { return !text.isEmpty && text.utf8.allSatisfy(isOfName) }
  guard text.last == "]" else { return false }
  let inside = text.utf8.dropFirst().dropLast()
  let address = inside.prefix { $0 != UInt8(ascii: "%") }
  return address.contains(UInt8(ascii: ":")) && inside.dropFirst(address.count).allSatisfy(isOfName)
    && address.allSatisfy { $0.isDigit || "abcdef".utf8.contains($0 | 0x20) || ":.".utf8.contains($0) }
}
