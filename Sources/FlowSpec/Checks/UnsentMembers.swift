import Expressions

extension Check {
  /// Members that a route reads and that nothing here sends to it, where a request sends it another in their place.
  ///
  /// A model may serve other flows, and a request have more than its model looks at: told is what was surely meant to
  /// be the other, and where a route reads nothing at all of the body that it is sent.
  static let unsentMembers: @Sendable (Examined) -> [Diagnostic] = { examined in
    guard let flow = examined.flow else { return [] }
    var readings = KnownReadings()
    var told: Set<String> = []
    lazy var visits = flow.visits
    // The same may be asked for by many requests.
    var known: [String: Bool] = [:]
    let members = examined.visits.flatMap { visit -> [Diagnostic] in
      guard let model = examined.model(for: visit), !model.hasBrokenRoutes, let route = model.surelyAsked(by: visit)
      else { return [] }
      return RequestPart.allCases.compactMap { part in
        let read = readings.members(of: route, in: model)
        func isSent(_ name: String) -> Bool {
          let key = "\(model.name) \(route.line) \(part) \(name)"
          let isSent = known[key] ?? flow.maySend(name, in: part, to: route, of: model, among: visits)
          known[key] = isSent
          return isSent
        }
        guard let swap = SwappedMember(visit.sent(in: part) ?? [], part, read, isSent),
          told.insert("\(model.name) \(route.line) \(swap.read.whole)").inserted
        else { return nil }
        let site =
          swap.sent.count == 1
          ? examined.site(of: swap.sent[0], in: part.rawValue, at: visit.site) : visit.line
        return Diagnostic(
          "unsent-member", severity: .warning,
          "nothing here sends \"\(swap.read.name)\" to \(route.line) of \"\(model.name)\", which reads it", at: site,
          "sends \(swap.sent.listed), which it does not read",
          help: "send \"\(swap.read.name)\", or let the route read what it is sent")
      }
    }
    return members + examined.unsentBearers
  }
}

/// A member that is read and not sent, and those that are sent in its place and not read.
private struct SwappedMember {
  let read: ReadMembers.Reading
  let sent: [String]

  /// `nil` where none is surely meant to be another.
  init?(_ sent: [SentMember], _ part: RequestPart, _ members: ReadMembers, _ isSent: (String) -> Bool) {
    let names = Set(sent.map(\.name))
    var unread = sent.filter { $0.name.mayBeChosen && !members.mayRead($0.name, in: part) }
    if unread.isEmpty { return nil }
    var looked = names
    var missing = members.own.filter { reading in
      reading.part == part && reading.name.mayBeChosen && looked.insert(reading.name).inserted
    }
    // What is misspelt is told as that.
    var near = NearNames(given: unread.map(\.name))
    let misspelt = missing.map { near.slip($0.name) }
    unread.removeAll { misspelt.contains($0.name) }
    missing = zip(missing, misspelt).filter { $1 == nil && !isSent($0.name) }.map(\.0)
    if let (reading, member) = Self.namesake(missing, unread) {
      (read, self.sent) = (reading, [member.name])
      return
    }
    // Of what need not be there more is left out than misnamed.
    missing.removeAll { $0.whole.contains("?") }
    guard let first = missing.first, !unread.isEmpty else { return nil }
    if missing.count == 1, unread.count == 1, first.name.isAkin(to: unread[0].name) {
      (read, self.sent) = (first, [unread[0].name])
    } else if part != .query, unread.count == names.count {
      (read, self.sent) = (first, unread.map(\.name))
    } else {
      return nil
    }
  }

  /// A member with the value that is called as the one that is read.
  private static func namesake(
    _ missing: [ReadMembers.Reading], _ unread: [SentMember]
  ) -> (ReadMembers.Reading, SentMember)? {
    for reading in missing {
      let name = reading.name.joined
      if let member = unread.first(where: { $0.source?.joined == name }) { return (reading, member) }
    }
    return nil
  }
}

extension String {
  /// Whether the words of one stand at the start or the end of the other's: `code` and `activationCode`.
  ///
  /// What is as short as `id` says nothing.
  fileprivate func isAkin(to other: String) -> Bool {
    let (own, others) = (nameWords, other.nameWords)
    let (short, long) = own.count < others.count ? (own, others) : (others, own)
    guard short.joined().utf8.count > 3 else { return false }
    return long.starts(with: short) || long.suffix(short.count).elementsEqual(short)
  }

  /// The words that were joined in it, in lower case.
  private var nameWords: [String] {
    var words: [String] = []
    var wasLower = false
    for character in self {
      if character == "_" || character == "-" {
        wasLower = false
        words.append("")
        continue
      }
      if words.isEmpty || character.isUppercase && wasLower { words.append("") }
      words[words.count - 1] += character.lowercased()
      wasLower = !character.isUppercase
    }
    return words.filter { !$0.isEmpty }
  }
}
