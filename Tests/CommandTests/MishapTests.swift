import Testing

/// What goes wrong in a run that a person at a terminal leads, because they say so.
@Suite struct MishapTests {
  private func sitting(_ change: (Workshop) throws -> Void = { _ in }) throws -> Sitting {
    let workshop = try Workshop(of: "Tests/Guide")
    try change(workshop)
    return try Sitting(["mail-link.json", "--interactive", "--color=never"], in: workshop)
  }

  private func ask(_ sitting: Sitting) throws {
    try sitting.answer("\n> ", "user.entersEmail\n")
    try sitting.answer("]: ", "\n")
  }

  private func quit(_ sitting: Sitting) throws {
    try sitting.answer("\n> ", "q\n")
    _ = try sitting.end()
  }

  @Test(arguments: ["1", "busy", "POST /links busy", "POST /links: busy"])
  func whatAModelAnswersOnlySometimesIsChosen(typed: String) throws {
    let sitting = try sitting()
    try sitting.answer("\n> ", "f\n")
    try sitting.wait(
      for: "  POST /links: 1 busy · 2 lost · 3 unreachable\n  POST /sessions: 4 lost · 5 unreachable\n")
    try sitting.answer("  what goes wrong: ", typed + "\n")
    try sitting.wait(for: "Signed out\n  the next time POST /links is answered \"busy\"\n  1  enters")
    try ask(sitting)
    for words in ["fault: POST /links is answered \"busy\"", "503 busy", "no link now"] { try sitting.wait(for: words) }
    // It has happened, and does not again.
    try sitting.wait(for: "Signed out\n  1  enters")
    try ask(sitting)
    try sitting.wait(for: "202 link mailed")
    try quit(sitting)
  }

  @Test func whatIsTypedAtOnceIsNotAskedFor() throws {
    let sitting = try sitting()
    for (typed, hint) in [
      ("f lost", "\"lost\" can be said of several requests: type one before it, as in \"POST /links lost\""),
      ("f bussy", "did you mean \"busy\"?"), ("f 6", "\"6\" is nothing that can go wrong here"),
      ("f -9223372036854775808", "is nothing that can go wrong here"), ("f +1", "\"+1\" is nothing"),
      ("f\n", "nothing is to go wrong"), ("?", "a request fails, or is answered as only happens sometimes"),
    ] {
      try sitting.answer("\n> ", typed + "\n")
      try sitting.wait(for: hint)
    }
    try sitting.answer("\n> ", "f busy\n")
    try sitting.wait(for: "is answered \"busy\"")
    // Another choice for the same request takes its place.
    try sitting.answer("\n> ", "f POST /links lost\n")
    try sitting.wait(for: "Signed out\n  the next time POST /links is received, and its answer is lost\n  1  enters")
    try ask(sitting)
    try sitting.wait(for: "fault: POST /links is received, and its answer is lost")
    try quit(sitting)
  }

  @Test func whatIsToGoWrongIsWithdrawn() throws {
    let sitting = try sitting()
    for fault in ["POST /links lost", "POST /sessions lost"] { try sitting.answer("\n> ", "f \(fault)\n") }
    let links = "the next time POST /links is received, and its answer is lost"
    let sessions = "the next time POST /sessions is received, and its answer is lost"
    try sitting.answer("  \(links)\n  \(sessions)\n  1  enters", "")
    // Return alone leaves it as it is.
    try sitting.answer("\n> ", "f\n")
    try sitting.wait(for: "  POST /links: 6 withdraw (\(links))\n  POST /sessions: 7 withdraw (\(sessions))\n")
    try sitting.answer("  what goes wrong: ", "\n")
    try sitting.wait(for: "  it stays so: \(links); the next time POST\n  /sessions is received")
    try sitting.answer("\n> ", "f withdraw\n")
    try sitting.wait(for: "\"withdraw\" can be said of several requests")
    try sitting.wait(for: "\"POST /links withdraw\"")
    try sitting.answer("\n> ", "f 6\n")
    try sitting.wait(for: "Signed out\n  \(sessions)\n  1  enters")
    try sitting.answer("\n> ", "f withdraw\n")
    try sitting.wait(for: "Signed out\n  1  enters")
    for typed in ["f withdraw\n", "f\n"] { try sitting.answer("\n> ", typed) }
    try sitting.answer("what goes wrong: ", "\n")
    try sitting.wait(for: "nothing is to go wrong")
    try ask(sitting)
    try sitting.wait(for: "202 link mailed")
    try quit(sitting)
    #expect(!sitting.seen.contains("fault:"))
  }

  @Test func aReplyWaitsForATryThatItCanBeGivenTo() throws {
    let sitting = try sitting { workshop in
      try workshop.replace(
        #""name": "busy", "sometimes": true"#,
        with: #""name": "busy", "sometimes": true, "when": "size(store.links) > 0""#,
        in: "services/mail-link-server.json")
    }
    try sitting.answer("\n> ", "f busy\n")
    try ask(sitting)
    try sitting.wait(for: "202 link mailed")
    try sitting.answer("the next time POST /links is answered \"busy\"", "")
    try sitting.answer("\n> ", "k 1h\n")
    try ask(sitting)
    try sitting.wait(for: "503 busy")
    try quit(sitting)
  }

  @Test func nothingGoesWrongWithWhatIsLive() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    let sitting = try Sitting(
      ["sign-in.json", "--interactive", "--live", "id=https://localhost:1", "--color=never"], in: workshop)
    try sitting.answer("\n> ", "f\n")
    try sitting.answer("  GET /me: 1 lost · 2 unreachable\n  what goes wrong: ", "POST /login lost\n")
    #expect(!sitting.seen.contains("POST /login:"))
    try sitting.wait(for: "\"POST /login lost\" is nothing that can go wrong here")
    try quit(sitting)
  }
}
