/// Files and folders by their paths.
enum Files {
  enum Kind {
    case file, folder
    /// A pipe, a terminal, a device.
    case other
  }

  /// Documents are at most 16 MiB; one byte more lets their reader say so.
  static let mostBytes = 16 * 1024 * 1024 + 1

  /// `nil` when there is nothing.
  static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// What two names of one file have in common; `nil` when there is nothing.
  static func identity(of path: String) -> String? {
    var status = stat()
    return stat(path, &status) == 0 ? "\(status.st_dev):\(status.st_ino)" : nil
  }

  /// Whether something stands at a path, though it be a link that leads nowhere, or in a folder that is closed.
  ///
  /// A name that is not UTF-8 is read with U+FFFD in it, and nothing can be opened by that.
  static func isTaken(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 || ![ENOENT, ENOTDIR].contains(errno) || path.contains("\u{FFFD}")
  }

  /// Whether other users of this machine may do something with a file.
  static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & (S_IRWXG | S_IRWXO) != 0
  }

  /// `acceptsPipe` is for what a person names, like `<(…)`: a pipe is read to its end.
  static func read(_ path: String, acceptsPipe: Bool = false, most: Int = mostBytes) throws(Failure) -> [UInt8] {
    // A pipe that nobody writes into is not waited for, neither when it is opened nor later.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, errno) }
    defer { close(descriptor) }
    return acceptsPipe && isPipe(descriptor)
      ? try readPipe(descriptor, named: path) : try read(descriptor, named: path, most: most)
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// What others write into it until they close it, or as much as a document may be.
  private static func readPipe(_ descriptor: Int32, named path: String) throws(Failure) -> [UInt8] {
    guard fcntl(descriptor, F_SETFL, 0) == 0 else { throw unreadable(path, errno) }
    let bytes = try readAll(descriptor, named: path, most: mostBytes)
    // Nobody was there to wait for, or they have written nothing.
    guard !bytes.isEmpty else { throw Failure(.noFile, "\(path) is a pipe, and nothing was written into it") }
    return bytes
  }

  /// All of an open file, from its beginning; of a larger one than `most` bytes the first.
  static func read(_ descriptor: Int32, named path: String, most: Int = mostBytes) throws(Failure) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw irregular(path, status.st_mode & S_IFMT) }
    return try readAll(descriptor, named: path, most: min(Int(status.st_size), most))
  }

  /// To the end, or so many bytes.
  private static func readAll(_ descriptor: Int32, named path: String, most: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < most {
      guard let piece = readBytes(descriptor, most: min(1 << 16, most - bytes.count)) else {
        throw unreadable(path, errno)
      }
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// Names in a folder by their bytes, those that begin with a dot left out unless they are asked for.
  static func names(in folder: String, withHidden: Bool = false) throws(Failure) -> [String] {
    guard let directory = opendir(folder) else { throw unreadable(folder, errno) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if withHidden ? ![".", ".."].contains(name) : !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 else { throw Failure(.noFile, "\(path) cannot be removed: \(reason(errno))") }
  }

  private static func irregular(_ path: String, _ format: mode_t) -> Failure {
    if format == S_IFDIR { return unreadable(path, EISDIR) }
    return Failure(.noFile, "\(path) is a pipe or a device, not a file", help: "write it into a file first")
  }

  static func unreadable(_ path: String, _ error: Int32) -> Failure {
    switch error {
    case ENOENT where !isTaken(path): .missing(path, "file")
    case ENOENT where path.contains("\u{FFFD}"):
      Failure(.noFile, "\(path) cannot be opened: its name is not UTF-8", help: "rename it")
    case ENOENT: .linkLeadsNowhere(path)
    case EISDIR: Failure(.noFile, "\(path) is a folder, not a file")
    default: Failure(.noFile, "\(path) cannot be read: \(reason(error))")
    }
  }
}

/// What is there to read now, so many bytes at most; empty at the end, `nil` where nothing can be read.
func readBytes(_ descriptor: Int32, most: Int = 4096) -> [UInt8]? {
  var result = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
    repeat { result = read(descriptor, buffer.baseAddress, most) } while result < 0 && errno == EINTR
    count = max(0, result)
  }
  return result < 0 ? nil : bytes
}
