/// A function of the profile: what it takes, what it gives, what it does.
struct Function: Sendable {
  typealias Body = @Sendable ([Value], Range<Int>) throws(EvaluationError) -> Value

  let name: String
  /// For a method the first is what stands before the dot.
  let parameters: [Shape]
  /// How many of them must be given.
  let required: Int
  let result: ValueType
  let body: Body

  init(
    _ name: String, _ parameters: [Shape], required: Int? = nil, _ result: ValueType, _ body: @escaping Body
  ) {
    (self.name, self.parameters) = (name, parameters)
    self.required = required ?? parameters.count
    (self.result, self.body) = (result, body)
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
      if text.isFresh { throw .looksIntoFresh("size", at: range) }
      return .int(Int64(text.string.unicodeScalars.count))
    case .list(let elements): return .int(Int64(elements.count))
    case .map(let map): return .int(Int64(map.count))
    default: throw .noOverload("size", arguments[0], at: range)
    }
  }
}
