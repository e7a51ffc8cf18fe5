import Foundation
import Testing

/// Runs that are killed at any moment, most of them while they write.
@Suite struct StoreKillTests {
  @Test func whoeverIsKilledLeavesTheOldStoreOrTheNew() throws {
    let counting = try Counting(padding: 30_000)
    let start = ContinuousClock.now
    #expect(try counting.launch().code == 0)
    let whole = start.duration(to: .now) / .microseconds(1)
    var before = 1
    var (old, new, unfinished) = (0, 0, 0)
    for round in 0..<45 {
      try killed(counting, anywhereIn: round % 3 == 0 ? whole * 1.2 : nil)
      let after = try #require(try counting.kept(), "the store is gone")
      #expect(after == before || after == before + 1)
      if after == before { old += 1 } else { new += 1 }
      if counting.workshop.exists("s.unfinished") { unfinished += 1 }
      before = after
    }
    #expect(old > 0 && new > 0, "\(old) old, \(new) new")
    #expect(unfinished > 0, "no run was killed while it wrote")
    // What the killed ones left is cleared away, and holds nobody up.
    #expect(try counting.launch().output.contains("(launches: \(before + 1))"))
    #expect(!counting.workshop.exists("s.unfinished"))
  }

  @Test func whoeverIsKilledAmongManyStoresLeavesOneOfThem() throws {
    let counting = try Counting(padding: 20_000)
    // Once a second it counts as if it were launched.
    try counting.workshop.replace(
      "\"next\": [{", with: "\"goal\": true, \"after\": [{\"wait\": \"1s\", ", in: "counting.json")
    try counting.workshop.replace("\"goto\": \"counted\"", with: "\"goto\": \"counting\"", in: "counting.json")
    try counting.workshop.replace(
      "\"goal\": true", with: "\"goal\": true, \"despite\": {\"unreachable-state\": \"so\"}", in: "counting.json")
    let seconds = Array(repeating: "{\"advance\": \"1s\"}", count: 1000)
    try counting.workshop.write("[\(seconds.joined(separator: ","))]", to: "seconds.json")
    var before = 0
    for _ in 0..<20 {
      let process = try started(counting, ["--answers", "seconds.json"])
      let end = ContinuousClock.now.advanced(by: .seconds(20))
      while process.isRunning, ContinuousClock.now < end, access(counting.path("s.unfinished"), F_OK) != 0 {
        usleep(20)
      }
      usleep(UInt32.random(in: 0...100_000))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let after = try counting.kept() ?? 0
      #expect(after >= before)
      before = after
    }
    #expect(before > 20, "\(before) stores were kept")
  }

  /// Starts a run and kills it at some moment of a time in microseconds; without one, when it is seen to write.
  private func killed(_ counting: Counting, anywhereIn time: Double?) throws {
    let process = try started(counting, [])
    if let time {
      usleep(UInt32.random(in: 0...UInt32(time)))
    } else {
      let path = counting.path("s.unfinished")
      while process.isRunning, access(path, F_OK) != 0 { usleep(20) }
      usleep(UInt32.random(in: 0...1500))
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func started(_ counting: Counting, _ more: [String]) throws -> Process {
    try? counting.workshop.remove("s.unfinished")
    let process = Process()
    process.executableURL = Flowrun.program
    process.arguments = ["counting.json", "--store", "s"] + more
    process.currentDirectoryURL = counting.workshop.folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}
