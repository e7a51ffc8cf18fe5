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
  /// The source without what stands beside some of the readings too; `nil` where nothing is written out.
  private let hiding: (@Sendable (_ read: [String]) -> String)?

  init(
    _ source: String, refs: [String] = [], readings: [(name: String, secret: String?)],
    hiding: (@Sendable (_ read: [String]) -> String)? = nil
  ) {
    (self.source, self.refs, self.readings, self.hiding) = (source, refs, readings, hiding)
  }

  /// The source as it is shown where this was read: a secret need not be known by its name.
  func source(reading values: ArraySlice<Value?>) -> String {
    guard let hiding else { return source }
    let secret = zip(readings, values).filter { $1?.holdsSecret == true }.map(\.0.name)
    return secret.isEmpty ? source : hiding(secret)
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
    let hiding = { @Sendable [compared] (read: [String]) in expression.source(hiding: compared, read: read) }
    return ShownCondition(
      expression.source(hiding: compared), refs: condition.refs,
      readings: expression.readings.map { (name: $0.name, secret: members.name(inReading: $0.name)) },
      hiding: expression.writesOut ? hiding : nil)
  }
}
