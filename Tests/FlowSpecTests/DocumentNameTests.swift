import FlowSpec
import Testing

// What documents are called, and what stands in them by name.

/// Composed and decomposed letters: to Swift, and to whoever reads them, such names are equal.
@Test func namesThatLookAlikeAreDuplicates() throws {
  let text =
    #"{"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "café", "#
  var documents = Documents(texts: [
    "x.json": text + "\"states\": {\"caf\u{E9}\": {\"goal\": true}, \"cafe\u{301}\": {\"rest\": true}}}"
  ])
  #expect(documents.flow("x.json").diagnostics.map(\.code) == ["duplicate-member"])
}
