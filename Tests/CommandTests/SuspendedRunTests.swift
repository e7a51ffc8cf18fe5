import Foundation
import Testing

/// An answer that comes while the program is suspended, for longer than the request may take, is there on waking: neither
/// the flow's time-out nor that of the transfer throws it away.
@Test(.timeLimit(.minutes(20))) func anAnswerThatHasComeToASuspendedRunIsBelieved() throws {
  let workshop = try Workshop()
  try workshop.write(
    #"""
    { "flow": "f", "title": "F",
      "participants": { "app": { "kind": "app" }, "id": { "kind": "service", "url": "https://id.example" } },
      "start": "asking", "states": {
        "asking": { "request": { "to": "id", "get": "/", "timeout": "5s" }, "next": [
          { "when": "response.failure == null", "goto": "in" }, { "goto": "out" }] },
        "in": { "goal": true }, "out": { "goal": true } } }
    """#, to: "f.json")
  let folder = workshop.folder
  let server = try LiveServer { _ in
    try? Data().write(to: folder.appendingPathComponent("asked"))
    while !FileManager.default.fileExists(atPath: folder.appendingPathComponent("stopped").path) { usleep(1000) }
    return LiveServer.Answer(body: "{}")
  }
  let result = try workshop.flowrun.shell(
    """
    "$FLOWRUN" f.json --live id=\(server.url) & until [ -e asked ]; do sleep 0.01; done
    kill -STOP $!; touch stopped; sleep 7; kill -CONT $!; wait $!
    """)
  #expect(result.code == 0 && result.output.contains("in \"in\": that is the goal"), "\(result)")
}
