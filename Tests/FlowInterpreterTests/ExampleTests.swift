import FlowInterpreter
import Foundation
import Synchronization
import Testing

/// The texts of a document between fences that begin with a word.
private func blocks(_ fence: String, in text: String) -> [String] {
  text.components(separatedBy: "\n```\(fence)\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
}

/// The guide's documents; the flow keeps this member of the answer, of the server at this address.
///
/// It waits for answers longer than any machine takes that has other tests to run.
private func shelf(
  keeping member: String = "session", from server: String = "https://id.example"
) throws -> [String: [UInt8]] {
  let documents = ["mail-link.json", "services/mail-link-server.json"]
  return try Dictionary(
    uniqueKeysWithValues: documents.map { name in
      let text = try Project.text("Tests/Guide/\(name)")
        .replacing("response.json.session", with: "response.json.\(member)")
        .replacing("https://id.example", with: server)
        .replacing("\"request\": { ", with: "\"request\": { \"timeout\": \"1h\", ")
      return ("flows/\(name)", Array(text.utf8))
    })
}

@Test func theExampleOfTheReadmeRunsTheGuidesFlow() async throws {
  let shelf = try shelf()
  let kept = Mutex<[String]>([])
  let isSignedIn = try await signIn(
    "ada@mail.example", read: { shelf[$0] },
    keep: { store in kept.withLock { $0.append(String(decoding: store.bytes, as: UTF8.self)) } })
  #expect(isSignedIn)
  #expect(
    kept.withLock(\.self) == [#"{"format":1,"flow":"mail-link","store":{"session":"from a real server"}}"#])
}

@Test func theExampleOfTheReadmeThrowsWhatKeepThrows() async throws {
  struct DiskFull: Error {}
  let shelf = try shelf()
  await #expect(throws: DiskFull.self) {
    try await signIn("ada@mail.example", read: { shelf[$0] }, keep: { _ in throw DiskFull() })
  }
}

@Test func theExampleOfTheReadmeThrowsARunError() async throws {
  let shelf = try shelf(keeping: "missing")
  await #expect(throws: RunError.self) {
    try await signIn("ada@mail.example", read: { shelf[$0] }, keep: { _ in })
  }
}

@Test(.timeLimit(.minutes(20))) func theExampleOfTheReadmeEndsWhenTheServerFails() async throws {
  let shelf = try shelf(from: "https://down.example")
  #expect(try await !signIn("ada@mail.example", read: { shelf[$0] }, keep: { _ in }))
}

@Test func theReadmeShowsTheExampleToTheLetter() throws {
  let shown = blocks("swift", in: try Project.text("README.md"))
  #expect(shown.map { $0 + "\n" } == [try Project.text("Tests/FlowInterpreterTests/Example.swift")])
}
