/// Whether a character, by its number, could steer a terminal: control characters, those that turn the direction of
/// writing, and those that nobody sees; joiners stay, since words and pictures are written with them.
@inlinable
package func steersTerminal(_ scalar: UInt32) -> Bool {
  switch scalar {
  case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF,
    0xE0000...0xE007F:
    true
  default: false
  }
}
