import Expressions
import FlowSpec

/// What traces show of a condition, whatever it comes to.
package final class ShownCondition: Sendable {
  /// Without the values that are written out in it beside a secret.
  package let source: String
  /// Of the lets that it uses.
  let refs: [String]
  /// What it reads, and under which name numbers in that are secret; `nil` for none.
  package let readings: [(name: String, secret: String?)]
  /// By which of the readings something is written out, and the source without what is written out by some of them.
  private let hiding: Hiding?

  typealias Hiding = (isBeside: [Bool], source: @Sendable (_ read: [String]) -> String)

  init(
    _ source: String, refs: [String] = [], readings: [(name: String, secret: String?)], hiding: Hiding? = nil
  ) {
    (self.source, self.refs, self.readings, self.hiding) = (source, refs, readings, hiding)
  }

  /// The source as it is shown where this was read: a secret need not be known by its name.
  func source(reading values: ArraySlice<Value?>) -> String {
    guard let hiding else { return source }
    var secret: [String] = []
    for index in readings.indices where hiding.isBeside[index] {
      if values[values.startIndex + index]?.holdsSecret == true { secret.append(readings[index].name) }
    }
    return secret.isEmpty ? source : hiding.source(secret)
  }
}

/// Those of a flow: its runs decide the same ones over and over, so each is made ready once.
struct ShownConditions: Sendable {
  private let compared: ComparedSecrets
  /// Under which JSON is secret.
  private let members: Names
  /// By where the condition stands in memory, which the flow holds.
  private var known: [Int: ShownCondition] = [:]

  init(of flow: Flow?, members: Names) {
    compared = flow?.comparedSecrets ?? ComparedSecrets([])
    self.members = members
    let conditions = flow?.decidingConditions ?? []
    known.reserveCapacity(conditions.count)
    for condition in conditions { known[Self.place(of: condition)] = shown(condition) }
  }

  subscript(condition: PlacedExpression) -> ShownCondition {
    known[Self.place(of: condition)] ?? shown(condition)
  }

  private static func place(of condition: PlacedExpression) -> Int { Int(bitPattern: ObjectIdentifier(condition)) }

  private func shown(_ condition: PlacedExpression) -> ShownCondition {
    let expression = condition.expression
    let isBeside = expression.readings.map { expression.writesOut(beside: $0.name) }
    let hiding = { @Sendable [compared] (read: [String]) in expression.source(hiding: compared, read: read) }
    return ShownCondition(
      expression.source(hiding: compared), refs: condition.refs,
      readings: expression.readings.map { (name: $0.name, secret: members.name(inReading: $0.name)) },
      hiding: isBeside.contains(true) ? (isBeside, hiding) : nil)
  }
}
