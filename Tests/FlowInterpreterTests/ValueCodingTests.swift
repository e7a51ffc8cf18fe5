import FlowInterpreter
import Foundation
import Testing

/// Values as JSON.
struct ValueCodingTests {
  private func written(_ value: FlowValue) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read(_ json: String) throws -> FlowValue {
    try JSONDecoder().decode(FlowValue.self, from: Data(json.utf8))
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let value: FlowValue = [
      "none": .null, "yes": true, "one": 1, "low": .int(.min), "half": 0.5, "word": "é \"1\"", "list": ["a", [], 2],
      "map": ["a": ["b": nil]],
    ]
    let json =
      #"{"half":0.5,"list":["a",[],2],"low":-9223372036854775808,"map":{"a":{"b":null}},"#
      + #""none":null,"one":1,"word":"é \"1\"","yes":true}"#
    #expect(try written(value) == json)
    #expect(try read(json) == value)
  }

  @Test func aNumberIsWholeWhereItCanBe() throws {
    #expect(try read("1.0") == 1)
    #expect(try read("1e3") == 1000)
    #expect(try read("9223372036854775808") == .double(9_223_372_036_854_775_808))
    #expect(try read("-0.5") == .double(-0.5))
  }

  @Test func timesAreTheTextThatAFlowTakes() async throws {
    let time = FlowValue.instant(.seconds(1_700_000_000) + .milliseconds(5))
    #expect(try written(time) == #""2023-11-14T22:13:20.005Z""#)
    #expect(try written(.duration(.seconds(90))) == #""90s""#)
    let flow = #"""
      {"flow": "times", "participants": {"app": {"kind": "app"}},
        "config": {"from": {"type": "timestamp", "value": "2020-01-01T00:00:00Z"}, "wait": {"type": "duration", "value": "1s"}},
        "store": {"from": {"type": "timestamp"}, "wait": {"type": "duration"}}, "start": "begin",
        "states": {"begin": {"next": [{"do": [{"set": {"from": "${config.from}", "wait": "${config.wait}"}}],
          "end": "done"}]}}}
      """#
    let checked = try CheckedFlow(at: "times.json") { $0 == "times.json" ? Array(flow.utf8) : nil }
    let config = try ["from": read(written(time)), "wait": read(#""90s""#)]
    let session = try FlowSession(checked, clock: ManualClock(), config: config)
    #expect(try await session.run() == "done")
    #expect(try await session.store.fields(of: checked) == ["from": time, "wait": .duration(.seconds(90))])
  }

  @Test func whatJSONHasNotIsAnError() {
    #expect(throws: EncodingError.self) { try written(.double(.infinity)) }
    #expect(throws: EncodingError.self) { try written([.instant(.seconds(1 << 60))]) }
  }
}
