import Foundation
import Testing

/// A test that stops early, in a workshop with a report of an earlier run: what it says to people and machines.
private func check(
  _ line: String, code: Int32, says words: String, at path: String = ".",
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let workshop = try Workshop()
  try workshop.write("<testsuites name=\"flowrun\" tests=\"1\" failures=\"0\" errors=\"0\">", to: "j.xml")
  let result = try workshop.flowrun.shell("\(line) --json --junit j.xml")
  #expect(result.code == code && result.errors.contains(words), "\(result)", sourceLocation: sourceLocation)
  let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: [[String: Any]]]
  let flow = try #require(object?["flows"]?.last, "\(result)", sourceLocation: sourceLocation)
  let failed = try #require((flow["failed"] as? [[String: Any]])?.first, sourceLocation: sourceLocation)
  #expect(failed["path"] as? String == path && failed["how"] as? String == "failed", sourceLocation: sourceLocation)
  let message = try #require(failed["message"] as? String, sourceLocation: sourceLocation)
  #expect(message.contains(words), sourceLocation: sourceLocation)
  let xml = try workshop.read("j.xml")
  #expect(xml.contains("failures=\"1\""), "\(xml)", sourceLocation: sourceLocation)
  #expect(xml.contains("<failure type=\"failed\" message=\"\(message)\">"), "\(xml)", sourceLocation: sourceLocation)
}

/// A job of a CI server publishes both, whatever the exit code is.
@Test func whatStopsATestIsInItsResults() throws {
  try check("ln -s .. hello/up; \"$FLOWRUN\" test .", code: 66, says: "leads back to a folder that it lies in")
  try check("\"$FLOWRUN\" test nope", code: 66, says: "there is no file or folder nope", at: "nope")
  try check("\"$FLOWRUN\" test", code: 66, says: "there is no file or folder flows", at: "flows")
  try check("mkdir -p flows; \"$FLOWRUN\" test", code: 66, says: "there is no flow, service or scenario", at: "flows")
  try check("\"$FLOWRUN\" test services", code: 66, says: "there is no flow to test", at: "services")
  try check("\"$FLOWRUN\" test . --accept", code: 64, says: "--accept lists what changed")
  try check("CI=1 \"$FLOWRUN\" test . --accept", code: 64, says: "traces are not accepted where the variable CI is set")
}

@Test func whatMayNotBeReplacedByAReportIsNotWhenATestStops() throws {
  let workshop = try Workshop()
  let document = try workshop.read("hello.json")
  let result = try workshop.flowrun("test", "nope", "--junit", "hello.json")
  #expect(result.code == 64 && result.errors.contains("--junit would replace the document"), "\(result)")
  #expect(try workshop.read("hello.json") == document)
}

/// It has no time to say what stops it.
@Test func ofATestThatIsKilledNoEarlierReportIsLeft() throws {
  let workshop = try Workshop()
  let result = try workshop.flowrun.shell(
    """
    echo old >j.xml; ln -s j.xml link; mkfifo pipe; exec 3<>pipe
    "$FLOWRUN" test pipe --junit link & for i in $(seq 100); do grep -q old j.xml || break; sleep 0.1; done
    kill -9 $!; cat j.xml
    """)
  #expect(result.output.contains("failures=\"1\""), "\(result)")
  #expect(result.output.contains("message=\"the test has not come to its end\""), "\(result)")
}

@Test func aReportIsWrittenOnceWhereItCannotBeReplaced() throws {
  let line = "\"$FLOWRUN\" test . --junit /dev/stderr 2>&1 >/dev/null | grep suites.name"
  let result = try Workshop().flowrun.shell(line)
  #expect(result.output.split(separator: "\n").count == 1, "\(result)")
}
