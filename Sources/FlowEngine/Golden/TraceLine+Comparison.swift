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
    return Self.parting(guards, other.guards, by: \.self)
  }

  private var guards: [String] {
    (self["decided"]?.elements ?? []).map { line in
      let outcome = line["holds"]?.bool.map { $0 ? " (holds)" : " (does not hold)" } ?? ""
      return "\"\(line["when"]?.text ?? "")\"\(outcome)"
    }
  }

  /// What is left of two lists without what both begin with, and without what both end with then.
  private static func parting<Element, Known: Equatable>(
    _ old: [Element], _ new: [Element], by known: (Element) -> Known
  ) -> (old: [Element], new: [Element]) {
    let (before, now) = (old.map(known), new.map(known))
    let start = zip(before, now).prefix { $0 == $1 }.count
    let end = zip(before[start...].reversed(), now[start...].reversed()).prefix { $0 == $1 }.count
    return (Array(old[start..<(old.count - end)]), Array(new[start..<(new.count - end)]))
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
      let place = zip(before, now).prefix { $0.json == $1.json }.count
      let (gone, come) = Self.parting(before, now, by: \.json)
      return ("\(path)[\(place)]", gone.listed, come.listed)
    default: break
    }
    let part = parts.lazy.compactMap { differing($0.old, $0.new, path: $0.path) }.first
    return part ?? (path.isEmpty ? nil : (path, old?.json, new?.json))
  }

  private func quoted(_ refs: [String]) -> String? { refs.isEmpty ? nil : "\"\(refs.joined(separator: ", "))\"" }
}

extension [JSONNode] {
  /// One behind the other; `nil` where there is none.
  fileprivate var listed: String? { isEmpty ? nil : map(\.json).joined(separator: ", ") }
}
