/// Runs something that waits on a thread of its own, so that no other task has to; `false` when there can be no more.
func onThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let work = Unmanaged.passRetained(Work(body))
  #if canImport(Darwin)
    var thread: pthread_t?
    let error = pthread_create(&thread, nil, { work in run(work) }, work.toOpaque())
    if let thread { pthread_detach(thread) }
  #else
    var thread = pthread_t()
    let error = pthread_create(&thread, nil, { work in work.flatMap(run) }, work.toOpaque())
    if error == 0 { pthread_detach(thread) }
  #endif
  if error != 0 { work.release() }
  return error == 0
}

private final class Work: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func run(_ work: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
  return nil
}
