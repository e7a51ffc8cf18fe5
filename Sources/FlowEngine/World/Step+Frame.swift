import Expressions
import FlowSpec

extension Step {
  /// Puts what an actor's expressions read into the frame; what it may change is lent, and changes there in place.
  mutating func look(as actor: Actor) {
    guard looking != actor else { return }
    lookAway()
    switch actor {
    // What a scenario gives reads the flow's config, for services too.
    case .app, .service: frame.roots[Root.config.rawValue] = snapshot.app.config
    case .exchange(let flight):
      guard let index = index(ofExchange: flight) else { return }
      serviceLookedAt = snapshot.exchanges[index].service
      hasLookedAtService = true
      frame.roots[Root.config.rawValue] = machine(ofService: serviceLookedAt).configValues
      frame.roots[Root.request.rawValue] = snapshot.exchanges[index].request
    }
    looking = actor
    swapWithFrame(actor)
  }

  /// Gives back what the actor may change.
  mutating func lookAway() {
    guard let actor = looking else { return }
    looking = nil
    swapWithFrame(actor)
  }

  private mutating func swapWithFrame(_ actor: Actor) {
    let (store, memory) = (Root.store.rawValue, Root.memory.rawValue)
    switch actor {
    case .app:
      swap(&snapshot.app.store, &frame.roots[store])
      snapshot.app.run?.swapMemory(&frame.roots[memory])
    case .exchange(let flight):
      swap(&snapshot.services[serviceLookedAt], &frame.roots[store])
      if let index = index(ofExchange: flight) {
        snapshot.exchanges[index].run.swapMemory(&frame.roots[memory])
      } else {
        // The exchange is over.
        frame.roots[memory] = []
      }
    case .service(let service): swap(&snapshot.services[service], &frame.roots[store])
    }
  }

  /// What expressions read of the device; to be called when it changes.
  mutating func lookAtDevice() {
    let root = Root.device.rawValue
    frame.roots[root][0] = .bool(snapshot.device.native)
    frame.roots[root][1] = .bool(snapshot.device.online)
    frame.roots[root][2] = .string(snapshot.device.platform)
  }

  static func slots(of device: Device) -> [Value] {
    [.bool(device.native), .bool(device.online), .string(device.platform)]
  }

  /// `now`; to be called when the clock moves.
  mutating func lookAtClock() { frame.roots[Root.now.rawValue][0] = .timestamp(snapshot.now) }

  /// The app with its store and memory, wherever they are.
  var wholeApp: App {
    var app = snapshot.app
    guard looking == .app else { return app }
    app.store = frame.roots[Root.store.rawValue]
    app.run?.memory = frame.roots[Root.memory.rawValue]
    return app
  }
}

extension MachineRun {
  fileprivate mutating func swapMemory(_ other: inout [Value]) { swap(&memory, &other) }
}
