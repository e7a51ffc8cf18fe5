import Expressions

extension Check {
  /// What is made of the `expires_in` of an answer so that a token counts as good for longer than its server says, or for
  /// so much shorter that seconds were taken for something else (RFC 6749, section 5.1).
  ///
  /// It is worked out for an answer that says an hour; what reads anything else than the answer, the time and `config` is
  /// left alone.
  static let strangeExpiries: @Sendable (Examined) -> [Diagnostic] = { examined in
    let assignments = examined.actions.flatMap(\.assignments).filter { assignment in
      assignment.value.expressions.contains { $0.reads("expires_in", below: "response") }
    }
    if assignments.isEmpty { return [] }
    let scope = examined.scopeOfAnswers
    return assignments.compactMap { assignment in
      guard case .template(let placed) = assignment.value, placed.template.isAlone,
        let span = examined.span(of: placed.template.expressions[0].source, in: scope),
        let (message, label) = strangeness(of: span)
      else { return nil }
      return Diagnostic(
        "strange-expiry", severity: .warning, "\"expires_in\" is in seconds from now: \(message)", at: placed.site,
        label,
        help: "set it to now + seconds(int(response.json.expires_in)), or to a little less (RFC 6749, section 5.1)")
    }
  }

  private static func strangeness(of span: Duration) -> (message: String, label: String)? {
    if span > Examined.anHour {
      return ("the token still counts as good when the server takes it no more", "is \(span.text) where it says 3600")
    }
    // Who renews early takes off a part of it.
    guard span > .zero, span * 100 < Examined.anHour else { return nil }
    return ("the token counts as expired at once", "is \(span.text) where it says 3600")
  }
}

extension Examined {
  fileprivate static let anHour = Duration.seconds(3600)

  /// Where the answer, the time and what is set are known and nothing else, but what lets make of them.
  fileprivate var scopeOfAnswers: Scope {
    let variables = [
      Scope.Variable(name: "response", type: .object(Standing.response), root: Root.response.rawValue),
      Scope.Variable(name: "now", type: .timestamp, root: Root.now.rawValue),
      Scope.Variable(
        name: "config", type: .object(ObjectType(title: "config", fields: machine.config.map(\.field))),
        root: Root.config.rawValue),
    ]
    return Scope(variables: variables, lets: machine.lets)
  }

  /// What comes of an expression behind an answer that says an hour, as the time from then; `nil` where it gives none.
  fileprivate func span(of source: String, in scope: Scope) -> Duration? {
    guard let expression = try? Expression.compile(source, in: scope, checked: false) else { return nil }
    var json = ValueMap()
    json["expires_in"] = .int(Self.anHour.components.seconds)
    let answer: [Value] = [.int(200), .map(ValueMap()), .map(json), .string(""), .null, .null, .null]
    var frame = Frame(knowing: answer, of: .response)
    frame.roots[Root.config.rawValue] = machine.configValues
    switch try? expression.evaluate(&frame) {
    case .timestamp(let instant): return instant.since(.epoch)
    case .duration(let span): return span
    default: return nil
    }
  }
}
