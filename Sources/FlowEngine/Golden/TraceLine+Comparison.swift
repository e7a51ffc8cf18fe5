import JSONSyntax

extension TraceLine {
  /// Equal but for `n`, and for the values of some members.
  func tellsTheSame(as other: TraceLine, but names: [String] = []) -> Bool {
    kind == other.kind && at == other.at && who == other.who && from == other.from && to == other.to
      && refs == other.refs && members.map(\.name) == other.members.map(\.name)
      && zip(members, other.members).allSatisfy { names.contains($0.name) || $0.value.json == $1.value.json }
  }

  /// Whether two transitions are the same, whatever was read on the way.
  func decidesTheSame(as other: TraceLine) -> Bool {
    let naming = ["where", "name", "goto", "end", "reply"]
    return who == other.who && naming.allSatisfy { self[$0]?.json == other[$0]?.json }
  }

  /// Whether the same was done, whenever that was and whatever titles, transitions and guards are called.
  func doesTheSame(as other: TraceLine) -> Bool {
    guard kind == other.kind, who == other.who, from == other.from, to == other.to else { return false }
    if kind == .choice { return true }
    // Another transition of a list is taken after other guards.
    let words = ["title", "decided", kind == .answer ? "reply" : "", outcomes == other.outcomes ? "name" : ""]
    let done = { (line: TraceLine) in line.members.filter { !words.contains($0.name) } }
    return done(self).elementsEqual(done(other)) { $0.name == $1.name && $0.value.json == $1.value.json }
  }

  /// For each guard line that decided whether it holds.
  private var outcomes: [Bool?] { self["decided"]?.elements.map { $0["holds"]?.bool } ?? [] }

  /// What it is called, or where it leads to when it has no name; with its place where that is not `state`.
  func decisionName(in state: String?) -> String {
    let place = text("where").flatMap { $0 == state ? nil : " in \($0)" } ?? ""
    if let name = text("name") { return "\"\(name)\"\(place)" }
    return "the transition \(targetWords)\(place)"
  }

  /// Where a transition leads.
  var targetWords: String {
    if let target = text("goto") { return "to \"\(target)\"" }
    if let end = text("end") { return "to the end \"\(end)\"" }
    return self["reply"] == nil ? "that stays" : "to a reply"
  }

  /// The first thing that guards of both read, and read differently.
  func firstOtherReading(than other: TraceLine) -> (name: String, old: String, new: String)? {
    let now = other.readings
    for reading in readings {
      guard let same = now.first(where: { $0.name == reading.name }), same.value.json != reading.value.json else {
        continue
      }
      return (reading.name, reading.value.json, same.value.json)
    }
    return nil
  }

  private var readings: [JSONMember] { self["decided"]?.elements.flatMap { $0["with"]?.members ?? [] } ?? [] }

  /// Guard lines that decided here alone, and in the other alone, with whether they held; `nil` where there are as many.
  func otherGuards(than other: TraceLine) -> (old: [String], new: [String])? {
    guard guards.count != other.guards.count else { return nil }
    return Self.parting(guards, other.guards)
  }

  private var guards: [String] {
    zip(self["decided"]?.elements ?? [], outcomes).map { line, holds in
      let outcome = holds == true ? " (holds)" : holds == false ? " (does not hold)" : ""
      return "\"\(line["when"]?.text ?? "")\"\(outcome)"
    }
  }

  /// What is left of two lists without what both begin with, and without what both end with then.
  private static func parting(_ old: [String], _ new: [String]) -> (old: [String], new: [String]) {
    var (old, new) = (old[...], new[...])
    while let first = old.first, first == new.first { (old, new) = (old.dropFirst(), new.dropFirst()) }
    while let last = old.last, last == new.last { (old, new) = (old.dropLast(), new.dropLast()) }
    return (Array(old), Array(new))
  }

  /// The first member that differs, with the path to what differs in it: `json.error`; `nil` where there is none.
  func firstOtherMember(than other: TraceLine) -> (path: String, old: String?, new: String?)? {
    if refs != other.refs { return ("ref", quoted(refs), quoted(other.refs)) }
    return differing(
      JSONNode(kind: .object(members), range: 0..<0), JSONNode(kind: .object(other.members), range: 0..<0), path: "")
  }

  /// `nil` where nothing differs, or nothing but the order of members.
  private func differing(
    _ old: JSONNode?, _ new: JSONNode?, path: String
  ) -> (path: String, old: String?, new: String?)? {
    if old?.json == new?.json { return nil }
    var parts: [(path: String, old: JSONNode?, new: JSONNode?)] = []
    switch (old?.kind, new?.kind) {
    case (.object(let before), .object(let now)):
      let names = before.map(\.name)
      for name in names + now.map(\.name).filter({ !names.contains($0) }) {
        parts.append((path.isEmpty ? name : "\(path).\(name)", old?[name], new?[name]))
      }
    case (.array(let before), .array(let now)) where before.count == now.count:
      for index in before.indices { parts.append(("\(path)[\(index)]", before[index], now[index])) }
    case (.array(let before), .array(let now)):
      let (gone, come) = Self.parting(before.map(\.json), now.map(\.json))
      let place = zip(before, now).prefix { $0.json == $1.json }.count
      return ("\(path)[\(place)]", Self.listed(gone), Self.listed(come))
    default: break
    }
    let part = parts.lazy.compactMap { differing($0.old, $0.new, path: $0.path) }.first
    return part ?? (path.isEmpty ? nil : (path, old?.json, new?.json))
  }

  private static func listed(_ elements: [String]) -> String? {
    elements.isEmpty ? nil : elements.joined(separator: ", ")
  }

  private func quoted(_ refs: [String]) -> String? { refs.isEmpty ? nil : "\"\(refs.joined(separator: ", "))\"" }
}
