import FlowInterpreter
import Foundation
import Synchronization
import Testing

/// The texts of a document between fences that begin with a word.
private func blocks(_ fence: String, in text: String) -> [String] {
  text.components(separatedBy: "\n```\(fence)\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
}

@Test func theExampleOfTheReadmeRunsTheGuidesFlow() async throws {
  let documents = blocks("json", in: try Project.text("flows/README.md"))
  try #require(documents.count > 1)
  let shelf = ["flows/hello.json": documents[0], "flows/services/greeter.json": documents[1]]
  let kept = Mutex<[String]>([])
  let text = try await greeting(
    read: { shelf[$0].map { Array($0.utf8) } },
    keep: { store in kept.withLock { $0.append(String(decoding: store.bytes, as: UTF8.self)) } })
  #expect(text == "Hello from a real server, Ada")
  #expect(
    kept.withLock(\.self) == [#"{"format":1,"flow":"hello","store":{"greeting":"Hello from a real server, Ada"}}"#])
}

@Test func theReadmeShowsTheExampleToTheLetter() throws {
  let shown = blocks("swift", in: try Project.text("README.md"))
  #expect(shown.map { $0 + "\n" } == [try Project.text("Tests/FlowInterpreterTests/Example.swift")])
}
