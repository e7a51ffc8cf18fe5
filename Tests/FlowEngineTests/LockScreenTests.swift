import FlowSpec
import Testing

@testable import FlowEngine

/// What an exploration lists of kills where the app asks who it is when it is opened again.
@Suite struct LockScreenTests {
  /// Somebody signs in, and unlocks the app where something is kept.
  ///
  /// `out` is what a sign-out does; `lockedOn` and `locked` are more of what the lock screen hears and does.
  private func locking(
    out: String = #"{"clear": ["token", "endsAt"]}"#, lockedOn: String = "", locked: String = "",
    unlock: String = #""goto": "home""#, kept: String = "token"
  ) -> Sketch {
    Sketch(
      flow: #"""
        "store": {"token": {"type": "string", "secret": true}, "device": {"type": "string", "secret": true},
          "endsAt": {"type": "timestamp"}},
        "memory": {"session": {"type": "string", "secret": true}},
        "events": {"user.in": {}, "user.unlocks": {}, "user.out": {}, "user.locks": {}}, "start": "launch", "states": {
          "launch": {"next": [{"when": "present(store.\#(kept)) && !expired(store.endsAt)", "goto": "locked"}, {"goto": "out"}]},
          "out": {"rest": true, "on": {"user.in": {"do": [{"set": {"\#(kept)": "${fresh('token')}", "endsAt": "${now + duration('12h')}"}}], "goto": "home"}}},
          "locked": {"rest": true, "on": {"user.unlocks": {"goto": "unlocking"}\#(lockedOn)}\#(locked)},
          "unlocking": {"perform": "q", "next": [{"when": "result.failure == null", \#(unlock)}, {"goto": "locked"}]},
          "home": {"goal": true, "on": {"user.out": {"do": [\#(out)], "goto": "out"}, "user.locks": {"goto": "locked"}}}}
        """#,
      participants: ["device": #", "capabilities": {"q": {"failures": ["odd"]}}"#])
  }

  /// The session ends while the app is locked.
  private static let ending =
    #", "after": [{"at": "${store.endsAt}", "do": [{"clear": ["token", "endsAt"]}], "goto": "out"}]"#

  /// A person is in the goal again once the app is unlocked, and who locks it has not left.
  @Test(arguments: ["", ending])
  func whatIsUnlockedIsNotLost(locked: String) throws {
    let exploration = Exploration.of(try locking(locked: locked).load())
    #expect(exploration.isComplete && exploration.findings.isEmpty)
    #expect(exploration.lostByKill.isEmpty && exploration.backAgain.isEmpty)
  }

  /// It may be come to before any goal, too: what is stored by then makes it one.
  @Test func aLockScreenIsOneBeforeAGoalAsWell() throws {
    var sketch = locking()
    sketch.flow = sketch.flow.replacing(
      #""${now + duration('12h')}"}}], "goto": "home""#, with: #""${now + duration('12h')}"}}], "goto": "loading""#
    ).replacing(
      #""locked": {"#,
      with:
        #""loading": {"perform": "q", "next": [{"goto": "home"}], "on": {"user.locks": {"goto": "locked"}}}, "locked": {"#
    )
    let exploration = Exploration.of(try sketch.load())
    #expect(exploration.lostByKill.isEmpty && exploration.backAgain.isEmpty)
  }

  /// Who signs out and is let in by a glance has left something behind.
  @Test(arguments: ["", ending])
  func whoSignsOutAndUnlocksIsThereAgain(locked: String) throws {
    let flow = try locking(out: #"{"set": {"endsAt": "${now + duration('1h')}"}}"#, locked: locked).load()
    let exploration = Exploration.of(flow)
    let back = try #require(exploration.backAgain.first)
    #expect(exploration.backAgain.count == 1 && exploration.lostByKill.isEmpty)
    #expect(back.event == "user.out" && back.state == "out" && back.target == "home")
    let scenario = try #require(back.scenario)
    for step in [#"{ "event": "user.out" }"#, #"{ "relaunch": true }"#, #"{ "event": "user.unlocks" }"#] {
      #expect(scenario.contains(step), "\(scenario)")
    }
    #expect(World(flow).replay(scenario)?.outcome.snapshot.leaf.map { flow.app.states[$0].name } == "home")
  }

  /// Without a way back the lock screen is where it comes to, not what time makes of it.
  @Test(arguments: ["", ending])
  func whatCannotBeUnlockedIsLost(locked: String) throws {
    let lost = Exploration.of(try locking(locked: locked, unlock: #""goto": "locked""#).load()).lostByKill
    #expect(lost.map(\.state) == ["home"] && lost.map(\.target) == ["locked"])
    #expect(lost.allSatisfy { $0.scenario?.contains("relaunch") == true && $0.scenario?.contains("advance") == false })
  }

  /// Signing in anew unlocks nothing, wherever that is done.
  @Test func whoSignsInAnewHasLostTheGoal() throws {
    // The app keeps no session; another secret is none.
    var sketch = locking(out: #"{"clear": "device"}"#, kept: "device")
    sketch.flow = sketch.flow.replacing("present(store.device) && !expired(store.endsAt)", with: "present(store.token)")
    #expect(Exploration.of(try sketch.load()).lostByKill.map(\.target) == ["out"])
    // What leads from the lock screen to the sign-in leads to that.
    let leaving = locking(lockedOn: #", "user.out": {"goto": "out"}"#, unlock: #""goto": "locked""#)
    #expect(Exploration.of(try leaving.load()).lostByKill.map(\.target) == ["locked"])
    // It stores a secret where there was none.
    var anew = locking(unlock: #""do": [{"set": {"device": "${fresh('device')}"}}], "goto": "home""#)
    #expect(Exploration.of(try anew.load()).lostByKill.isEmpty)
    anew.flow = anew.flow.replacing(
      #""goto": "locked"}, {"goto": "out"}]"#,
      with: #""do": [{"clear": "device"}], "goto": "locked"}, {"goto": "out"}]"#)
    #expect(Exploration.of(try anew.load()).lostByKill.map(\.target) == ["locked"])
  }

  /// A token that is renewed on the way, and a session that is in memory, are what an unlocked app has.
  @Test(arguments: ["token", "session"])
  func whatIsRenewedIsNoSignIn(key: String) throws {
    let unlock = #""do": [{"set": {"\#(key)": "${fresh('token')}"}}], "goto": "home""#
    #expect(Exploration.of(try locking(unlock: unlock).load()).lostByKill.isEmpty)
  }

  /// A PIN may be asked for before.
  @Test func anAppIsUnlockedInTwoSteps() throws {
    let asked = locking(
      lockedOn: #", "user.locks": {"goto": "pin"}"#, unlock: #""goto": "locked""#)
    var sketch = asked
    sketch.flow = sketch.flow.replacing(
      #""unlocking": {"#, with: #""pin": {"rest": true, "on": {"user.in": {"goto": "home"}}}, "unlocking": {"#)
    #expect(Exploration.of(try sketch.load()).lostByKill.isEmpty)
  }
}
