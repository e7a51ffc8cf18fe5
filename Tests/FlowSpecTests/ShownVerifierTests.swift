import FlowSpec
import Testing

/// RFC 7636, section 7.1: a verifier that stands in the address is none.
@Suite struct ShownVerifierTests {
  private static let shown = ["weak-grant: is made of what stands there"]
  private static func sends(_ verifier: String) -> String {
    #""form": {"grant_type": "authorization_code", "code_verifier": "${\#(verifier)}"}"#
  }

  @Test(arguments: [false, true])
  func aVerifierThatIsTheStateIsTold(isPushed: Bool) {
    let alone = SignIn(isPushed: isPushed, challenge: "${s256(memory.state)}", redeems: Self.sends("memory.state"))
    #expect(alone.told == Self.shown)
    // It shows through what stands around it, in a copy either way, and in what is made of it.
    let longer = SignIn(
      isPushed: isPushed, state: "s-${memory.state}", challenge: "${s256(memory.state)}",
      redeems: Self.sends("memory.state"))
    #expect(longer.told == Self.shown)
    for made in [
      "memory.state", "s256(memory.state)", "memory.state + '-v'", "present(memory.got) ? memory.got : memory.state",
    ] {
      let kept = SignIn(
        isPushed: isPushed, challenge: "${s256(memory.got)}", redeems: Self.sends("memory.got"),
        made: #", {"set": {"got": "${\#(made)}"}}"#)
      #expect(kept.told == Self.shown, "\(made)")
    }
    let copied = SignIn(
      isPushed: isPushed, state: "${memory.got}", redeems: Self.sends("memory.verifier"),
      made: #", {"set": {"got": "${memory.verifier}"}}"#)
    #expect(copied.told.filter { $0.hasSuffix("there") } == Self.shown)
    for verifier in ["memory.state + '-v'", "s256(memory.state)"] {
      let made = SignIn(isPushed: isPushed, challenge: "${s256(\(verifier))}", redeems: Self.sends(verifier))
      #expect(made.told == Self.shown, "\(verifier)")
    }
    let hash = #", {"set": {"challenge": "${s256(memory.state)}"}}"#
    let byKey = SignIn(
      isPushed: isPushed, challenge: "${memory.challenge}", redeems: Self.sends("memory.state"), made: hash)
    #expect(byKey.told == Self.shown)
  }

  /// What is pushed is in no address, but for the `state`, which comes back there.
  @Test func aVerifierThatIsTheNonceIsTold() {
    func told(isPushed: Bool, nonce: String = "memory.verifier") -> [String] {
      SignIn(isPushed: isPushed, state: #"${memory.state}", "nonce": "${\#(nonce)}"#).told
        .filter { $0 != "secret-in-url: is secret" }
    }
    #expect(told(isPushed: false) == Self.shown)
    #expect(told(isPushed: true) == [])
    #expect(told(isPushed: false, nonce: "memory.uri") == [])
  }

  /// Nobody makes the verifier of its hash, nor of a key that holds something else, too.
  @Test func aVerifierOfItsOwnIsNot() {
    let sends = Self.sends("memory.verifier")
    #expect(SignIn(redeems: sends).told == [])
    let hash = #", {"set": {"challenge": "${s256(memory.verifier)}"}}"#
    #expect(SignIn(challenge: "${memory.challenge}", redeems: sends, made: hash).told == [])
    let asState = SignIn(
      heard: [#"{"when": "!same(event.state, memory.challenge)"}"#, SignIn.takes], state: "${memory.challenge}",
      challenge: "${memory.challenge}", redeems: sends, made: hash)
    #expect(asState.told == [])
    let mixed = #", {"set": {"got": "${memory.state + memory.verifier}"}}"#
    #expect(SignIn(challenge: "${s256(memory.got)}", redeems: Self.sends("memory.got"), made: mixed).told == [])
    let other = #", {"set": {"got": "${memory.state}"}}, {"set": {"got": "${fresh('w')}"}}"#
    #expect(SignIn(challenge: "${s256(memory.got)}", redeems: Self.sends("memory.got"), made: other).told == [])
    let anew = #", {"set": {"got": "${present(memory.state) ? dyn(fresh('w')) : dyn(memory.state)}"}}"#
    #expect(SignIn(challenge: "${s256(memory.got)}", redeems: Self.sends("memory.got"), made: anew).told == [])
  }

  /// Another field of the same row is another value.
  @Test func aRowHasBothByThemselves() {
    let row = #", {"set": {"asked[memory.code]": {"at": "${now}", "v": "${fresh('w')}"}}}"#
    func told(_ field: String) -> [String] {
      SignIn(
        state: "\(field)-${memory.state}", challenge: "${s256(store.asked[memory.code].v)}",
        redeems: Self.sends("store.asked[memory.code].v"), made: row
      ).told.filter { $0.hasSuffix("there") }
    }
    #expect(told("${string(store.asked[memory.code].at)}") == [])
    #expect(told("${store.asked[memory.code].v}") == Self.shown)
  }
}
