import FlowSpec
import Testing

// What documents are called, and what stands in them by name.

@Test func aDocumentHasOneNameWhoeverNamesIt() throws {
  let text = #"""
    {"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"},
      "api": {"kind": "service", "url": "https://api.example", "model": "../services/./api.json"}}, "start": "home",
      "states": {"home": {"goal": true}}}
    """#
  for (folder, path) in [
    ("flows/deep", "flows/services/api.json"), ("deep", "services/api.json"), ("..", "../../services/api.json"),
    ("/a/b", "/a/services/api.json"),
  ] {
    var documents = Documents(texts: ["\(folder)/x.json": text, path: #"{"service": "api", "routes": 1}"#])
    let found = documents.flow("\(folder)/x.json").diagnostics.filter { $0.code == "wrong-type" }
    #expect(found.map { $0.labels.first?.site.document.path } == [path])
  }
}

/// Composed and decomposed letters: to Swift, and to whoever reads them, such names are equal.
@Test func namesThatLookAlikeAreDuplicates() throws {
  let text =
    #"{"flow": "x", "title": "X", "participants": {"user": {"kind": "person"}, "app": {"kind": "app"}}, "start": "café", "#
  var documents = Documents(texts: [
    "x.json": text + "\"states\": {\"caf\u{E9}\": {\"goal\": true}, \"cafe\u{301}\": {\"rest\": true}}}"
  ])
  #expect(documents.flow("x.json").diagnostics.map(\.code) == ["duplicate-member"])
}
