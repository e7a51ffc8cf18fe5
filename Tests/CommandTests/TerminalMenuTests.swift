import Testing

/// What stands in the menu of `--interactive`, and what can be typed for it.
@Suite struct TerminalMenuTests {
  /// A person had two mails sent, and opens one of them by what is typed.
  @Test(arguments: [("your link", 2), ("your link 1", 1), ("1", 2), ("2", 1)])
  func theOlderOfTwoMailsCanBeOpened(typed: String, number: Int) throws {
    let sitting = try Sitting(["mail-link.json", "--interactive", "--color=never"], in: Workshop(of: "Tests/Guide"))
    for line in ["1", "", "k", "l", "2", ""] { try sitting.answer(line.isEmpty ? "]: " : "\n> ", line + "\n") }
    try sitting.wait(
      for: """
        Waiting for the mail
          1  opens the mail "your link", and its link "sign in"
          2  opens the older mail "your link" (number 1), and its link "sign in"

        """)
    try sitting.answer("\n> ", "your link please\n")
    try sitting.wait(for: "did you mean \"your link\"?")
    try sitting.answer("\n> ", typed + "\n")
    try sitting.wait(for: "opens the app (token: <token#\(number)>)")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  @Test func aNameThatBeginsWithALetterOfTheMenuIsAName() throws {
    let workshop = try Workshop(of: "flows")
    let flow = try workshop.read("stocksnips.json")
    try workshop.write(
      flow.replacing(#""title": "creates an account""#, with: #""title": "a new account""#), to: "stocksnips.json")
    let sitting = try Sitting(["stocksnips.json", "--interactive"], in: workshop)
    try sitting.answer("\n> ", "a new account\n")
    try sitting.answer("Lovelace]: ", "\u{04}")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  /// The menu stands there again, from a field, a hidden one, an address and what goes wrong.
  @Test func whoEndsAnAnswerIsBackAtTheMenu() throws {
    let sitting = try Sitting(["teos-device.json", "--interactive", "--color=never"], in: Workshop(of: "flows"))
    try sitting.answer("\n> ", "login\n")
    try sitting.answer("username [ada]: ", "\n")
    try sitting.answer("[the example]: ", "\u{04}")
    for (letter, question) in [("login", "username [ada]: "), ("a", "is opened: "), ("f", "goes wrong: ")] {
      try sitting.wait(for: "1  submits \"login\"")
      try sitting.answer("\n> ", letter + "\n")
      try sitting.answer(question, "\u{04}")
    }
    try sitting.answer("\n> ", "cancel\n")
    try sitting.answer("button [cancel]: ", "\n")
    try sitting.wait(for: "Signed out, with sign-in on offer")
    try sitting.answer("\n> ", "\u{04}")
    #expect(try sitting.end() == 0)
  }

  @Test func aMenuIsNoWiderThanTheTerminal() throws {
    let sitting = try Sitting(
      ["teos-device.json", "--interactive", "--color=never"], in: Workshop(of: "flows"), columns: 70)
    for letter in ["?", "x", "f"] { try sitting.answer("\n> ", letter + "\n") }
    try sitting.answer("goes wrong: ", "nothing that is known, and its hint needs two lines here\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    // What is typed stands behind its question, however long it is.
    let told = sitting.seen.split { $0.isNewline }.filter { !$0.contains("> ") && !$0.contains("goes wrong: ") }
    let widest = try #require(told.map(\.count).max())
    #expect(widest <= 70 && widest > 60)
  }

  @Test func whatAFieldTakesAndItsExampleAreShown() throws {
    let workshop = try Workshop(of: "flows")
    try workshop.write(
      #"""
      {"flow": "giving", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "events": {"user.gives": {"fields": {
          "d": {"type": "duration", "example": "30s"}, "at": {"type": "timestamp", "example": "${now}"},
          "any": {"type": "json", "example": "x"}, "code": {"type": "string", "example": "for ${memory.userCode}"},
          "pin": {"type": "string", "secret": true, "example": "4711"},
          "list": {"type": "list", "example": ["a", 1]}, "map": {"type": "map", "example": {"a": [true]}}}}},
        "memory": {"userCode": {"type": "string"}}, "start": "s", "states": {
          "s": {"do": [{"set": {"userCode": "${fresh('userCode')}"}}], "next": [{"goto": "a"}]},
          "a": {"rest": true, "on": {"user.gives": {"goto": "b"}}}, "b": {"goal": true}}}
      """#, to: "giving.json")
    let sitting = try Sitting(["giving.json", "--interactive", "--color=never"], in: workshop)
    try sitting.answer("\n> ", "user.gives\n")
    try sitting.answer("such as 30s, 10m or 1h30m) [30s]: ", "\n")
    try sitting.wait(for: "(write it like 2026-01-01T09:00:00Z) [20")
    for example in ["Z]: ", "(write it as JSON) [\"x\"]: ", "code [for <userCode#1>]: "] {
      try sitting.answer(example, "\n")
    }
    try sitting.answer("pin (does not appear) [the example]: ", "\n")
    try sitting.answer("list (a list in [ ], as JSON has it) [[\"a\",1]]: ", "{}\n")
    try sitting.wait(for: "that does not fit: a list in [ ], as JSON has it")
    try sitting.answer("]]: ", "[2]\n")
    try sitting.answer("map (an object in { }, as JSON has it) [{\"a\":[true]}]: ", "[]\n")
    try sitting.wait(for: "that does not fit: an object in { }, as JSON has it")
    try sitting.answer("}]: ", "\u{04}")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(!sitting.seen.contains("4711"))
  }

  @Test(arguments: [#", "secrets": ["pin"]"#, ""]) func aFieldThatAServiceListsAsSecretDoesNotAppear(ofFlow: String)
    throws
  {
    let workshop = try Workshop(of: "flows")
    try workshop.write(
      #"""
      {"flow": "typing", "despite": {"no-way-out": "so far"},
        "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "browser": {"kind": "browser"},
          "srv": {"kind": "service", "url": "https://srv.example", "model": "services/srv.json"\#(ofFlow)}},
        "start": "a", "states": {"a": {"goal": true, "do": [{"open": {"to": "srv", "get": "/p"}}]}}}
      """#, to: "typing.json")
    let listed = ofFlow.isEmpty ? #""secrets": ["form.pin"], "# : ""
    try workshop.write(
      #"""
      {"service": "srv", \#(listed)"routes": [{"on": "POST /p", "next": [{"reply": {"status": 200}}]}, {"on": "GET /p", "next": [
        {"reply": {"page": {"title": "P", "forms": {"enter": {"post": "/p", "fields": {"pin": {"type": "string", "example": "c4n4ry"}}}}}}}]}]}
      """#, to: "services/srv.json")
    let sitting = try Sitting(["typing.json", "--interactive", "--color=never"], in: workshop)
    try sitting.answer("\n> ", "enter\n")
    try sitting.answer("pin (does not appear) [the example]: ", "typed-c4n4ry\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(!sitting.seen.contains("c4n4ry"))
  }

  @Test func whatTwoPersonsDoUnderOneTitleIsToldApart() throws {
    let workshop = try Workshop(of: "flows")
    try workshop.write(
      """
      {"flow": "two", "participants": {"user": {"kind": "person"}, "bob": {"kind": "person"}, "app": {"kind": "app"}},
        "events": {"user.goes": {"title": "goes on"}, "bob.goes": {"title": "goes on"}},
        "start": "a", "states": {"a": {"rest": true, "on": {"user.goes": {"goto": "b"}, "bob.goes": {"goto": "c"}}},
          "b": {"goal": true}, "c": {"goal": true, "title": "It was Bob"}}}
      """, to: "two.json")
    let sitting = try Sitting(["two.json", "--interactive", "--color=never"], in: workshop)
    try sitting.wait(for: "1  goes on (user.goes)\n")
    try sitting.answer("\n> ", "goes on\n")
    try sitting.wait(for: "nothing that can be done here")
    try sitting.answer("\n> ", "bob.goes\n")
    try sitting.wait(for: "It was Bob")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }
}
