import Synchronization

/// Listens for the redirects with which a browser comes back to a native app (RFC 8252 §7.3).
///
/// It listens at 127.0.0.1 and ::1 alone, so that no other machine reaches it (RFC 8252 §8.3). Other programs of this
/// machine, and pages that the browser shows, still do: what comes is a claim that the flow has to hold against its
/// `state`.
///
/// The browser gets a page that says what to do, at every request: to a reload, to other addresses, to what is no
/// request of a browser at all. A request has 5 seconds, a line of 8 KiB, and headers of 100 lines and 16 KiB; 16 are
/// served at once, others take the place of one that dawdles. Only a GET with one of the paths, byte by byte, and the right `Host` is a redirect, and
/// only where it opens a page: what an image or a script of another page asks for is refused (Fetch Metadata). Nothing
/// that was sent is shown, logged or thrown.
///
/// The sockets are closed when `close()` is called, when a task is cancelled that waits in `next()`, or when nobody has
/// the listener any more.
public final class RedirectListener: Sendable {
  /// The redirect URIs as they really are, with the port that was got, in the order in which they were given.
  ///
  /// An authorization server has to be told these.
  public let redirectURIs: [String]

  private let redirects: AsyncStream<String>
  private let redirect: AsyncStream<String>.Continuation
  private let served: AsyncStream<Never>
  private let taken = RedirectCount()
  private let repeated = RedirectCount()

  /// Begins to listen.
  ///
  /// - Parameter redirectURIs: `http` addresses whose host is `127.0.0.1`, `[::1]` or `localhost`. Those without a port
  ///   share one that is free. `localhost` is listened for at both addresses, where the machine has both; RFC 8252 §8.3
  ///   recommends it to nobody.
  /// - Throws: `ListenerError`: an address is none of these, or its port is taken. Nothing listens then.
  public convenience init(for redirectURIs: [String]) throws(ListenerError) {
    try self.init(for: redirectURIs, timeLimit: .seconds(5))
  }

  package init(for redirectURIs: [String], timeLimit: Duration) throws(ListenerError) {
    var uris: [LoopbackURI] = []
    for uri in redirectURIs { uris.append(try LoopbackURI(uri)) }
    let sockets = try LoopbackSockets(for: uris)
    self.redirectURIs = sockets.uris.map(\.uri)
    (redirects, redirect) = AsyncStream.makeStream()
    let (served, ends) = AsyncStream.makeStream(of: Never.self)
    self.served = served
    guard let stop = StopSignal() else {
      sockets.drop()
      throw .noThread
    }
    let server = RedirectServer(
      sockets, stop: stop, timeLimit: timeLimit, redirects: redirect, taken: taken, repeats: repeated)
    redirect.onTermination = { _ in stop.give() }
    let isServed = BlockingThread.start {
      var server = server
      server.run()
      ends.finish()
    }
    guard isServed else {
      redirect.finish()
      stop.drop()
      sockets.drop()
      throw .noThread
    }
  }

  deinit { redirect.finish() }

  /// Whether an address is a redirect URI for which something has to listen on this machine.
  ///
  /// One of `https` is, and one of `127.0.0.2`; `init` says why they are refused.
  public static func isLoopback(_ uri: String) -> Bool { LoopbackURI.isLoopback(uri) }

  /// Waits for the browser to come to one of the redirect URIs.
  ///
  /// The browser has its answer by then, so the program may end. What comes while nobody waits is kept, up to 16; what
  /// comes then is told to come again (503). An
  /// address with a `code` that was given before is not given again: somebody reloaded the page.
  ///
  /// - Returns: The address as the app is given it: scheme, host and port of the redirect URI, path and query byte for
  ///   byte as they were sent.
  /// - Throws: `CancellationError` when the task is cancelled, which closes the listener; `ListenerError.closed` when it
  ///   is closed already.
  public func next() async throws -> String {
    var redirects = redirects.makeAsyncIterator()
    if let address = await redirects.next() {
      taken.add()
      return address
    }
    try Task.checkCancellation()
    throw ListenerError.closed
  }

  /// How often the browser has come with an address whose `code` had been given before.
  package var repeats: Int { repeated.current }

  /// Closes the sockets; the port is free when it returns.
  public func close() async {
    redirect.finish()
    for await _ in served {}
  }
}

/// How many redirects the app has been given, or how many it has not since it had been given them before.
final class RedirectCount: Sendable {
  private let count = Atomic(0)

  var current: Int { count.load(ordering: .relaxed) }

  func add() { count.add(1, ordering: .relaxed) }
}
