import Expressions

/// What of a flow matters when its services are real.
extension Flow {
  /// The services whose pages the app may open in the browser; all of them where an address is known only in a run.
  package var openedServices: Set<Destination> {
    var opened: Set<Destination> = []
    for target in app.opens {
      switch target.address {
      case .service(let service?, _): opened.insert(service)
      case .service(nil, _): break
      case .uri: return Set(services.indices)
      }
    }
    // Nobody knows where a mail leads.
    let sendsMail = services.contains { $0.model?.mails.isEmpty == false }
    return sendsMail ? Set(services.indices) : opened
  }

  /// The number of the config whose value a template is, and nothing else; `nil` for any other.
  package func soleConfig(of placed: PlacedTemplate) -> Int? {
    guard case .expression(let expression)? = placed.template.parts.first, placed.template.parts.count == 1 else {
      return nil
    }
    return app.config.firstIndex { "config.\($0.name)" == expression.selection }
  }

  /// The name of a secret that is sent to a service as far as the documents tell; `nil` where they tell of none.
  package func secret(sentTo service: Destination) -> String? {
    let machines = [app] + services.compactMap { $0.model?.machine }
    let visits = machines.flatMap { $0.requests.map { Visit($0) } } + app.opens.map { Visit($0) }
    return visits.lazy.filter { $0.to == service }.compactMap { $0.secret(self.services[service].secrets) }.first
  }
}

extension Machine {
  fileprivate var opens: [PageTarget] { actions(transitions).opens }
}
