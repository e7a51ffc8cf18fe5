import FlowSpec
import Testing

/// OpenID Connect Core, section 3.1.3.7: the `nonce` of an ID token is the one that was sent.
@Suite struct UnheldNonceTests {
  private static let unheld = ["weak-grant: is held against no ID token"]
  private static let made = #", {"set": {"got": "${fresh('n')}"}}"#

  private static func told(
    _ condition: String, isPushed: Bool = false, nonce: String = "${memory.got}", made: String = made,
    sets: String = "", lets: String = "", services: String = ""
  ) -> [String] {
    let does = sets.isEmpty ? "" : #""do": [{"set": {\#(sets)}}], "#
    return SignIn(
      isPushed: isPushed, state: #"${memory.state}", "nonce": "\#(nonce)"#, made: made,
      next: #"{"when": "\#(condition)", \#(does)"goto": "home"}, "#,
      lets: #""token": "isString(response.json.?id_token) ? claims(string(response.json.id_token)) : null"\#(lets)"#,
      services: services
    ).told
  }

  @Test(arguments: [false, true])
  func aNonceThatNoTokenIsHeldAgainstIsTold(isPushed: Bool) {
    for condition in [
      "isString(token.?sub)", "present(token.?nonce) && token.?aud.orValue('') == 'c'",
      "present(memory.got) && present(token.?nonce)", "claims(string(response.json.id_token)).?sub.orValue('') == 'x'",
    ] {
      #expect(Self.told(condition, isPushed: isPushed) == Self.unheld, "\(condition)")
    }
    let kept = Self.told(
      "isString(response.json.?id_token) && claims(memory.uri).?sub.orValue('') == 'x'", isPushed: isPushed,
      sets: #""uri": "${string(response.json.id_token)}""#)
    #expect(kept == Self.unheld)
    // What stands in for a nonce that is missing is held against itself.
    let missing = "isString(token.?sub) && token.?nonce.orValue(memory.got) == memory.got"
    #expect(Self.told(missing, isPushed: isPushed) == Self.unheld)
    // A key that keeps what it has is not held against anything by that.
    let keeps = #", {"set": {"got": "${present(memory.got) ? dyn(memory.got) : dyn(fresh('n'))}"}}"#
    #expect(
      Self.told("isString(token.?sub)", isPushed: isPushed, made: keeps).contains(Self.unheld[0]))
  }

  @Test(arguments: [false, true])
  func oneThatSomethingIsHeldAgainstIsNot(isPushed: Bool) {
    for condition in [
      "isString(token.?sub) && same(token.?nonce, memory.got)", "token.?nonce.orValue('') == memory.got", "good",
    ] {
      let lets = #", "good": "present(memory.got) && same(token.?nonce, memory.got)""#
      #expect(Self.told(condition, isPushed: isPushed, lets: lets) == [], "\(condition)")
    }
    let hashed = Self.told("same(token.?nonce, s256(memory.got))", isPushed: isPushed, nonce: "${s256(memory.got)}")
    #expect(hashed == [])
    // It is kept for a look elsewhere.
    #expect(Self.told("isString(token.?sub)", isPushed: isPushed, sets: #""uri": "${memory.got}""#) == [])
  }

  /// Number 13 there: who asks for a fresh sign-in looks when that was.
  @Test(arguments: [false, true])
  func aFreshSignInThatNobodyLooksAtIsTold(isPushed: Bool) {
    let nonce = #"${memory.got}", "max_age": "300"#
    let held = "same(token.?nonce, memory.got)"
    #expect(Self.told(held, isPushed: isPushed, nonce: nonce) == Self.unheld)
    let looked = held + " && isInt(token.?auth_time) && timestamp(int(token.auth_time)) > now - duration('5m')"
    #expect(Self.told(looked, isPushed: isPushed, nonce: nonce) == [])
    let lets = #", "fresh": "isInt(token.?auth_time)""#
    #expect(Self.told(held + " && fresh", isPushed: isPushed, nonce: nonce, lets: lets) == [])
    let other = held + " && response.json.?x_auth_time_y.orValue('') == ''"
    #expect(Self.told(other, isPushed: isPushed, nonce: nonce) == Self.unheld)
    // Who looks into no token leaves that to a server.
    #expect(Self.told("response.status == 200", isPushed: isPushed, nonce: nonce) == [])
  }

  /// What a server gives, that server can hold against the token.
  @Test func oneThatAServerGivesIsTheServersToHold() {
    for (parses, told) in [(#", "got": "${string(response.json.n)}""#, []), ("", Self.unheld)] {
      let signIn = SignIn(
        isPushed: true, state: #"${memory.state}", "nonce": "${memory.got}"#, made: Self.made, parses: parses,
        next: #"{"when": "isString(token.?sub)", "goto": "home"}, "#,
        lets: #""token": "isString(response.json.?id_token) ? claims(string(response.json.id_token)) : null""#)
      #expect(signIn.told == told)
    }
  }

  /// An app that never looks into an ID token has nothing to hold its nonce against.
  @Test(arguments: [
    "response.status == 200", "isString(response.json.?id_token)", "isString(response.json.?access_token)",
    "isString(claims(string(response.json.access_token)).?sub)",
  ]) func whoLooksIntoNoTokenIsNotTold(condition: String) {
    #expect(Self.told(condition) == [], "\(condition)")
  }
}
