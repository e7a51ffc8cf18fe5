/// By which times an exploration looks at instants: those that are written out, and those that only running shows.
package struct Times: Sendable {
  /// Of instants, of spans behind and before them, and of waits, so many are noted that only running shows.
  package static let mostNoted = 16

  /// Something may change when so much time has passed behind an instant; negative ones stand before it.
  package private(set) var spans: [Duration]
  /// Those that something is compared with, though no snapshot keeps them.
  package private(set) var instants: [Timestamp] = []
  /// How long timers run, and how far ahead instants are set: what begins before an instant may end behind it.
  package private(set) var waits: [Duration] = []
  /// The places where they were noted.
  private var sites: [ObjectIdentifier] = []
  private let written: Int
  /// One was noted that was not known at first.
  package private(set) var isNew = false
  /// One was not noted, as it was one too many.
  package private(set) var isFull = false

  package init(spans: [Duration]) { (self.spans, written) = (spans, spans.count) }

  /// The same, with all of them known at first.
  package var known: Times {
    var known = self
    known.isNew = false
    return known
  }

  mutating func note(_ span: Duration) {
    if spans.contains(span) { return }
    guard spans.count - written < 2 * Self.mostNoted else {
      isFull = true
      return
    }
    spans.append(span)
    isNew = true
  }

  /// Notes how long something takes that begins now.
  package mutating func note(wait: Duration) {
    if waits.contains(wait) || wait <= .zero { return }
    guard waits.count < Self.mostNoted else {
      isFull = true
      return
    }
    waits.append(wait)
    isNew = true
  }

  /// Notes an instant, unless it is too long ago to matter.
  ///
  /// Of a site the first counts: where more come they are made anew from `now`, and there would be ever more of them.
  mutating func note(_ instant: Timestamp, seenFrom now: Timestamp, at site: ObjectIdentifier) {
    if instants.contains(instant) || instant.since(now) + (spans.max() ?? .zero) < .zero { return }
    guard !sites.contains(site), instants.count < Self.mostNoted else {
      isFull = true
      return
    }
    instants.append(instant)
    sites.append(site)
    isNew = true
  }
}
