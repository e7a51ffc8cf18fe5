import FlowSpec
import Testing

/// What is said of a launch with this condition that does this, to a key that is renewed later.
private func told(
  when: String = "present(store.old)", do actions: String = #"{"set": {"token": "${store.old}"}}"#,
  renewed: String = #"{"set": {"token": "${fresh('t')}"}}"#, also: String = "", first: String = ""
) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
     "store": {"old": {"type": "string", "secret": true}, "token": {"type": "string", "secret": true}},
     "events": {"user.renews": {}, "user.out": {}},
     "start": "launch", "states": {
       "launch": {"next": [\#(first){"when": "\#(when)", "do": [\#(actions)], "goto": "home"},
         {"when": "present(store.token)", "goto": "home"}, {"goto": "out"}]},
       "out": {"rest": true, "on": {"user.renews": {"do": [\#(renewed)], "goto": "home"}}},
       "home": {"goal": true, "on": {"user.out": {"do": [{"clear": ["token"]}\#(also)], "goto": "out"}}}}}
    """#
  ])
  return documents.told("repeated-migration").map(\.message)
}

/// What an earlier version has stored, and each launch takes over anew.
@Suite struct RepeatedMigrationTests {
  @Test func whatComesAgainAtEachLaunchIsTold() {
    #expect(told() == [#"each launch sets "token" to store.old again, which nothing takes out of the store"#])
  }

  @Test func whatIsClearedThereOrElsewhereIsNot() {
    #expect(told(do: #"{"set": {"token": "${store.old}", "old": null}}"#) == [])
    #expect(told(do: #"{"set": {"token": "${store.old}"}}, {"clear": ["old"]}"#) == [])
    #expect(told(also: #", {"clear": ["old"]}"#) == [])
  }

  @Test func whatAsksForTheNewKeyToo() {
    #expect(told(when: "present(store.old) && !present(store.token)") == [])
  }

  @Test func whatNothingSetsMeanwhileIsNot() {
    #expect(told(renewed: #"{"set": {"token": null}}"#) == [])
  }

  /// Who asks for the new key first takes it over once.
  @Test func whatStandsBehindTheNewKeyIsNot() {
    #expect(told(first: #"{"when": "present(store.token)", "goto": "home"}, "#) == [])
  }

  @Test func howItIsTakenOverDoesNotMatter() {
    #expect(told(do: #"{"set": {"token": "${string(store.old)}"}}"#).count == 1)
  }
}
