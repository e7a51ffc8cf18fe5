import Expressions
import Foundation
import JSONSyntax
import Testing

@testable import FlowEngine

/// `$defs` of the schema of traces.
private func definitions() throws -> [JSONMember] {
  let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  let bytes = Array(try Data(contentsOf: root.appendingPathComponent("schemas/trace.schema.json")))
  return try #require(JSONParser.parse(bytes, as: .document)["$defs"]).members
}

/// Every member that a line has is one that the schema describes for its kind, and none is missing that it demands.
private func checkDescribed(_ facts: [Happening.Fact], sourceLocation: SourceLocation = #_sourceLocation) throws {
  let definitions = try definitions()
  for line in Sample.lines(facts.map { Sample.happening($0, refs: ["1"]) }) {
    let members = try JSONParser.parse(Array(line.utf8), as: .body).members
    let kind = try #require(members.first { $0.name == "kind" }?.value.text)
    let definition = try #require(definitions.first { $0.name == kind }?.value)
    let described = definition["properties"]?.members.map(\.name) ?? []
    for member in members {
      #expect(described.contains(member.name), "\(kind) \(member.name)", sourceLocation: sourceLocation)
    }
    let names = Set(members.map(\.name))
    let demands = definition["dependentRequired"]?.members.filter { names.contains($0.name) }.map(\.value) ?? []
    for demanded in ([definition["required"]].compactMap(\.self) + demands).flatMap(\.elements) {
      let name = try #require(demanded.text)
      #expect(names.contains(name), "\(kind) \(name)", sourceLocation: sourceLocation)
    }
  }
}

@Test func theSchemaDescribesEveryKindOfLine() throws {
  let described = try definitions().map(\.name).filter { $0 != "values" && $0 != "header" }
  #expect(described.sorted() == TraceKind.allCases.map(\.rawValue).sorted())
}

@Test func theSchemaExplainsEveryMember() throws {
  for definition in try definitions() {
    let members = definition.value["properties"]?.members ?? []
    for (name, node) in [("", definition.value)] + members.map({ ($0.name, $0.value) }) {
      let words = node["description"]?.text?.split(separator: " ") ?? []
      #expect(words.count > 1, "\(definition.name) \(name)")
    }
  }
}

@Test func theSchemaDescribesWhatIsWritten() throws {
  let fields = [Sample.named("a", .int(1))]
  try checkDescribed([
    .launched(from: 0, to: 1), .resumed(scenario: "x"), .killed(1, keeping: 1), .choice("launch"),
    Sample.state("ready", title: "Ready", isGoal: true), Sample.transition("refreshed"),
    .event(EventHappening(from: 0, to: 1, name: "user.begins", fields: fields, outcome: .kept)),
    Sample.request(attempt: 2) { $0.bearer = Text("x") }, Sample.answer(fate: .dropped),
    Sample.answer(reason: "its body is no JSON"),
    .perform(from: 1, to: 2, capability: "sign", input: fields),
    .result(from: 2, to: 1, capability: "sign", failure: "no", fields: fields),
    .page(PageShown(from: 3, to: 0, title: .string("x"), text: .string("y"), forms: ["f"], links: ["l"])),
    .submit(from: 0, to: 3, form: "f", fields: fields), .follow(from: 0, to: 3, link: "l"),
    .mail(
      MailArrived(
        from: 2, to: 0, name: "m", address: .string("a"), subject: .string("s"), text: .string("t"), links: fields)),
    .openMail(from: 0, to: 3, mail: "m"), .set(1, [Change(path: .init(key: "k"), old: .null, new: .null)]),
    .emit(1, "e", fields), .show(from: 1, to: 0, screen: "s", fields),
    .open(from: 1, to: 3, url: Location(base: .elsewhere(Text("u:")), path: [], query: [])),
    .close(from: 3, to: 1, reason: "nobody came back"),
    .clock(.seconds(1)), .fault("f"), Sample.ended(.error("e")),
  ])
}
