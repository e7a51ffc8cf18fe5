/// What a function is called with; nearly always it is one value, which needs no list around it.
struct Arguments: Sendable {
  private let first: Value
  private let others: [Value]

  init(_ first: Value, _ others: [Value] = []) { (self.first, self.others) = (first, others) }

  var count: Int { 1 + others.count }

  @inline(__always)
  subscript(index: Int) -> Value { index == 0 ? first : others[index - 1] }
}

/// A function of the profile: what it takes, what it gives, what it does, and what is known of its calls.
struct Function: Sendable {
  typealias Body = @Sendable (Arguments, Range<Int>) throws(EvaluationError) -> Value

  /// What a call does; what only asks has no body of its own, as no value is made for it.
  enum Work: Sendable {
    case make(Body)
    /// Asks whether something is there.
    case askPresence
    /// Asks whether two are there and equal.
    case askSameness
    /// Asks whether a conversion gives something.
    case askConversion(Body)
  }

  let name: String
  /// For a method the first is what stands before the dot.
  let parameters: [Shape]
  /// How many of them must be given.
  let required: Int
  let result: ValueType
  let traits: Traits
  let work: Work

  init(
    _ name: String, _ parameters: [Shape], required: Int? = nil, _ result: ValueType, _ traits: Traits = Traits(),
    _ work: Work
  ) {
    (self.name, self.parameters) = (name, parameters)
    self.required = required ?? parameters.count
    (self.result, self.traits, self.work) = (result, traits, work)
  }

  init(
    _ name: String, _ parameters: [Shape], required: Int? = nil, _ result: ValueType, _ traits: Traits = Traits(),
    _ body: @escaping Body
  ) {
    self.init(name, parameters, required: required, result, traits, .make(body))
  }

  /// Called as `size(x)`.
  static let global: [String: Function] = table(conversions + conversionTests + [size] + encodings + tests)
  /// All that is called so, what no table holds included.
  static let called = Set(global.keys).union(Form.allCases.map(\.rawValue))
  /// Called as `x.size()`.
  static let methods: [String: Function] = table([size] + strings + accessors)

  private static func table(_ functions: [Function]) -> [String: Function] {
    Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }
  }

  private static let size = Function(
    "size", [[.string, .list, .map]], .int, Traits(looks: .intoFirst, asksOnly: true)
  ) { arguments, range throws(EvaluationError) in
    switch arguments[0] {
    case .string(let text):
      if text.hasOrigin { throw .looksIntoFresh("size", at: range) }
      return .int(Int64(text.string.unicodeScalars.count))
    case .list(let elements): return .int(Int64(elements.count))
    case .map(let map): return .int(Int64(map.count))
    default: throw .noOverload("size", arguments[0], at: range)
    }
  }
}

extension Function {
  /// What is called as a function and compiled by itself: it takes no values as they come, or needs more than these.
  enum Form: String, CaseIterable {
    case has
    case expired
    case fresh
    case newId

    /// Whether each call makes another value.
    var makesAnew: Bool {
      switch self {
      case .fresh, .newId: true
      case .has, .expired: false
      }
    }
  }
}
