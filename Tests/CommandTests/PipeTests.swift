import Foundation
import Testing

/// Whoever gave the pipe may read it without waiting, and so has it written.
@Test func aPipeThatDoesNotWaitGetsEverything() throws {
  let workshop = try Workshop()
  let members = (0..<800).map { "\"unknown\($0)\": 0" }.joined(separator: ", ")
  try workshop.replace(#""start":"#, with: "\(members), \"start\":", in: "hello.json")
  let whole = try workshop.flowrun.shell("\"$FLOWRUN\" check hello.json --json").output
  #expect(whole.utf8.count > 200_000)
  var ends: [Int32] = [0, 0]
  #expect(pipe(&ends) == 0 && fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  let program = Process()
  program.executableURL = Flowrun.program
  program.currentDirectoryURL = workshop.folder
  program.arguments = ["check", "hello.json", "--json"]
  program.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: false)
  program.standardError = FileHandle.nullDevice
  try program.run()
  close(ends[1])
  // Until no more goes in.
  var waiting: Int32 = 0
  while waiting < 65_536, program.isRunning {
    usleep(1000)
    _ = ioctl(ends[0], UInt(FIONREAD), &waiting)
  }
  let said = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).readDataToEndOfFile()
  program.waitUntilExit()
  #expect(program.terminationStatus == 65)
  #expect(String(decoding: said, as: UTF8.self) == whole)
}

/// One signal ends a run at a terminal that nobody reads, whether it is full or has room for less than what comes next.
@Test(
  .timeLimit(.minutes(20)), arguments: [SIGINT, SIGTERM], [["--answers", "steps.json", "--json"], ["--interactive"]])
func aRunAtATerminalThatNobodyReadsEndsWithOneSignal(signal: Int32, arguments: [String]) throws {
  let workshop = try Workshop(of: "Tests/SignIn")
  let steps = Array(repeating: #"{"offline": true}, {"online": true}"#, count: 2000).joined(separator: ", ")
  try workshop.write("[\(steps)]", to: "steps.json")
  for isFull in [true, false] {
    let sitting = try Sitting(["sign-in.json", "--trace", "t.jsonl"] + arguments, in: workshop, full: isFull)
    sleep(3)
    kill(sitting.processIdentifier, signal)
    // Before it would have been read again.
    #expect(try sitting.end(reading: false) == 130)
    let trace = try String(contentsOf: workshop.folder.appendingPathComponent("t.jsonl"), encoding: .utf8)
    #expect(trace.split(separator: "\n").last?.contains(#""kind":"ended""#) == true)
  }
}

/// One signal ends a run whose reader has stalled, and the trace in a file is complete all the same.
@Test(.timeLimit(.minutes(20))) func aRunThatNobodyReadsEndsWithOneSignal() throws {
  let workshop = try Workshop(of: "Tests/SignIn")
  let steps = Array(repeating: #"{"offline": true}, {"online": true}"#, count: 2000).joined(separator: ", ")
  try workshop.write("[\(steps)]", to: "steps.json")
  let result = try workshop.flowrun.shell(
    """
    { "$FLOWRUN" sign-in.json --answers steps.json --json --trace t.jsonl & sleep 5; kill -TERM $!
      began=$(date +%s); wait $!; echo "$? $(($(date +%s) - began < 20))" >ended; } | sleep 30
    cat ended; tail -n 1 t.jsonl
    """)
  #expect(result.output.hasPrefix("130 1\n"), "\(result)")
  #expect(result.output.contains(#""kind":"ended""#), "\(result)")
}
