/// What a function is called with; nearly always it is one value, which needs no list around it.
struct Arguments: Sendable {
  private let first: Value
  private let others: [Value]

  init(_ first: Value, _ others: [Value] = []) { (self.first, self.others) = (first, others) }

  var count: Int { 1 + others.count }

  @inline(__always)
  subscript(index: Int) -> Value { index == 0 ? first : others[index - 1] }
}

/// A function of the profile: what it takes, what it gives, what it does.
struct Function: Sendable {
  typealias Body = @Sendable (Arguments, Range<Int>) throws(EvaluationError) -> Value

  let name: String
  /// For a method the first is what stands before the dot.
  let parameters: [Shape]
  /// How many of them must be given.
  let required: Int
  let result: ValueType
  let body: Body
  /// The conversion of which it tells whether it gives something; `nil` where it does anything else.
  let tested: Body?

  init(
    _ name: String, _ parameters: [Shape], required: Int? = nil, _ result: ValueType, tests tested: Body? = nil,
    _ body: @escaping Body
  ) {
    (self.name, self.parameters) = (name, parameters)
    self.required = required ?? parameters.count
    (self.result, self.tested, self.body) = (result, tested, body)
  }

  /// Called as `size(x)`.
  static let global: [String: Function] = table(conversions + conversionTests + [size] + encodings)
  /// All that is called so, what no table holds included.
  static let called = Set(global.keys).union(["has", "expired", "fresh", "newId"])
  /// Called as `x.size()`.
  static let methods: [String: Function] = table([size] + strings + accessors)

  private static func table(_ functions: [Function]) -> [String: Function] {
    Dictionary(functions.map { ($0.name, $0) }) { first, _ in first }
  }

  private static let size = Function("size", [[.string, .list, .map]], .int) {
    arguments, range throws(EvaluationError) in
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
