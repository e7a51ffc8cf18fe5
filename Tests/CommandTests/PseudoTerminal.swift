import Foundation

/// A terminal without a device: what is written at one end is typed at the other.
struct PseudoTerminal {
  /// The end at which a person would sit.
  let descriptor: Int32
  /// The path of the other end.
  let name: String

  init?() {
    #if canImport(Darwin)
      descriptor = posix_openpt(O_RDWR | O_NOCTTY)
      guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else {
        return nil
      }
      self.name = String(cString: name)
    #else
      // The functions for it are not imported; these are the requests that they make: TIOCSPTLCK, TIOCGPTN.
      descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (lock, number): (Int32, Int32) = (0, 0)
      guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &lock) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0
      else { return nil }
      name = "/dev/pts/\(number)"
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Writes to it until nothing more goes in.
  func fill() {
    let other = open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK)
    defer { close(other) }
    while write(other, "x", 1) == 1 {}
  }

  /// Lets a program that is started lead a session of its own.
  static var leadsSession: Int16 {
    #if canImport(Darwin)
      Int16(POSIX_SPAWN_SETSID)
    #else
      0x80
    #endif
  }
}
