import Expressions
import FlowSpec

/// Counts the tries that each fault of a scenario is about.
struct FaultCounter {
  private var counted: [(fault: Scenario.Fault, tries: Int, struck: Bool)]

  init(_ faults: [Scenario.Fault]) { counted = faults.map { ($0, 0, false) } }

  var isEmpty: Bool { counted.isEmpty }

  /// Faults that never struck, and how many tries there were.
  var idle: [(fault: Scenario.Fault, tries: Int)] { counted.filter { !$0.struck }.map { ($0.fault, $0.tries) } }

  /// The faults that strike this try of a request.
  ///
  /// A try that the device cannot send counts, and nothing but the missing network happens to it.
  mutating func faults(for flight: Flight, isCutOff: Bool) -> [Scenario.Fault] {
    strike(isCutOff: isCutOff) { target in
      guard case .route(let service, let route, let wanted) = target else { return false }
      return service == flight.request.service && route == flight.route && (wanted == nil || wanted == flight.from)
    }
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
      guard strikes, !isCutOff else { continue }
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
      return "\(subject) \(isRequest ? "is received, and its answer takes" : "takes") \(delay.text)"
    }
    let predicate =
      switch effect {
      case .reply(let name): "is answered \"\(name)\""
      case .answer(let reply): "is answered \(reply.status) in place of the model"
      case .unreachable: "cannot be sent"
      case .lost: "is received, and its answer is lost"
      case .usual: "goes as usual"
      case .result: "has another result than its example"
      case .fails(let failure): "fails: \(failure)"
      }
    return "\(subject) \(predicate)\(delay.map { ", after \($0.text)" } ?? "")"
  }
}
