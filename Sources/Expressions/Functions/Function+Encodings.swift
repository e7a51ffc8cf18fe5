extension Function {
  /// The functions that flowrun adds and that need nothing but their arguments.
  static let encodings: [Function] = [
    // A digest may be sent where a secret may not.
    derivation("s256", .s256, Traits(endsSecrets: true, isHash: true)) { digest, argument in
      argument.isSecret || argument.firstHidden != nil ? digest.marked(as: .digest(of: argument)) : digest
    },
    derivation("base64url", .base64url) { $0.markedWhole(like: $1) },
    derivation("urlEncode", .urlEncode) { $0.markedWhole(like: $1) },
    Function("claims", [[.string, .null, .optional]], .dyn, Traits(endsSecrets: true, opensToken: true)) {
      arguments, range throws(EvaluationError) in
      switch arguments[0].unwrapped {
      case .string(let text): return JSONWebToken.claims(text)
      case .null: return .null
      default: throw .noOverload("claims", arguments[0], at: range)
      }
    },
    Function(
      "jwt", [.map], .string, Traits(freshness: .whole, segment: .always, makesToken: true, needs: .jwt)
    ) { arguments, range throws(EvaluationError) in
      var value = arguments[0]
      if let name = value.becomeJSON(keepingInstants: true) {
        throw EvaluationError(
          code: "repeated-key", message: "two keys of a map are both \"\(name)\" in JSON", range: range)
      }
      guard case .map(let payload) = value else { throw .noOverload("jwt", value, at: range) }
      if let (name, claim) = JSONWebToken.misread(in: payload) {
        throw EvaluationError(
          code: "jwt-needs-timestamp",
          message: "\"\(name)\" of jwt is a timestamp, and here it is \(claim.shape.title)", range: range)
      }
      let result = try Origin.Derivation.jwt.apply(value, at: range)
      return .string(value.firstSecret.map { result.marked(secret: $0) } ?? result)
    },
  ]

  /// Those that flowrun adds and that only ask.
  static let tests: [Function] = [
    Function("present", [.any], .bool, Traits(asksOnly: true), .askPresence),
    Function("same", [.any, .any], .bool, Traits(), .askSameness),
  ]

  /// What it makes has no other letters than may stand in a segment of an address.
  private static func derivation(
    _ name: String, _ derivation: Origin.Derivation, _ traits: Traits = Traits(),
    _ mark: @escaping @Sendable (Text, Text) -> Text
  ) -> Function {
    var traits = traits
    (traits.freshness, traits.segment) = (.whole, .always)
    return Function(name, [.string], .string, traits) { arguments, range throws(EvaluationError) in
      let argument = try text(name, arguments[0], at: range)
      let result = Value.string(mark(try derivation.apply(.string(argument.unmarked()), at: range), argument))
      // A digest of a digest keeps both.
      if derivation == .s256, result.isTooLarge { throw .tooLarge(at: range) }
      return result
    }
  }
}

extension Value {
  /// What an optional holds, null for nothing; any other value itself.
  package var unwrapped: Value {
    if case .optional(let wrapped) = self { return wrapped?.unwrapped ?? .null }
    return self
  }

  /// Not null, not empty; looks inside optionals.
  package var isPresent: Bool {
    switch self {
    case .null, .optional(nil): false
    case .string(let text): !text.isEmpty
    case .list(let elements): !elements.isEmpty
    case .map(let map): !map.isEmpty
    case .optional(let wrapped?): wrapped.isPresent
    case .bool, .int, .double, .timestamp, .duration: true
    }
  }

  /// Both present and equal; looks inside optionals, and counts as `celEquals` does.
  func isSame(as other: Value, _ steps: inout Int) -> Bool {
    guard isOptional || other.isOptional else { return isPresent && celEquals(other, &steps) }
    return isPresent && unwrapped.celEquals(other.unwrapped, &steps)
  }
}
