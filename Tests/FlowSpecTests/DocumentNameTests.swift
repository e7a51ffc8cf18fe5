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

/// Documents whose paths may be composed otherwise: to a dictionary those would be one.
private struct LookAlikes: DocumentReader {
  var texts: [(path: String, text: String)]

  func read(_ path: String) -> [UInt8]? {
    texts.first { $0.path.utf8.elementsEqual(path.utf8) }.map { Array($0.text.utf8) }
  }
}

/// To most systems such files are two.
@Test func modelsWhosePathsLookAlikeAreTwo() {
  func found(_ first: String, _ second: String) -> [Diagnostic] {
    let paths = ["services/caf\u{E9}.json", "services/cafe\u{301}.json"]
    let flow = #"""
      {"flow": "x", "participants": {"app": {"kind": "app"}, "one": {"kind": "service", "model": "\#(paths[0])"},
        "two": {"kind": "service", "model": "\#(paths[1])"}}, "start": "s", "states": {
        "s": {"request": {"to": "one", "get": "\#(first)"}, "next": [{"goto": "t"}]},
        "t": {"request": {"to": "two", "get": "\#(second)"}, "next": [{"goto": "g"}]}, "g": {"goal": true}}}
      """#
    let models = zip(["/a", "/b"], paths).map { route, path in
      (path: path, text: #"{"service": "x", "routes": [{"on": "GET \#(route)", "next": [{"reply": {}}]}]}"#)
    }
    var reader = LookAlikes(texts: [("x.json", flow)] + models)
    return Loading.flow(at: "x.json", reader: &reader).diagnostics
  }
  let named = found("/a", "/b")
  #expect(named.filter { $0.severity == .error } == [])
  // The same is wrong in both, at the same place.
  #expect(named.map(\.code) == ["misnamed-service", "misnamed-service"])
  let strange = found("/b", "/a").filter { $0.severity == .error }
  #expect(strange.map(\.help) == ["did you mean GET /a?", "did you mean GET /b?"])
}
