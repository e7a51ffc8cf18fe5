import JSONSyntax

extension Origin {
  /// The length of the base64url of a SHA-256, which stands in its place in a live run.
  static let length = 43

  /// The text that stands for it, which depends on nothing else.
  package var string: String {
    switch self {
    case .fresh(let name, let number, .simulated):
      let text = name + "-" + String(number)
      let length = max(text.utf8.count, Self.length)
      return String(unsafeUninitializedCapacity: length) { buffer in
        let end = buffer.initialize(fromContentsOf: text.utf8)
        buffer[end..<length].initialize(repeating: UInt8(ascii: "_"))
        return length
      }
    case .fresh(let name, let number, .live(let seed)):
      return base64URL(sha256(Array("\(seed)\n\(name)\n\(number)".utf8)))
    case .identifier(let name, let number, .simulated):
      return "\(name)-\(number)"
    case .identifier(let name, let number, .live(let seed)):
      // Anyone may know one of them, and learns nothing of what is unguessable: 132 bits of a digest of its own.
      return "\(name)-\(base64URL(sha256(Array("id\n\(seed)\n\(name)\n\(number)".utf8))).prefix(22))"
    case .derived(let derivation, let argument): return derivation.text(of: argument)
    }
  }
}

extension Origin {
  /// False where its text surely has another length: nothing fresh is shorter than what it stands for.
  func mayHave(length: Int) -> Bool {
    switch self {
    case .fresh: length >= Self.length
    case .derived(.s256, _): length == Self.length
    case .identifier(let name, _, _): length > name.utf8.count + 1
    case .derived: true
    }
  }
}

extension Origin.Derivation {
  /// What the function makes of its argument.
  func text(of argument: Value) -> String {
    switch self {
    case .s256: base64URL(sha256(Array((argument.text?.string ?? "").utf8)))
    case .base64url: base64URL(Array((argument.text?.string ?? "").utf8))
    case .urlEncode: percentEncoded(argument.text?.string ?? "")
    case .jwt: JSONWebToken.text(payload: argument)
    }
  }

  /// The result with its origin, when the argument has one inside; marks are the caller's.
  ///
  /// What is derived is looked through by recursion, and so must not become deep.
  func apply(_ argument: Value, at range: Range<Int>) throws(EvaluationError) -> Text {
    // What a token was made of says what in it is an instant, and what is secret.
    let isKnown = argument.hasOrigin || (self == .jwt && (argument.hasTimestamp || argument.firstSecret != nil))
    if !isKnown { return Text(text(of: argument)) }
    let derived = Text(origin: .derived(self, argument))
    if Value.string(derived).isTooLarge { throw .tooLarge(at: range) }
    return derived
  }
}

extension Value {
  /// Whether any text inside comes from `fresh` or `newId`.
  var hasOrigin: Bool { firstInside { $0.text?.hasOrigin == true ? $0 : nil } != nil }

  var hasTimestamp: Bool { firstInside { $0.shape == .timestamp ? $0 : nil } != nil }

  /// The name of the first secret in any text inside.
  package var firstSecret: String? { firstInside { $0.text?.firstSecret } }

  /// What is found first in what it holds, itself where it holds nothing; keys come before their values.
  private func firstInside<Found>(_ find: (Value) -> Found?) -> Found? {
    switch self {
    case .list(let elements):
      for index in elements.indices where !elements[index].isBare {
        if let found = elements[index].firstInside(find) { return found }
      }
      return nil
    case .map(let map):
      for index in map.entries.indices {
        if !map.entries[index].key.isBare, let found = map.entries[index].key.firstInside(find) { return found }
        if !map.entries[index].value.isBare, let found = map.entries[index].value.firstInside(find) { return found }
      }
      return nil
    case .optional(let value?): return value.firstInside(find)
    default: return find(self)
    }
  }

  /// Whether nothing is ever found in it, as in nearly all: it is not taken out of where it stands.
  @inline(__always)
  private var isBare: Bool {
    switch self {
    case .string(let text): text.isPlain
    case .null, .bool, .int, .double: true
    default: false
    }
  }
}
