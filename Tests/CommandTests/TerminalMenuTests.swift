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
    #expect(try sitting.end() == 0)
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
