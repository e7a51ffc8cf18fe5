/// What listens for some redirect URIs: a socket for each address and port that they name.
struct LoopbackSockets: Sendable {
  private(set) var sockets: [LoopbackSocket] = []
  /// As they really are, in the order in which they were given.
  private(set) var uris: [LoopbackURI]

  /// Those without a port share one that is free (RFC 8252 §7.3).
  init(for uris: [LoopbackURI]) throws(ListenerError) {
    self.uris = uris
    do throws(ListenerError) {
      for port in Set(uris.compactMap(\.port)).sorted() { _ = try listen(at: port, uris.filter { $0.port == port }) }
      let free = uris.filter { $0.port == nil }
      guard !free.isEmpty else { return }
      let port = try listenAtFreePort(free)
      for index in uris.indices where uris[index].port == nil { self.uris[index].port = port }
    } catch {
      drop()
      throw error
    }
  }

  func drop() {
    for socket in sockets { socket.drop() }
  }

  /// A port that is free at one address may be taken at the other: then another is tried.
  private mutating func listenAtFreePort(_ uris: [LoopbackURI]) throws(ListenerError) -> UInt16 {
    for _ in 1..<20 {
      do throws(ListenerError) {
        return try listen(at: 0, uris)
      } catch {
        guard case .portTaken = error else { throw error }
      }
    }
    return try listen(at: 0, uris)
  }

  /// Listens at every address that the hosts stand for, or at none; gives the port.
  private mutating func listen(at wanted: UInt16, _ uris: [LoopbackURI]) throws(ListenerError) -> UInt16 {
    let hosts = Set(uris.map(\.host))
    var (port, opened) = (wanted, [LoopbackSocket]())
    for (host, family) in [(LoopbackURI.Host.v4, LoopbackSocket.Family.v4), (.v6, .v6)]
    where hosts.contains(host) || hosts.contains(.localhost) {
      do throws(LoopbackSocket.Refusal) {
        let socket = try LoopbackSocket.listening(family, port: port)
        opened.append(socket)
        port = socket.port
      } catch {
        // `localhost` is whichever of the two there is.
        if case .noAddress = error, !hosts.contains(host), host == .v4 || !opened.isEmpty { continue }
        for socket in opened { socket.drop() }
        throw ListenerError(error, host, port)
      }
    }
    sockets += opened
    return port
  }
}

extension ListenerError {
  fileprivate init(_ refusal: LoopbackSocket.Refusal, _ host: LoopbackURI.Host, _ port: UInt16) {
    let asked = port == 0 ? nil : port
    switch refusal {
    case .taken: self = .portTaken(port, host: host.name)
    case .noAddress:
      self = .cannotListen(host: host.name, port: asked, reason: "this machine has no such address")
    case .failed(let reason): self = .cannotListen(host: host.name, port: asked, reason: reason)
    }
  }
}
