import Testing

/// It may say the address, which has secrets in it, and stay for as long as the person likes.
@Test func aBrowserKeepsNothingOpenAndSaysNothingWhereNobodyLooks() throws {
  let workshop = try Workshop(of: "Tests/SignIn")
  let stays = #"""
    #!/bin/bash
    echo "said $1"; echo "said $1" >&2; echo "said $1" >&5
    : > opened
    for n in {1..600}; do [ -e over ] && exit; sleep 0.2; done
    : > left
    """#
  try workshop.writeProgram(stays, to: "stays")
  try workshop.checkShell(
    """
    { "$FLOWRUN" sign-in.json --live id=http://127.0.0.1:1 --browser ./stays --browser-wait 1s \\
        --answer user.signsIn 5>&1 2>&1; } | cat
    : > over
    """, code: 0, says: ["counts as closed: nobody came back in 1s"], never: ["said http"])
  #expect(workshop.exists("opened") && !workshop.exists("left"), "the pipe was open for as long as the browser was")
}

/// A page for another device, as one that a code is typed at, comes back to nobody.
@Test func aPageThatTheAppHearsNothingOfIsNotWaitedFor() throws {
  let workshop = try Workshop()
  try workshop.write(
    #"""
    { "flow": "p", "title": "P", "participants": { "user": { "kind": "person" }, "app": { "kind": "app" },
        "phone": { "kind": "browser" }, "id": { "kind": "service", "url": "https://id.example" } },
      "events": { "user.scans": {}, "user.cancels": {} }, "start": "out", "states": {
        "out": { "rest": true, "on": { "user.scans": { "do": [{ "open": { "to": "id", "get": "/device" } }] },
          "user.cancels": { "goto": "done" } } }, "done": { "rest": true, "on": { "user.scans": { "goto": "home" } } },
        "home": { "goal": true } } }
    """#, to: "p.json")
  let begin = ContinuousClock.now
  let result = try workshop.flowrun(
    "p.json", "--live", "id", "--browser", "true", "--answer", "user.scans", "--answer", "user.cancels")
  #expect(result.code == 0 && !result.output.contains("counts as closed"), "\(result)")
  #expect(begin.duration(to: .now) < .seconds(200), "its five minutes are for who comes back")
}
