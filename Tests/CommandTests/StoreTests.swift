import Foundation
import Testing

/// An app that counts its launches, in a workshop with the rest; `padding` makes its store as large as one likes.
struct Counting {
  let workshop: Workshop

  init(padding: Int = 0) throws {
    workshop = try Workshop()
    try workshop.write(
      """
      { "flow": "counting", "title": "An app counts its launches", "participants": {"app": {"kind": "app"}},
        "store": {
          "launches": {"type": "int", "initial": 0}, "padding": {"type": "string"},
          "key": {"type": "string", "secret": true}
        },
        "start": "counting",
        "states": {
          "counting": {
            "do": [{"set": {"launches": "${store.launches + 1}", "padding": "\(String(repeating: "p", count: padding))",
              "key": "${fresh('key')}"}}],
            "next": [{"goto": "counted"}]
          },
          "counted": {"goal": true, "do": [{"show": {"count": {"launches": "${store.launches}"}}}]}
        } }
      """, to: "counting.json")
  }

  /// Runs it once.
  func launch(_ more: String = "") throws -> Flowrun.Result {
    try workshop.flowrun.shell("\"$FLOWRUN\" counting.json --store s \(more)")
  }

  func path(_ name: String) -> String { workshop.folder.appendingPathComponent(name).path }

  /// How many launches the store knows of, `nil` without one.
  ///
  /// Anything but a whole store is recorded.
  func kept(sourceLocation: SourceLocation = #_sourceLocation) throws -> Int? {
    guard workshop.exists("s") else { return nil }
    let data = try Data(contentsOf: workshop.folder.appendingPathComponent("s"))
    let object = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any], sourceLocation: sourceLocation)
    let store = try #require(object["store"] as? [String: Any], sourceLocation: sourceLocation)
    #expect((store["key"] as? String)?.count == 43, sourceLocation: sourceLocation)
    let attributes = try FileManager.default.attributesOfItem(atPath: path("s"))
    #expect((attributes[.posixPermissions] as? Int) == 0o600, sourceLocation: sourceLocation)
    return try #require(store["launches"] as? Int, sourceLocation: sourceLocation)
  }

  /// The run is refused with these words, and the file is as it was.
  func checkRefused(
    _ words: String, code: Int32 = 66, options: String = "--store s", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try? Data(contentsOf: workshop.folder.appendingPathComponent("s"))
    let result = try workshop.flowrun.shell("\"$FLOWRUN\" counting.json \(options)")
    #expect(result.code == code && result.output == "", "\(result)", sourceLocation: sourceLocation)
    #expect(result.errors.contains(words), "\(result.errors)", sourceLocation: sourceLocation)
    let after = try? Data(contentsOf: workshop.folder.appendingPathComponent("s"))
    #expect(before == after, sourceLocation: sourceLocation)
  }

  func shell(_ line: String) throws {
    let result = try workshop.flowrun.shell(line)
    try #require(result.code == 0, "\(result)")
  }
}

@Suite struct StoreTests {
  @Test func theNextRunBeginsWithWhatTheLastOneKept() throws {
    let counting = try Counting()
    for launches in 1...3 {
      let result = try counting.launch()
      #expect(result.code == 0 && result.output.contains("(launches: \(launches))"), "\(result)")
      #expect(try counting.kept() == launches)
    }
  }

  /// A six-digit code could be found out from what `s256` makes of it.
  @Test(arguments: [
    ("string", "${s256(event.code)}"), ("string", "mark ${base64url(s256(event.code))}"),
    ("json", "${{'rows': [{s256(event.code): 1}]}}"),
  ])
  func theDigestOfASecretIsHiddenAfterItWasKeptToo(type: String, mark: String) throws {
    let workshop = try Workshop()
    try workshop.write(
      """
      { "flow": "marking", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}},
        "store": {"mark": {"type": "\(type)"}},
        "events": {"user.types": {"fields": {"code": {"type": "string", "secret": true, "example": "482913"}}}},
        "start": "launch",
        "states": {
          "launch": {"next": [{"when": "present(store.mark)", "goto": "marked"}, {"goto": "asking"}]},
          "asking": {"rest": true, "on": {
            "user.types": {"do": [{"set": {"mark": "\(mark)"}}], "goto": "marked"}}},
          "marked": {"goal": true, "do": [{"show": {"mark": {"is": "${store.mark}"}}}]}
        } }
      """, to: "marking.json")
    for _ in 1...3 {
      let result = try workshop.flowrun.shell("\"$FLOWRUN\" marking.json --store s --json")
      let shown = result.output.split(separator: "\n").filter { $0.contains(#""kind":"show""#) }
      #expect(shown.count == 1 && shown[0].contains("s256"), "\(result)")
      for digest in ["So7sSSWCb0tg", "U283c1NTV0Ni"] where result.output.contains(digest) {
        Issue.record("\(digest) is shown: \(result.output)")
      }
    }
  }

  @Test func aDeviceThatIsRegisteredIsNotRegisteredAgain() throws {
    let workshop = try Workshop(of: "flows")
    let first = try workshop.flowrun("teos-device.json", "--store", "s")
    #expect(first.code == 0 && first.output.contains("POST /connect/token"), "\(first)")
    let second = try workshop.flowrun("teos-device.json", "--store", "s")
    #expect(second.code == 0 && second.output.contains("decides: still valid"), "\(second)")
    #expect(!second.output.contains("GET") && !second.output.contains("default"))
  }

  @Test func whatIsMadeAnewDiffersFromWhatWasKept() throws {
    let counting = try Counting()
    var keys: Set<String> = []
    for _ in 1...4 {
      #expect(try counting.launch().code == 0)
      let text = try counting.workshop.read("s")
      keys.insert(String(try #require(text.firstMatch(of: /"key":"([^"]+)"/)?.output.1)))
    }
    #expect(keys.count == 4)
  }

  @Test func aScenarioThatSaysWhatIsStoredDoesNotGoWithAStoreThatIsThere() throws {
    let counting = try Counting()
    for given in ["{\"store\": {\"launches\": 7}}", "{\"after\": \"first\"}"] {
      try counting.workshop.write("{\"scenario\": \"first\"}", to: "counting/first.json")
      try counting.workshop.write("{\"scenario\": \"given\", \"given\": \(given)}", to: "counting/given.json")
      try? counting.workshop.remove("s")
      #expect(try counting.launch("--scenario given").code == 0)
      try counting.checkRefused("says itself what is stored", code: 64, options: "--scenario given --store s")
    }
    try counting.workshop.write("{\"scenario\": \"free\", \"script\": []}", to: "counting/free.json")
    #expect(try counting.launch("--scenario free").code == 0)
  }

  @Test func aStoreThatOthersCanReadOrWriteIsRefused() throws {
    let counting = try Counting()
    #expect(try counting.launch().code == 0)
    try counting.shell("rm s.lock")
    for mode in ["640", "604", "620", "601", "644"] {
      try counting.shell("chmod \(mode) s")
      try counting.checkRefused("chmod 600 s")
    }
    #expect(!counting.workshop.exists("s.lock"))
    try counting.shell("chmod 600 s")
    #expect(try counting.launch().output.contains("(launches: 2)"))
  }

  @Test func aStoreOfAnotherFlowANewerFormatAndWhatIsDamagedAreRefused() throws {
    let counting = try Counting()
    for (text, words) in [
      ("{\"format\":1,\"flow\":\"hello\",\"store\":{}}", "it belongs to flow \"hello\", not to \"counting\""),
      ("{\"format\":2,\"flow\":\"counting\",\"store\":{},\"more\":1}", "it has format 2, and this version knows 1"),
      ("{\"format\":1,\"flow\":\"counting\",\"store\":{\"launches\":\"x\"}}", "what it holds for \"launches\""),
      ("{\"format\":1,\"flow\":\"counting\",\"sto", "it was not written by a session, or is damaged"),
      ("{\"flow\": \"counting\",\n \"store\": {\"launches\": 1}}", "it was not written by a session, or is damaged"),
      (
        "{\"format\":1,\n\"flow\":\"counting\",\n\"store\":{\"launches\":}}",
        "is damaged: unexpected in line 3, column 21"
      ),
      ("", "it was not written by a session, or is damaged"),
      ("\u{1B}[2J", "it was not written by a session, or is damaged"),
    ] {
      try counting.workshop.write(text, to: "s")
      try counting.shell("chmod 600 s")
      try counting.checkRefused(words)
      try counting.checkRefused(words, options: "--store s --answer '{\"kill\": true}'")
    }
    #expect(!counting.workshop.exists("s.lock"), "what is refused is left alone")
    try counting.checkRefused("would replace the document hello.json", code: 64, options: "--store hello.json")
    try counting.shell("rm s && \"$FLOWRUN\" counting.json --store s")
    try counting.checkRefused("--trace would replace the store s", code: 64, options: "--trace s")
  }

  @Test func theMembersOfAStoreHaveNoOrder() throws {
    let counting = try Counting()
    try counting.workshop.write("{\"flow\": \"counting\", \"store\": {\"launches\": 4}, \"format\": 1}", to: "s")
    try counting.shell("chmod 600 s")
    #expect(try counting.workshop.flowrun("s").errors.contains("s is a store that a run has kept"))
    #expect(try counting.launch().output.contains("(launches: 5)"))
  }

  @Test func whatTheFlowDoesNotDeclareAnyMoreIsTold() throws {
    let counting = try Counting()
    let text = "{\"format\": 1, \"flow\": \"counting\", \"store\": {\"launches\": 4, \"starts\": 5, \"pin\": \"qzx\"}}"
    for options in ["", "--answer '{\"kill\": true}' --answer '{\"launch\": true}'"] {
      try counting.workshop.write(text, to: "s")
      try counting.shell("chmod 600 s")
      let told = "flowrun: counting.json does not declare all that s holds; the next store is without pin, starts\n"
      #expect(try counting.launch(options).errors == told)
      #expect(try counting.launch(options).errors == "")
    }
  }

  @Test func onlyAFileKeepsAStore() throws {
    let counting = try Counting()
    try counting.shell("mkfifo s")
    try counting.checkRefused("s is no file that can keep a store")
    try counting.shell("rm s && mkdir s")
    try counting.checkRefused("s is no file that can keep a store")
    try counting.shell("rmdir s && ln -s nowhere s")
    try counting.checkRefused("s is a link that leads nowhere")
    try counting.checkRefused("cannot be written", options: "--store no/such/s")
    try counting.checkRefused("/dev/null is no file", options: "--store /dev/null")
    #expect(!FileManager.default.fileExists(atPath: "/dev/null.lock") && !counting.workshop.exists("s.lock"))
  }

  @Test func noFileGetsWhatWasMeantForAStreamThatIsClosed() throws {
    let counting = try Counting()
    for led in ["", "--answer '{\"kill\": true}' --answer '{\"launch\": true}'"] {
      let result = try counting.workshop.flowrun.shell(
        "\"$FLOWRUN\" counting.json --store s --trace t.jsonl \(led) <&- >&-")
      #expect(result.code == 66 && result.errors.contains("standard output cannot be written"), "\(result)")
      #expect(try counting.kept() != nil)
      #expect(try counting.workshop.read("s.lock").isEmpty)
      #expect(try counting.workshop.read("t.jsonl").split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
    }
  }

  @Test func aLinkStaysOne() throws {
    let counting = try Counting()
    try counting.shell("mkdir elsewhere && \"$FLOWRUN\" counting.json --store elsewhere/t && ln -s elsewhere/t s")
    #expect(try counting.launch().output.contains("(launches: 2)"))
    try counting.shell("test -L s && grep -q '\"launches\":2' elsewhere/t")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func aStoreOfAnotherUserIsRefused() throws {
    let counting = try Counting()
    #expect(try counting.launch().code == 0)
    try counting.shell("chown 65534 s")
    try counting.checkRefused("s belongs to another user")
    try counting.shell("mkdir theirs && mv s theirs/s && ln -s theirs/s s")
    try counting.checkRefused("s belongs to another user")
  }

  @Test func aSecondRunIsToldAtOnceThatTheFirstHoldsTheFile() throws {
    let counting = try Counting()
    #expect(try counting.launch().code == 0)
    let descriptor = open(counting.path("s.lock"), O_RDWR | O_CLOEXEC)
    #expect(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    try counting.checkRefused("s is in use: another run keeps its store there")
    try counting.shell("ln -s s other")
    try counting.checkRefused("other is in use", options: "--store other")
    // Not only closed: a process that is just being started may have inherited it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
    #expect(try counting.launch().output.contains("(launches: 2)"))
  }

  @Test func whatCannotBeKeptLeavesTheOldStore() throws {
    let counting = try Counting(padding: 8000)
    #expect(try counting.launch().code == 0)
    let full = try counting.workshop.flowrun.shell(
      "trap '' XFSZ; ulimit -f 4; \"$FLOWRUN\" counting.json --store s")
    #expect(full.code == 66 && full.errors.contains("s cannot be written: "), "\(full)")
    #expect(try counting.kept() == 1)
    #expect(!counting.workshop.exists("s.unfinished"))
    // Root may write into every folder but those that are none.
    try counting.shell("mkdir shut && mv s shut && chmod 500 shut")
    let folder = geteuid() == 0 ? "/proc" : "shut"
    let shut = try counting.workshop.flowrun.shell("\"$FLOWRUN\" counting.json --store \(folder)/s")
    #expect(shut.code == 66 && shut.errors.contains("\(folder)/s cannot be "), "\(shut)")
    try counting.shell("chmod 700 shut")
  }
}
