import Foundation
import Testing

/// Somebody is signed in from the first launch on, and of the two named transitions to signed out those of `kept` can be
/// taken: explored to its end, whether "signedOut" is ever entered.
private func checkSignedOut(
  keeping kept: [String], isEntered expected: Bool, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let workshop = try Workshop()
  let flow = "syncserver.json"
  for document in [flow, "services/google.json", "services/sync-server.json"] {
    try workshop.write(Repository.text("flows/\(document)"), to: document)
  }
  try workshop.replace(
    "\"initial\": false,\n      \"group\": \"session\"", with: "\"initial\": true,\n      \"group\": \"session\"",
    in: flow)
  try workshop.replace(
    #""deviceUUID": { "type": "string","#, with: #""deviceUUID": { "type": "string", "initial": "device","#, in: flow)
  if !kept.contains("signs out") {
    try workshop.replace(#""name": "signs out","#, with: #""name": "signs out", "when": "false","#, in: flow)
  }
  if !kept.contains("account gone") {
    let gone = "\"ref\": \"Y9\",\n              \"when\": "
    try workshop.replace(gone + #""result.ended == 'unknown'""#, with: gone + #""false""#, in: flow)
  }
  let result = try workshop.flowrun("explore", flow, "--json")
  let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
  #expect(report?["complete"] as? Bool == true, "\(result.errors)", sourceLocation: sourceLocation)
  let findings = try #require(report?["findings"] as? [[String: Any]])
  let neverEntered = findings.filter { $0["kind"] as? String == "never-entered" }.map { $0["state"] as? String }
  #expect(neverEntered.contains("signedOut") != expected, sourceLocation: sourceLocation)
}

@Test func nothingButTwoNamedTransitionsSignsAnybodyOut() throws {
  try checkSignedOut(keeping: [], isEntered: false)
  try checkSignedOut(keeping: ["signs out"], isEntered: true)
  try checkSignedOut(keeping: ["account gone"], isEntered: true)
}
