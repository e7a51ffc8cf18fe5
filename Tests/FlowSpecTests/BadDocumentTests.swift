import Foundation
import JSONSyntax
import Testing

@testable import FlowSpec

/// The sample with one thing made wrong, and what is found: `Bad/cases.json`.
struct BadDocument: Sendable, CustomTestStringConvertible {
  let document: String
  let replaced: String
  let replacement: String
  /// What else is made wrong in it; `nil` where one thing is enough.
  let other: (replaced: String, replacement: String)?
  let finds: [String]
  /// A piece of the words of what is found.
  let says: String

  var testDescription: String { "\(document): \(replacement)" }

  init?(_ node: JSONNode) {
    guard case .object(let members) = node.kind else { return nil }
    var strings: [String: String] = [:]
    var finds: [String] = []
    for member in members {
      switch member.value.kind {
      case .string(let text): strings[member.name] = text
      case .array(let items): finds = items.compactMap { if case .string(let text) = $0.kind { text } else { nil } }
      default: return nil
      }
    }
    guard let document = strings["in"], let replaced = strings["replace"], let by = strings["by"] else { return nil }
    (self.document, self.replaced, self.replacement, self.finds) = (document, replaced, by, finds)
    other = strings["andReplace"].flatMap { replaced in strings["andBy"].map { (replaced, $0) } }
    says = strings["says"] ?? ""
  }

  static func all() throws -> [BadDocument] {
    let text = try #require(try Documents.folder("Bad").texts["cases.json"])
    guard case .array(let cases) = try JSONParser.parse(Array(text.utf8), as: .document).kind else { return [] }
    return cases.compactMap(BadDocument.init)
  }
}

@Test(arguments: try BadDocument.all())
func saysWhatIsWrongAndWhere(_ bad: BadDocument) throws {
  try checkFindings(bad)
}

@Test func everyCodeHasABadDocument() throws {
  let found = Set(try BadDocument.all().flatMap(\.finds).map { $0.prefix { $0 != " " } }.map(String.init))
  #expect(Judgement.codes.subtracting(found).sorted() == [])
}

private func checkFindings(_ bad: BadDocument, at location: SourceLocation = #_sourceLocation) throws {
  var documents = try Documents.sample()
  let text = try #require(documents.texts[bad.document])
  #expect(text.split(separator: bad.replaced).count == 2, "the replaced text stands once", sourceLocation: location)
  documents.texts[bad.document] = text.replacing(bad.replaced, with: bad.replacement)
  if let (replaced, replacement) = bad.other {
    #expect(text.contains(replaced), sourceLocation: location)
    documents.texts[bad.document]?.replace(replaced, with: replacement)
  }
  let flow = documents.flow()
  var diagnostics = flow.diagnostics
  if let flow = flow.value {
    diagnostics += Loading.scenario(at: "scenario.json", for: flow, reader: &documents).diagnostics
  }
  #expect(diagnostics.map(\.summary) == bad.finds, sourceLocation: location)
  let words = diagnostics.map { "\($0.message); \($0.help ?? "")" }.joined(separator: "\n")
  #expect(bad.says.isEmpty || words.contains(bad.says), "\(words)", sourceLocation: location)
  // Each says what to do.
  for diagnostic in diagnostics { #expect(diagnostic.help != nil, "\(diagnostic.message)", sourceLocation: location) }
}

@Test func theGuideListsTheChecksThatCanBeOverruled() throws {
  let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../flows/README.md")
  let guide = try String(contentsOf: file, encoding: .utf8)
  let table = try #require(guide.components(separatedBy: "| check | what it finds |\n").last)
  let rows = table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }.dropFirst()
  let listed = rows.flatMap { $0.split(separator: "|")[0].split(separator: "`").filter { $0.contains("-") } }
  #expect(Set(listed.map(String.init)) == Judgement.codes)
}
