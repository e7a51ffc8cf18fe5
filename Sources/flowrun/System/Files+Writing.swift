extension Files {
  /// Writes a file as a whole: whoever reads it sees the old or the new, never a part.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    if let descriptor = descriptor(of: path) { return try write(bytes, into: descriptor, named: path) }
    // A symbolic link stays one.
    try refuseLinkToNowhere(path)
    let target = real(path)
    // A pipe or a terminal cannot be replaced by a file.
    if kind(of: target) == .other { return try writeInPlace(bytes, to: target) }
    if kind(of: target) == .folder { throw unwritable(path, EISDIR) }
    removeLeftovers(of: target)
    try replace(target, with: bytes, through: "\(target)\(mark)\(getpid()).tmp", mode: nil, named: path)
  }

  /// The open descriptor that a path like `/dev/stdout` leads to, whatever that is; `nil` where it leads to none.
  ///
  /// What is behind it may be a file without a name, and where it has one others write there too.
  static func descriptor(of path: String) -> Int32? {
    var path = path
    for _ in 0..<8 {
      let folder = Paths.folder(of: path)
      if ["/dev/fd", "/proc/self/fd", "/proc/\(getpid())/fd"].contains(folder) { return Int32(Paths.name(of: path)) }
      guard let link = link(at: path) else { return nil }
      path = link.hasPrefix("/") ? link : Paths.joined(folder, link)
    }
    return nil
  }

  /// Where a symbolic link leads, as it is written there; `nil` where there is none.
  private static func link(at path: String) -> String? {
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      count = buffer.withMemoryRebound(to: CChar.self) { buffer in
        buffer.baseAddress.map { max(0, readlink(path, $0, buffer.count)) } ?? 0
      }
    }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private static func write(_ bytes: [UInt8], into descriptor: Int32, named path: String) throws(Failure) {
    let error = writeAll(bytes, to: descriptor)
    if error != 0, error != EPIPE { throw unwritable(path, error) }
  }

  /// What stands in the name of a file that is being written, so that nobody else's is taken for one.
  private static let mark = ".flowrun-"

  /// What one that was killed has left of the same file; what another on this machine is still writing stays.
  private static func removeLeftovers(of target: String) {
    let (folder, start) = (Paths.folder(of: target), Paths.name(of: target) + mark)
    for name in (try? names(in: folder, withHidden: true)) ?? []
    where name.hasPrefix(start) && name.hasSuffix(".tmp") {
      let digits = String(name.dropFirst(start.count).dropLast(".tmp".count))
      guard let writer = Int(digits: digits).flatMap(pid_t.init(exactly:)), writer > 0 else { continue }
      if kill(writer, 0) != 0, errno == ESRCH { unlink(Paths.joined(folder, name)) }
    }
  }

  /// Throws where a file could not be written as a whole: better now than when it is known what to write.
  static func expectWritable(_ path: String) throws(Failure) {
    if let descriptor = descriptor(of: path) {
      let mode = fcntl(descriptor, F_GETFL)
      if mode < 0 || mode & O_ACCMODE == O_RDONLY { throw unwritable(path, EBADF) }
      return
    }
    try refuseLinkToNowhere(path)
    let kind = kind(of: path)
    if kind == .folder { throw unwritable(path, EISDIR) }
    guard kind == .other || access(Paths.folder(of: place(of: path)), W_OK | X_OK) == 0 else {
      throw unwritable(path, errno)
    }
  }

  /// Writes a file beside another and puts it in the other's place; what was there stays where that fails.
  ///
  /// Without a mode it is open to those to whom the other was.
  static func replace(
    _ target: String, with bytes: [UInt8], through temporary: String, mode: mode_t?, named path: String
  ) throws(Failure) {
    // Who stops the program meanwhile, by whatever signal, is heard afterwards: what is half written would stay.
    var (held, before) = (sigset_t(), sigset_t())
    sigfillset(&held)
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // One that was killed here, and had the same number, may have left it.
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
    guard descriptor >= 0 else { throw unwritable(path, errno) }
    var status = stat()
    // Where this cannot be done, all files have one mode.
    if mode == nil, stat(target, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    var error = writeAll(bytes, to: descriptor)
    if error == 0, fsync(descriptor) != 0 { error = errno }
    if close(descriptor) != 0, error == 0 { error = errno }
    if error == 0, rename(temporary, target) != 0 { error = errno }
    guard error != 0 else { return }
    unlink(temporary)
    throw unwritable(path, error)
  }

  /// Whoever made such a link wants a file elsewhere, and not here.
  static func refuseLinkToNowhere(_ path: String) throws(Failure) {
    var status = stat()
    if kind(of: path) == nil, lstat(path, &status) == 0 { throw .linkLeadsNowhere(path) }
  }

  /// Makes a folder, unless it is there.
  static func makeFolder(_ path: String) throws(Failure) {
    guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    throw unwritable(path, errno)
  }

  private static func writeInPlace(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unwritable(path, errno) }
    defer { close(descriptor) }
    try write(bytes, into: descriptor, named: path)
  }

  /// The path from the root, without symbolic links; as it was where there is nothing.
  static func real(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// Where a file is or would be made, from the root and without symbolic links.
  static func place(of path: String) -> String {
    if kind(of: path) != nil { return real(path) }
    return Paths.joined(real(Paths.folder(of: path)), Paths.name(of: path))
  }

  static func unwritable(_ path: String, _ error: Int32) -> Failure {
    Failure(.noFile, "\(path) cannot be written: \(reason(error))")
  }
}
