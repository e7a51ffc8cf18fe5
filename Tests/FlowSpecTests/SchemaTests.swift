import Foundation
import JSONSyntax
import Testing

@testable import FlowSpec

/// The schemas say in JSON Schema what the grammar says in Swift: neither accepts, refuses or needs what the other does
/// not.
@Suite struct SchemaTests {
  static let kinds: [Kind] = [.flow, .service, .scenario]

  @Test(arguments: kinds) func hasADefinitionForEachKindOfItsDocument(_ document: Kind) throws {
    let schema = try Schema(of: document)
    let reached = document.reached.map(\.rawValue).filter { $0 != document.rawValue }
    let common = Grammar.common.map { "any.\($0.key)" }
    #expect(Set(schema.definitions.keys) == Set(reached + common))
  }

  @Test(arguments: kinds) func saysOfEveryKindWhatTheGrammarSays(_ document: Kind) throws {
    let schema = try Schema(of: document)
    for kind in document.reached { try checkKind(kind, of: document, in: schema) }
    for (name, shape) in Grammar.common {
      checkShape(try #require(schema.definitions["any.\(name)"]), shape, named: name)
    }
  }

  @Test(arguments: kinds) func knowsTheChecksThatCanBeOverruled(_ document: Kind) throws {
    let names = try #require(Schema(of: document).definitions["any.despite"])["propertyNames"]["enum"]
    #expect(Set(names.elements.compactMap(\.text)) == Judgement.codes)
  }

  @Test(arguments: kinds) func explainsEveryMember(_ document: Kind) throws {
    let schema = try Schema(of: document)
    for kind in document.reached {
      let node = kind == document ? schema.root : try #require(schema.definitions[kind.rawValue])
      checkExplained(node, kind.rawValue, in: schema)
      for member in node["properties"].members {
        checkExplained(member.value, "\(kind.rawValue).\(member.name)", in: schema)
      }
    }
  }
}

/// What a schema asks beyond the shape of a member, because some check of flowrun asks it too; `.ci/validate.py`
/// makes such mistakes and holds both against each other.
private let refinements: [String: Set<String>] = [
  "retry.most": ["minimum", "maximum"], "retry.factor": ["minimum", "maximum"],
  "key.one of": ["minItems"],
  "rowField.one of": ["minItems"], "configKey.one of": ["minItems"], "field.one of": ["minItems"],
  "route.on": ["pattern"], "fault.request": ["pattern"], "action.emit": ["minProperties", "maxProperties"],
  "action.show": ["minProperties", "maxProperties"], "action.send": ["minProperties", "maxProperties"],
  "state.next": ["anyOf", "minItems", "contains"], "route.next": ["anyOf", "minItems", "contains"],
  "request.timeout": ["not"],
  "timer.wait": ["pattern"], "service.sometimes": ["required", "anyOf", "properties"],
  "condition.all": ["minItems"], "condition.any": ["minItems"], "app.redirectUris": ["pattern", "anyOf"],
  "request.get": ["pattern"], "request.post": ["pattern"], "request.put": ["pattern"], "request.patch": ["pattern"],
  "request.delete": ["pattern"], "open.get": ["pattern"], "form.get": ["pattern"], "form.post": ["pattern"],
  "pageLink.get": ["pattern"], "redirect.get": ["pattern"], "peer.url": ["pattern"], "peer.origins": ["pattern"],
  "app.links": ["pattern"],
  "flow.events": ["patternProperties"], "flow.on": ["minItems"], "subflow.on": ["minItems"], "state.on": ["minItems"],
  "request.headers": ["propertyNames"], "reply.headers": ["propertyNames"], "answer.headers": ["propertyNames"],
  "reply.cookies": ["propertyNames"],
  "given.now": ["pattern"], "given.config": ["additionalProperties"], "deviceFacts.platform": ["not"],
  "ref": ["pattern"], "despite": ["pattern", "propertyNames"],
  "flow.config": ["propertyNames"], "flow.store": ["propertyNames"], "flow.memory": ["propertyNames"],
  "flow.let": ["propertyNames"], "flow.emits": ["propertyNames"], "service.config": ["propertyNames"],
  "service.store": ["propertyNames"], "service.memory": ["propertyNames"], "service.let": ["propertyNames"],
  "key.rows": ["propertyNames"], "event.fields": ["propertyNames"], "screen.fields": ["propertyNames"],
  "capability.input": ["propertyNames"], "capability.result": ["propertyNames"],
]

/// Rules of a whole object that no grammar has, since a check of flowrun knows them.
private func furtherRules(_ kind: Kind, of document: Kind) -> Set<String> {
  switch (kind, document) {
  case (.key, _): ["if", "then", "dependentSchemas"]
  case (.rowField, _), (.configKey, _), (.field, _): ["if", "then", "dependentSchemas"]
  case (.transition, .service): ["if", "then"]
  case (.peer, _): ["anyOf"]
  case (.reply, _), (.answer, _): ["dependentSchemas"]
  case (.state, _), (.step, _): ["dependentRequired", "dependentSchemas"]
  case (.fault, _), (.retry, _): ["dependentRequired"]
  default: []
  }
}

private func checkKind(
  _ kind: Kind, of document: Kind, in schema: Schema, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let isRoot = kind == document
  let node = isRoot ? schema.root : try #require(schema.definitions[kind.rawValue])
  let grammar = kind.grammar
  let members = node["properties"].members
  #expect(members.map(\.name).sorted() == kind.members(in: document).map(\.name).sorted(), "\(kind)")
  for member in members {
    guard let shape = grammar.shape(of: member.name) else { continue }
    let name = "\(kind.rawValue).\(member.name)"
    // The kind of a participant is the one word that chooses its definition.
    let own: Shape = member.name == "kind" ? .word([kind == .peer ? "service" : kind.rawValue]) : shape
    if member.value["$ref"].text == "#/$defs/any.\(member.name)" { continue }
    checkShape(member.value, own, named: name, sourceLocation: sourceLocation)
  }
  let known = ["type", "description", "properties", "required", "allOf", "additionalProperties"]
  let own = isRoot ? ["$schema", "title", "$defs"] : []
  let keywords = Set(node.members.map(\.name)).subtracting(known + own)
  #expect(keywords == furtherRules(kind, of: document), "\(kind)")
  #expect(node["type"].text == "object" && node["additionalProperties"].written() == "false", "\(kind)")
  #expect(node["required"].elements.compactMap(\.text).sorted() == grammar.required.sorted(), "\(kind)")
  let rules = grammar.rules(without: kind.misplaced(in: document))
  #expect(node["allOf"].elements.map { $0.written() } == rules.map { $0.written() }, "\(kind)")
}

private func checkShape(
  _ node: JSONNode, _ shape: Shape, named name: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let given = node.written(without: (refinements[name] ?? []).union(["description"]))
  #expect(shape.schemas(named: name).contains(given), "\(name): \(given)", sourceLocation: sourceLocation)
}

/// A hover text is a sentence: it tells more than the name, and ends.
private func checkExplained(_ node: JSONNode, _ name: String, in schema: Schema) {
  var text = node["description"].text
  if text == nil, let definition = node["$ref"].text?.split(separator: "/").last {
    text = schema.definitions[String(definition)]?["description"].text
  }
  let words = text?.split(separator: " ") ?? []
  #expect(words.count > 1 && text?.last.map { ".:)".contains($0) } == true, "\(name): \(text ?? "nothing")")
}

/// A schema file, taken apart.
struct Schema {
  let root: JSONNode
  let definitions: [String: JSONNode]

  init(of kind: Kind) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("schemas/\(kind.rawValue).schema.json")
    root = try JSONParser.parse(Array(try Data(contentsOf: file)), as: .document)
    definitions = Dictionary(uniqueKeysWithValues: root["$defs"].members.map { ($0.name, $0.value) })
  }
}

extension Shape {
  /// How a schema may write it, canonically.
  fileprivate func schemas(named name: String) -> [String] {
    switch self {
    case _ where name.hasSuffix(".format"): [#"{"const":1}"#]
    case _ where name == "fault.nth": [#"{"anyOf":[{"minimum":1,"type":"integer"},{"const":"every"}]}"#]
    case .flag where Self.saysTrue(name): [#"{"const":true}"#]
    case .map(.value) where Self.holdsTexts(name): [Self.texts(name.hasSuffix(".cookies") ? #","null""# : "")]
    default: [schema]
    }
  }

  /// Steps and faults that only take true: false says nothing, and is refused.
  private static func saysTrue(_ name: String) -> Bool {
    ["step.offline", "step.online", "step.launch", "fault.unreachable", "fault.lost"].contains(name)
  }

  /// What goes over the network as text; a cookie that is null is deleted.
  private static func holdsTexts(_ name: String) -> Bool {
    ["query", "headers", "form", "cookies"].contains { name.hasSuffix(".\($0)") }
  }

  private static func texts(_ more: String) -> String {
    #"{"additionalProperties":{"type":["string","number","boolean"\#(more)]},"type":"object"}"#
  }

  /// What durations look like, as JSON says it.
  private static let durations =
    #"^\\+?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(d|h|m|s|ms|us|µs|μs|ns))+)$"#

  private var schema: String {
    switch self {
    case .text, .template: #"{"type":"string"}"#
    case .label, .name, .expression: #"{"minLength":1,"type":"string"}"#
    case .duration: #"{"pattern":"\#(Self.durations)","type":"string"}"#
    case .flag: #"{"type":"boolean"}"#
    case .whole: #"{"type":"integer"}"#
    case .wholeIn(let range, _):
      (range.upperBound == .max ? "{" : "{\"maximum\":\(range.upperBound),")
        + "\"minimum\":\(range.lowerBound),\"type\":\"integer\"}"
    case .number: #"{"type":"number"}"#
    case .value: "{}"
    case .object(let kind): ##"{"$ref":"#/$defs/\##(kind.rawValue)"}"##
    case .participant:
      "{\"anyOf\":[\(Kind.participantKinds.map { Shape.object(Kind.participant($0)).schema }.joined(separator: ","))]}"
    case .list(let shape): "{\"items\":\(shape.schema),\"type\":\"array\"}"
    case .oneOrMore(let shape):
      "{\"anyOf\":[\(shape.schema),{\"items\":\(shape.schema),\"type\":\"array\"}]}"
    case .map(.value): #"{"type":"object"}"#
    case .map(let shape):
      "{\"additionalProperties\":\(shape.schema),"
        + (shape.isFoundByName ? "\"propertyNames\":{\"minLength\":1}," : "") + "\"type\":\"object\"}"
    case .textOr(let kind): "{\"anyOf\":[\(Shape.label.schema),\(Shape.object(kind).schema)]}"
    case .trueOr(let kind): "{\"anyOf\":[{\"const\":true},\(Shape.object(kind).schema)]}"
    case .word(let words):
      words.count == 1
        ? "{\"const\":\"\(words[0])\"}" : "{\"enum\":[\(words.map { "\"\($0)\"" }.joined(separator: ","))]}"
    }
  }
}

extension JSONMember {
  /// Names with any values are what an object has anyway.
  fileprivate var saysNothing: Bool {
    guard name == "additionalProperties", case .object(let members) = value.kind else { return false }
    return members.isEmpty
  }
}

extension Grammar {
  /// What may not be missing and what may not stand together, as `allOf` says it.
  fileprivate func rules(without misplaced: [String]) -> [JSONNode] {
    func own(_ groups: [[String]]) -> [[String]] { groups.map { $0.filter { !misplaced.contains($0) } } }
    func required(_ names: [String]) -> String {
      "{\"required\":[\(names.map { "\"\($0)\"" }.joined(separator: ","))]}"
    }
    let texts =
      own(exactlyOne).map { group in "{\"oneOf\":[\(group.map { required([$0]) }.joined(separator: ","))]}" }
      + own(atLeastOne).map { group in "{\"anyOf\":[\(group.map { required([$0]) }.joined(separator: ","))]}" }
      + own(Array(groups.dropFirst(exactlyOne.count))).filter { $0.count > 1 }.map { group in
        let pairs = group.indices.flatMap { first in
          group[(first + 1)...].map { required([group[first], $0]) }
        }
        return "{\"not\":{\"anyOf\":[\(pairs.joined(separator: ","))]}}"
      }
    return texts.compactMap { try? JSONParser.parse(Array($0.utf8), as: .document) }
  }
}

extension Kind {
  /// The kinds that a document of this kind is made of, itself first.
  fileprivate var reached: [Kind] {
    var found: [Kind] = []
    var pending = [self]
    while let kind = pending.popLast() {
      if found.contains(kind) { continue }
      found.append(kind)
      for member in kind.members(in: self) { pending += member.shape.kinds }
    }
    return found
  }

  /// What has its place in a document of that kind.
  fileprivate func members(in document: Kind) -> [(name: String, shape: Shape)] {
    let misplaced = misplaced(in: document)
    return grammar.names.filter { !misplaced.contains($0) }.compactMap { name in
      grammar.shape(of: name).map { (name, $0) }
    }
  }

  fileprivate func misplaced(in document: Kind) -> [String] {
    document == .scenario ? [] : MachineBuilder.misplaced(in: self, of: document == .flow ? .app : .service).members
  }
}

extension JSONNode {
  fileprivate var members: [JSONMember] { if case .object(let members) = kind { members } else { [] } }
  fileprivate var elements: [JSONNode] { if case .array(let elements) = kind { elements } else { [] } }
  var text: String? { if case .string(let text) = kind { text } else { nil } }

  subscript(name: String) -> JSONNode {
    members.first { $0.name == name }?.value ?? JSONNode(kind: .null, range: range)
  }

  /// Compact, the members in the order of their names, some left out wherever they stand.
  fileprivate func written(without names: Set<String> = []) -> String {
    var writer = JSONWriter()
    write(to: &writer, without: names)
    return writer.text
  }

  private func write(to writer: inout JSONWriter, without names: Set<String>) {
    switch kind {
    case .object(let members):
      writer.beginObject()
      for member in members.sorted(by: { $0.name < $1.name })
      where !names.contains(member.name) && !member.saysNothing {
        writer.name(member.name)
        member.value.write(to: &writer, without: names)
      }
      writer.endObject()
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer, without: names) }
      writer.endArray()
    case .string(let text): writer.string(text)
    case .bool(let flag): writer.bool(flag)
    case .int(let number): writer.int(number)
    case .double(let number): writer.double(number)
    case .null, .wholeNumberTooLarge: writer.null()
    }
  }
}
