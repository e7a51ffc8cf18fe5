/// Serves the listener's sockets, in a thread of its own, until it is told to stop.
struct RedirectServer: Sendable {
  /// How many are served at once; whoever waits then gets the place of one that dawdles, so that no program of this
  /// machine can keep the browser out.
  private static let mostConnections = 16
  /// How many redirects wait for the app at most.
  ///
  /// A browser brings one at a time; another program could bring any number.
  private static let mostWaiting = 16

  private let sockets: [LoopbackSocket]
  private let stop: StopSignal
  /// What a request may take, from the connection to its last header.
  private let timeLimit: Duration
  private let redirects: AsyncStream<String>.Continuation
  private var given = 0
  private let taken: RedirectCount
  private let repeats: RedirectCount
  private var targets: RedirectTargets
  private var connections: [RedirectConnection] = []
  /// While the system has no connections to give, none are asked for.
  private var pause: ContinuousClock.Instant?

  init(
    _ sockets: LoopbackSockets, stop: StopSignal, timeLimit: Duration, redirects: AsyncStream<String>.Continuation,
    taken: RedirectCount, repeats: RedirectCount
  ) {
    self.sockets = sockets.sockets
    (self.stop, self.timeLimit, self.redirects) = (stop, timeLimit, redirects)
    (self.taken, self.repeats) = (taken, repeats)
    targets = RedirectTargets(sockets.uris)
  }

  mutating func run() {
    while goOn() {}
    redirects.finish()
    for socket in sockets + connections.map(\.socket) { socket.drop() }
    stop.drop()
  }

  /// Waits for the next that can be done, and does it; whether there is more to come.
  private mutating func goOn() -> Bool {
    if let end = pause, end <= .now { pause = nil }
    let doors = pause == nil && hasPlace ? sockets : []
    let yields = hasPlace ? [] : connections.compactMap(\.yieldsPlace)
    let deadlines = connections.map(\.deadline) + yields + (pause.map { [$0] } ?? [])
    guard
      let ready = stop.wait(
        toReceive: doors + connections.filter { !$0.wantsToSend }.map(\.socket),
        toSend: connections.filter(\.wantsToSend).map(\.socket), until: deadlines.min())
    else { return false }
    for index in connections.indices {
      serve(index, isReady: ready.contains(connections[index].socket.descriptor))
    }
    connections.removeAll(where: \.isOver)
    for door in doors where ready.contains(door.descriptor) { accept(from: door) }
    return true
  }

  private mutating func serve(_ index: Int, isReady: Bool) {
    if isReady { connections[index].proceed(targets, isFull: waiting >= Self.mostWaiting) }
    if connections[index].deadline <= .now { connections[index].runOutOfTime() }
    if let address = connections[index].takeAddress() {
      if !targets.isNew(address) {
        repeats.add()
      } else if case .enqueued = redirects.yield(address) {
        targets.hasDelivered(address)
        given += 1
      }
    }
    if connections[index].isOver { connections[index].socket.drop() }
  }

  /// How many redirects the app has not taken yet, those among them whose browser has no answer yet.
  private var waiting: Int { given - taken.current + connections.count(where: \.bringsRedirect) }

  private var hasPlace: Bool { connections.count < Self.mostConnections || dawdler != nil }

  /// The oldest that has had its time to say what it wants.
  private var dawdler: Int? {
    connections.firstIndex { connection in connection.yieldsPlace.map { $0 <= .now } ?? false }
  }

  private mutating func accept(from door: LoopbackSocket) {
    while hasPlace {
      switch door.accepted() {
      case .connection(let socket):
        if connections.count == Self.mostConnections, let index = dawdler {
          connections.remove(at: index).socket.drop()
        }
        connections.append(RedirectConnection(socket, until: .now + timeLimit))
      case .nobody: return
      case .failed:
        pause = .now + .milliseconds(100)
        return
      }
    }
  }
}
