import JSONSyntax
import Testing

@testable import Expressions

/// CEL's own conformance cases, which stand beside the repository; without them it is skipped.
@Suite struct ConformanceTests {
  @Test(.enabled("the cases do not stand beside the repository") { ConformanceFile.read() != nil })
  func givesWhatTheSpecificationSays() throws {
    let document = try #require(ConformanceFile.read())
    guard case .array(let nodes) = try JSONParser.parse(document, as: .document).kind else {
      Issue.record("the cases are no array")
      return
    }
    for node in nodes { checkCase(ConformanceCase(Value(body: node))) }
    #expect(nodes.count > 1000)
  }

  private func checkCase(_ test: ConformanceCase) {
    guard let outcome = test.outcome() else { return }
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
  }
}
