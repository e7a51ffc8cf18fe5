import JSONSyntax

/// A trace as it was written: what timelines, diagrams and comparisons are made of.
package struct Trace: Sendable {
  package let header: TraceHeader
  package private(set) var lines: [TraceLine]

  /// Reads JSON Lines of this version or an older one.
  package init(reading bytes: [UInt8]) throws(TraceError) {
    var texts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if texts.last?.isEmpty == true { texts.removeLast() }
    guard let first = texts.first else { throw TraceError(line: 1, message: "the trace is empty") }
    header = try TraceHeader(reading: first)
    var lines: [TraceLine] = []
    lines.reserveCapacity(texts.count)
    for (index, text) in texts.enumerated().dropFirst() { lines.append(try TraceLine(reading: text, at: index + 1)) }
    self.lines = lines
  }

  /// Reads the next line.
  package mutating func append(_ line: some Sequence<UInt8>) throws(TraceError) {
    lines.append(try TraceLine(reading: Array(line)[...], at: lines.count + 2))
  }

  /// How people call a participant: its title.
  package func title(of participant: String) -> String {
    header.participants.first { $0.name == participant }?.title ?? participant
  }

  package func kind(of participant: String) -> String? {
    header.participants.first { $0.name == participant }?.kind
  }
}

/// Why a text is no trace.
package struct TraceError: Error, Sendable, Hashable {
  /// Counted from 1.
  package let line: Int
  /// Without a full stop.
  package let message: String
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
  package subscript(name: String) -> JSONNode? { members.first { $0.name == name }?.value }

  /// The member when it is a string.
  package func text(_ name: String) -> String? { self[name]?.text }
}

extension TraceLine {
  fileprivate init(reading text: ArraySlice<UInt8>, at place: Int) throws(TraceError) {
    let members = try readObject(text, at: place)
    let line = { (name: String) in members.first { $0.name == name }?.value }
    guard let number = line("n")?.int, let at = line("at")?.int, let word = line("kind")?.text else {
      throw TraceError(line: place, message: "a line of a trace has \"n\", \"at\" and \"kind\"")
    }
    guard let kind = TraceKind(rawValue: word) else {
      throw TraceError(line: place, message: "\"\(word)\" is no kind of line that this version knows")
    }
    self.init(
      number: number, at: at, kind: kind, who: line("who")?.text, from: line("from")?.text, to: line("to")?.text,
      refs: line("ref")?.texts ?? [], members: members.filter { !Self.common.contains($0.name) })
  }

  /// What every line may have, apart from what its kind tells.
  private static let common = ["n", "at", "kind", "who", "from", "to", "ref"]
}

extension TraceHeader {
  fileprivate init(reading text: ArraySlice<UInt8>) throws(TraceError) {
    let members = try readObject(text, at: 1)
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
      })
  }
}

private func readObject(_ text: ArraySlice<UInt8>, at place: Int) throws(TraceError) -> [JSONMember] {
  do throws(JSONSyntaxError) {
    let node = try JSONParser.parse(Array(text), as: .body, maximumDepth: 160)
    if case .object(let members) = node.kind { return members }
  } catch {
    throw TraceError(line: place, message: error.message)
  }
  throw TraceError(line: place, message: "each line of a trace is an object")
}
