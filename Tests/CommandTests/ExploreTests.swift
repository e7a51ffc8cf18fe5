import Foundation
import Testing

@Test func anExplorationSaysHowFarItWent() throws {
  let workshop = try Workshop()
  let result = try workshop.flowrun("explore", "hello.json")
  #expect(result.code == 0 && result.errors == "")
  #expect(result.output.hasPrefix("18 snapshots, 48 moves, all of them; no findings\n"), "\(result.output)")
  let bounded = try workshop.flowrun("explore", "hello.json", "--most", "5")
  #expect(bounded.output.contains("stopped at --most 5: "), "\(bounded.output)")
}

@Test func theScenarioOfAFindingRunsToWhatWasFound() throws {
  let workshop = try Workshop()
  try workshop.replace("\"rest\": true, ", with: "", in: "hello.json")
  let result = try workshop.flowrun("explore", "hello.json", "--json")
  #expect(result.code == 1)
  let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
  #expect(object?["complete"] as? Bool == true)
  let finding = try #require((object?["findings"] as? [[String: Any]])?.first)
  #expect(finding["kind"] as? String == "stops-elsewhere" && finding["state"] as? String == "tryLater")
  try workshop.write(try #require(finding["scenario"] as? String), to: "hello/stops-elsewhere.json")
  let run = try workshop.flowrun("hello.json", "--scenario", "stops-elsewhere")
  #expect(run.code == 1 && run.errors.contains("it stopped in \"tryLater\""), "\(run.output)\(run.errors)")
}

@Test func aBoundIsANumber() throws {
  let result = try Workshop().flowrun("explore", "hello.json", "--most", "few")
  #expect(result.code == 64 && result.errors.contains("--most takes a number"))
}
