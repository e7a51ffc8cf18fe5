import Expressions
import JSONSyntax

/// Where a document has secrets written out, so that no message quotes one.
///
/// It is found in the text, by names, and in addresses by their routes: what is wrong with a document must not show what
/// is secret in it.
struct WrittenSecrets {
  /// Names that are secret wherever they stand: of keys, fields and settings, and what services list.
  let names: Names
  let text: LooseText
  /// Members by which an object is one of the language, not data: a form or a mail may be called like a secret.
  static let declaring: Set<String> = [
    "type", "one of", "rows", "secret", "get", "post", "uri", "fields", "links", "do", "goto", "next", "on", "request",
  ]
  /// Members that hold data, in which nothing is declared, whatever it looks like.
  static let data: Set<String> = [
    "set", "emit", "show", "with", "json", "form", "query", "headers", "cookies", "initial", "value", "example",
  ]
  /// Members of a document under whose names parts of its machine stand.
  private static let ofMachines: Set = ["participants", "flows", "let", "events", "emits", "screens"]
  private static let takingSecrets: Set = [
    "given", "store", "config", "services", "with", "answer", "result",
  ]
  /// What is always secret.
  static let everywhere = ["authorization", "proxy-authorization", "bearer", "cookie", "cookies", "set-cookie"]
  /// What scenarios are made of: another name may be that of a secret, or of the place of one, misspelt.
  private static let ofScenarios = members(of: [.scenario, .given, .deviceFacts, .step, .kill, .relaunch, .fault])
  private static let ofAnswers = members(of: [.answer])
  static let ofAll = members(of: Kind.allCases)
  /// Members of a machine that hold names and conditions.
  private static let plain: Set = ["name", "title", "kind", "to", "when", "goto", "start", "end", "call"]
  /// What cannot be a secret wherever it stands by itself.
  private static let known = ofAll.union(TypeName.words).union(literals)
  /// The words of JSON, and those that other languages have for them.
  private static let literals: Set = ["true", "false", "null", "True", "False", "None", "undefined"]

  /// The objects that say `"secret": true`, and those that declare anything.
  let secrets: Set<Int>
  let declarations: Set<Int>
  /// Of these, those that have a value.
  let valued: Set<Int>
  /// What has fields that are secret.
  let holders: Set<Int>
  private let listed: [String]
  /// Whether it is a flow or a service: what is none is read as a scenario or a script.
  let isMachine: Bool
  /// Names of objects that are no data: keys, fields, tables and whatever else is declared.
  let declared: Set<String>
  /// Of these, those that have a value.
  let valuedNames: Set<String>
  /// Names of tables that have a secret in their rows.
  let secretTables: Set<String>
  /// What the words of a let may name.
  let readable: Set<String>
  /// Screens of the app, which may be called like a secret that is typed there.
  private let screens: Set<String>
  /// Whether there are too many names to hold each against those that are secret.
  private let areMany: Bool
  /// Whether some of the documents is too large for its secrets to be known.
  private let isTooLarge: Bool
  /// The declarations of tables.
  let tables: Set<Int>
  /// Where it is no JSON, `nil` where it is.
  private let broken: Int?
  private let addresses: WrittenAddresses
  var lets = Lets()

  /// `beside` are the documents whose names count in this one too.
  init(in bytes: [UInt8], beside: [[UInt8]]) {
    text = LooseText(bytes)
    let root = Set(text.nodes.filter { $0.parent == 0 }.compactMap(text.name(of:)))
    isMachine = !root.contains("scenario") && !root.isDisjoint(with: ["flow", "service", "states", "routes"])
    secrets = Self.secrets(in: text)
    holders = isMachine ? Self.holders(of: secrets, in: text) : []
    // What a scenario has are places and data.
    declarations = isMachine ? Self.declarations(in: text) : []
    let all = [text] + beside.map(LooseText.init)
    isTooLarge = all.contains(where: \.isTooLarge)
    listed = Set(all.flatMap(Self.names)).sorted()
    areMany = listed.count * text.names.count > 1_000_000
    let declaring = isMachine ? all : Array(all.dropFirst())
    declared = Set(declaring.flatMap { $0.names(of: Self.declarations(in: $0, by: Self.declaring.union(["kind"]))) })
    valued = isMachine ? Self.declarations(in: text, by: Self.declaringValues) : []
    valuedNames = Set(declaring.flatMap { $0.names(of: Self.declarations(in: $0, by: Self.declaringValues)) })
    secretTables = Set(declaring.flatMap(Self.secretTables))
    readable = Self.readable(in: text)
    let text = text
    screens =
      isMachine ? Set(text.nodes.filter { text.names(around: $0) == ["screens", nil] }.compactMap(text.name(of:))) : []
    tables = Self.tables(in: text)
    do throws(JSONSyntaxError) {
      _ = try JSONParser.parse(bytes, as: .document)
      broken = nil
    } catch {
      broken = error.range.lowerBound
    }
    // Names of headers have no case.
    names = Names(Self.everywhere + Set(listed + listed.map { $0.lowercased() }).sorted())
    addresses = WrittenAddresses(in: all, secretBy: names)
    lets = letsOfSecrets
  }

  /// Bytes that are not to be shown, in order.
  var places: [Range<Int>] {
    if isTooLarge || isDamagedStore { return [text.bytes.indices] }
    var isHidden: [Bool] = []
    var places: [Range<Int>] = []
    let isKeptStore = isKeptStore
    for (index, node) in text.nodes.enumerated() {
      let isInside = node.parent.map { isHidden[$0] } ?? false
      let hides =
        isInside || isKeptStore || isValueOfSecret(node) || isNamedSecret(node, at: index)
        || namesSecret(node) || isUnknown(node) || isStrangeMark(node, at: index)
      isHidden.append(hides)
      if let rest = valueInName(of: node) { places.append(rest) }
      if !hides, node.kind == .string { places += addresses.places(in: node.range, of: text.bytes).flatMap(plainParts) }
      if !isInside, let literals = literals(ofLet: node) {
        places += literals
        continue
      }
      if !hides, node.kind == .string {
        places += literals(ofCondition: node) ?? literals(ofTemplate: node.range)
      }
      guard hides else { continue }
      if isInside, let name = node.name, !isNameOfCookie(node, isHidden) { places.append(name) }
      switch node.kind {
      case .string where isData(node): places.append(node.range)
      case .string: places += plainParts(of: withoutScheme(node)) + literals(in: node.range)
      // Null, true and false are nobody's secret.
      case .other: if !Self.literals.contains(text.text(node.range)) { places.append(node.range) }
      case .object, .array: break
      }
    }
    if let broken { places += unknownWords(before: broken) }
    return places.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// All but what the language knows, and before the place where it is broken names and what is never a secret.
  ///
  /// In what is no JSON, no mark can be trusted to stand where it was meant to, and no quotation mark to end what it should.
  private func unknownWords(before broken: Int) -> [Range<Int>] {
    let names = text.names.filter { name in
      let before = text.bytes[..<(name.lowerBound - 1)].last { $0 > 0x20 }
      let isName = before == UInt8(ascii: "{") || before == UInt8(ascii: ",")
      return !(isName && name.upperBound < broken && hasValue(name)) && !Self.known.contains(text.text(name))
    }
    let values = text.nodes.lazy.filter { node in
      guard node.kind != .object, node.kind != .array else { return false }
      if isMachine, node.kind == .string, node.range.upperBound < broken,
        text.name(of: node).map(Self.plain.contains) == true
      {
        return false
      }
      let word = text.text(node.range)
      // Words may be those of a sentence that lacks its quotation marks.
      let isAlone = node.kind == .string || Self.literals.contains(word)
      return !Self.known.contains(word) || !isAlone && !text.isName(endingAt: node.range.upperBound)
    }
    return names + values.map(\.range)
  }

  /// Whether it is as it is written, whatever looks like a template in it.
  func isData(_ node: LooseText.Node) -> Bool {
    let names = [text.name(of: node)] + text.names(around: node)
    if !isMachine { return names.contains("config") && names.contains("given") }
    return names.contains { $0 == "value" || $0 == "initial" }
  }

  /// What stands under a secret name, and is not the declaration of it.
  private func isNamedSecret(_ node: LooseText.Node, at index: Int) -> Bool {
    guard let name = said(node) else { return false }
    guard names.index(of: name) ?? names.index(of: name.lowercased()) != nil else { return false }
    // What says that something is secret is none, though a field may be called like it.
    let mayMark = name == "secret" && node.parent.map(declarations.contains) == true
    if mayMark, ["true", "false"].contains(text.text(node.range)) { return false }
    return !declarations.contains(index)
      && (node.kind == .string || !isPartOfMachine(node, in: text.names(around: node)))
  }

  /// The name of a node: of a row that is set its table's, of a field of one the field's.
  private func said(_ node: LooseText.Node) -> String? {
    if node.kind == .string, let name = nameOfLet(node), names.index(of: name) != nil { return name }
    guard var name = text.name(of: node), isMachine, text.names(around: node, most: 2) == ["set", nil] else {
      return text.name(of: node)
    }
    // Paths are bare there, which not everybody remembers.
    for area in ["store.", "memory."] where name.hasPrefix(area) { name.removeFirst(area.count) }
    guard let open = name.firstIndex(of: "["), let close = name.lastIndex(of: "]"), open < close else { return name }
    let field = name[close...].dropFirst(2)
    return String(field.isEmpty ? name[..<open] : field)
  }

  /// Whether a name is hidden only since it is a cookie's, whose value is secret.
  private func isNameOfCookie(_ node: LooseText.Node, _ isHidden: [Bool]) -> Bool {
    guard isMachine, let reply = node.parent.flatMap({ text.nodes[$0].parent }), !isHidden[reply] else { return false }
    return text.names(around: node).prefix(2) == ["cookies", "reply"]
  }

  /// What stands where a secret may be given, under a name that is none, or in a place whose name is misspelt.
  private func isUnknown(_ node: LooseText.Node) -> Bool {
    guard let name = said(node) else {
      return !isMachine && node.kind != .object && node.kind != .array
        && ["script", "faults", nil].contains(text.names(around: node).first ?? nil)
    }
    let around = text.names(around: node)
    // Somebody may have put an address where its name belongs.
    if !isMachine, name == "arrive" { return true }
    if !isMachine, node.kind != .object, Self.takingSecrets.contains(name) { return true }
    if isMachine, isOutOfPlace(node, name) || standsForObject(node, name, in: around) { return true }
    if !isMachine, standsForGiven(node, name, in: around) { return true }
    if !isMachine, name == "advance", !takesValues(around) { return !isMeantAsDuration(node) }
    guard !isDeclared(name, in: around), around.first != "despite", !isPartOfMachine(node, in: around) else {
      return false
    }
    if isMachine, takesValues(around) { return true }
    if isMachine || around.contains("answer") {
      if around.first == "with" || around.first == "answer" && !Self.ofAnswers.contains(name) { return true }
      if Self.ofAll.contains(name) { return false }
      return areMany || nearestName(to: name, among: listed) != nil || isMisspelt(name, in: around)
    }
    guard let given = around.firstIndex(of: "given") else {
      return ["with", "result"].contains(around.first) || !Self.ofScenarios.contains(name)
    }
    let inside = around[..<given]
    guard let place = inside.last, place != "device" else { return !Self.ofScenarios.contains(name) && inside.isEmpty }
    // A service, a key, or a field of a row of a table; the rows have names of their own.
    return [0, 1, 3].contains(inside.count - (place == "services" ? 1 : 0))
  }

  /// A state, a sub-flow, a capability, a list of actions, a let or whatever else is no data, and may be called much
  /// like the secret that it is about.
  private func isPartOfMachine(_ node: LooseText.Node, in around: [String?]) -> Bool {
    guard isMachine, let place = around.first ?? nil else { return false }
    let isOutermost = around.dropFirst() == [nil]
    switch node.kind {
    case .object:
      let isCapability = place == "capabilities" && around.dropFirst(2) == ["participants", nil]
      let isScreen = place == "show" && isAction(in: around)
      return place == "states" || isCapability || isOutermost && Self.ofMachines.contains(place)
        || isScreen && text.name(of: node).map(screens.contains) == true
    case .array: return isOutermost && place == "actions"
    // What names nothing that an expression can read may be a secret in the wrong place.
    case .string: return isOutermost && place == "let" && text.words(node.range).contains(where: readable.contains)
    case .other: return false
    }
  }

  /// A text that has something under a secret name itself: an address with a query or a user, JSON.
  private func namesSecret(_ node: LooseText.Node) -> Bool {
    guard node.kind == .string, !node.range.isEmpty else { return false }
    let plain = plainParts(of: node.range).map(text.text).joined()
    // Most have no such sign, and are not looked through for the rest.
    if plain.utf8.contains(UInt8(ascii: "@")), let scheme = plain.utf8.firstRange(of: "://".utf8),
      plain.utf8[scheme.upperBound...].prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: "@"))
    {
      return true
    }
    return !NamedPlaces.places(in: isOfCondition(node) ? withoutComparisons(plain) : plain, under: names).isEmpty
  }

  /// A template is shown: it says where the secret comes from, not what it is.
  ///
  /// A word alone in braces that is no name here says nothing of that, and is a part of the secret.
  func plainParts(of range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    var index = start
    let bytes = Array(text.bytes[range])
    if Self.isPath(bytes) { return [] }
    let isEscaped = bytes.contains(UInt8(ascii: "\\"))
    while index < range.upperBound {
      guard text.bytes[index...].starts(with: "${".utf8) else {
        // `$${` is text.
        index += text.bytes[index...].starts(with: "$${".utf8) ? 3 : 1
        continue
      }
      // What has no end is no template, and nothing behind it is one.
      guard var close = text.bytes[index..<range.upperBound].firstIndex(of: UInt8(ascii: "}")) else { break }
      let template = index
      // One that can be read ends by its grammar, unless it writes out what is secret.
      if !isEscaped, let end = Template.closingBrace(ofExpressionAt: index + 2 - range.lowerBound, in: bytes),
        NamedPlaces.places(in: text.text(index..<range.lowerBound + end), under: names).isEmpty
      {
        close = range.lowerBound + end
      }
      index = close + 1
      let inner = template + 2..<close
      let isWord = text.bytes[inner].allSatisfy(\.isIdentifierPart) && !inner.isEmpty
      if isWord, !readable.contains(text.text(inner)) { continue }
      parts.append(start..<template)
      start = index
    }
    return (parts + [start..<range.upperBound]).filter { !$0.isEmpty }
  }
}
