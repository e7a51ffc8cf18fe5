import FlowSpec
import Testing

/// What is said of a sign-in and a refresh, which are taken where these hold and keep this of the ID token.
private func told(
  verified: String = "claims(response.json.id_token).?email_verified.orValue(false) == true", lets: String = "",
  refreshed: String = "present(response.json.?id_token)",
  keeps: String = #""email": "${string(claims(response.json.id_token).email)}""#, grant: String = "refresh_token",
  asked: String = #""json": {}"#
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
       "id": {"kind": "service", "url": "https://id.example"}},
     "store": {"refresh": {"type": "string", "secret": true}, "sub": {"type": "string"}, "email": {"type": "string"}},
     "let": {"idToken": "claims(response.json.id_token)"\#(lets)},
     "events": {"user.in": {"fields": {"code": {"type": "string", "secret": true}}}},
     "start": "out", "states": {
       "out": {"rest": true, "on": {"user.in": {"goto": "signingIn"}}},
       "signingIn": {"request": {"to": "id", "post": "/in", \#(asked)}, "next": [
         {"when": "response.status == 200 && \#(verified)",
           "do": [{"set": {"refresh": "${string(response.json.refresh_token)}", "sub": "${string(idToken.sub)}"}}], "goto": "home"},
         {"goto": "out"}]},
       "home": {"goal": true, "after": [{"wait": "1h", "goto": "refreshing"}]},
       "refreshing": {"request": {"to": "id", "post": "/token", "form": {"grant_type": "\#(grant)", "refresh_token": "${store.refresh}"}}, "next": [
         {"when": "response.status == 200 && \#(refreshed)", "do": [{"set": {"refresh": "${string(response.json.refresh_token)}", \#(keeps)}}], "goto": "home"},
         {"when": "response.status in [400, 401]", "do": [{"clear": ["refresh", "sub", "email"]}], "goto": "out"}, {"goto": "home"}]}}}
    """#
  ])
  return documents.told("weak-grant").map { ($0.severity == .remark ? "remark: " : "") + $0.labels[0].text }
}

/// Claims that count though nothing vouches for them.
@Suite struct UnheldClaimTests {
  @Test func whatIsVerifiedWhereNobodySaysSoIsTold() {
    let missing = "claims(response.json.id_token).?email_verified.orValue(true)"
    #expect(told(verified: missing, refreshed: Self.same) == [#"is so without a "email_verified""#])
    #expect(
      told(
        verified: "phoneKnown", lets: #", "phoneKnown": "idToken.?phone_number_verified.orValue(true) == true""#,
        refreshed: Self.same) == [#"is so without a "phone_number_verified""#])
    #expect(told(verified: "idToken.?admin.orValue(true)", refreshed: Self.same) == [])
    #expect(told(refreshed: Self.same) == [])
  }

  private static let same = "same(idToken.?sub, store.sub)"

  @Test func whoIsRenewedIsHeldAgainstWhoSignedIn() {
    #expect(told() == [#"does not look at the "sub""#])
    #expect(told(lets: #", "stillTheSame": "same(idToken.?sub, store.sub)""#, refreshed: "stillTheSame") == [])
    #expect(told(refreshed: "idToken.sub == store.sub") == [])
    // Words that only have it in them ask for something else.
    #expect(told(refreshed: "present(response.json.?subject)") == [#"does not look at the "sub""#])
  }

  @Test func whatKeepsNothingOfItOrIsNoRefreshIsNot() {
    #expect(told(keeps: #""email": "ada@mail.example""#) == [])
    #expect(told(grant: "urn:example:exchange") == [])
  }

  @Test func howAClaimIsReadDoesNotMatter() {
    let missing = "idToken[?'email_verified'].orValue( true )"
    #expect(told(verified: missing, refreshed: Self.same) == [#"is so without a "email_verified""#])
  }

  /// Who takes a missing claim for the worse is careful.
  @Test(arguments: ["!idToken.?email_unverified.orValue(true)", "!idToken.?must_be_verified.orValue(true)"])
  func whatIsTakenForTheWorseIsNot(verified: String) { #expect(told(verified: verified, refreshed: Self.same) == []) }

  @Test func whatLooksWhereItKeepsIsNot() {
    #expect(told(keeps: #""email": "${same(idToken.?sub, store.sub) ? string(idToken.email) : store.email}""#) == [])
  }

  @Test func aTokenThatMayBeOfOthersIsTold() {
    let code = #""form": {"grant_type": "authorization_code", "code": "c"}"#
    #expect(told(refreshed: Self.same, asked: code) == ["keeps what it says"])
    let issued = "idToken.?iss.orValue('') == 'https://id.example' && idToken.?aud.orValue('') == 'app'"
    #expect(told(verified: issued, refreshed: Self.same, asked: code) == ["remark: keeps what it says"])
    let current = #", "isCurrent": "isInt(idToken.?exp) && timestamp(int(idToken.exp)) > now""#
    #expect(told(verified: issued + " && isCurrent", lets: current, refreshed: Self.same, asked: code) == [])
    #expect(told(refreshed: Self.same) == [])
  }
}
