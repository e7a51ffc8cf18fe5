import JSONSyntax
import Testing

@testable import FlowSpec

/// What is found in the sample where a let and a key have some name, each code with its help.
private func told(ofLet name: String? = nil, key: String? = nil, used: String? = nil) throws -> [String] {
  var documents = try Documents.sample()
  if let used {
    documents.texts["sample.json"]?.replace("!same(event.state, memory.state)", with: used)
  }
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

  /// It is told where it is declared; what else is wrong in an expression that uses it is told all the same.
  @Test(arguments: ["loop", "if", "a-b", "9a", "my let", "größe", "let", "x.y", "in"])
  func aLetThatIsRefusedIsToldOnce(name: String) throws {
    let uses = ["NAME", "!NAME && signedIn", "signedIn || NAME", "{\"all\": [\"signedIn\", \"NAME\"]}"].map {
      $0.replacing("NAME", with: name)
    }
    for use in uses {
      var documents = try Documents.sample()
      documents.texts["sample.json"]?.replace(
        #""good": "response.status == 200""#,
        with: #""good": "response.status == 200", "\#(name)": "true", "other": "\#(name) ? 1 : 2""#)
      let when = use.hasPrefix("{") ? use : "\"\(use)\""
      documents.texts["sample.json"]?.replace(
        #""when": "!same(event.state, memory.state)""#, with: #""when": \#(when)"#)
      let errors = documents.flow().diagnostics.filter { $0.severity == .error }
      #expect(errors.map(\.code) == ["wrong-name"], "\(use)")
    }
    let beside = try told(ofLet: name, used: "nothing == 1 || signedIn").map { $0.prefix { $0 != ":" } }
    #expect(beside == ["wrong-name", "unknown-name"])
    let text = try told(ofLet: name, used: "'\(name)' + 3 == 'x'").map { $0.prefix { $0 != ":" } }
    #expect(text == ["wrong-name", "type-mismatch"])
  }

  @Test(arguments: names) func theSchemaTakesTheSameNames(name: String) throws {
    for kind in [Kind.flow, .service] {
      let pattern = try Schema(of: kind).root["properties"]["let"]["propertyNames"]["pattern"].text
      let isTaken = try name.contains(Regex(try #require(pattern)))
      #expect(try told(ofLet: name).isEmpty == isTaken, "\(name)")
    }
  }
}
