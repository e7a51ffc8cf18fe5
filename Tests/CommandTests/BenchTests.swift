import Foundation
import Testing

private let figures: Set = [
  "loadMillis", "runsPerSecond", "runsPerSecondTraced", "transitionsPerRun", "snapshotsPerSecond", "peakMiB",
]

@Test func aBenchGivesEveryFigureAsANumber() throws {
  let result = try Workshop().flowrun("bench", "hello.json", "--json")
  #expect(result.code == 0 && result.errors == "")
  let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Double]
  #expect(Set(object?.keys.map { $0 } ?? []) == figures, "\(result.output)")
  #expect(object?.values.allSatisfy { $0 > 0 } == true, "\(result.output)")
}

@Test func aBenchForPeopleSaysWhatEachFigureIs() throws {
  let result = try Workshop().flowrun("bench", "hello.json")
  let lines = result.output.split(separator: "\n")
  #expect(Set(lines.map { $0.prefix { $0 != " " } }) == Set(figures.map { $0[...] }), "\(result.output)")
  for line in lines {
    let columns = line.split(separator: " ", maxSplits: 2)
    #expect(columns.count == 3 && Double(columns[1]) != nil && line.count <= 100, "\(line)")
    // Words, and not another number.
    #expect(columns.last?.contains { $0 == " " } == true, "\(line)")
  }
}

@Test func aRunThatEndsBadlyIsNotMeasured() throws {
  let workshop = try Workshop()
  try workshop.replace("\"type\": \"string\"", with: "\"type\": \"int\"", in: "hello.json")
  let result = try workshop.flowrun("bench", "hello.json")
  #expect(result.code == 1 && result.output == "", "\(result.output)")
  #expect(result.errors.contains("the automatic run of hello.json ends badly"), "\(result.errors)")
}
