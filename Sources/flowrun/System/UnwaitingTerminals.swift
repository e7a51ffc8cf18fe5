/// The terminals at standard output and standard error, opened once more so that whoever writes never waits for who reads.
///
/// A terminal that has room for something may hold up what is longer, and whoever waits in it hears of no signal. The
/// descriptors that were given stay as they are: others, as the shell, have them too.
enum UnwaitingTerminals {
  private static let (out, errors) = (reopened(STDOUT_FILENO), reopened(STDERR_FILENO))

  /// `nil` for what is no terminal, or cannot be opened once more.
  static func descriptor(for descriptor: Int32) -> Int32? {
    switch descriptor {
    case STDOUT_FILENO: out
    case STDERR_FILENO: errors
    default: nil
    }
  }

  private static func reopened(_ descriptor: Int32) -> Int32? {
    guard isatty(descriptor) == 1 else { return nil }
    // Where its name is not known here, as in a container, Linux leads to it all the same.
    let names = [ttyname(descriptor).map { String(cString: $0) }, "/proc/self/fd/\(descriptor)"].compactMap(\.self)
    return names.lazy.compactMap { reopened($0, as: descriptor) }.first
  }

  private static func reopened(_ name: String, as descriptor: Int32) -> Int32? {
    let opened = open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    var (own, given) = (stat(), stat())
    if fstat(opened, &own) == 0, fstat(descriptor, &given) == 0, own.st_rdev == given.st_rdev { return opened }
    close(opened)
    return nil
  }
}
