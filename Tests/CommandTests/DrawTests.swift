import Foundation
import Testing

private func checkDrawing(
  _ arguments: String..., shows expected: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try Workshop().flowrun.run(["draw", "hello.json"] + arguments)
  #expect(result.code == 0 && result.errors == "", sourceLocation: sourceLocation)
  #expect(result.output == expected + "\n", sourceLocation: sourceLocation)
}

@Test func statesAreDrawnWithEventsAndGuards() throws {
  try checkDrawing(
    shows: """
      stateDiagram-v2
        [*] --> asking
        state "asking<br/>GET /greeting → greeter" as asking
        state "greeted" as greeted
        state "tryLater" as tryLater
        asking --> greeted : greeted [response.status == 200]
        asking --> tryLater : not now
        tryLater --> asking : after 10m
        classDef goal fill:#d5f0d5,stroke:#2e7d32,stroke-width:2px
        class greeted goal
        classDef rest fill:#fdf3d0,stroke:#b58900
        class tryLater rest
      """)
}

@Test(arguments: ["canary", "${'canary'}", "canary${now}", "${device.online ? 'canary' : 'other'}"])
func aSecretThatIsWrittenOutInAPathIsNotDrawn(written: String) throws {
  let workshop = try Workshop()
  try workshop.replace(
    #""service": "greeter","#, with: #""service": "greeter", "secrets": ["path.key"],"#, in: "services/greeter.json")
  try workshop.replace("GET /greeting", with: "GET /greeting/{key}", in: "services/greeter.json")
  try workshop.replace(#""get": "/greeting""#, with: "\"get\": \"/greeting/\(written)\"", in: "hello.json")
  try workshop.replace(#""asking": {"#, with: #""asking": {"despite": {"secret-in-url": "so"},"#, in: "hello.json")
  let drawn = try workshop.flowrun("draw", "hello.json")
  #expect(drawn.output.contains("GET /greeting/#123;key#125; → greeter"), "\(drawn)")
  #expect(!drawn.output.contains("canary"), "\(drawn)")
}

@Test func whatARequestDoesBeforeItsNextTryIsDrawn() throws {
  let workshop = try Workshop()
  try workshop.replace(
    #""query": {"name": "Ada"}}"#,
    with: #""query": {"name": "Ada"}, "retry": {"when": "response.status == 401", "most": 1, "call": "renew"}}"#,
    in: "hello.json")
  try workshop.replace(
    #""states": {"#,
    with: """
      "flows": { "renew": { "title": "Renewing", "ends": ["ok"], "start": "asks", "states": { "asks": {
        "request": { "to": "greeter", "get": "/greeting", "retry": { "when": "response.status == 503", "most": 3 } }, "next": [{ "end": "ok" }] } } } },
      "states": {
      """, in: "hello.json")
  let drawn = try workshop.flowrun("draw", "hello.json")
  for line in [
    "<br/>GET /greeting → greeter<br/>again once after#58; Renewing [response.status == 401]\" as asking",
    "<br/>GET /greeting → greeter<br/>again up to 3 times [response.status == 503]\" as renew__asks",
  ] {
    #expect(drawn.output.contains(line), "\(line) in \(drawn)")
  }
  for (members, words) in [
    (#""most": 3, "wait": "5s""#, "again up to 3 times, every 5s ["),
    (#""most": 1, "wait": "5s""#, "again once, 5s later ["),
    (
      #""most": 3, "wait": "5s", "factor": 2"#,
      "again up to 3 times, first 5s later, then each wait 2 times as long ["
    ),
  ] {
    let workshop = try Workshop()
    try workshop.replace(
      #""query": {"name": "Ada"}}"#,
      with: #""query": {"name": "Ada"}, "retry": {"when": "response.status == 503", \#(members)}}"#, in: "hello.json")
    let drawn = try workshop.flowrun("draw", "hello.json").output
    #expect(drawn.contains(words), "\(words) in \(drawn)")
  }
}

@Test func aRunIsDrawnAsItsMessages() throws {
  try checkDrawing(
    "--as", "sequence", "--format", "mermaid",
    shows: """
      sequenceDiagram
        autonumber
        participant app as app
        participant greeter as greeter
        app->>app: starts
        app->>greeter: GET /greeting
        greeter-->>app: 200 greets
        note over app: is in: greeted (the goal)
        app->>app: shows "greeting" (text: Hello Ada)
      """)
}

@Test func whatIsSaidAgainAndAgainIsDrawnOnce() throws {
  let workshop = try Workshop()
  try workshop.write(
    """
    {"flow": "poll", "title": "Poll", "participants": {"app": {"kind": "app"}, "greeter": {"kind": "service", "url": "https://greeter.example", "model": "poll-server.json"}},
     "start": "asks", "states": {
       "asks": {"request": {"to": "greeter", "get": "/greeting"}, "next": [
         {"when": "response.status == 200", "goto": "greeted"}, {"name": "not yet", "goto": "waits"}]},
       "waits": {"after": [{"wait": "5s", "goto": "asks"}]},
       "greeted": {"goal": true}}}
    """, to: "poll.json")
  for asked in [2, 5] {
    try workshop.write(
      """
      {"service": "greeter", "store": {"asked": {"type": "int", "initial": 0}}, "routes": [{"on": "GET /greeting", "next": [
        {"when": "store.asked == \(asked)", "reply": {"status": 200}},
        {"name": "not yet", "do": [{"set": {"asked": "${store.asked + 1}"}}], "reply": {"status": 202}}]}]}
      """, to: "poll-server.json")
    let once = [
      "app->>greeter: GET /greeting", "greeter-->>app: 202 not yet", "note over app,greeter: time passes: 5s",
    ]
    let polls = asked == 2 ? once + once : ["loop 5 times"] + once.map { "  " + $0 } + ["end"]
    let ends = ["app->>greeter: GET /greeting", "greeter-->>app: 200", "note over app: is in: greeted (the goal)"]
    let result = try workshop.flowrun("draw", "poll.json", "--as", "sequence")
    let lines = result.output.split(separator: "\n").dropFirst(5).map { String($0.dropFirst(2)) }
    #expect(lines == polls + ends, "\(result)")
  }
}

@Test func aTraceIsDrawnAsItsRunIs() throws {
  let workshop = try Workshop()
  let drawn = try workshop.flowrun("draw", "hello.json", "--as", "sequence", "--scenario", "offline-first")
  #expect(drawn.code == 0 && drawn.output.contains("note over app,greeter: fault: "), "\(drawn.output)")
  _ = try workshop.flowrun("hello.json", "--scenario", "offline-first", "--trace", "kept.jsonl")
  let trace = try workshop.flowrun("draw", "kept.jsonl")
  #expect(trace.code == 0 && trace.output == drawn.output)
}

/// In a live run some time passes between any two lines.
@Test func momentsOfALiveRunAreNotDrawn() throws {
  let workshop = try Workshop()
  func drawn(_ more: String) throws -> String {
    let participants = #"[{"name":"app","title":"app","kind":"app"},{"name":"api","title":"api","kind":"service"}]"#
    try workshop.write(
      #"{"trace":1,"flow":"f","title":"F","started":"2026-01-01T09:00:00Z","participants":\#(participants)\#(more)}"#
        + "\n"
        + ["0s", "0.044s", "0.999s", "1s", "300s"].enumerated().map { index, time in
          #"{"n":\#(index + 1),"at":0,"kind":"clock","by":"\#(time)"}"# + "\n"
        }.joined(), to: "kept.jsonl")
    return try workshop.flowrun("draw", "kept.jsonl").output
  }
  let notes = { (times: [String]) in times.map { "  note over app,api: time passes: \($0)\n" }.joined() }
  #expect(try drawn(#","live":["api"]"#).hasSuffix("as api\n" + notes(["1s", "5m"])))
  #expect(try drawn("").hasSuffix("as api\n" + notes(["0s", "0.044s", "0.999s", "1s", "5m"])))
}

@Test func nestedStatesAreDrawnNestedAndNamesAreNoWordsOfMermaid() throws {
  let workshop = try Workshop()
  try workshop.write(
    """
    {"flow": "nested", "title": "Nested", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
     "events": {"user.stops": {"title": "stops; all: #1"}, "user.waits": {}, "user.turns": {}}, "start": "outer", "on": {"user.stops": {"goto": "end"}},
     "states": {
       "outer": {"start": "in", "states": {"in": {
         "on": {"user.waits": {"name": "no"}, "user.turns": {"goto": "in"}}, "after": [{"wait": "1m", "goto": "outer"}]}}},
       "end": {"end": "over"}}}
    """, to: "nested.json")
  let drawn = try workshop.flowrun("draw", "nested.json").output
  for line in [
    "state \"outer\" as outer {", "  [*] --> in", "  state \"in\" as in", "in --> in : after 1m (outer begins anew)",
    "in --> in : user.waits#58; no (stays)", "in --> in : user.turns",
    "state \"end\" as _end",
    "whole_flow__any --> _end : stops#59; all#58; #35;1", "_end --> whole_flow__end__over",
    "whole_flow__end__over --> [*]",
  ] {
    #expect(drawn.split(separator: "\n").contains { $0.dropFirst(2) == line }, "\(line) in \(drawn)")
  }
}

/// Mermaid reads its words in capitals too.
@Test(arguments: ["End", "LOOP", "properties", "Details", "off", "scale", "ClassDef", "click", "accTitle", "root"])
func noNameIsAWordOfMermaid(name: String) throws {
  let workshop = try Workshop()
  try workshop.write(
    """
    {"flow": "words", "title": "Words", "participants": {"user": {"kind": "person"}, "\(name)": {"kind": "app"}},
     "events": {"user.goes": {}}, "start": "launch", "states": {
      "launch": {"rest": true, "on": {"user.goes": {"goto": "\(name)"}}}, "\(name)": {"goal": true}}}
    """, to: "words.json")
  let states = try workshop.flowrun("draw", "words.json")
  #expect(states.code == 0 && states.output.contains("  launch --> _\(name) : "), "\(states)")
  let messages = try workshop.flowrun("draw", "words.json", "--as", "sequence")
  #expect(messages.code == 0 && messages.output.contains("  user->>_\(name): "), "\(messages)")
}

@Test func noTextIsAnOrderToMermaid() throws {
  let workshop = try Workshop()
  try workshop.replace(#""kind": "app""#, with: #""kind": "app", "title": "nowrap: wrap:""#, in: "hello.json")
  let drawn = try workshop.flowrun("draw", "hello.json", "--as", "sequence").output
  #expect(drawn.contains("participant app as nowrap#58; wrap:\n"), "\(drawn)")
}

@Test func aStateIsTheGoalOrRestOfWhatIsAroundIt() throws {
  let workshop = try Workshop()
  try workshop.write(
    """
    {"flow": "around", "title": "Around", "participants": {"app": {"kind": "app"}}, "start": "goal", "states": {
      "goal": {"goal": true, "start": "first", "states": {
        "first": {"rest": true, "after": [{"wait": "1m", "goto": "waits"}]}}},
      "waits": {"rest": true, "start": "second", "states": {"second": {"after": [{"wait": "1m", "goto": "goal"}]}}}}}
    """, to: "around.json")
  let drawn = try workshop.flowrun("draw", "around.json").output
  let marks = drawn.split(separator: "\n").filter { $0.hasPrefix("  class ") }
  #expect(marks == ["  class first goal", "  class second rest"], "\(drawn)")
}

@Test func whatCannotBeDrawnIsSaid() throws {
  let workshop = try Workshop()
  try workshop.write("{}\n", to: "broken.jsonl")
  for (arguments, words) in [
    (["hello.json", "--as", "sequenc"], "did you mean sequence?"),
    (["hello.json", "--format", "svg"], "it takes mermaid"),
    (["hello.json", "--scenario", "offline-first"], "--scenario goes with --as sequence"),
    (["broken.jsonl", "--as", "states"], "is a trace"),
  ] {
    let result = try workshop.flowrun.run(["draw"] + arguments)
    #expect(result.code == 64 && result.output == "" && result.errors.contains(words), "\(result.errors)")
  }
  let broken = try workshop.flowrun("draw", "broken.jsonl")
  #expect(broken.code == 65 && broken.errors.contains("broken.jsonl:1: "), "\(broken.errors)")
}

/// Who reviews a diagram is not to take a part of a run for the whole.
@Test func aTraceThatIsNotWholeIsSaid() throws {
  let workshop = try Workshop()
  _ = try workshop.flowrun("hello.json", "--scenario", "offline-first", "--trace", "whole.jsonl")
  let lines = try workshop.read("whole.jsonl").split(separator: "\n").map(String.init)
  func draw(_ lines: [String]) throws -> (code: Int32, output: String, errors: String) {
    try workshop.write(lines.joined(separator: "\n") + "\n", to: "kept.jsonl")
    let result = try workshop.flowrun("draw", "kept.jsonl")
    return (result.code, result.output, result.errors)
  }
  let whole = try draw(lines)
  #expect(whole.code == 0 && whole.errors == "")
  let cut = try draw(lines.dropLast())
  #expect(cut.code == 0 && cut.output.hasPrefix("sequenceDiagram"))
  #expect(cut.errors == "kept.jsonl breaks off: it has no line \"ended\", and what came then is not drawn\n")
  let moved = try draw(Array(lines[..<3] + lines[4...]))
  #expect(moved.code == 65 && moved.output == "")
  let words = "kept.jsonl:4: this is line 4 of the trace where 3 belongs: one is missing, or moved"
  #expect(moved.errors.contains(words), "\(moved.errors)")
  let strange = try draw(lines.map { $0.replacing(#""to":"app""#, with: #""to":"ap""#) })
  #expect(strange.code == 65 && strange.errors.contains(#""ap" is none of the participants in the first line"#))
}

/// A message of a sequence diagram, as its document draws it.
private struct Arrow: Decodable, Equatable {
  var n: Int
  var from: String
  var to: String
}

/// The messages of a diagram that carry the document's own, `[m7] …`, between the titles of their lanes.
private func arrows(in diagram: String) -> [Arrow] {
  var titles: [Substring: String] = [:]
  var found: [Arrow] = []
  for line in diagram.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
    if let words = line.firstMatch(of: /^(?:actor|participant) (\w+) as (.*)/) { titles[words.1] = String(words.2) }
    guard let words = line.firstMatch(of: /^(\w+?)(?:->>|-->>|--x)(\w+): \[m(\d+)[\],]/), let number = Int(words.3),
      let from = titles[words.1], let to = titles[words.2]
    else { continue }
    found.append(Arrow(n: number, from: from, to: to))
  }
  return found
}

@Test func theGuardiansDiagramIsTheDocuments() throws {
  let data = try Data(contentsOf: Repository.root.appendingPathComponent("Tests/Drawings/guardian-okta.json"))
  let document = try JSONDecoder().decode([Arrow].self, from: data)
  try #require(document.map(\.n) == Array(1...27))
  let path = Repository.root.appendingPathComponent("flows/guardian-okta.json").path
  let drawn = arrows(in: try Workshop().flowrun("draw", path, "--as", "sequence").output)
  // One message of the document may be several real calls.
  #expect(drawn.indices.filter { $0 == 0 || drawn[$0] != drawn[$0 - 1] }.map { drawn[$0] } == document)
}

@Test func whatAnotherPersonDoesIsThatPersons() throws {
  let workshop = try Workshop()
  try workshop.write(
    """
    {"flow": "two", "participants": {"parent": {"kind": "person"}, "child": {"kind": "person"}, "app": {"kind": "app"}},
    "events": {"parent.invites": {"title": "invites"}, "child.joins": {"title": "joins"}}, "start": "a", "states": {
    "a": {"rest": true, "on": {"parent.invites": {"goto": "b"}}}, "b": {"rest": true, "on": {"child.joins": {"goto": "c"}}},
    "c": {"goal": true}}}
    """, to: "two.json")
  let run = try workshop.flowrun("two.json").output
  #expect(run.contains("parent → app  opens the app\n+0s  parent → app  invites\n+0s  child → app   joins\n"), "\(run)")
  let drawn = try workshop.flowrun("draw", "two.json", "--as", "sequence").output
  #expect(drawn.contains("  parent->>app: invites\n  child->>app: joins\n"), "\(drawn)")
}
