import Expressions
import FlowInterpreter
import FlowSpec

/// A file that keeps the app's store from one run to the next: for its owner alone, and for one run at a time.
///
/// Each store replaces the file as a whole. The lock is therefore on a file beside it, which stays there; it ends with the
/// program, however that ends.
struct StoreFile: Sendable {
  /// As the person named it.
  let path: String
  /// Where it is, without symbolic links.
  private let target: String
  /// What an earlier run left, and what it holds; `nil` where there is no such file yet.
  let kept: Kept?

  struct Kept {
    let store: FlowStore
    let values: [Value]
    /// Names of what the flow does not declare any more.
    let dropped: [String]
  }

  /// More could not be read back.
  private static let mostBytes = 16 * 1024 * 1024

  /// Takes the file for this run of a flow; one that is refused stays alone, without a lock.
  init(_ path: String, of flow: Flow) throws(Failure) {
    self.path = path
    target = try Self.target(of: path)
    _ = try Self.read(target, named: path, of: flow)
    try Self.lock(Self.lock(of: target), for: path)
    // Until now another run may have kept more.
    kept = try Self.read(target, named: path, of: flow)
    // A run that was killed while it wrote has left it; nobody else writes while the lock is held.
    if unlink(temporary) != 0, errno != ENOENT { throw Files.unwritable(path, errno) }
  }

  /// The store, what is locked for it, and what is to become the next one.
  static func places(at target: String) -> [String] { [target, lock(of: target), temporary(of: target)] }

  private static func lock(of target: String) -> String { target + ".lock" }

  private static func temporary(of target: String) -> String { target + ".unfinished" }

  private var temporary: String { Self.temporary(of: target) }

  /// Keeps a store, durably: a run that is killed at any moment leaves the one before or this one.
  func keep(_ store: FlowStore) throws(Failure) {
    guard store.bytes.count <= Self.mostBytes else {
      throw Failure(.noFile, "\(path) cannot be written: the store is larger than 16 MiB")
    }
    try Files.replace(target, with: store.bytes, through: temporary, mode: S_IRUSR | S_IWUSR, named: path)
    let descriptor = open(Paths.folder(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Files.unwritable(path, errno) }
    defer { close(descriptor) }
    // Some file systems cannot do this for folders, and say so with EINVAL.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw Files.unwritable(path, errno) }
  }

  private static func target(of path: String) throws(Failure) -> String {
    try Files.refuseLinkToNowhere(path)
    var status = stat()
    if lstat(path, &status) == 0 {
      guard Files.kind(of: path) == .file else { throw .storeIsNoFile(path) }
    } else {
      guard errno == ENOENT, !Paths.name(of: path).isEmpty else { throw Files.unwritable(path, errno) }
    }
    try Files.expectWritable(path)
    return Files.place(of: path)
  }

  private static func lock(_ file: String, for path: String) throws(Failure) {
    let descriptor = open(
      file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR)
    guard descriptor >= 0 else { throw .storeNotLocked(path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw .storeNotLocked(path, errno) }
      throw Failure(
        .noFile, "\(path) is in use: another run keeps its store there",
        help: "wait until that one is over, or give this one a file of its own")
    }
  }

  private static func read(
    _ target: String, named path: String, of flow: Flow
  ) throws(Failure) -> Kept? {
    // Should a pipe have come in its place, nobody waits for one who writes.
    let descriptor = open(target, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw Files.unreadable(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Files.unreadable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .storeIsNoFile(path) }
    guard status.st_uid == geteuid() else {
      throw Failure(.noFile, "\(path) belongs to another user", help: "give the run a file of its own")
    }
    guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else { throw .openToOthers(path) }
    let store = FlowStore(bytes: try Files.read(descriptor, named: path))
    do throws(StartError) {
      let (values, dropped) = try store.restored(for: flow)
      return Kept(store: store, values: values, dropped: dropped)
    } catch {
      // The reason may quote what stands in the file.
      throw Failure(
        .noFile, "\(path): \(printable(error.description))",
        help: "remove it to begin with an empty store, or name another file")
    }
  }
}

/// Why a file cannot keep the app's store.
extension Failure {
  static func openToOthers(_ path: String, because secret: String = "a store holds secrets") -> Failure {
    Failure(
      .noFile, "\(path) is open to other users of this machine, and \(secret)",
      help: "chmod 600 \(path)")
  }

  static func storeIsNoFile(_ path: String) -> Failure {
    Failure(.noFile, "\(path) is no file that can keep a store")
  }

  static func linkLeadsNowhere(_ path: String) -> Failure {
    Failure(.noFile, "\(path) is a link that leads nowhere")
  }

  static func storeNotLocked(_ path: String, _ error: Int32) -> Failure {
    Failure(.noFile, "\(path) cannot be locked with \(path).lock: \(reason(error))")
  }
}
