import FlowSpec
import Testing

/// RFC 6749, section 3.1.2.
@Suite struct StrangeRedirectTests {
  static let elsewhere = ["unanswered-request: leads elsewhere"]

  @Test(arguments: ["https://app.example/cb", "https://app.example/callback/", "https://app.example/"])
  func anAddressOfTheWebThatIsNoneOfTheAppsIsTold(uri: String) {
    for isPushed in [false, true] { #expect(SignIn(isPushed: isPushed, uri: uri).told == Self.elsewhere, "\(uri)") }
    let redeems = #"""
      "form": {"grant_type": "authorization_code", "code_verifier": "${memory.verifier}", "redirect_uri": "\#(uri)"}
      """#
    #expect(SignIn(redeems: redeems).told == Self.elsewhere, "\(uri)")
    #expect(SignIn(redeems: redeems.replacing("authorization_code", with: "magic")).told == [], "\(uri)")
  }

  @Test(arguments: [
    // A query; a link; a server's; a relay of nobody here; what only a run knows.
    "https://app.example/callback?x=1", "https://app.example/in/x", "https://id.example/callback",
    "https://relay.example/back", "https://api.example/callback", "https://app.example/${memory.uri}",
    "HTTPS://app.example/callback",
  ]) func anotherIsNot(uri: String) { #expect(SignIn(uri: uri).told == [], "\(uri)") }

  /// A run compares addresses by what they say.
  @Test(arguments: [
    ("https://app.example/", "https://app.example"), ("https://app.example", "https://app.example/"),
    ("https://App.example/back", "https://app.example/back"),
    ("https://app.example/%62ack", "https://app.example/back"),
    ("https://app.example/back", "https://app.example/%62ack"), ("http://127.0.0.1:5123/", "http://127.0.0.1"),
    ("https://app.example/a/../back", "https://app.example/back"),
    ("https://app.example/back", "https://app.example/a/../back"),
  ]) func whatSaysTheSameIsNotTold(uri: String, own: String) {
    #expect(SignIn(uri: uri, own: own).told == [])
  }

  @Test(arguments: [
    ("https://app.example/cb", "https://app.example"), ("https://App.example/Back", "https://app.example/back"),
    ("https://app.example/%63ack", "https://app.example/back"), ("https://app.example//", "https://app.example"),
    ("https://app.example/in%2Fback", "https://app.example/in/back"),
  ]) func whatSaysSomethingElseIsTold(uri: String, own: String) {
    #expect(SignIn(uri: uri, own: own).told == Self.elsewhere)
  }

  @Test func anyPortOfThisMachineIsTheSame() {
    let own = "http://127.0.0.1/callback"
    #expect(SignIn(uri: "http://127.0.0.1:7777/callback", own: own).told == [])
    #expect(SignIn(uri: "http://127.0.0.1:7777/cb", own: own).told == Self.elsewhere)
  }

  /// It may have any address.
  @Test func whereAServiceHasNoAddressNothingIsTold() {
    #expect(
      SignIn(uri: "https://app.example/cb", services: #""api": {"kind": "service", "model": "api.json"}, "#).told == [])
  }
}
