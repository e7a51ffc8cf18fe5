import FlowSpec
import Testing

/// RFC 7636, section 4.5.
@Suite struct UnsentVerifierTests {
  static let unsent = ["weak-grant: stands for a verifier that is never sent"]

  @Test(arguments: [false, true])
  func aVerifierThatNothingSendsIsTold(isPushed: Bool) {
    for body in [#""form": {"grant_type": "authorization_code"}"#, #""json": {"code": "${memory.code}"}"#] {
      #expect(SignIn(isPushed: isPushed, redeems: body).told == Self.unsent, "\(body)")
    }
    let sent = #""form": {"grant_type": "authorization_code"}"#
    let kept = #", {"set": {"challenge": "${s256(memory.verifier)}"}}"#
    let byKey = SignIn(isPushed: isPushed, challenge: "${memory.challenge}", redeems: sent, made: kept)
    #expect(byKey.told == Self.unsent)
    // Nothing comes of the code here.
    let passed = #"{"when": "present(event.code)", "goto": "redeeming"}"#
    let other = SignIn(isPushed: isPushed, heard: [SignIn.isOurs, passed], redeems: sent)
    #expect(other.told == [])
  }

  @Test(arguments: [
    #""form": {"verifier": "${memory.verifier}"}"#, #""text": "v=${memory.verifier}""#,
    #""json": {"proof": {"code_verifier": "x-${memory.uri}"}}"#, #""json": ["${memory.verifier}"]"#,
    #""query": {"code_verifier": "${memory.uri}"}"#, #""headers": {"x-verifier": "${memory.verifier}"}"#,
  ]) func oneThatMayBeSentIsNot(redeems: String) {
    #expect(SignIn(redeems: redeems).told == [], "\(redeems)")
  }

  /// A server that has made the challenge, or the verifier, has that.
  @Test func aChallengeOfAnotherIsNot() {
    let sent = #""form": {"grant_type": "authorization_code"}"#
    #expect(SignIn(challenge: "${memory.uri}", redeems: sent).told == [])
    let pushed = SignIn(isPushed: true, redeems: sent, parses: #", "verifier": "${string(response.json.request_uri)}""#)
    #expect(pushed.told == [])
    let both = #", {"set": {"challenge": "${s256(memory.verifier)}"}}, {"set": {"challenge": "${memory.uri}"}}"#
    #expect(SignIn(challenge: "${memory.challenge}", redeems: sent, made: both).told == [])
  }

  /// The help says what to send: of a row the field, and nothing that is not there then.
  @Test func theVerifierIsQuoted() {
    func help(_ challenge: String, _ made: String) -> String? {
      let sent = #""form": {"grant_type": "authorization_code"}"#
      let found = SignIn(challenge: challenge, redeems: sent, made: made).diagnostics.filter { $0.code == "weak-grant" }
      return found.first { $0.labels.first?.text == "stands for a verifier that is never sent" }?.help
    }
    let row = #", {"set": {"asked[memory.state]": {"at": "${now}", "v": "${fresh('w')}"}}}"#
    let says = #"send it with the code, as "code_verifier""#
    #expect(help("${s256(memory.verifier)}", "") == says + #": "${memory.verifier}" (RFC 7636, section 4.5)"#)
    #expect(
      help("${s256(store.asked[memory.state].v)}", row)
        == says + #": "${store.asked[memory.state].v}" (RFC 7636, section 4.5)"#)
  }
}
