import FlowSpec
import Testing

/// What is said of an app that is unlocked with this behind what the device tells, and the place that is told of, too.
private func told(next: String) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "device": {"kind": "device", "capabilities": {"unlock": {"result": {"proof": {"type": "string"}},
        "example": {"proof": "p"}, "failures": ["cancelled", "lockedOut"]}}}},
      "events": {"user.tries": {}}, "memory": {"why": {"type": "string"}, "wanted": {"type": "bool", "initial": true}},
      "let": {"failed": "result.failure != null", "refused": "result.failure == 'cancelled'"},
      "start": "locked", "states": {
        "locked": {"rest": true, "on": {"user.tries": {"goto": "unlocking"}}},
        "unlocking": {"perform": "unlock", "next": [
          \#(next)]},
        "home": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "unhandled-failure" || $0.severity == .error }
    .map { "\($0.message), \($0.labels.last?.text ?? "")" }
}

/// A failure of the device is one that `next` does not tell from success.
@Suite struct UnhandledFailureTests {
  private static let lockedOut =
    "\"unlock\" may fail with \"lockedOut\", and the app goes on as if it had not, is taken then, too"
  private static let cancelled = lockedOut.replacing("lockedOut", with: "cancelled")

  @Test(arguments: [
    "result.failure != 'cancelled'", "!refused", "!(result.failure == 'cancelled')",
    "result.failure != 'cancelled' || memory.wanted", "result.failure == null || result.failure != 'cancelled'",
    "result.failure in [null, 'cancelled'] || true",
  ])
  func aFailureThatGoesWhereSuccessGoesIsTold(when: String) {
    let others = #"{"when": "result.failure == 'lockedOut'", "goto": "locked"}, {"goto": "locked"}"#
    #expect(told(next: #"{"when": "\#(when)", "goto": "home"}, \#(others)"#) == [Self.lockedOut])
  }

  @Test func aFailureThatNobodyAsksForIsTold() {
    let both = Self.lockedOut.replacing("\"lockedOut\"", with: "\"cancelled\" or \"lockedOut\"")
    #expect(told(next: #"{"goto": "home"}"#) == [both])
    #expect(told(next: #"{"when": "memory.wanted", "goto": "home"}, {"goto": "locked"}"#) == [both])
    #expect(told(next: #"{"when": "refused", "goto": "locked"}, {"goto": "home"}"#) == [Self.lockedOut])
    let all = #"{"when": {"all": ["refused", "memory.wanted"]}, "goto": "locked"}, {"goto": "home"}"#
    #expect(told(next: all) == [Self.lockedOut])
  }

  @Test(arguments: [
    #""when": "result.failure == null""#, #""when": "!failed && memory.wanted""#,
    #""when": "present(result.proof)""#, #""when": {"not": "failed"}"#,
    #""when": {"any": ["result.failure in ['cancelled', 'lockedOut']", "failed"]}"#,
    // Who names it means it so.
    #""when": "result.failure in [null, 'cancelled', 'lockedOut']""#,
    #""when": "result.failure != 'cancelled' && result.failure != 'lockedOut'""#,
  ])
  func aFailureThatMayBeToldFromSuccessIsNot(when: String) {
    #expect(told(next: #"{\#(when), "goto": "home"}, {"goto": "locked"}"#) == [])
  }

  @Test func aFailureThatIsHandedOnIsNot() {
    let kept = #"{"do": [{"set": {"why": "${result.failure}"}}], "goto": "home"}"#
    #expect(told(next: kept) == [])
    // It is kept where nobody comes with it.
    let elsewhere = #"{"when": "result.failure != 'cancelled'", "goto": "home"}, "# + kept
    #expect(told(next: elsewhere) == [Self.lockedOut])
  }
}
