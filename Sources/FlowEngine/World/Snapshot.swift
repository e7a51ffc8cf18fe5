import Expressions
import FlowSpec

/// The whole world at one instant, between two steps: equal snapshots have equal futures.
package struct Snapshot: Sendable, Hashable {
  package var now: Timestamp
  package var device: Device
  package var app: App
  /// The stores of the services, as `Flow.services` counts them; each as `Machine.store`.
  package var services: [[Value]]
  /// Requests that are under way, the oldest first.
  package var flights: [Flight] = []
  /// What services are at work on, the oldest first.
  package var exchanges: [Exchange] = []
  package var browser = Browser()
  /// The oldest first.
  package var inbox: [Mail] = []
  package var mint: Mint
  /// How many flights there were: numbers the next one.
  package var flightsMade = 0
  /// Transitions taken at this instant since a person or the network did something, to find a world that spins.
  package var transitionsNow = 0

  /// The simulated page that the browser shows.
  package var page: ShownPage? {
    if case .page(let page)? = browser.tab?.content { page } else { nil }
  }

  /// The oldest flight that nobody has received yet.
  var indexOfSentFlight: Int? {
    for index in flights.indices where flights[index].isSent { return index }
    return nil
  }
}

/// What the platform says.
package struct Device: Sendable, Hashable {
  package var native: Bool
  package var online: Bool
  package var platform: String

  package init(native: Bool = true, online: Bool = true, platform: String = "ios") {
    (self.native, self.online, self.platform) = (native, online, platform)
  }
}

/// The app: what it keeps, and what it does while it runs.
package struct App: Sendable, Hashable {
  package var config: [Value]
  package var store: [Value]
  /// `nil` while the app is not running.
  package var run: MachineRun?
  /// The end that the flow reached.
  package var ended: String?
  /// Events that started the app, offered at its first wait that is not for an answer.
  package var offers: [OfferedEvent] = []
  /// The `device.*` event that nothing took, offered once more while its fact holds.
  package var unheard: UnheardEvent?

  /// Neither killed nor at one of its ends.
  package var isRunning: Bool { run?.levels.isEmpty == false }

  /// Whether it waits, and not for an answer, the device or a retry.
  var isAtRest: Bool { run?.levels.last?.waiting == .events }

  /// Whether it waits for the answer to a request, or for the next try of one.
  package var awaitsAnswer: Bool {
    switch run?.levels.last?.waiting {
    case .flight, .retry: true
    default: false
    }
  }
}

package struct UnheardEvent: Sendable, Hashable {
  package var event: Int
  /// Whether a state was entered since: the wait that refused it is not asked again.
  package var isDue = false
}

package struct OfferedEvent: Sendable, Hashable {
  package var event: Int
  package var fields: [Value]
  /// Index into `Flow.participants`.
  package var from: Int
}

/// A machine at work: the app's, or a service's for one exchange.
package struct MachineRun: Sendable, Hashable {
  package var memory: [Value]
  /// The flow's own level, then one for each sub-flow that is called.
  ///
  /// Empty when it has ended.
  package var levels: [Level] = []
}

/// One active routine.
package struct Level: Sendable, Hashable {
  package var routine: Int
  /// The innermost active state; those around it are active too.
  package var leaf: Int
  package var timers: [ArmedTimer] = []
  package var waiting = Waiting.entered
  /// Tries of the leaf's request so far.
  package var attempts = 0
  /// The slots of `response` while a retry is under way.
  package var lastResponse: [Value]?
  /// The end of the sub-flow that a retry called.
  var callEnded: String?
}

package enum Waiting: Sendable, Hashable {
  /// Just entered: what the leaf does has not begun.
  case entered
  /// For events and timers only.
  case events
  /// For the answer to a flight, by number.
  case flight(Int)
  /// For the device, with the capability's input.
  case device([Value])
  /// For the device, which takes its time, with the name of a failure or the capability's result.
  indirect case held(until: Timestamp, failure: String?, [Value])
  /// For the next try.
  case retry(due: Timestamp)
  /// For the sub-flow of `call`.
  case routine
  /// For the sub-flow that a retry calls before its next try.
  case retryRoutine
}

package struct ArmedTimer: Sendable, Hashable {
  package var state: Int
  /// Index into `State.after`.
  package var index: Int
  package var due: Timestamp
  /// The instant that its document names: earlier than `due` where that was over when it was set.
  package var since: Timestamp
}

/// A request on its way.
package struct Flight: Sendable, Hashable {
  package enum Caller: Sendable, Hashable {
    case app, browser
    /// By the number of the flight that the exchange answers.
    case exchange(Int)
    /// Who asked waits no longer.
    case nobody
  }
  package enum Stage: Sendable, Hashable {
    case sent
    /// An exchange is at work on it.
    case serving
    /// The server has acted, the answer is held up.
    indirect case held(until: Timestamp, Answer, reply: String?, refs: [String])
    /// The server has acted, the answer is gone.
    case lost
  }
  package var number: Int
  package var caller: Caller
  /// Who sent it, an index into `Flow.participants`; stays when the caller gives up.
  package var from: Int
  package var request: Request
  /// Index into the model's routes, `nil` when there is none.
  package var route: Int?
  package var stage = Stage.sent
  /// Nobody has received it yet.
  var isSent: Bool { if case .sent = stage { true } else { false } }
  /// Its service has nothing to do any more.
  var isServed: Bool {
    switch stage {
    case .sent, .serving: false
    case .held, .lost: true
    }
  }
  /// What will become of the answer.
  package var fate = Choice.Fate.arrives
  /// When the caller gives up.
  package var due: Timestamp
}

/// A service at work on one request.
package struct Exchange: Sendable, Hashable {
  /// The flight that it answers.
  package var flight: Int
  package var service: Int
  /// The slots of `request`.
  package var request: [Value]
  package var run: MachineRun
  /// The `sometimes` reply that was asked for, until it is given.
  package var wanted: String?
  /// Mail that leaves behind the answer.
  package var mail: [Mail] = []
}

package struct Browser: Sendable, Hashable {
  /// `nil` while no tab is open.
  package var tab: Tab?
  package var jar: [Cookie] = []

  package struct Tab: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
      /// By the number of the flight.
      case loading(Int)
      case page(ShownPage)
      /// Built in: what was asked for cannot be reached; "again" asks once more.
      indirect case unreachable(Navigation)
      /// A page of a live service, in a real browser.
      indirect case outside(Location)
    }
    package var content: Content
    package var redirects = 0
  }

  /// What the person asked for: an address, with the form that is posted to it.
  package struct Navigation: Sendable, Hashable {
    package var location: Location
    package var method = "GET"
    package var form: [NamedValue]?
  }

  package struct Cookie: Sendable, Hashable {
    package var service: Int
    package var name: String
    package var value: Value
  }
}

package struct Mail: Sendable, Hashable {
  package struct Link: Sendable, Hashable {
    package var name: String
    package var location: Location
  }
  package var name: String
  /// Index into `Flow.services`.
  package var from: Int
  package var to: Text?
  package var subject: Text?
  /// `nil` when the model does not say, and once it has arrived: only the person goes by it.
  package var text: Text?
  package var links: [Link]
  package var refs: [String]
  package var opened = false
}
