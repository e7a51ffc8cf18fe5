import Foundation
import Testing

/// What `sign-in.json` asks of its servers, answered well; a page is left at once for where it came from.
@Sendable private func welcome(_ request: LiveServer.Request) -> LiveServer.Answer? {
  switch request.target.prefix(while: { $0 != "?" }) {
  case "/authorize":
    let back = request.query("redirect_uri")?.removingPercentEncoding ?? ""
    return LiveServer.Answer(
      status: 302, headers: ["Location: \(back)?code=canary-code-1&state=\(request.query("state") ?? "")"])
  case "/login", "/token":
    return LiveServer.Answer(
      headers: ["Set-Cookie: canary-cookie", "X-Trace: canary-header"],
      body: #"{"access_token": "canary-access-token", "refresh": "canary-refresh-token"}"#)
  case "/v1/me": return LiveServer.Answer(body: #"{"name": "Grace", "phone": "canary-phone"}"#)
  default: return LiveServer.Answer(status: 404)
  }
}

/// A browser that follows redirects and nothing else: `curl` need not be there.
private let browser = #"""
  #!/bin/bash
  url=$1
  while [ -n "$url" ]; do
    rest=${url#http://}; peer=${rest%%/*}
    exec 3<>"/dev/tcp/${peer%%:*}/${peer##*:}"
    printf 'GET /%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "${rest#*/}" "$peer" >&3
    url=
    while IFS= read -r line <&3; do
      line=${line%$'\r'}
      [ -z "$line" ] && break
      case $line in [Ll]ocation:*) url=${line#*: };; esac
    done
    exec 3>&-
  done
  """#

private let login = #"user.givesPassword={"name": "ada", "password": "canary-password"}"#

private func workshop() throws -> Workshop {
  let workshop = try Workshop(of: "Tests/SignIn")
  try workshop.writeProgram(browser, to: "browse")
  return workshop
}

/// Runs the flow with its identity server live; gives what was told, in which no secret is.
private func check(
  _ server: LiveServer, _ arguments: [String], code: Int32 = 0, tells parts: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let workshop = try workshop()
  let result = try workshop.flowrun.run(
    ["sign-in.json", "--live", "id=\(server.url)", "--trace", "t.jsonl"] + arguments)
  #expect(result.code == code, "\(result)", sourceLocation: sourceLocation)
  let trace = try workshop.read("t.jsonl")
  var rest = trace[...]
  for part in parts {
    let found = rest.range(of: part)
    #expect(found != nil, "\(part) is not told in \(trace)", sourceLocation: sourceLocation)
    if let found { rest = rest[found.upperBound...] }
  }
  #expect(trace.split(separator: "\n").last?.contains(#""kind":"ended""#) == true, sourceLocation: sourceLocation)
  for text in [result.output, result.errors, trace] {
    #expect(!text.contains("canary"), "\(text)", sourceLocation: sourceLocation)
  }
}

@Suite(.timeLimit(.minutes(20))) struct LiveTests {
  @Test func aLiveServiceAnswersAndTheOthersAreSimulated() throws {
    let server = try LiveServer(welcome)
    try check(
      server, ["--answer", login, "--answer", "user.asks"],
      tells: #""live":["id"]}"#, #""request":"POST /login","json":{"name":"ada","password":"<password#1>"}"#,
      #""status":200,"json":{"access_token":"<access_token#1>"}"#, #""request":"GET /me""#, #""name":"Ada""#,
      #""how":"goal","state":"in""#)
    #expect(server.requests.map(\.body) == [#"{"name":"ada","password":"canary-password"}"#])
  }

  @Test func everythingMayBeLive() throws {
    let server = try LiveServer(welcome)
    try check(
      server, ["--live", "api=\(server.url)/v1", "--answer", login, "--answer", "user.asks"], tells: "Grace")
    #expect(server.requests.last?.headers["authorization"] == "Bearer canary-access-token")
    #expect(server.requests.last?.target == "/v1/me")
  }

  @Test func aPageOpensInTheBrowserWhichComesBackToAFreePort() throws {
    let server = try LiveServer(welcome)
    for _ in 0..<2 {
      try check(
        server, ["--browser", "./browse", "--answer", "user.signsIn"], tells: #""url":"\#(server.url)/authorize?"#,
        #""event":"browser.redirected","with":{"code":"<code#1>","state":"<state#1>"}"#, #""how":"goal""#)
    }
    let pages = server.requests.filter { $0.method == "GET" }
    #expect(pages.count == 2 && pages[0].query("state") != pages[1].query("state"), "each run has its own chance")
    for page in pages {
      let back = page.query("redirect_uri")?.removingPercentEncoding ?? ""
      #expect(back.wholeMatch(of: #/http://127\.0\.0\.1:\d+/back/#) != nil, "\(back)")
    }
    #expect(server.requests.last?.body == "code=canary-code-1")
  }

  /// How many files a start takes depends on the system; a limit that may be raised is.
  @Test(arguments: ["-n 4", "-n 5", "-n 6", "-n 8", "-n 31", "-S -n 8", "-n 32"])
  func withTooFewFilesNothingBegins(limit: String) throws {
    let live = "sign-in.json --live id=http://127.0.0.1:1 --answer user.givesPassword"
    let result = try workshop().flowrun.shell("ulimit \(limit); \"$FLOWRUN\" \(live)")
    let isTold = result.errors.contains("too many files") || result.errors.contains("ulimit -n tells how many may")
    #expect(result.code == 69 && isTold != (limit.contains("-S") || limit == "-n 32"), "\(result)")
  }

  @Test func aPageThatNobodyComesBackFromCountsAsClosed() throws {
    let server = try LiveServer(welcome)
    try check(
      server, ["--browser", "true", "--browser-wait", "300ms", "--answer", "user.signsIn"],
      tells:
        #""kind":"close","from":"browser","to":"app","reason":"nobody came back in 0.3s with what the app waits for"}"#,
      #""event":"browser.closed""#, #""how":"rest","state":"out""#)
  }

  /// Its page says so to the person at the browser.
  @Test func aPageWhoseCodeHadComeBeforeIsNotComeBackFrom() throws {
    let workshop = try workshop()
    let reload = #"""
      #!/bin/bash
      back=${1#*redirect_uri=http%3A%2F%2F}; back=${back%%&*}; peer=${back%%\%2F*}; peer=${peer/\%3A/:}
      exec 3<>"/dev/tcp/${peer%%:*}/${peer##*:}"
      printf 'GET /back?code=1&state=mine HTTP/1.1\r\nHost: %s\r\n\r\n' "$peer" >&3
      cat <&3 > /dev/null
      """#
    try workshop.writeProgram(reload, to: "reload")
    let result = try workshop.flowrun(
      "sign-in.json", "--live", "id=http://127.0.0.1:1", "--browser", "./reload", "--browser-wait", "3s", "--answer",
      "user.signsIn", "--answer", "user.signsIn", "--json")
    let reason = "nobody came back in 3s with what the app waits for, but somebody with a code that had come before"
    #expect(result.output.contains(#""event":"browser.redirected""#), "\(result)")
    #expect(result.output.contains(reason), "\(result)")
  }

  @Test(arguments: ["no-such-browser", "false"]) func aBrowserThatFailsIsNotWaitedFor(browser: String) throws {
    let server = try LiveServer(welcome)
    let begin = ContinuousClock.now
    try check(
      server, ["--browser", browser, "--answer", "user.signsIn"], code: 69,
      tells: #""kind":"close","from":"browser","to":"app","reason":"the browser has failed"}"#,
      #""event":"browser.closed""#)
    #expect(begin.duration(to: .now) < .seconds(120), "its five minutes are for a page that somebody can see")
  }

  /// A live run ends where only a timer is left: nobody is stuck, and the words say how to wait.
  @Test func whereTimeAloneLeadsOnTheTimerIsNamed() throws {
    let server = try LiveServer { _ in LiveServer.Answer(body: "{}") }
    let workshop = try workshop()
    try workshop.write(
      #"""
      {"flow": "poll", "title": "Polls", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
        "api": {"kind": "service", "url": "https://api.example"}}, "start": "asking", "states": {
          "asking": {"request": {"to": "api", "get": "/x"}, "next": [{"goto": "waiting"}]},
          "waiting": {"after": [{"wait": "10m", "goto": "home"}]}, "home": {"goal": true}}}
      """#, to: "poll.json")
    let result = try workshop.flowrun("poll.json", "--live", "api=\(server.url)")
    #expect(result.code == 1 && result.errors.contains("the run stopped where time alone leads on"), "\(result)")
    #expect(result.errors.contains(#"{"advance": "10m"} lets it go off"#), "\(result)")
  }

  /// A provider may say anything of where its endpoints are.
  @Test func aPageWhoseAddressIsNotWrittenInASCIIIsNotOpened() throws {
    let workshop = try workshop()
    for (words, others) in [
      (#""url": "https://id.example", "#, #""url": "https://id.example", "origins": ["${config.place}"], "#),
      (#""get": "/authorize", "#, #""get": "${config.place}", "#),
      (#""config": {"#, #""config": { "place": { "type": "string", "value": "https://there.example/authorize" },"#),
    ] { try workshop.replace(words, with: others, in: "sign-in.json") }
    let result = try workshop.flowrun(
      "sign-in.json", "--live", "id=http://127.0.0.1:1", "--config", "place=https://hé.example/authorize", "--answer",
      "user.signsIn")
    #expect(result.code == 69 && result.output.contains("counts as closed: the browser has failed"), "\(result)")
    #expect(result.errors.contains("name another program with --browser COMMAND"), "\(result)")
    #expect(result.errors.contains("the address of the page is not written in ASCII"), "\(result)")
    #expect(!result.errors.contains("http and https only"), "\(result)")
  }

  @Test func aForgedRedirectIsNotTaken() throws {
    let server = try LiveServer(welcome)
    let forged = #"{"arrive": "${config.redirectUri}?code=canary-forged&state=mine"}"#
    try check(
      server, ["--browser", "true", "--answer", "user.signsIn", "--answer", forged],
      tells: #""event":"browser.redirected""#, #""state":"out""#, #""how":"rest""#)
    #expect(server.requests.allSatisfy { $0.method == "GET" })
  }

  /// Somebody on this machine brings more than is read of what is told: what has no room is left out, and all ends.
  @Test func manyForgedRedirectsDoNotPileUp() throws {
    let workshop = try Workshop(of: "Tests/SignIn")
    let flood = #"""
      #!/bin/bash
      back=${1#*redirect_uri=http%3A%2F%2F}; back=${back%%&*}; peer=${back%%\%2F*}; peer=${peer/\%3A/:}
      state=${1#*state=}; state=${state%%&*}
      redirect() {
        exec 3<>"/dev/tcp/${peer%%:*}/${peer##*:}" || return 1
        printf 'GET /back?%s HTTP/1.1\r\nHost: %s\r\n\r\n' "$1" "$peer" >&3
        read -r -t 5 line <&3
        exec 3>&-
      }
      long=$(printf '%07000d' 0)
      for number in {1..150}; do redirect "code=$number&state=$long"; done
      : > flooded
      for number in {1..600}; do redirect "code=good$number&state=$state" || exit 0; sleep 0.1; done
      """#
    try workshop.write(flood, to: "flood")
    let otherwise = "\"goto\": \"redeeming\" },\n          { \"goto\": \"out\" }],"
    try workshop.replace(otherwise, with: "\"goto\": \"redeeming\" }],", in: "sign-in.json")
    let server = try LiveServer(welcome)
    let result = try workshop.flowrun.shell(
      """
      chmod +x flood; "$FLOWRUN" sign-in.json --live id=\(server.url) --browser ./flood --answer user.signsIn --json \
        | (n=0; until [ -e flooded ] || [ $n = 6000 ]; do n=$((n+1)); sleep 0.1; done; cat)
      """)
    #expect(result.output.contains(#""how":"goal""#), "\(result)")
    let told = result.output.split(separator: "\n").count { $0.contains(#""event":"browser.redirected""#) }
    #expect((1...60).contains(told), "\(told) were told")
  }

  @Test func whatNobodyAnswersIsToldByTheExitCode() throws {
    let silent = try LiveServer { _ in nil }
    try check(silent, ["--answer", login], code: 69, tells: #""failure":"lost","reason":"no answer in time""#)
    let verbose = try LiveServer { _ in LiveServer.Answer(body: String(repeating: "x", count: 20_000)) }
    try check(verbose, ["--max-body", "16KiB", "--answer", login], code: 69, tells: "larger than 16384 bytes")
    let refused = try workshop().flowrun("sign-in.json", "--live", "id=http://127.0.0.1:1", "--answer", login)
    #expect(refused.code == 69 && refused.output.contains("cannot be reached: 127.0.0.1:1 refuses connections"))
    #expect(refused.errors.contains("the last request to a live service got no answer"))
    // What was to be done behind it could not be, for want of the answer.
    let more = try workshop().flowrun(
      "sign-in.json", "--live", "id=http://127.0.0.1:1", "--answer", login, "--answer", "user.stops")
    #expect(more.code == 69 && more.errors.contains("got no answer"), "\(more)")
    // An answer that came counts, whatever it says.
    let unwilling = try LiveServer { _ in LiveServer.Answer(status: 401) }
    try check(unwilling, ["--answer", login], tells: #""status":401"#, #""how":"rest""#)
  }

  @Test func answersLeadThroughKillsAndTheNetwork() throws {
    let server = try LiveServer(welcome)
    let steps = [
      login, #"{"kill": true}"#, #"{"advance": "50ms"}"#, #"{"launch": true}"#, #"{"offline": true}"#, login,
      #"{"online": true}"#, #"{"relaunch": {"after": "20ms"}}"#, login,
    ]
    try check(
      server, steps.flatMap { ["--answer", $0] }, tells: #""kind":"killed""#, #""kind":"launched""#,
      #""failure":"unreachable""#, #""kind":"killed""#, #""kind":"launched""#, #""status":200"#, #""how":"goal""#)
    #expect(server.requests.count == 2, "nothing goes out while the device is offline")
  }

  @Test func aRunThatIsInterruptedEndsAsAKillWould() throws {
    let silent = try LiveServer { _ in nil }
    let workshop = try workshop()
    let process = Process()
    process.executableURL = Flowrun.program
    process.arguments = [
      "sign-in.json", "--live", "id=\(silent.url)", "--trace", "t.jsonl", "--json", "--answer", login,
    ]
    process.currentDirectoryURL = workshop.folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while silent.requests.isEmpty, process.isRunning { usleep(1000) }
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let trace = try workshop.read("t.jsonl").split(separator: "\n")
    #expect(trace.last?.contains(#""kind":"ended","who":"app","how":"stopped""#) == true, "\(trace)")
    #expect(trace.contains { $0.contains(#""kind":"killed""#) })
    #expect(trace.contains { $0.contains(#""reason":"cut off","dropped":true"#) })
  }

  @Test func aRedirectURIThatNothingCanListenAtIsAMistakeOfTheCommandLine() throws {
    for address in [
      "http://127.0.0.1:99999/back", "https://127.0.0.1/back", "http://127.0.0.1/back#top", "nonsense", "",
      "127.0.0.1/back", "http://[::1/back", "http://127.0.0.2/back",
    ] {
      let result = try workshop().flowrun(
        "sign-in.json", "--live", "id=http://127.0.0.1:1", "--config", "redirectUri=\(address)")
      #expect(result.code == 64 && result.output == "", "\(result)")
    }
    let taken = try LiveServer { _ in nil }
    let result = try workshop().flowrun(
      "sign-in.json", "--live", "id=http://127.0.0.1:1", "--config", "redirectUri=\(taken.url)/back")
    #expect(result.code == 69 && result.errors.contains("is taken by another program"), "\(result)")
  }

  @Test func aPageThatWouldCrossIsRefusedAtTheStart() throws {
    let workshop = try workshop()
    try workshop.replace(
      "\"title\": \"Sign in\", ",
      with: "\"title\": \"Sign in\", \"links\": {\"me\": {\"to\": \"api\", \"get\": \"/me\"}}, ",
      in: "services/id.json")
    let result = try workshop.flowrun("sign-in.json", "--live", "api=http://127.0.0.1:1")
    #expect(result.code == 64 && result.errors.contains("pages of \"id\" lead to \"api\""), "\(result)")
  }
}
