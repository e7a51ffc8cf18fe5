import Expressions
import FlowSpec
import Testing

@testable import FlowEngine

/// The canary as it is, and as URLs, forms, base64, hexadecimal digits and JSON have it.
let canaryForms: [String] = {
  let bytes = Array(#"c4n4ry/+ "=ä"#.utf8)
  let encoded = base64URL(Array("c4n4ry".utf8))
  let hexadecimal = "c4n4ry".utf8.map { String($0, radix: 16) }.joined()
  // Base64 of a text around it depends on where it begins, so its three middles are looked for.
  let middles = [base64URL(bytes).prefix(14), "jNG40cnkv", "M0bjRyeS8"]
  return ["c4n4ry", "C4N4RY", "c4n", "4ry", encoded, hexadecimal, hexadecimal.uppercased(), "%63"]
    + middles.map { "\($0)" }
}()

/// Runs a sketch and looks for the canary in its whole trace, which it returns.
@discardableResult
func checkHidden(
  _ sketch: Sketch, _ scenario: String?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
  let flow = try sketch.load()
  let chosen = try scenario.map { try sketch.scenario($0, for: flow) }
  let outcome = Running.run(flow, scenario: chosen) { _ in nil }
  let problems = outcome.problems.map { "\($0.code): \($0.message)" }
  #expect(outcome.problems.isEmpty, "\(problems)", sourceLocation: sourceLocation)
  let bytes = TraceWriter.trace(of: outcome, scenario: chosen)
  let trace = String(decoding: bytes, as: UTF8.self)
  for line in trace.split(separator: "\n") {
    for form in canaryForms where line.contains(form) {
      Issue.record("\"\(form)\" stands in \(line)", sourceLocation: sourceLocation)
      break
    }
  }
  return trace
}
