import Expressions
import FlowEngine
import FlowSpec

/// The words on states and arrows.
struct ArrowLabels: Sendable {
  private let flow: Flow
  private let secrets: ComparedSecrets

  init(_ flow: Flow) {
    self.flow = flow
    secrets = flow.comparedSecrets
  }

  /// Title or name, and what the state does.
  func words(of state: State) -> String {
    let lines = [state.shownName, activity(of: state), retry(of: state)]
    return lines.compactMap { $0.map(Mermaid.label) }.joined(separator: "<br/>")
  }

  private func retry(of state: State) -> String? {
    guard case .request(let request) = state.activity, let retry = request.retry else { return nil }
    let again = retry.most == 1 ? "again once" : "again up to \(retry.most) times"
    let wait = words(ofWaitsIn: retry)
    let call = retry.call.map { " after: \(flow.app.routines[$0].shownName)" } ?? ""
    return again + wait + call + (retry.when.map { " [\(words(of: $0))]" } ?? "")
  }

  private func words(ofWaitsIn retry: Retry) -> String {
    guard retry.wait > .zero else { return "" }
    let (wait, factor) = (retry.wait.inUnits, Value.double(retry.factor).asText?.string ?? "")
    if retry.most == 1 { return ", \(wait) later" }
    return retry.factor == 1
      ? ", every \(wait)" : ", first \(wait) later, then each wait \(factor) times as long"
  }

  private func activity(of state: State) -> String? {
    switch state.activity {
    case .request(let request):
      let service = flow.participants[flow.services[request.to].participant]
      return "\(request.method) \(path(of: request)) → \(Mermaid.title(service.title, orName: service.name))"
    case .perform(let perform):
      let capability = flow.capabilities[perform.capability]
      return "asks the device: \(Mermaid.title(capability.title, orName: capability.name))"
    case .call(let index): return "does: \(flow.app.routines[index].shownName)"
    case .none, .compound, .end: return nil
    }
  }

  private func path(of request: RequestSpec) -> String {
    switch request.path {
    case .segments(let segments):
      // What is written out for a secret is one.
      let secrets = flow.services[request.to].secretVariables(request.method, segments)
      return "/"
        + zip(segments, secrets).map { $1.map { "{\($0)}" } ?? shown($0.template.source) }.joined(separator: "/")
    case .url(let url): return shown(url.template.source)
    }
  }

  private func shown(_ template: String) -> String { template.replacing("${", with: "{") }

  /// Every transition of the state, in the order in which it is looked at.
  func arrows(of state: State) -> [(target: Transition.Target, label: String)] {
    var arrows = arrows(state.next, cause: nil)
    for handler in state.on {
      let event = flow.app.events[handler.event]
      arrows += self.arrows(handler.transitions, cause: Mermaid.title(event.title, orName: words(of: event)))
    }
    for timer in state.after {
      switch timer.due {
      case .wait(let duration):
        arrows += self.arrows(timer.transition, cause: "after \(shown(duration.template.source))")
      case .at(let instant): arrows += self.arrows(timer.transition, cause: "at \(shown(instant.template.source))")
      }
    }
    return arrows
  }

  private func arrows(
    _ transitions: [Transition], cause: String?
  ) -> [(target: Transition.Target, label: String)] {
    transitions.map { transition in
      var label = [cause, transition.name].compactMap { $0 }.joined(separator: ": ")
      if let when = transition.when {
        label += (label.isEmpty ? "" : " ") + "[\(words(of: when))]"
      } else if label.isEmpty, transitions.count > 1 {
        label = "else"
      }
      return (transition.target, label)
    }
  }

  /// Of an event that no flow has to give a title.
  private func words(of event: Event) -> String {
    switch event.kind {
    case .browserRedirected: "the browser comes back"
    case .browserClosed: "the browser is closed"
    case .deviceOnline: "the device is online"
    case .deviceOffline: "the device is offline"
    case .person, .link: event.name
    }
  }

  /// In brackets where it binds weaker than what stands around it.
  private func words(of condition: Condition, beside around: Binding = .conditional) -> String {
    let words = bareWords(of: condition)
    return condition.binding < around ? "(\(words))" : words
  }

  private func bareWords(of condition: Condition) -> String {
    switch condition {
    case .expression(let placed): placed.expression.source(hiding: secrets)
    case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1: bareWords(of: parts[0])
    case .all(let parts): parts.map { words(of: $0, beside: .and) }.joined(separator: " && ")
    case .any(let parts): parts.map { words(of: $0, beside: .or) }.joined(separator: " || ")
    case .not(let inner): "!" + words(of: inner, beside: .term)
    }
  }
}

extension State {
  var shownName: String { Mermaid.title(title, orName: name) }
}

extension Routine {
  var shownName: String { Mermaid.title(title, orName: name) }
}

extension Condition {
  fileprivate var binding: Binding {
    switch self {
    case .expression(let placed): placed.expression.binding
    case .all(let parts) where parts.count == 1, .any(let parts) where parts.count == 1: parts[0].binding
    case .all: .and
    case .any: .or
    case .not: .term
    }
  }
}
