import Testing

/// What the arrow of a transition with this condition says, as it is meant.
private func drawn(when condition: String) throws -> String {
  let workshop = try Workshop()
  let condition = condition.hasPrefix("{") ? condition : "\"\(condition)\""
  let more = ["b", "c", "d"].map { "\"user.\($0)\": {\"do\": [{\"set\": {\"\($0)\": true}}], \"goto\": \"ask\"}" }
  let keys = ["a", "b", "c", "d"].map { "\"\($0)\": {\"type\": \"bool\", \"initial\": false}" }
  try workshop.write(
    """
    {"flow": "labels", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "ask",
     "memory": {\(keys.joined(separator: ", "))}, "let": {"either": "memory.a || memory.b"},
     "events": {"user.a": {}, "user.b": {}, "user.c": {}, "user.d": {}},
     "states": {"ask": {"next": [{"when": \(condition), "goto": "done"}, {"goto": "done"}]},
       "done": {"goal": true, "on": {"user.a": {"do": [{"set": {"a": true}}], "goto": "ask"}, \(more.joined(separator: ", "))}}}}
    """, to: "labels.json")
  let result = try workshop.flowrun("draw", "labels.json")
  let arrow = result.output.split(separator: "\n").first { $0.contains("ask --> done : [") }
  let label = try #require(arrow?.split(separator: "[", maxSplits: 1).last?.dropLast(), "\(result)")
  return String(label).replacing("#38;", with: "&").replacing("#58;", with: ":").replacing("memory.", with: "")
}

@Suite struct DrawnLabelTests {
  /// Brackets stand where the condition would be another without them.
  @Test(arguments: [
    (#"{"all": ["memory.a || memory.b", "memory.c"]}"#, "(a || b) && c"),
    (#"{"all": ["(memory.a || memory.b)", "memory.c"]}"#, "(a || b) && c"),
    (#"{"all": ["(memory.a) || (memory.b)", "memory.c"]}"#, "((a) || (b)) && c"),
    (#"{"any": ["memory.a ? memory.b : memory.c", "memory.d"]}"#, "(a ? b : c) || d"),
    (#"{"all": ["memory.a ? memory.b : memory.c", "memory.d"]}"#, "(a ? b : c) && d"),
    (#"{"any": ["memory.a && memory.b", "memory.c"]}"#, "a && b || c"),
    (#"{"all": ["memory.a && memory.b", {"any": ["memory.c", "memory.d"]}]}"#, "a && b && (c || d)"),
    (#"{"any": [{"all": ["memory.a", "memory.b"]}, "memory.c || memory.d"]}"#, "a && b || c || d"),
    (#"{"all": [{"any": ["memory.a || memory.b"]}, {"all": ["memory.c"]}]}"#, "(a || b) && c"),
    (#"{"not": "memory.a || memory.b"}"#, "!(a || b)"), (#"{"not": "memory.a == memory.b"}"#, "!(a == b)"),
    (#"{"not": {"any": ["memory.a", "memory.b"]}}"#, "!(a || b)"), (#"{"not": "memory.a"}"#, "!a"),
    (#"{"all": [{"not": "memory.a"}, "!memory.b"]}"#, "!a && !b"), (#"{"not": {"not": "memory.a"}}"#, "!!a"),
    (#"{"all": ["either", "memory.c"]}"#, "either && c"), (#"{"not": "either"}"#, "!either"),
    (#"{"all": ["memory.a == ('x || y' == 'z')", "memory.c"]}"#, "a == ('x || y' == 'z') && c"),
    ("memory.a || memory.b", "a || b"), (#"{"any": ["memory.a", "memory.b"]}"#, "a || b"),
  ]) func bracketsStandWhereTheyAreNeeded(condition: String, label: String) throws {
    #expect(try drawn(when: condition) == label)
  }

  @Test func theConditionOfARetryHasItsBrackets() throws {
    let workshop = try Workshop()
    let when = #"{"all": ["response.status == 503 || response.status == 500", {"not": "response.failure != null"}]}"#
    try workshop.replace(
      #""query": {"name": "Ada"}}"#, with: #""query": {"name": "Ada"}, "retry": {"when": \#(when), "most": 1}}"#,
      in: "hello.json")
    let drawn = try workshop.flowrun("draw", "hello.json").output
    let label =
      "again once [(response.status == 503 || response.status == 500) #38;#38; !(response.failure != null)]\" as asking"
    #expect(drawn.contains(label), "\(drawn)")
  }

  /// Two brackets in a title are no order to Mermaid, and one that is blank is none.
  @Test(arguments: [
    ("Choose [[fork]]", "Choose #91;[fork]]"), ("[[[join]] [x]", "#91;#91;[join]] [x]"), (" ", "ask"), ("", "ask"),
  ]) func aTitleIsNoOrder(title: String, label: String) throws {
    let workshop = try Workshop()
    try workshop.write(
      """
      {"flow": "titles", "participants": {"user": {"kind": "person", "title": "\(title)"}, "app": {"kind": "app"}},
       "events": {"user.goes": {"title": "\(title)"}}, "start": "ask", "states": {
         "ask": {"title": "\(title)", "rest": true, "on": {"user.goes": {"goto": "done"}}}, "done": {"goal": true}}}
      """, to: "titles.json")
    let states = try workshop.flowrun("draw", "titles.json").output
    #expect(states.contains("  state \"\(label)\" as ask\n"), "\(states)")
    #expect(states.contains("  ask --> done : \(label == "ask" ? "user.goes" : label)\n"), "\(states)")
    let messages = try workshop.flowrun("draw", "titles.json", "--as", "sequence").output
    #expect(messages.contains("  actor user as \(label == "ask" ? "user" : title)\n"), "\(messages)")
  }

  /// Mermaid drops the end of an entity behind such a word and a colon.
  @Test(arguments: [
    ("Lifestyle:<home>", "Lifestyle#58;#60;home#62;"), ("classDef a:#1", "classDef a#58;#35;1"),
    ("Life: <home>", "Life: #60;home#62;"), ("Life:<home>", "Life:#60;home#62;"),
  ]) func aColonIsNoStyle(title: String, message: String) throws {
    let workshop = try Workshop()
    try workshop.replace(#""kind": "app""#, with: #""kind": "app", "title": "\#(title)""#, in: "hello.json")
    let drawn = try workshop.flowrun("draw", "hello.json", "--as", "sequence").output
    #expect(drawn.contains("  participant app as \(message)\n"), "\(drawn)")
  }
}
