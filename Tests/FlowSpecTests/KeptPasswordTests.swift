import FlowSpec
import Testing

/// RFC 6749, section 4.3.1.
@Suite struct KeptPasswordTests {
  private static func told(_ sets: String) -> [String] {
    var documents = Documents(texts: [
      "x.json": #"""
      {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "store": {"kept": {"type": "string", "secret": true}, "kind": {"one of": ["a", "b"]}, "has": {"type": "bool", "initial": false},
          "people": {"rows": {"login": {"type": "string", "secret": true}}}},
        "memory": {"newPassword": {"type": "string", "secret": true}, "passwordProblem": {"type": "string"}},
        "events": {"user.enters": {"fields": {"password": {"type": "string", "secret": true},
          "passwordHint": {"type": "string"}, "usesPassword": {"type": "bool"}, "oneTimePassword": {"type": "string"}}}},
        "start": "a", "states": {"a": {"goal": true, "on": {"user.enters": {"do": [{"set": {\#(sets)}}]}}}}}
      """#
    ])
    let found = documents.flow("x.json").diagnostics.filter { $0.code == "kept-password" || $0.severity == .error }
    return found.map { "\($0.code): \($0.message.prefix { $0 != ":" })" }
  }

  @Test(arguments: [
    #""kept": "${event.password}""#, #""kept": "${event.?password}""#,
    #""kept": "${string(event.password)}""#, #""kept": "${event.?password.orValue('')}""#,
    #""kept": "${event.passwordHint}:${event.password}""#,
    #""kept": "${memory.newPassword}""#,
  ])
  func aPasswordThatIsStoredIsTold(sets: String) {
    #expect(Self.told(sets) == [#"kept-password: "kept" keeps a password"#])
  }

  @Test func soIsOneInARow() {
    for sets in [#""people['a'].login": "${event.password}""#, #""people['a']": {"login": "${event.password}"}"#] {
      #expect(Self.told(sets) == [#"kept-password: "login" keeps a password"#], "\(sets)")
    }
  }

  @Test(arguments: [
    #""newPassword": "${event.password}""#, #""kept": "${event.passwordHint}""#,
    #""kept": "${memory.passwordProblem}""#,
    #""kept": "${s256(event.password)}""#, #""has": "${event.usesPassword}""#, #""kept": "${event.oneTimePassword}""#,
    #""kind": "${event.password == 'x' ? 'a' : 'b'}""#,
  ])
  func whatIsNoneIsNot(sets: String) {
    #expect(Self.told(sets) == [])
  }
}
