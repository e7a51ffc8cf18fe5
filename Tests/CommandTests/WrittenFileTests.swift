import Testing

/// Runs a line of the shell, and finds what was begun and is not finished.
private func check(
  _ workshop: Workshop, _ line: String, code: Int32, says words: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let result = try workshop.flowrun.shell(line)
  #expect(result.code == code, "\(result)", sourceLocation: sourceLocation)
  #expect((result.output + result.errors).contains(words), "\(result)", sourceLocation: sourceLocation)
  let begun = try workshop.flowrun.shell("find . -name '*.tmp'").output
  #expect(begun.isEmpty, "\(begun)", sourceLocation: sourceLocation)
}

@Test func whoeverIsStoppedLeavesNothingHalfWritten() throws {
  let workshop = try Workshop()
  for number in 0..<60 {
    try workshop.write("{\"scenario\": \"s\(number)\", \"ends\": \"greeted\"}", to: "hello/s\(number).json")
  }
  for _ in 0..<8 {
    try check(
      workshop,
      """
      rm -f hello/*.trace.jsonl; "$FLOWRUN" test . --accept > /dev/null & program=$!
      while kill -0 $program 2> /dev/null && ! ls hello | grep -q tmp; do :; done
      kill -TERM $program; wait $program
      """, code: 128 + 15)
  }
}

@Test func whatAKilledOneLeftUnderTheSameNumberIsReplaced() throws {
  try check(
    Workshop(), ": > hello/offline-first.trace.jsonl.flowrun-$$.tmp; exec \"$FLOWRUN\" test . --accept", code: 0,
    says: "accepted  new: hello/offline-first.trace.jsonl")
}

/// A process has no number beyond 4194304; who runs the line goes on.
@Test func whatOnesThatWereKilledHaveLeftIsRemoved() throws {
  let workshop = try Workshop()
  let golden = "hello/offline-first.trace.jsonl"
  try check(
    workshop, ": > \(golden).flowrun-4194305.tmp; : > \(golden).flowrun-9999999.tmp; exec \"$FLOWRUN\" test . --accept",
    code: 0,
    says: "accepted  new: \(golden)")
  let result = try workshop.flowrun.shell(
    """
    : > \(golden).flowrun-$$.tmp; : > \(golden).flowrun-1.x.tmp; : > \(golden).flowrun-+9999999.tmp
    : > \(golden).20240101.tmp; rm \(golden)
    "$FLOWRUN" test . --accept > /dev/null; ls hello/*.tmp | wc -l
    """)
  #expect(result.output.split(separator: "\n").last == "4", "\(result)")
}

@Test func aFileThatMayNotGrowIsToldAndNotBegun() throws {
  let line = "ulimit -f 1; exec \"$FLOWRUN\" hello.json --scenario offline-first"
  try check(Workshop(), "\(line) --trace kept > /dev/null", code: 66, says: "kept cannot be written: ")
  try check(Workshop(), "\(line) --json > kept", code: 66, says: "standard output cannot be written: ")
}

@Test func noFileIsReplacedUnderAnotherOfItsNames() throws {
  let workshop = try Workshop()
  try check(
    workshop, "echo '[]' > a.jsn; ln a.jsn b.jsn; exec \"$FLOWRUN\" hello.json --answers a.jsn --trace b.jsn", code: 64,
    says: "--trace and --answers name the same file")
  #expect(try workshop.flowrun.shell("cat a.jsn").output == "[]\n")
  try check(
    workshop, "ln -s ../hello.json hello/offline-first.trace.jsonl; exec \"$FLOWRUN\" test . --accept", code: 66,
    says: "hello.json, which is no golden")
  #expect(try workshop.flowrun.shell("head -c 1 hello.json; ls -l hello").output.contains("-> ../hello.json"))
}

@Test func aLinkThatLeadsNowhereStaysOne() throws {
  let workshop = try Workshop()
  for options in ["", "--answers a.jsn"] {
    try check(
      workshop, "echo '[]' > a.jsn; ln -sf nowhere l; exec \"$FLOWRUN\" hello.json \(options) --trace l", code: 66,
      says: "l is a link that leads nowhere")
    #expect(try workshop.flowrun.shell("readlink l; test ! -e nowhere").code == 0)
  }
}

@Test func whatIsGivenInPlaceOfAFileIsNotSaidBack() throws {
  let result = try Workshop().flowrun("hello.json", "--config-file", #"{"card": "c4n4ry"}"#)
  #expect(result.code == 66 && !result.errors.contains("c4n4ry"), "\(result)")
}

/// What a script writes into is written to as it is: a link to it stays, and what others have written there too.
@Test(arguments: ["link", "/dev/stdout", "/dev/fd/1"])
func aStandardStreamIsNoFileToBeReplaced(path: String) throws {
  let workshop = try Workshop()
  try workshop.checkShell(
    """
    ln -s /dev/fd/1 link; "$FLOWRUN" test . --accept > /dev/null
    "$FLOWRUN" test . --junit \(path) > all.txt || exit 1
    "$FLOWRUN" hello.json --trace \(path) >> all.txt || exit 1
    test -L link && cat all.txt
    """, code: 0,
    says: ["<testsuites", "ok        hello/offline-first.json", " passed, 0 failed", #"{"n":1,"#, "app → greeter"],
    never: ["has not come to its end"])
}

@Test func whatCannotBeWrittenToIsSaidAtOnce() throws {
  try Workshop().checkShell(
    "\"$FLOWRUN\" test . --junit /dev/fd/0 < /dev/null", code: 66, says: ["/dev/fd/0 cannot be written: "])
}

@Test func whatOnesThatWereKilledHaveLeftOfAHiddenFileIsRemoved() throws {
  try check(
    Workshop(), ": > .report.xml.flowrun-9999999.tmp; \"$FLOWRUN\" test . --junit .report.xml; head -c 5 .report.xml",
    code: 0, says: "<?xml")
}
