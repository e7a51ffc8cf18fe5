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

  /// A timer leads on while somebody types what does not appear: the rest does not appear either, and answers nothing.
  @Test func theRestOfAHiddenAnswerStaysHidden() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    try workshop.write(
      #"""
      {"flow": "w", "title": "W", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example"}}, "memory": {"pin": {"type": "string", "secret": true}},
        "events": {"user.types": {"fields": {"pin": {"type": "string", "secret": true, "example": "1"}}}}, "start": "a",
        "states": {"a": {"rest": true, "on": {"user.types": {"do": [{"set": {"pin": "${event.pin}"}}], "goto": "b"}},
          "after": [{"wait": "3s", "goto": "late"}]}, "late": {"rest": true, "title": "Too late", "on": {"user.types": {"goto": "b"}}},
          "b": {"request": {"to": "api", "post": "/", "json": {"pin": "${memory.pin}"}}, "next": [{"goto": "done"}]},
          "done": {"goal": true}}}
      """#, to: "w.json")
    let server = try LiveServer { _ in nil }
    let sitting = try Sitting(
      ["w.json", "--interactive", "--color=never", "--live", "api=\(server.url)"], in: workshop)
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("pin (does not appear) [the example]: ", "canary-one")
    usleep(3_500_000)
    for key in "canary-two\n" {
      sitting.type(String(key))
      usleep(20_000)
    }
    try sitting.wait(for: "\nToo late\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(server.requests.isEmpty)
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
    try workshop.writeProgram(
      """
      #!/bin/bash
      sleep 1
      back=${1#*redirect_uri=}; back=${back%%&*}; back=${back//%3A/:}; back=${back//%2F//}
      state=${1#*state=}; rest=${back#http://}; peer=${rest%%/*}
      exec 3<>"/dev/tcp/${peer%%:*}/${peer##*:}"
      printf 'GET /%s?code=canary-code&state=%s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "${rest#*/}" "${state%%&*}" "$peer" >&3
      cat <&3 >/dev/null
      """, to: "browse")
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

  /// A simulated page is called by what a real server has said, and that is what was typed.
  @Test func aPageIsCalledWithoutWhatIsSecret() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    try workshop.write(
      #"""
      {"flow": "w", "title": "W", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}, "browser": {"kind": "browser"},
        "api": {"kind": "service", "url": "https://api.example"}, "id": {"kind": "service", "model": "services/p.json"}},
        "memory": {"pin": {"type": "string", "secret": true}, "name": {"type": "string"}},
        "events": {"user.types": {"fields": {"pin": {"type": "string", "secret": true, "example": "1"}}}}, "start": "a",
        "states": {"a": {"rest": true, "on": {"user.types": {"do": [{"set": {"pin": "${event.pin}"}}], "goto": "b"}}},
          "b": {"request": {"to": "api", "post": "/", "json": {"pin": "${memory.pin}"}},
            "next": [{"do": [{"set": {"name": "${response.json.?name.orValue('')}"}}], "goto": "c"}]},
          "c": {"goal": true, "do": [{"open": {"to": "id", "get": "/", "query": {"name": "${memory.name}"}}}]}}}
      """#, to: "w.json")
    try workshop.write(
      #"""
      {"service": "p", "routes": [
        {"on": "GET /", "next": [{"reply": {"page": {"title": "For ${request.query.name}", "text": "x"}}}]}]}
      """#, to: "services/p.json")
    let server = try LiveServer { _ in .init(body: #"{"name": "canary-pin"}"#) }
    let sitting = try Sitting(
      ["w.json", "--interactive", "--color=never", "--live", "api=\(server.url)"], in: workshop)
    try sitting.answer("\n> ", "1\n")
    try sitting.answer("pin (does not appear) [the example]: ", "canary-pin\n")
    try sitting.wait(for: "  the browser shows \"For <pin#1>\"\n")
    try sitting.answer("\n> ", "q\n")
    #expect(try sitting.end() == 0)
    #expect(!sitting.seen.contains("canary"), "\(sitting.seen)")
  }
}
