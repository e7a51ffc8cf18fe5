import FlowInterpreter
import Testing

/// A setting always has a value.
@Suite struct ConfigTests {
  private static let values: [FlowValueType: String] = [
    .string: #""s""#, .bool: "true", .int: "1", .double: "0.5", .timestamp: #""2026-01-01T09:00:00Z""#,
    .duration: #""3d""#, .json: "1", .list: "[1]", .map: #"{"a": 1}"#,
  ]

  @Test(arguments: FlowValueType.allCases) func onlyOneOfAnyJSONMayBeNull(type: FlowValueType) throws {
    let value = try #require(Self.values[type])
    let text = """
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "config": {"c": {"type": "\(type)", "value": \(value)}}, "start": "a", "states": {"a": {"goal": true}}}
      """
    let flow = try CheckedFlow(at: "x.json") { _ in Array(text.utf8) }
    if type == .json {
      _ = try FlowSession(flow, config: ["c": .null])
    } else {
      #expect(throws: StartError.badConfig("c")) { try FlowSession(flow, config: ["c": .null]) }
    }
  }
}
