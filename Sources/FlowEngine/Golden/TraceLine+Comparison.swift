import JSONSyntax

extension TraceLine {
  /// Equal but for `n`.
  func tellsTheSame(as other: TraceLine) -> Bool {
    kind == other.kind && at == other.at && who == other.who && from == other.from && to == other.to
      && refs == other.refs && members.map(\.name) == other.members.map(\.name)
      && zip(members, other.members).allSatisfy { $0.value.json == $1.value.json }
  }

  /// Whether two transitions are the same, whatever was read on the way.
  func decidesTheSame(as other: TraceLine) -> Bool {
    let naming = ["where", "name", "goto", "end", "reply"]
    return who == other.who && naming.allSatisfy { self[$0]?.json == other[$0]?.json }
  }

  /// What it is called, or where it leads to when it has no name; with its place where that is not `state`.
  func decisionName(in state: String?) -> String {
    let place = text("where").flatMap { $0 == state ? nil : " in \($0)" } ?? ""
    if let name = text("name") { return "\"\(name)\"\(place)" }
    if let target = text("goto") { return "the transition to \"\(target)\"\(place)" }
    return "a transition without a name\(place)"
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

  /// The first member that differs, with the path to what differs in it: `json.error`.
  func firstOtherMember(than other: TraceLine) -> (path: String, old: String, new: String)? {
    if refs != other.refs {
      return ("ref", quoted(refs.joined(separator: ", ")), quoted(other.refs.joined(separator: ", ")))
    }
    return differing(members, other.members, path: "")
  }

  private func differing(
    _ old: [JSONMember], _ new: [JSONMember], path: String
  ) -> (path: String, old: String, new: String)? {
    var names = old.map(\.name)
    for member in new where !names.contains(member.name) { names.append(member.name) }
    for name in names {
      let before = old.first { $0.name == name }?.value
      let now = new.first { $0.name == name }?.value
      let inner = path.isEmpty ? name : "\(path).\(name)"
      guard let before, let now else { return (inner, before?.json ?? "not at all", now?.json ?? "not at all") }
      if before.json == now.json { continue }
      return differing(before, now, path: inner)
    }
    return nil
  }

  private func differing(_ old: JSONNode, _ new: JSONNode, path: String) -> (path: String, old: String, new: String) {
    if case .object(let before) = old.kind, case .object(let now) = new.kind {
      return differing(before, now, path: path) ?? (path, old.json, new.json)
    }
    if case .array(let before) = old.kind, case .array(let now) = new.kind, before.count == now.count {
      for index in before.indices where before[index].json != now[index].json {
        return differing(before[index], now[index], path: "\(path)[\(index)]")
      }
    }
    return (path, old.json, new.json)
  }

  private func quoted(_ text: String) -> String { "\"\(text)\"" }
}
