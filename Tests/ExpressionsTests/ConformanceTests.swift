import Foundation
import JSONSyntax
import Testing

@testable import Expressions

/// CEL's own conformance cases: `Tests/Vectors/cel.json`.
@Suite struct ConformanceTests {
  @Test func givesWhatTheSpecificationSays() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../Vectors/cel.json")
    guard case .array(let nodes) = try JSONParser.parse(Array(Data(contentsOf: file)), as: .document).kind else {
      Issue.record("the cases are no array")
      return
    }
    #expect(nodes.count == 1044)
    let compared = nodes.count { checkCase(ConformanceCase(Value(body: $0))) }
    #expect(compared == 1030)
  }

  /// Whether the language has what the case needs.
  private func checkCase(_ test: ConformanceCase) -> Bool {
    guard let outcome = test.outcome() else { return false }
    switch (outcome, test.expected) {
    case (.value(let value), .value(let expected)):
      #expect(test.isSame(value, expected), "\(test.id): \(test.expression)")
    case (.value, .error): Issue.record("\(test.id) has a value, and should fail: \(test.expression)")
    case (.problem(let problem), .value) where test.isInProfile:
      Issue.record("\(test.id): \(test.expression) fails: \(problem.code), \(problem.message)")
    case (.problem(let problem), .value):
      let says = ["outside-profile", "unknown-function", "unknown-name", "type-mismatch"].contains(problem.code)
      #expect(says, "\(test.id): \(test.expression) fails: \(problem.code), \(problem.message)")
    case (.problem, .error), (_, .type): break
    }
    return true
  }
}
