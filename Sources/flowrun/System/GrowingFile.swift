/// A file that is written line by line while a run goes on, and holds at each moment what was written so far.
struct GrowingFile {
  private let path: String
  private let descriptor: Int32

  /// Begins it anew.
  init(_ path: String) throws(Failure) {
    self.path = path
    try Files.refuseLinkToNowhere(path)
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Files.unwritable(path, errno) }
  }

  func add(_ bytes: [UInt8]) throws(Failure) {
    let error = writeAll(bytes, to: descriptor)
    if error != 0, error != EPIPE { throw Files.unwritable(path, error) }
  }
}
