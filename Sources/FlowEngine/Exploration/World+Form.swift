import Expressions
import FlowSpec

extension World {
  /// The form in which an exploration knows a snapshot: canonical, without answers that nobody waits for and mails that
  /// nobody opens any more, and with instants that are far ahead rounded up.
  ///
  /// Without rounding, each second at which a token may have been issued would make a world of its own. Their order stays.
  func form(of snapshot: Snapshot) -> (snapshot: Snapshot, instants: Set<Timestamp>) {
    let exact = canonicalForm(of: snapshot.withoutWhatIsOver)
    let roundings = roundings(of: exact.instants)
    return roundings.isEmpty ? exact : canonicalForm(of: exact.snapshot, roundings: roundings)
  }

  /// Nearer instants are exact: it is longer than any try of a request usually takes.
  static let nearSpan = 120

  /// What becomes of the instants that are rounded, relative to `Timestamp.start`.
  private func roundings(of instants: Set<Timestamp>) -> [Timestamp: Timestamp] {
    var roundings: [Timestamp: Timestamp] = [:]
    var last = Int64(0)
    for instant in instants.sorted() {
      let ahead = instant.since(.start).components.seconds
      guard ahead > Self.nearSpan else { continue }
      // Instants that fall together follow one another by seconds.
      let rounded = max(Self.rounded(ahead), last + 1)
      last = rounded
      if let target = Timestamp.start.advanced(by: .seconds(rounded)), target != instant { roundings[instant] = target }
    }
    return roundings
  }

  /// Rounds up to one of four steps between powers of two; so many seconds beyond a step still belong to it.
  private static func rounded(_ seconds: Int64) -> Int64 {
    let counted = max(1, seconds - secondsBetween)
    let power = Int64(1) << (63 - counted.leadingZeroBitCount)
    let step = max(power / 4, 1)
    return (counted + step - 1) / step * step
  }

  private static let secondsBetween = Int64(10)
}

extension Snapshot {
  /// Without what there could be ever more of: answers that nobody waits for, which are dropped when they come, and
  /// mails behind a newer one of that name, which nobody opens any more.
  var withoutWhatIsOver: Snapshot {
    guard flights.contains(where: \.isDead) || !inbox.isEmpty else { return self }
    var copy = self
    copy.flights.removeAll(where: \.isDead)
    copy.inbox = newestMails
    return copy
  }

  /// By name: in which order they came, and which were read, makes no difference to an exploration.
  private var newestMails: [Mail] {
    var newest: [String: Mail] = [:]
    for mail in inbox { newest[mail.name] = mail }
    return newest.values.sorted { $0.name < $1.name }.map { mail in
      var mail = mail
      mail.opened = false
      return mail
    }
  }
}

extension Flight {
  fileprivate var isDead: Bool {
    guard caller == .nobody else { return false }
    switch stage {
    case .held, .lost: return true
    case .sent, .serving: return false
    }
  }
}
