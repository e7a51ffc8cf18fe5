import FlowSpec
import Testing

/// What is said of a sign-out that does this, with lists that remember what is to be revoked.
private func told(_ actions: String, also: String = "") -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
     "store": {"token": {"type": "string", "secret": true, "group": "session"}, "old": {"type": "string", "secret": true}},
     "memory": {"why": {"type": "string"}},
     "events": {"user.in": {}, "user.out": {}, "user.forgets": {}},
     "actions": {"remember": [{"set": {"old": "${store.token}"}}], "forget": [{"clear": ["session"]}],
       "keep": [{"set": {"old": "${present(store.token) ? store.token : store.old}"}}], "signOut": [\#(actions)]},
     "start": "out", "states": {
       "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"token": "${fresh('t')}", "why": null}}], "goto": "home"},
         "user.forgets": {"do": ["remember", "keep", "forget", {"clear": ["old"]}]}}},
       "home": {"goal": true, "on": {"user.out": {"do": ["signOut"\#(also)], "goto": "out"}}}}}
    """#
  ])
  return documents.told("may-be-null").map { "\($0.message) (\($0.labels.count))" }
}

/// A list with a name that reads what stands before it has cleared.
@Suite struct ClearedInListTests {
  private static let found = ["store.token is cleared before what stands behind this reads it (2)"]

  @Test(arguments: [
    #"{"clear": ["session"]}, "remember""#, #""forget", "remember""#,
    #"{"clear": ["token"]}, {"set": {"why": "x"}}, "remember""#,
    #"{"set": {"token": null}}, "remember""#,
  ])
  func whatIsReadBehindItsClearIsTold(actions: String) { #expect(told(actions) == Self.found) }

  @Test func whatStandsElsewhereInTheListIsToldToo() {
    #expect(told(#""forget""#, also: #", {"set": {"why": "x"}}, "remember""#) == Self.found)
  }

  @Test(arguments: [
    #""remember", {"clear": ["session"]}"#, #""remember", "forget""#,
    #""forget", {"set": {"token": "${fresh('t')}"}}, "remember""#,
    // Who asks whether it is there knows.
    #""forget", "keep""#,
  ])
  func whatIsReadBeforeOrAskedForIsNotTold(actions: String) { #expect(told(actions) == []) }
}
