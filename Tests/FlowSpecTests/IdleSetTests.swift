import FlowSpec
import Testing

/// What is said of a flow that does this where somebody signs in.
private func told(_ actions: String) -> [String] {
  var documents = Documents(texts: [
    "x.json": #"""
    {"flow": "x", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
     "store": {"token": {"type": "string", "group": "session"}, "old": {"type": "string"},
       "users": {"rows": {"name": {"type": "string"}}}},
     "memory": {"word": {"type": "string", "group": "attempt"}},
     "emits": {"came": {"word": {"type": "string"}}}, "let": {"said": "memory.word"},
     "actions": {"starting": [{"set": {"word": "w"}}], "all": [{"set": {"word": "w"}}, {"clear": "word"}]},
     "events": {"user.in": {}}, "start": "out", "states": {
       "out": {"rest": true, "on": {"user.in": {"do": [\#(actions)], "goto": "home"}}},
       "home": {"goal": true}}}
    """#
  ])
  return documents.flow("x.json").diagnostics.filter { $0.code == "idle-set" || $0.severity == .error }
    .map { "\($0.code): \($0.labels.first?.text ?? "")" }
}

/// Assignments of which nothing comes.
@Suite struct IdleSetTests {
  @Test(arguments: ["store.token", "store.?token"])
  func aKeyThatIsSetToItselfIsTold(value: String) {
    #expect(told(#"{"set": {"token": "${\#(value)}"}}"#) == ["idle-set: changes nothing"])
    #expect(told(#"{"set": {"old": "${\#(value)}"}}"#) == [])
    #expect(told(#"{"set": {"token": "${\#(value)}x"}}"#).filter { $0.hasPrefix("idle") } == [])
    #expect(told(#"{"set": {"token": "${present(store.token) ? store.token : store.old}"}}"#) == [])
    #expect(told(#"{"set": {"users['a'].name": "${store.users['a'].name}"}}"#) == [])
  }

  @Test(arguments: [
    #"{"set": {"word": "w"}}, {"clear": "word"}"#, #"{"set": {"word": "w"}}, {"clear": ["session", "attempt"]}"#,
    #"{"set": {"word": "w"}}, {"set": {"old": "o"}}, {"clear": ["word"]}"#,
  ]) func whatIsClearedAtOnceIsTold(actions: String) {
    #expect(told(actions) == ["idle-set: is set in vain"])
  }

  @Test(arguments: [
    #"{"clear": "word"}, {"set": {"word": "w"}}"#, #"{"set": {"word": null}}, {"clear": "word"}"#,
    #"{"set": {"word": "w"}}, {"set": {"old": "${memory.word}"}}, {"clear": "word"}"#,
    #"{"set": {"word": "w"}}, {"emit": {"came": {"word": "${said}"}}}, {"clear": "word"}"#,
    #"{"set": {"word": "w", "users['a'].name": "n"}}, {"clear": "users[string(memory.word)]"}, {"clear": "word"}"#,
    #"{"set": {"users['a'].name": "n"}}, {"clear": "users['a']"}"#, #"{"set": {"word": "w"}}, {"clear": "session"}"#,
    #""starting", {"clear": "word"}"#, #""all""#,
    // A kill between them leaves it for the next launch.
    #"{"set": {"token": "t"}}, {"set": {"old": "o"}}, {"clear": "session"}"#,
  ]) func whatSomethingMayLookAtIsNot(actions: String) {
    #expect(told(actions) == [], "\(actions)")
  }
}
