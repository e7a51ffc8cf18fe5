import FlowInterpreter
import Foundation
import Synchronization
import Testing

/// The texts of a document between fences that begin with a word.
private func blocks(_ fence: String, in text: String) -> [String] {
  text.components(separatedBy: "\n```\(fence)\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
}

@Test func theExampleOfTheReadmeRunsTheGuidesFlow() async throws {
  let documents = ["mail-link.json", "services/mail-link-server.json"]
  let shelf = try Dictionary(
    uniqueKeysWithValues: documents.map { ("flows/\($0)", try Project.text("Tests/Guide/\($0)")) })
  let kept = Mutex<[String]>([])
  let isSignedIn = try await signIn(
    "ada@mail.example", read: { shelf[$0].map { Array($0.utf8) } },
    keep: { store in kept.withLock { $0.append(String(decoding: store.bytes, as: UTF8.self)) } })
  #expect(isSignedIn)
  #expect(
    kept.withLock(\.self) == [#"{"format":1,"flow":"mail-link","store":{"session":"from a real server"}}"#])
}

@Test func theReadmeShowsTheExampleToTheLetter() throws {
  let shown = blocks("swift", in: try Project.text("README.md"))
  #expect(shown.map { $0 + "\n" } == [try Project.text("Tests/FlowInterpreterTests/Example.swift")])
}
