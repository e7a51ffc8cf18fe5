import Expressions

/// A condition that is looked at where a part of what it reads is known, and the rest may be anything.
indirect enum PartialCondition {
  case expression(Expression?)
  case all([PartialCondition])
  case not(PartialCondition)

  /// What the scope does not have is unknown.
  init(_ condition: Condition, in scope: Scope) {
    switch condition {
    case .expression(let placed):
      // Unchecked, what is unknown fails when it runs, and another side of `&&` and `||` may decide all the same.
      self = .expression(
        try? Expression.compile(placed.expression.source, in: scope, expecting: .bool, checked: false))
    case .all(let parts): self = .all(parts.map { PartialCondition($0, in: scope) })
    case .any(let parts): self = .not(.all(parts.map { .not(PartialCondition($0, in: scope)) }))
    case .not(let inner): self = .not(PartialCondition(inner, in: scope))
    }
  }

  /// `nil` where what is unknown decides.
  func holds(in frame: Frame) -> Bool? {
    switch self {
    case .expression(let expression):
      var frame = frame
      return try? expression?.isTrue(&frame)
    case .all(let parts):
      let known = parts.map { $0.holds(in: frame) }
      return known.contains(false) ? false : known.contains(nil) ? nil : true
    case .not(let inner): return inner.holds(in: frame).map { !$0 }
    }
  }

  /// The same for an answer with a status, or for none by a failure, where nothing else of it is known:
  /// `Examined.scopeOfStatuses`.
  func holds(for status: Int64, _ failure: String? = nil) -> Bool? {
    holds(in: Frame(knowing: [.int(status), failure.map(Value.string) ?? .null], of: .response))
  }
}

extension Examined {
  /// Where the status of an answer is known and nothing else.
  var scopeOfStatuses: Scope { scope(of: "response", at: .response, [("status", .int), ("failure", .string)]) }

  /// Where some fields of one variable are known and nothing else, but what lets make of them.
  func scope(of name: String, at root: Root, _ fields: [(name: String, type: ValueType)]) -> Scope {
    let type = ObjectType(title: name, fields: fields.map { ObjectType.Field(name: $0.name, type: $0.type) })
    return Scope(variables: [Scope.Variable(name: name, type: .object(type), root: root.rawValue)], lets: machine.lets)
  }
}

extension Examined {
  /// Where an answer, the time and what is set are known and nothing else, but what lets make of them.
  var scopeOfAnswers: Scope {
    let config = ObjectType(title: "config", fields: machine.config.map(\.field))
    let variables = [
      Scope.Variable(name: "response", type: .object(Standing.response), root: Root.response.rawValue),
      Scope.Variable(name: "now", type: .timestamp, root: Root.now.rawValue),
      Scope.Variable(name: "config", type: .object(config), root: Root.config.rawValue),
    ]
    return Scope(variables: variables, lets: machine.lets)
  }

  /// An answer that comes at the epoch.
  func frame(ofAnswer status: Int64, headers: ValueMap = ValueMap(), json: ValueMap = ValueMap()) -> Frame {
    let answer: [Value] = [.int(status), .map(headers), .map(json), .string(""), .null, .null, .null]
    var frame = Frame(knowing: answer, of: .response)
    frame.roots[Root.config.rawValue] = machine.configValues
    return frame
  }

  /// What comes of an expression there, as the time from then; `nil` where it gives none.
  func span(of source: String, in scope: Scope, _ frame: Frame) -> Duration? {
    var frame = frame
    let expression = try? Expression.compile(source, in: scope, checked: false)
    switch try? expression?.evaluate(&frame) {
    case .timestamp(let instant): return instant.since(.epoch)
    case .duration(let span): return span
    default: return nil
    }
  }
}
