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
