import Foundation
import Testing

/// What is typed as a secret does not appear, however it comes.
@Suite struct TerminalHiddenTests {
  /// A person who is asked for a password.
  private func sitting() throws -> Sitting {
    let sitting = try Sitting(["teos-device.json", "--interactive", "--color=never"], in: Workshop(of: "flows"))
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("username [ada]: ", "\n")
    try sitting.wait(for: "password (does not appear) [the example]: ")
    return sitting
  }

  /// Who has typed it signs in, and leaves.
  private func goOn(_ sitting: Sitting) throws {
    try sitting.answer("button [login]: ", "\n")
    try sitting.wait(for: "(the goal)")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  /// What is pasted may come in pieces.
  @Test func furtherLinesOfWhatIsPastedDoNotAppear() throws {
    let sitting = try sitting()
    for piece in ["correct horse\n", "battery\n", "staple"] {
      sitting.type(piece)
      usleep(5000)
    }
    try goOn(sitting)
    for word in ["correct", "horse", "battery", "staple"] {
      #expect(!sitting.seen.contains(word), "\(sitting.seen)")
    }
  }

  /// A shell that has the terminal meanwhile shows what is typed.
  @Test func whoWasStoppedFromOutsideGoesOnWithoutShowingIt() throws {
    let sitting = try sitting()
    sitting.type("correct")
    usleep(200_000)
    kill(sitting.processIdentifier, SIGSTOP)
    sitting.showTyping()
    kill(sitting.processIdentifier, SIGCONT)
    let end = ContinuousClock.now.advanced(by: .seconds(10))
    while sitting.shows, ContinuousClock.now < end { usleep(10_000) }
    #expect(!sitting.shows)
    sitting.type(" horse\n")
    try goOn(sitting)
    for word in ["correct", "horse"] { #expect(!sitting.seen.contains(word), "\(sitting.seen)") }
    #expect(sitting.shows)
  }
}
