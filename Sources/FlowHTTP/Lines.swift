import Synchronization

/// The lines of an adapter that are not in use, each with the connection that it keeps.
final class Lines: Sendable {
  let options: HTTPOptions
  private let idle = Mutex<[Line]>([])

  /// How many are kept; the one that was used longest ago goes first.
  private static let most = 8

  init(_ options: HTTPOptions) { self.options = options }

  func take(to destination: Destination) -> Line {
    let kept = idle.withLock { idle in
      idle.lastIndex { $0.destination.origin == destination.origin }.map { idle.remove(at: $0) }
    }
    return kept ?? Line(to: destination, options)
  }

  func keep(_ line: Line) {
    line.forget()
    // What is dropped is closed outside the lock.
    _ = idle.withLock { idle in
      idle.append(line)
      return idle.count > Self.most ? idle.removeFirst() : nil
    }
  }
}
