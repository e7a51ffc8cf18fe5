import Foundation
import Testing

/// Runs that a person at a terminal leads, by hand.
@Suite struct TerminalTests {
  private func sitting(_ more: String..., output: String? = nil) throws -> Sitting {
    let workshop = try Workshop(of: "flows")
    return try Sitting(["teos-device.json", "--interactive", "--color=never"] + more, in: workshop, output: output)
  }

  /// Fills in the page of the auth server, with this password.
  private func signIn(_ sitting: Sitting, password: String = "correct horse") throws {
    try sitting.answer("3  closes the browser\n", "")
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("  username [ada]: ", "\n")
    try sitting.answer("  password (does not appear) [the example]: ", "\(password)\n")
    try sitting.answer("  button [login]: ", "\n")
  }

  @Test func aFlowIsPlayedToItsGoal() throws {
    let sitting = try sitting()
    let before = try sitting.wait(for: "Waiting for the person to sign in\n  the browser shows \"Sign in\"\n")
    #expect(before.contains("opens the app"))
    try signIn(sitting)
    try sitting.answer("Ready to work with the platform (the goal)\n  1  creates an asset (name)\n", "")
    try sitting.answer("\n> ", "creates an asset\n")
    try sitting.answer("  name [Gold]: ", "Silver\n")
    try sitting.answer("the device is asked to: sign with the wallet's key\n  1  it does so (transaction)\n", "")
    try sitting.answer("  2  it fails: cancelled\n", "")
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("Silver\",\"Transaction\":\"<trans…]: ", "\n")
    try sitting.wait(for: "tells its listeners: assetSubmitted (name:")
    // An example that return takes hides what is unguessable in it.
    #expect(sitting.seen.contains("Silver\",\"Transaction\":\"<transaction#1>\"}))"))
    try sitting.answer("\n> ", "q\n")
    try sitting.wait(for: "that is the goal.")
    #expect(try sitting.end() == 0)
  }

  @Test func aSecretDoesNotAppear() throws {
    let sitting = try sitting()
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("username [ada]: ", "\n")
    try sitting.wait(for: "password (does not appear) [the example]: ")
    #expect(!sitting.shows)
    // A typo, and what is typed too much: the keys that correct a line do so here.
    sitting.type("mistyped\u{15}correct horze\u{7F}\u{7F}\u{E9}\u{7F}se\n")
    try sitting.wait(for: "button [login]: ")
    #expect(sitting.shows)
    sitting.type("\n")
    try sitting.wait(for: "<password#1>")
    try sitting.wait(for: "(the goal)")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    for part in ["mistyped", "horze", "correct", "horse"] { #expect(!sitting.seen.contains(part), "\(part)") }
  }

  @Test func aSecretIsNotShownToWhoAsksForIt() throws {
    let sitting = try sitting("--show-secrets")
    try sitting.wait(for: "--show-secrets is for simulated runs without answers and without --interactive")
    #expect(try sitting.end() == 64)
  }

  @Test func whatIsMistypedIsAskedAgain() throws {
    let sitting = try sitting()
    for (typed, hint) in [
      ("9", "\"9\" is nothing that can be done here; type 1 to 3, n, o, k, a, f, q or ?"), ("", "type 1 to 3"),
      ("0", "\"0\" is nothing"), ("99999999999999999999", "is nothing"), ("cancle", "did you mean \"cancel\"?"),
      ("1 x", "nothing belongs behind the number"),
      ("o x", "nothing belongs behind \"o\""), ("q later", "nothing belongs behind \"q\""),
      ("? o", "nothing belongs behind \"?\""), ("login as ada", "did you mean \"login\"?"),
      ("k soon", "\"soon\" is no time: write"),
      ("k 99999d", "no time from 0 to 100 years"), ("n", "time alone brings"),
      ("\u{1B}[A", "keys in it that are no text"), ("a https://elsewhere.example/", "none of the app's redirect URIs"),
      ("com.example.other:/x", "none of the app's redirect URIs"), ("?", "the app is killed, its store stays"),
    ] {
      try sitting.answer("\n> ", typed + "\n")
      try sitting.wait(for: hint)
    }
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  /// Each leads on: to the first field, or back to the app.
  @Test(arguments: [
    "login", "submits \"login\": Sign in (username, password, button)", "submits \"login\": Sign in",
    "submits \"login\"", "\"login\"",
  ]) func whatStandsBesideANumberCanBeTyped(words: String) throws {
    let sitting = try sitting()
    try sitting.answer("\n> ", words + "\n")
    try sitting.answer("username [ada]: ", "\u{04}")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  @Test(arguments: [80, 100, 200]) func aTimelineIsNoWiderThanTheTerminal(columns: UInt16) throws {
    let sitting = try Sitting(["teos-device.json", "--color=never"], in: Workshop(of: "flows"), columns: columns)
    try sitting.wait(for: "Stopped at ")
    #expect(try sitting.end() == 0)
    let widest = try #require(sitting.seen.split { $0.isNewline }.map(\.count).max())
    #expect(widest <= min(100, columns) && widest > min(100, columns) - 10)
  }

  @Test func theBrowserIsClosedInTheWordsOfTheMenu() throws {
    let sitting = try sitting()
    try sitting.answer("\n> ", "closes the browsr\n")
    try sitting.answer("did you mean \"closes the browser\"?", "")
    try sitting.answer("\n> ", "closes the browser\n")
    try sitting.wait(for: "closes the browser\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  @Test func whatTheTerminalCutsOffIsNotTaken() throws {
    let sitting = try sitting()
    try sitting.answer("\n> ", String(repeating: "x", count: 3000) + "\n")
    try sitting.wait(for: "\"\(String(repeating: "x", count: 60))…\" is nothing that can be done here")
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("username [ada]: ", String(repeating: "u", count: 5000) + "\n")
    try sitting.wait(for: "its end is lost")
    try sitting.answer("username [ada]: ", "\u{04}")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  @Test func aFieldIsAskedForByItsTitle() throws {
    let workshop = try Workshop(of: "flows")
    let flow = try workshop.read("stocksnips.json")
    try workshop.write(
      flow.replacing(#""example": "Ada Lovelace""#, with: #""example": "Ada Lovelace", "title": "Your full name""#),
      to: "stocksnips.json")
    let sitting = try Sitting(["stocksnips.json", "--interactive"], in: workshop)
    try sitting.wait(for: "creates an account (Your full name, email, password)")
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("  Your full name [Ada Lovelace]: ", "Grace\n")
    try sitting.answer("  email [ada@mail.example]: ", "\u{04}")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  @Test func theNetworkGoesAndComesBack() throws {
    let sitting = try sitting()
    try sitting.answer("\n> ", "o\n")
    try sitting.wait(for: "is offline")
    try signIn(sitting)
    try sitting.wait(for: "cannot be reached")
    try sitting.wait(for: "  1  tries again to load the page\n")
    try sitting.answer("o network comes back", "")
    try sitting.answer("\n> ", "o\n")
    try sitting.answer("is online", "")
    try sitting.answer("\n> ", "1\n")
    try sitting.wait(for: "(the goal)")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  @Test func theAppIsKilledAndOpenedAgain() throws {
    let sitting = try sitting()
    try signIn(sitting)
    try sitting.wait(for: "(the goal)\n")
    try sitting.answer("\n> ", "k 2h\n")
    for words in ["is killed", "time passes: 2h", "opens the app", "decides: can be refreshed", "(the goal)\n"] {
      try sitting.wait(for: words)
    }
    try sitting.answer("\n> ", "k\n")
    try sitting.wait(for: "The app is not running\n")
    try sitting.answer("\n> ", "l\n")
    try sitting.wait(for: "decides: still valid")
    try sitting.answer("\n> ", "k\n")
    try sitting.answer("The app is not running\n", "")
    try sitting.answer("\n> ", "com.example.wallet:/signed-in?code=x\n")
    try sitting.wait(for: "opens the app")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
  }

  @Test func nothingHappensAndTimePasses() throws {
    let workshop = try Workshop()
    try workshop.replace(
      "\"goal\": true, \"do\"", with: "\"after\": [{\"wait\": \"90s\", \"goto\": \"asking\"}], \"goal\": true, \"do\"",
      in: "hello.json")
    let sitting = try Sitting(["hello.json", "--interactive"], in: workshop)
    try sitting.wait(for: "n nothing happens for 1m 30s · ")
    try sitting.answer("\n> ", "n\n")
    try sitting.wait(for: "time passes: 1m 30s")
    try sitting.answer("\n> ", "n 1h\n")
    try sitting.wait(for: "+1h 1m 30s")
    try sitting.answer("\n> ", "\u{04}")
    #expect(try sitting.end() == 0)
  }

  @Test func whoHasNothingMoreToSayEndsTheRun() throws {
    let sitting = try sitting("--trace", "/dev/stderr")
    try sitting.answer("\n> ", "\u{04}")
    try sitting.wait(for: "\"kind\":\"ended\",\"who\":\"app\",\"how\":\"rest\"")
    try sitting.wait(for: "Stopped at +0s in \"signingIn\"")
    #expect(try sitting.end() == 0)
    let other = try self.sitting()
    try other.answer("\n> ", "1\n")
    try other.answer("username [ada]: ", "\u{04}")
    try other.answer("\n> ", "\u{04}")
    #expect(try other.end() == 0)
  }

  /// As in what a script has put into the background.
  @Test func whatIsTypedBehindASignalThatIsIgnoredDoesNotAppear() throws {
    let sitting = try Sitting(
      ["teos-device.json", "--interactive", "--color=never"], in: Workshop(of: "flows"), ignoring: "QUIT")
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("username [ada]: ", "\n")
    try sitting.answer("password (does not appear) [the example]: ", "begun\u{1C}")
    sitting.type("correct horse")
    try sitting.wait(for: "\n  password (does not appear) [the example]: ")
    #expect(!sitting.shows)
    sitting.type("\n")
    try sitting.answer("button [login]: ", "\n")
    try sitting.wait(for: "(the goal)")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    for part in ["begun", "correct", "horse"] { #expect(!sitting.seen.contains(part), "\(part)") }
  }

  @Test func theTerminalIsLeftAsItWas() throws {
    let signals = ["TERM": SIGTERM, "HUP": SIGHUP, "USR1": SIGUSR1, "ALRM": SIGALRM, "XCPU": SIGXCPU]
    for way in ["\u{03}", "\u{04}", "x\u{03}"] + signals.keys {
      let sitting = try sitting()
      try sitting.answer("\n> ", "1\n")
      try sitting.answer("username [ada]: ", "\n")
      try sitting.wait(for: "password (does not appear) [the example]: ")
      #expect(!sitting.shows)
      if let signal = signals[way] { kill(sitting.processIdentifier, signal) } else { sitting.type(way) }
      if way == "\u{04}" { try sitting.answer("\n> ", "q\n") }
      let deadly = ["USR1", "ALRM", "XCPU"].contains(way) ? signals[way] : nil
      #expect(try sitting.end() == deadly.map { -$0 } ?? (way == "\u{04}" ? 0 : 130), "\(way)")
      #expect(sitting.shows, "\(way)")
    }
    // Where what is typed appears the terminal itself makes a signal of it.
    let sitting = try sitting()
    try sitting.answer("\n> ", "\u{03}")
    #expect(try sitting.end() == 130)
    #expect(sitting.seen.contains("Stopped at +0s"))
  }

  @Test func aTerminalThatIsGoneEndsTheRun() throws {
    let sitting = try sitting(output: "/dev/null")
    try sitting.wait(for: "\n> ")
    sitting.hangUp()
    // As if the person had left, or by the signal that comes with it: whichever is first.
    #expect([0, 130].contains(try sitting.end()))
  }

  @Test func questionsStandBesideATraceThatGoesElsewhere() throws {
    let workshop = try Workshop(of: "flows")
    let sitting = try Sitting(
      ["teos-device.json", "--interactive", "--json"], in: workshop, output: "t.jsonl")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(sitting.seen.contains("closes the browser") && !sitting.seen.contains("\"kind\""))
    let lines = try workshop.read("t.jsonl").split(separator: "\n")
    #expect(lines.count > 5 && lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
  }

  @Test func nothingOfAPageSteersTheTerminal() throws {
    let workshop = try Workshop(of: "flows")
    try workshop.replace(
      "\"title\": \"Sign in\"", with: "\"title\": \"Sign\\u001b]0;owned\\u0007 in\\u202e\\u061c\\ufeff\"",
      in: "services/oauth-server.json")
    let sitting = try Sitting(["teos-device.json", "--interactive", "--color=never"], in: workshop)
    try sitting.wait(for: "the browser shows \"Sign\\u{1B}]0;owned\\u{7} in\\u{202E}\\u{61C}\\u{FEFF}\"")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(!sitting.seen.contains("\u{1B}]") && !sitting.seen.contains("\u{202E}"))
    #expect(sitting.seen.split(separator: "\n").allSatisfy { $0.count <= 100 })
  }

  @Test func withoutATerminalThereIsNobodyToAsk() throws {
    let workshop = try Workshop(of: "flows")
    try workshop.write("earlier", to: "kept.jsonl")
    let result = try workshop.flowrun("teos-device.json", "--interactive", "--trace", "kept.jsonl")
    #expect(result.code == 64 && result.output == "")
    #expect(try workshop.flowrun.shell("cat kept.jsonl").output == "earlier")
    #expect(
      result.errors.contains("needs a terminal, and standard input is none") && result.errors.contains("--answer"))
    for option in ["--answer", "--answers"] {
      let both = try Workshop(of: "flows").flowrun("teos-device.json", "--interactive", option, "default")
      #expect(both.code == 64 && both.errors.contains("\(option) does not go with --interactive"))
    }
  }
}
