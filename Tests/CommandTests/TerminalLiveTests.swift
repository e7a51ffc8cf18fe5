import Foundation
import Testing

/// What happens while a person at a terminal is asked, in runs with a live service.
@Suite struct TerminalLiveTests {
  /// A server that takes its time, and a person who signs in with it.
  private func sitting(_ more: String..., answering: @escaping @Sendable (LiveServer.Request) -> LiveServer.Answer?)
    throws
    -> (Sitting, LiveServer)
  {
    let server = try LiveServer { request in
      usleep(1_500_000)
      return answering(request)
    }
    let workshop = try Workshop(of: "Tests/SignIn")
    let sitting = try Sitting(
      ["sign-in.json", "--interactive", "--color=never", "--live", "id=\(server.url)", "--store", "s"] + more,
      in: workshop)
    return (sitting, server)
  }

  @Test func aQuestionIsWithdrawnWhenAnAnswerComes() throws {
    let (sitting, server) = try sitting { _ in .init(body: #"{"access_token": "canary-token"}"#) }
    try sitting.wait(for: "Signed out\n")
    try sitting.wait(for: "  2  gives name and password (name, password)\n")
    try sitting.answer("\n> ", "2\n")
    try sitting.answer("  name [ada]: ", "grace\n")
    try sitting.answer("  password (does not appear) [the example]: ", "canary-password\n")
    // Half an answer to what is asked meanwhile is none to the next question.
    try sitting.answer("  waiting for what happens; return: do something meanwhile ", "q")
    try sitting.wait(for: "\n+")
    try sitting.wait(for: "\nSigned in (the goal)\n")
    try sitting.answer("\n> ", "\n")
    try sitting.wait(for: "type 1, n, o, k, a, f, q or ?")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(server.requests.map(\.body) == [#"{"name":"grace","password":"canary-password"}"#])
    #expect(!sitting.seen.contains("canary"), "\(sitting.seen)")
  }

  @Test func aPersonActsWhileAnAnswerIsAwaited() throws {
    let (sitting, server) = try sitting { _ in nil }
    try sitting.answer("\n> ", "user.givesPassword\n")
    try sitting.answer("  name [ada]: ", "\n")
    try sitting.answer("  password (does not appear) [the example]: ", "\n")
    try sitting.answer("meanwhile ", "\n")
    try sitting.wait(for: "\nSigning in with a password\n")
    try sitting.answer("\n> ", "o\n")
    try sitting.wait(for: "no answer came: the device went offline")
    try sitting.wait(for: "\nSigned out\n")
    try sitting.answer("\n> ", "k 300ms\n")
    try sitting.wait(for: "opens the app")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 69)
    #expect(server.requests.count == 1)
  }

  @Test func theBrowserComesBackWhileThePersonIsAsked() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    // A person who looks at the page for a while, and then goes on to where it leads.
    try workshop.write(
      """
      #!/bin/bash
      sleep 1
      back=${1#*redirect_uri=}; back=${back%%&*}; back=${back//%3A/:}; back=${back//%2F//}
      state=${1#*state=}; rest=${back#http://}; peer=${rest%%/*}
      exec 3<>"/dev/tcp/${peer%%:*}/${peer##*:}"
      printf 'GET /%s?code=canary-code&state=%s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "${rest#*/}" "${state%%&*}" "$peer" >&3
      cat <&3 >/dev/null
      """, to: "browse")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: workshop.folder.appendingPathComponent("browse").path)
    let server = try LiveServer { _ in .init(body: #"{"access_token": "canary-token"}"#) }
    let sitting = try Sitting(
      ["sign-in.json", "--interactive", "--color=never", "--live", "id=\(server.url)", "--browser", "./browse"],
      in: workshop)
    try sitting.answer("\n> ", "1\n")
    try sitting.wait(for: "\nSigning in in the browser\n  the browser is open: the person goes on there\n")
    try sitting.wait(for: "  1  closes the browser\n")
    try sitting.wait(for: "\nSigned in (the goal)\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(!sitting.seen.contains("canary"), "\(sitting.seen)")
  }
}
