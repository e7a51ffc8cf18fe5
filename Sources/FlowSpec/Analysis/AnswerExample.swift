import Expressions

/// What may be in an answer for which a condition holds.
struct AnswerExample {
  let json, challenge: Value

  /// Nothing at all.
  static let bare = AnswerExample([])

  /// With an error of OAuth 2.0 (RFC 6749 §5.2).
  init(error word: String) { self.init([("response.json.error", .string(word))]) }

  /// Found among what the condition compares and reads; `nil` where that makes none for which it surely holds.
  init?(where condition: Condition, status: Int64) {
    guard let table = FailureTable(condition, online: true) else { return nil }
    let facts = condition.expressions.map(\.expression)
    let written = facts.flatMap(\.facts.written).flatMap { written in
      written.value.words.prefix(1).flatMap { word in written.handedOn.map { ($0, Value.string(word)) } }
    }
    let read = facts.flatMap(\.readings).map { ($0.name, Value.string("something")) }
    let found = [[], written, written + read].lazy.map(Self.init).first { example in
      (try? table.holds(status: status, nil, having: example)) == true
    }
    guard let found else { return nil }
    self = found
  }

  /// One that has these values where they are compared or read; the first of each place counts.
  private init(_ values: [(source: String, value: Value)]) {
    func made(below root: String) -> Value {
      values.reduce(.map(ValueMap())) { made, member in
        guard let path = MemberPath(member.source, below: root) else { return made }
        return made.adding(member.value, at: path.parts[...])
      }
    }
    (json, challenge) = (made(below: "response.json"), made(below: "response.challenge"))
  }
}

extension Value {
  /// The same with something at a place where nothing is yet.
  fileprivate func adding(_ value: Value, at path: ArraySlice<MemberPath.Part>) -> Value {
    guard let part = path.first else { return isNull ? value : self }
    guard case .member(let name) = part else { return self }
    var map = ValueMap()
    if case .map(let known) = self { map = known } else if !isNull { return self }
    map[name] = (map[name] ?? .null).adding(value, at: path.dropFirst())
    return .map(map)
  }
}
