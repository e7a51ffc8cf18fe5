import FlowInterpreter
import Testing

/// A flow that tells what the device is, and a value that nobody can guess.
private func told(on device: FlowDevice = FlowDevice(), seed: String? = nil) async throws -> FlowFields? {
  let text = #"""
    {"flow": "telling", "participants": {"app": {"kind": "app"}, "device": {"kind": "device"}},
      "emits": {"told": {"native": {"type": "bool"}, "online": {"type": "bool"}, "platform": {"type": "string"},
        "fresh": {"type": "string"}}}, "memory": {"made": {"type": "string"}},
      "start": "telling", "states": {"telling": {"goal": true, "do": [{"set": {"made": "${fresh('f')}"}}, {"emit": {
        "told": {"native": "${device.native}", "online": "${device.online}", "platform": "${device.platform}",
          "fresh": "${memory.made}"}}}]}}}
    """#
  let flow = try CheckedFlow(at: "telling.json") { _ in Array(text.utf8) }
  let session = try FlowSession(flow, device: device, clock: ManualClock(), seed: seed)
  var told: FlowFields?
  _ = try await withRunning(session) { listener in
    try await listener.listen { output in
      if case .emitted("told", let fields) = output { told = fields }
      return told != nil
    }
  }
  return told
}

/// What a session is given of where it runs.
@Suite(.timeLimit(.minutes(20))) struct DeviceTests {
  @Test(arguments: [
    (FlowDevice(), true, true, "ios"), (FlowDevice(isNative: false), false, true, "ios"),
    (FlowDevice(isOnline: false), true, false, "ios"), (FlowDevice(platform: "android"), true, true, "android"),
  ])
  func theFlowReadsWhatTheAppSaysOfTheDevice(
    device: FlowDevice, isNative: Bool, isOnline: Bool, platform: String
  ) async throws {
    let fields = try await told(on: device)
    #expect(fields?.values["native"] == .bool(isNative) && fields?.values["online"] == .bool(isOnline))
    #expect(fields?.values["platform"] == .string(platform))
  }

  @Test func aSeedRepeatsASession() async throws {
    let first = try await told(seed: "one")
    #expect(try await first == told(seed: "one") && first != nil)
    let others = [try await told(seed: "two"), try await told(), try await told()]
    #expect(Set([first] + others).count == 4)
  }

  @Test func onlyTheClockOfTheSystemWaitsForWhatComesJustBehindASleep() {
    struct Still: SessionClock {
      let now = Duration.zero
      func sleep(until time: Duration) async throws {}
    }
    #expect(SystemClock().grace == .milliseconds(500))
    #expect(Still().grace == .zero && ManualClock().grace == .zero)
  }
}
