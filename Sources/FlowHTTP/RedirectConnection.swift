/// One connection of a browser, from its first byte to its end: one request, one answer.
struct RedirectConnection {
  private enum Stage {
    case reading, answering
    /// The answer is out; what the browser still sends is read and dropped, so that the answer is not lost to a reset.
    case leaving
    case over
  }

  let socket: LoopbackSocket
  private let beginning = ContinuousClock.now
  /// When it is given up.
  private(set) var deadline: ContinuousClock.Instant
  private var stage = Stage.reading
  private var head = RequestHead()
  private var answer: ArraySlice<UInt8> = []
  private var address: String?
  /// How much is still dropped at the end.
  private var patience = 64 * 1024

  init(_ socket: LoopbackSocket, until deadline: ContinuousClock.Instant) {
    (self.socket, self.deadline) = (socket, deadline)
  }

  var isOver: Bool { stage == .over }
  var wantsToSend: Bool { stage == .answering }
  /// From when on others who wait may take its place; `nil` while it is answered, which takes no longer than a second.
  var yieldsPlace: ContinuousClock.Instant? { stage == .reading ? beginning + .milliseconds(250) : nil }

  var bringsRedirect: Bool { address != nil }

  /// Goes on as far as it can without waiting; `isFull` says that no more redirects are taken now.
  mutating func proceed(_ targets: RedirectTargets, isFull: Bool) {
    switch stage {
    case .reading: read(targets, isFull: isFull)
    case .answering: send()
    case .leaving: leave()
    case .over: break
    }
  }

  /// Its time is over: a request that is not whole is refused, a connection without one is closed.
  mutating func runOutOfTime() {
    if stage == .reading, !head.isEmpty {
      begin(.tooSlow)
    } else {
      stage = .over
    }
  }

  /// The redirect that it brought, once the browser has its answer: the program may end as soon as the app has it.
  mutating func takeAddress() -> String? {
    guard stage == .leaving || stage == .over else { return nil }
    defer { address = nil }
    return address
  }

  private mutating func read(_ targets: RedirectTargets, isFull: Bool) {
    switch socket.received() {
    case .nothingYet: break
    case .ended: stage = .over
    case .bytes(let bytes):
      for byte in bytes {
        switch head.take(byte) {
        case .more: continue
        case .refused(let page): return begin(page)
        case .complete:
          let (page, address) = targets.answer(to: head)
          if isFull, let address, targets.isNew(address) { return begin(.busy) }
          self.address = address
          return begin(page)
        }
      }
    }
  }

  private mutating func begin(_ page: AnswerPage) {
    answer = page.bytes(withPage: head.method != "HEAD")[...]
    stage = .answering
    deadline = .now + .seconds(1)
    send()
  }

  private mutating func send() {
    guard let count = socket.sent(answer) else {
      stage = .over
      return
    }
    answer = answer.dropFirst(count)
    guard answer.isEmpty else { return }
    socket.finishSending()
    stage = .leaving
  }

  private mutating func leave() {
    switch socket.received() {
    case .nothingYet: break
    case .ended: stage = .over
    case .bytes(let bytes):
      patience -= bytes.count
      if patience <= 0 { stage = .over }
    }
  }
}
