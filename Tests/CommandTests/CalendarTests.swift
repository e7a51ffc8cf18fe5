import Testing

/// A run whose clock would leave the years 1 to 9999, of a flow that is left at noon of the last day.
@Suite struct CalendarTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.write(
      #"""
      {"flow": "late", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "events": {"user.goes": {}},
        "start": "home", "states": {"home": {"rest": true, "on": {"user.goes": {"goto": "done"}}}, "done": {"goal": true}}}
      """#, to: "late.json")
    try workshop.write(
      #"{"scenario": "noon", "given": {"now": "9999-12-31T12:00:00Z"}, "script": [], "ends": "home"}"#,
      to: "late/noon.json")
    return workshop
  }

  /// Nobody takes what would be behind it for done.
  @Test func noAnswerLeadsThere() throws {
    let workshop = try workshop()
    // So often it comes to the year 9965.
    let advances = Array(repeating: #"{"advance": "100000d"}"#, count: 29).joined(separator: ", ")
    try workshop.write("[\(advances)]", to: "near.jsn")
    try workshop.checkShell("\"$FLOWRUN\" late.json --answers near.jsn", code: 0, says: ["Stopped at +2900000d"])
    for step in [#"{"advance": "100000d"}"#, #"{"relaunch": {"after": "100000d"}}"#] {
      try workshop.write("[\(advances), \(step), {\"event\": \"user.goes\"}]", to: "far.jsn")
      try workshop.checkShell(
        "\"$FLOWRUN\" late.json --answers far.jsn", code: 1,
        says: ["Stopped at +2900000d in \"home\"", "error[beyond-calendar]", "an answer could not be taken"],
        never: ["kills"])
    }
  }

  @Test func whoTypesSuchATimeIsAskedAgain() throws {
    let sitting = try Sitting(
      ["late.json", "--interactive", "--scenario", "noon", "--color=never"], in: workshop())
    for typed in ["n 13h", "k 13h"] {
      try sitting.answer("\n> ", typed + "\n")
      try sitting.wait(for: "the clock would leave the years 1 to 9999")
    }
    try sitting.answer("\n> ", "n 11h\n")
    try sitting.wait(for: "time passes: 11h")
    try sitting.answer("\n> ", "k\n")
    try sitting.answer("\n> ", "l 2h\n")
    try sitting.wait(for: "the clock would leave the years 1 to 9999")
    try sitting.answer("\n> ", "l\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }
}
