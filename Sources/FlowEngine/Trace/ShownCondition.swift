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

  init(_ source: String, refs: [String] = [], readings: [(name: String, secret: String?)]) {
    (self.source, self.refs, self.readings) = (source, refs, readings)
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
    ShownCondition(
      condition.expression.source(hiding: compared), refs: condition.refs,
      readings: condition.expression.readings.map { ($0.name, members.name(inReading: $0.name)) })
  }
}
