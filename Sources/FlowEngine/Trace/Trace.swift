import JSONSyntax

/// A trace as it was written: what timelines, diagrams and comparisons are made of.
package struct Trace: Sendable {
  package let header: TraceHeader
  package private(set) var lines: [TraceLine] = []
  /// What the device was asked for when it was first asked for each capability, by its name.
  private(set) var titlesOfPerforms: [String: String] = [:]

  init(_ header: TraceHeader, _ lines: [TraceLine], _ titlesOfPerforms: [String: String]) {
    (self.header, self.lines, self.titlesOfPerforms) = (header, lines, titlesOfPerforms)
  }

  /// Reads JSON Lines of this version or an older one.
  ///
  /// What this program has just written has room for what it was told: escaped, a byte of an answer takes up to six.
  package init(reading bytes: [UInt8], mostInLine: Int = JSONParser.largestSize) throws(TraceError) {
    if bytes.isEmpty { throw TraceError(line: 1, message: "the trace is empty") }
    func end(from start: Int) -> Int { bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count }
    var start = end(from: 0)
    header = try TraceHeader(readObject(bytes, 0..<start, at: 1, most: mostInLine))
    lines.reserveCapacity(bytes.count / 128)
    start += 1
    while start < bytes.count {
      let end = end(from: start)
      try add(bytes, start..<end, most: mostInLine)
      start = end + 1
    }
  }

  /// Reads the next line that this program has written, however long that is.
  mutating func append(_ line: some Sequence<UInt8>) throws(TraceError) {
    let bytes = Array(line)
    try add(bytes, 0..<bytes.count, most: .max)
  }

  private mutating func add(_ bytes: [UInt8], _ range: Range<Int>, most: Int) throws(TraceError) {
    let place = lines.count + 2
    let line = try TraceLine(readObject(bytes, range, at: place, most: most), at: place)
    lines.append(line)
    guard line.kind == .perform, let capability = line.text("perform"), titlesOfPerforms[capability] == nil else {
      return
    }
    titlesOfPerforms[capability] = line.text("title") ?? capability
  }

  /// How people call a participant: its title.
  func title(of participant: String) -> String {
    header.participants.first { $0.name == participant }?.title ?? participant
  }

  package func kind(of participant: String) -> String? {
    header.participants.first { $0.name == participant }?.kind
  }
}

extension Trace {
  /// The first line that is not the next, or speaks of somebody who takes no part; `nil` for none.
  package var firstStrangeLine: TraceError? {
    let names = Set(header.participants.map(\.name))
    for (index, line) in lines.enumerated() {
      let place = index + 2
      if line.number != index + 1 {
        return TraceError(
          line: place,
          message: "this is line \(line.number) of the trace where \(index + 1) belongs: one is missing, or moved")
      }
      if let name = [line.who, line.from, line.to].compactMap(\.self).first(where: { !names.contains($0) }) {
        return TraceError(line: place, message: "\"\(name)\" is none of the participants in the first line")
      }
    }
    return nil
  }
}

/// Why a text is no trace.
package struct TraceError: Error, Sendable, Hashable {
  /// Counted from 1.
  package let line: Int
  /// Without a full stop.
  package let message: String
  /// Whether a merge has left its marks there.
  package let isMergeConflict: Bool

  init(line: Int, message: String, isMergeConflict: Bool = false) {
    (self.line, self.message, self.isMergeConflict) = (line, message, isMergeConflict)
  }
}

/// One line of a trace behind its header.
package struct TraceLine: Sendable {
  package let number: Int
  /// Milliseconds since the start.
  package let at: Int
  package let kind: TraceKind
  /// Whom it is about, where it is no message.
  package let who: String?
  package let from: String?
  package let to: String?
  package let refs: [String]
  /// What its kind tells, in the order in which it was written.
  package let members: [JSONMember]

  /// `nil` where there is no such member.
  package subscript(name: String) -> JSONNode? {
    for index in members.indices where members[index].isNamed(name) { return members[index].value }
    return nil
  }

  /// The same between others.
  func between(who: String?, from: String?, to: String?) -> TraceLine {
    TraceLine(number: number, at: at, kind: kind, who: who, from: from, to: to, refs: refs, members: members)
  }

  /// The member when it is a string.
  package func text(_ name: String) -> String? { self[name]?.text }
}

extension JSONMember {
  /// Most names differ in their length already; those of traces are equal to no name of another length.
  fileprivate func isNamed(_ name: String) -> Bool { self.name.utf8.count == name.utf8.count && self.name == name }
}

extension TraceLine {
  /// What every line may have, apart from what its kind tells.
  private static let common = ["n", "at", "kind", "who", "from", "to", "ref"]
  /// How deep values may stand in one another: deeper than in a document, since a line puts them into members of its own.
  fileprivate static let greatestDepth = 160

  fileprivate init(_ members: [JSONMember], at place: Int) throws(TraceError) {
    // The first of a name counts, and whatever has such a name is none of its kind's.
    func first(_ name: String) -> JSONNode? {
      for index in members.indices where members[index].isNamed(name) { return members[index].value }
      return nil
    }
    guard let number = first("n")?.int, let at = first("at")?.int, let word = first("kind")?.text else {
      throw TraceError(line: place, message: "a line of a trace has \"n\", \"at\" and \"kind\"")
    }
    guard let kind = TraceKind(rawValue: word) else {
      throw TraceError(line: place, message: "\"\(word)\" is no kind of line that this version knows")
    }
    self.init(
      number: number, at: at, kind: kind, who: first("who")?.text, from: first("from")?.text, to: first("to")?.text,
      refs: first("ref")?.texts ?? [],
      members: members.filter { member in !Self.common.contains { member.isNamed($0) } })
  }
}

extension TraceHeader {
  fileprivate init(_ members: [JSONMember]) throws(TraceError) {
    let line = { (name: String) in members.first { $0.name == name }?.value }
    guard let version = line("trace")?.int else {
      throw TraceError(line: 1, message: "the first line of a trace says its version: \"trace\": 1")
    }
    guard version <= Self.version else {
      throw TraceError(line: 1, message: "the trace has version \(version), and this reader knows \(Self.version)")
    }
    guard let flow = line("flow")?.text, let title = line("title")?.text, let started = line("started")?.text,
      case .array(let participants)? = line("participants")?.kind
    else {
      throw TraceError(line: 1, message: "the first line has \"flow\", \"title\", \"started\" and \"participants\"")
    }
    self.init(
      flow: flow, title: title, scenario: line("scenario")?.text, situation: line("situation")?.text,
      started: started,
      participants: participants.compactMap { node in
        guard let name = node["name"]?.text, let title = node["title"]?.text, let kind = node["kind"]?.text else {
          return nil
        }
        return Participant(name: name, title: title, kind: kind)
      },
      live: line("live")?.texts ?? [])
  }
}

private func readObject(
  _ bytes: [UInt8], _ range: Range<Int>, at place: Int, most: Int
) throws(TraceError) -> [JSONMember] {
  do throws(JSONSyntaxError) {
    let node = try JSONParser.parse(
      bytes, within: range, as: .written, maximumDepth: TraceLine.greatestDepth, maximumSize: most)
    if case .object(let members) = node.kind { return members }
  } catch {
    throw TraceError(line: place, message: error.message, isMergeConflict: error.code == "merge-conflict")
  }
  throw TraceError(line: place, message: "each line of a trace is an object")
}
