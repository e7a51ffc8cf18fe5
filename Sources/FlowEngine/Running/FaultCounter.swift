import Expressions
import FlowSpec

/// Counts the tries that each fault of a scenario is about.
struct FaultCounter: Sendable {
  /// A fault, and what the run has tried of what it is about.
  struct Counted: Sendable {
    let fault: Scenario.Fault
    var tries = 0
    var struck = false
    /// The first try that it would have struck, had there been a network.
    var unsentTry: Int?
    /// Who has asked the same in place of who is meant.
    var other: Happening.Lane?
  }

  private var counted: [Counted]
  /// The faults that asked for a reply, by flight.
  private var asking: [Int: Scenario.Fault] = [:]

  init(_ faults: [Scenario.Fault] = []) { counted = faults.map { Counted(fault: $0) } }

  var isEmpty: Bool { counted.isEmpty }

  /// Faults that never struck.
  var idle: [Counted] { counted.filter { !$0.struck } }

  /// One more, which counts from here.
  mutating func add(_ fault: Scenario.Fault) { counted.append(Counted(fault: fault)) }

  /// Those of a target that have not struck yet are none any more.
  mutating func forgetIdle(_ target: Scenario.Fault.Target) {
    counted.removeAll { !$0.struck && $0.fault.target == target }
  }

  /// The faults that strike this try of a request.
  ///
  /// A try that the device cannot send counts, and nothing but the missing network happens to it.
  mutating func faults(for flight: Flight, isCutOff: Bool) -> [Scenario.Fault] {
    for index in counted.indices {
      guard case .route(flight.request.service, let route, let wanted?) = counted[index].fault.target,
        route == flight.route, wanted != flight.from
      else { continue }
      counted[index].other = flight.from
    }
    let striking = strike(isCutOff: isCutOff) { target in
      guard case .route(let service, let route, let wanted) = target else { return false }
      return service == flight.request.service && route == flight.route && (wanted == nil || wanted == flight.from)
    }
    if let fault = striking.first, case .reply = fault.effect { asking[flight.number] = fault }
    return striking
  }

  /// Points also at the fault that asked for a reply that cannot be given.
  func told(_ failure: Diagnostic, in snapshot: Snapshot) -> Diagnostic {
    guard failure.isOfReplyAskedFor, let exchange = snapshot.exchanges.first(where: { $0.wanted != nil }),
      let fault = asking[exchange.flight]
    else { return failure }
    var failure = failure
    failure.labels.append(Diagnostic.Label(site: fault.site, text: "asked for here"))
    return failure
  }

  mutating func faults(for capability: Int) -> [Scenario.Fault] {
    strike { target in
      guard case .perform(let wanted) = target else { return false }
      return wanted == capability
    }
  }

  private mutating func strike(isCutOff: Bool = false, _ isMeant: (Scenario.Fault.Target) -> Bool) -> [Scenario.Fault] {
    var striking: [Scenario.Fault] = []
    for index in counted.indices where isMeant(counted[index].fault.target) {
      counted[index].tries += 1
      let strikes =
        switch counted[index].fault.nth {
        case .every: true
        case .number(let number): number == counted[index].tries
        }
      guard strikes else { continue }
      guard !isCutOff else {
        counted[index].unsentTry = counted[index].unsentTry ?? counted[index].tries
        continue
      }
      counted[index].struck = true
      striking.append(counted[index].fault)
    }
    return striking
  }
}

extension Scenario.Fault {
  /// What it does, for the trace.
  func words(in flow: Flow) -> String {
    let subject =
      switch target {
      case .route(let service, let route, _): flow.services[service].model?.routes[route].line ?? "a request"
      case .perform(let capability): flow.capabilities[capability].name
      }
    let isRequest = if case .route = target { true } else { false }
    if let delay, case .usual = effect {
      return "\(subject) \(isRequest ? "is received, and its answer takes" : "takes") \(delay.elapsedWords)"
    }
    let predicate =
      switch effect {
      case .reply(let name): "is answered \"\(name)\""
      case .answer(let reply): "is answered \(reply.status) in place of the model"
      case .replaced(let reply): "is received, and answered \(reply.status) on the way"
      case .unreachable: "cannot be sent"
      case .lost: "is received, and its answer is lost"
      case .usual: "goes as usual"
      case .result: "has another result than its example"
      case .fails(let failure): "fails: \(failure)"
      }
    return "\(subject) \(predicate)\(delay.map { ", after \($0.elapsedWords)" } ?? "")"
  }
}
