/// What a function is called with; most take one value or two, for which nothing is allocated.
struct Arguments: Sendable {
  private let first: Value
  private var second: Value?
  private var others: [Value] = []

  init(_ first: Value) { self.first = first }

  var count: Int { second == nil ? 1 : 2 + others.count }

  subscript(index: Int) -> Value {
    if index == 0 { return first }
    if index == 1, let second { return second }
    return others[index - 2]
  }

  mutating func append(_ value: Value) {
    if second == nil { second = value } else { others.append(value) }
  }
}
