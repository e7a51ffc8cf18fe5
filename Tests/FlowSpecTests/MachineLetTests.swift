import Expressions
import Testing

@testable import FlowSpec

/// Whatever looks into conditions reads the lets as they were compiled, however often it asks for them.
@Test func aMachineReadsItsLetsOnce() throws {
  var documents = try Documents.sample()
  let flow = try #require(documents.flow().value)
  let (first, again) = (flow.app.lets, flow.app.lets)
  #expect(first.keys.sorted() == ["good", "mayRefresh", "signedIn"])
  for (name, definition) in first { #expect(definition === again[name], "\(name)") }
  #expect(first["good"]?.source == "response.status == 200")
}
