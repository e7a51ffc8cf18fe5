import FlowInterpreter
import Testing

/// What an app makes itself of what a session would tell it, for previews and tests of its views.
struct PreviewTests {
  @Test func aValueIsTakenOutAsWhatItIs() {
    let values: [FlowValue] = [
      "text", true, 7, 0.5, .instant(.seconds(1)), .duration(.seconds(2)), ["a"], ["b": 1], .null,
    ]
    #expect(values.compactMap(\.string) == ["text"])
    #expect(values.compactMap(\.bool) == [true])
    #expect(values.compactMap(\.int) == [7])
    #expect(values.compactMap(\.double) == [0.5])
    #expect(values.compactMap(\.instant) == [.seconds(1)])
    #expect(values.compactMap(\.duration) == [.seconds(2)])
    #expect(values.compactMap(\.list) == [["a"]])
    #expect(values.compactMap(\.map) == [["b": 1]])
  }

  @Test(arguments: FlowValueType.allCases) func anOfferHasWhatItWasMadeOf(type: FlowValueType) {
    let pin = FlowOffer.Field(name: "pin", title: "PIN", type: type, isSecret: true, example: "c4nary")
    #expect(pin.name == "pin" && pin.title == "PIN" && pin.type == type && pin.isSecret && pin.example == "c4nary")
    let size = FlowOffer.Field(name: "size", allowed: ["S", "L"])
    #expect(size.type == .string && size.allowed == ["S", "L"] && !size.isSecret && size.example == .null)
    let offer = FlowOffer(act: .event("user.signsIn"), title: "signs in", fields: [pin, size])
    #expect(offer.act == .event("user.signsIn") && offer.title == "signs in" && offer.fields == [pin, size])
  }

  @Test func whatIsSecretAmongFieldsIsHidden() {
    let fields = FlowFields(["pin": "c4nary", "name": "Ada"], secrets: ["pin"])
    #expect("\(fields)".contains("Ada") && !"\(fields)".contains("c4nary"))
    #expect(fields["pin"]?.string == "c4nary" && fields.secrets == ["pin"])
  }

  @Test func anErrorOfOnesOwnSaysWhatItWasMadeOf() {
    let diagnostic = FlowDiagnostic(
      code: "missing-member", message: "the answer has no \"token\"", path: "flows/a.json", line: 3, column: 7,
      help: "ask for it")
    #expect(diagnostic.severity == .error && diagnostic.path == "flows/a.json")
    #expect(diagnostic.line == 3 && diagnostic.column == 7 && diagnostic.help == "ask for it")
    let text = "error[missing-member]: the answer has no \"token\"\n= help: ask for it\n\n"
    #expect(diagnostic.description == text)
    let error = RunError(diagnostic)
    #expect(error.diagnostic == diagnostic && error.description == text)
    let remark = FlowDiagnostic(code: "unused-key", severity: .remark, message: "nobody reads it")
    let invalid = InvalidFlow([diagnostic, remark])
    #expect(invalid.diagnostics == [diagnostic, remark])
    #expect(invalid.description == text + "remark[unused-key]: nobody reads it\n\n")
  }

  @Test func anAskOfOnesOwnIsThatOfNoSession() async throws {
    let ask = FlowAsk()
    #expect(ask == ask && ask != FlowAsk())
    let session = try FlowSession(Journey.checked(), device: FlowDevice(isLive: true), clock: ManualClock())
    _ = try await withRunning(session) { listener in
      try await session.arrive(at: "https://app.example/welcome/t")
      try await listener.state("ready")
      try await session.person(.event("user.signs"))
      try await listener.listen { if case .asked = $0 { true } else { false } }
      await #expect(throws: InputError.nothingAsked) { try await session.performed(for: ask) }
    }
  }
}
