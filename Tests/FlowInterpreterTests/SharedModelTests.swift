import FlowInterpreter
import Testing

/// Two participants with one model, of which one is live.
@Suite struct SharedModelTests {
  @Test func aModelThatNamesItselfLeadsToNoOtherParticipantOfIt() throws {
    let model = #"""
      {"service": "gate", "routes": [
        {"on": "GET /p", "next": [{"reply": {"page": {"title": "P", "links": {"on": {"to": "gate", "get": "/p"}}}}}]}]}
      """#
    let flow = try CheckedFlow(at: "two.json") { path in
      Array((path == "two.json" ? Self.twoOfOneModel : model).utf8)
    }
    _ = try FlowSession(flow, live: LiveServices(["first"], through: ScriptedAdapter()), clock: ManualClock())
  }

  private static let twoOfOneModel = #"""
    {"flow": "two", "participants": {"app": {"kind": "app"}, "browser": {"kind": "browser"},
        "first": {"kind": "service", "url": "https://first.example", "model": "gate.json"},
        "second": {"kind": "service", "url": "https://second.example", "model": "gate.json"}},
      "start": "ask", "states": {
        "ask": {"request": {"to": "first", "get": "/p"}, "next": [{"goto": "open"}]},
        "open": {"goal": true, "do": [{"open": {"to": "second", "get": "/p"}}]}}}
    """#
}
