/// The text without what could steer a terminal: control characters stand as `\u{1B}`.
package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  let shown = text.unicodeScalars.map {
    isControl($0) ? "\\u{\(String($0.value, radix: 16, uppercase: true))}" : String($0)
  }
  return shown.joined()
}

/// Control characters, those that turn the direction of writing, and those that nobody sees; joiners stay, since words
/// and pictures are written with them.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
    0xE0000...0xE007F:
    true
  default: false
  }
}
