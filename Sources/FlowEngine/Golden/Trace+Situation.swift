import FlowSpec

/// Where in its flow the app is, and who takes part under which name.
extension Trace {
  /// `, App in refreshing`: the state that the app is in at a line.
  func situation(at index: Int) -> String {
    guard let app = header.participants.first(where: { $0.kind == "app" }), let state = appState(at: index)
    else { return "" }
    return ", \(app.title) in \(printable(state))"
  }

  /// The state from which the app decides there, else the one that it last entered or decided in, without sub-flows that
  /// have ended.
  func appState(at index: Int) -> String? {
    // No line says that a sub-flow is called, its states tell whose they are; `nil` is the flow itself.
    var levels: [(subflow: String?, state: String)] = []
    for line in lines[...index] where line.who.flatMap(kind(of:)) == "app" {
      let isThere = line.number == lines[index].number
      if let place = line.text("where") {
        if isThere { return place }
        // What stands around a state may decide, and the app stays in it.
        if levels.isEmpty { levels = [(nil, place)] }
      }
      switch line.kind {
      case .killed: levels = []
      case .transition where line["end"] != nil && levels.count > 1: levels.removeLast()
      case .state where !isThere:
        guard let state = line.text("state") else { continue }
        let subflow = line.text("flow")
        if let known = levels.lastIndex(where: { $0.subflow == subflow }) { levels.removeSubrange(known...) }
        levels.append((subflow, state))
      default: break
      }
    }
    return levels.last?.state
  }

  /// By the name that each participant has in another trace, the one that it has here, where that is all that the two say
  /// differently of them; else `nil`.
  func renamedParticipants(from other: Trace) -> [String: String]? {
    let (before, now) = (other.header.participants, header.participants)
    guard before.map(\.name) != now.map(\.name), before.count == now.count else { return nil }
    let areTheSame = zip(before, now).allSatisfy { before, now in
      // Without a title they are called by their names.
      before.kind == now.kind && (before.title == now.title || before.title == before.name && now.title == now.name)
    }
    let names = [before, now].map { Set($0.map(\.name)) }
    // A file may say anything.
    guard names[0].count == before.count, names[1].count == now.count else { return nil }
    let renamed = zip(before, now).filter { $0.name != $1.name }
    // Names that have changed places are other participants.
    guard areTheSame, renamed.allSatisfy({ !names[1].contains($0.name) && !names[0].contains($1.name) }) else {
      return nil
    }
    return Dictionary(uniqueKeysWithValues: renamed.map { ($0.name, $1.name) })
  }

  /// The same with participants called otherwise, by the names that they have here.
  func calling(_ names: [String: String]) -> Trace {
    func name(_ name: String?) -> String? { name.map { names[$0] ?? $0 } }
    var header = header
    for index in header.participants.indices {
      header.participants[index].name = name(header.participants[index].name) ?? ""
    }
    return Trace(
      header, lines.map { $0.between(who: name($0.who), from: name($0.from), to: name($0.to)) }, titlesOfPerforms)
  }
}
