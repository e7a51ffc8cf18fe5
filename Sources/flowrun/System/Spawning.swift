#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  import Darwin
#endif

/// How a process starts that is none of the run's: without its input, its signals and its process group.
enum Spawning {
  /// Starts a program with its arguments, without a shell.
  ///
  /// - Parameter isQuiet: Whether what it writes is dropped; else it goes to standard error.
  /// - Returns: The process, or the number of the system's error.
  static func start(_ words: [String], isQuiet: Bool) -> (process: pid_t, error: Int32) {
    var arguments = words.map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    arguments.append(nil)
    #if canImport(Darwin)
      let environment = _NSGetEnviron().pointee
      var (actions, attributes): (posix_spawn_file_actions_t?, posix_spawnattr_t?) = (nil, nil)
    #else
      let environment = environ
      var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    // Standard output is the trace's.
    posix_spawn_file_actions_adddup2(&actions, 2, 1)
    var (none, all) = (sigset_t([]), sigset_t())
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))
    closeOthers()
    var process: pid_t = 0
    let error = posix_spawnp(&process, words[0], &actions, &attributes, arguments, environment)
    return (process, error)
  }

  /// Whatever else is open here is not open there, as what a shell has passed on: who waits for all ends of a pipe to be
  /// closed would wait for the process.
  private static func closeOthers() {
    for descriptor in ((try? Files.names(in: "/dev/fd")) ?? []).compactMap({ Int32($0) }) where descriptor > 2 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}
