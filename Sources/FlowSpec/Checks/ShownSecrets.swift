import Expressions

extension Check {
  /// What is not secret, and what it is used for says that it is: a trace shows it.
  static let shownSecrets: @Sendable (Examined) -> [Diagnostic] = { examined in
    shownSettings(examined) + shownTokens(examined)
  }

  /// Keys that are sent as a token.
  private static func shownTokens(_ examined: Examined) -> [Diagnostic] {
    var looked: Set<String> = []
    return examined.machine.requests.compactMap { request in
      guard let bearer = request.bearer, bearer.template.secret == nil, let name = bearer.template.key,
        looked.insert(name).inserted
      else { return nil }
      return Diagnostic(
        "secret-shown", severity: .remark, "\"\(name)\" is sent as \"bearer\", and is not secret itself",
        at: bearer.site, "is shown in traces", help: "add \"secret\": true to the key \"\(name)\"")
    }
  }

  /// Settings of a model that are what a person gives as a secret.
  private static func shownSettings(_ examined: Examined) -> [Diagnostic] {
    guard let flow = examined.flow, let model = examined.model else { return [] }
    let given = flow.app.events.flatMap { event in
      zip(event.fields.fields, event.examples).compactMap { field, example -> Value? in
        if field.secret != nil, case .literal(let value)? = example { value } else { nil }
      }
    }
    let shown = model.machine.config.filter { !$0.secret && given.contains($0.value) }
    return examined.document["config"].entries.filter { entry in shown.contains { $0.name == entry.name } }.map {
      entry in
      var found = Diagnostic(
        "secret-shown", severity: .remark,
        "\"\(entry.name)\" is what a person gives as a secret, and is not secret itself", at: entry.nameSite,
        "is shown in traces", help: "add \"secret\": true")
      if let value = entry.value["value"] {
        // The remark is not to show it either.
        var label = Diagnostic.Label(site: value.site, text: "")
        label.isHidden = true
        found.labels.append(label)
      }
      return found
    }
  }
}
