/// How many files the system lets a program have open at once.
enum OpenFiles {
  /// For the standard streams, what the queues of threads wait on, connections, and the listener that a browser comes back
  /// to; where there are fewer, these queues end the program or wait for ever.
  private static let needed: rlim_t = 32

  /// Lets a run on other threads have as many as it needs, where something is live.
  ///
  /// Throws where the system does not allow that and it `isNeeded`: what is simulated does with fewer.
  static func makeRoom(isNeeded: Bool) throws(Failure) {
    #if canImport(Darwin)
      let files = RLIMIT_NOFILE
    #else
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #endif
    var limit = rlimit()
    guard getrlimit(files, &limit) == 0, limit.rlim_cur < needed else { return }
    let allowed = limit.rlim_cur
    limit.rlim_cur = min(needed, limit.rlim_max)
    let isMade = setrlimit(files, &limit) == 0 && limit.rlim_cur >= needed
    if isMade || !isNeeded { return }
    throw Failure(
      .unreachable, "such a run needs up to \(needed) open files, and no more than \(allowed) may be open",
      help: "ulimit -n tells how many may")
  }
}
