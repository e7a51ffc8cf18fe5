import JSONSyntax
import Testing

@testable import FlowSpec

/// What is found in the sample where a let and a key have some name, each code with its help.
private func told(ofLet name: String? = nil, key: String? = nil) throws -> [String] {
  var documents = try Documents.sample()
  for (stands, more) in [
    (#""good": "response.status == 200""#, name.map { #", "\#($0)": "true""# }),
    (#""state": {"type": "string", "group": "signIn"}"#, key.map { #", "\#($0)": {"type": "int"}"# }),
  ] {
    documents.texts["sample.json"]?.replace(stands, with: stands + (more ?? ""))
  }
  return documents.flow().diagnostics.filter { $0.severity == .error }.map { "\($0.code): \($0.help ?? "")" }
}

@Suite struct LetNameTests {
  static let names = [
    "true", "in", "loop", "if", "package", "function", "namespace", "let", "store", "9a", "a-b", "", "loops", "If",
    "is", "_in", "kind",
  ]

  /// No expression could use such a let, and a field is read behind a dot.
  @Test(arguments: ["loop", "if", "package", "let"])
  func aReservedWordIsTheNameOfNoLet(name: String) throws {
    #expect(try told(ofLet: name) == ["wrong-name: it has a meaning of its own there: take another name"])
    #expect(try told(key: name) == [])
  }

  @Test(arguments: ["loop[0]", "in-loop"]) func whatIsNoNameAtAllIsToldSo(name: String) throws {
    #expect(try told(ofLet: name) == ["wrong-name: use ASCII letters, digits and _, not a digit first"])
  }

  @Test(arguments: names) func theSchemaTakesTheSameNames(name: String) throws {
    for kind in [Kind.flow, .service] {
      let pattern = try Schema(of: kind).root["properties"]["let"]["propertyNames"]["pattern"].text
      let isTaken = try name.contains(Regex(try #require(pattern)))
      #expect(try told(ofLet: name).isEmpty == isTaken, "\(name)")
    }
  }
}
