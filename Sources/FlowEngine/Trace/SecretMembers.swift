import Expressions
import FlowSpec

/// Names under which JSON is secret, for each participant.
///
/// Strings carry their marks wherever they go; numbers, bools and instants carry none, so a trace hides them by the
/// name that they stand under.
struct SecretMembers: Sendable {
  /// A few names: to go through them takes less than to hash one.
  struct Names: Sendable {
    private(set) var all: [String] = []
    /// The outlines of all.
    private var outlines: UInt64 = 0

    mutating func add(_ names: [String]) {
      for var name in names where !all.contains(name) {
        all.append(name)
        outlines |= name.withUTF8 { Self.outline(of: $0) }
      }
    }

    /// One of 64 bits by the bytes; all of them for what is not of ASCII, which `==` may hold equal to other bytes.
    @inline(__always)
    private static func outline(of name: UnsafeBufferPointer<UInt8>) -> UInt64 {
      var (hash, all) = (0 as UInt64, 0 as UInt8)
      for byte in name {
        hash = (hash &+ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
        all |= byte
      }
      return all < 0x80 ? 1 << (hash >> 58) : .max
    }

    /// A name, or a part of one like `pin[0]`.
    func contains(_ name: String) -> Bool {
      var name = name
      return name.withUTF8 { bytes in
        first(like: bytes) != nil || (bytes.last == UInt8(ascii: "]") && self.name(amongWordsOf: bytes) != nil)
      }
    }

    private static let traffic: [StaticString] = ["response", "request"]

    /// The first of them in a reading of traffic, `response.json.pin`.
    func name(inReading reading: String) -> String? {
      guard !all.isEmpty, reading.utf8.first == UInt8(ascii: "r") else { return nil }
      var reading = reading
      return reading.withUTF8 { bytes in
        let root = bytes[..<(bytes.firstIndex { !$0.isOfWord } ?? bytes.count)]
        let isOfTraffic = Self.traffic.contains { name in
          root.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
        return isOfTraffic ? name(amongWordsOf: bytes) : nil
      }
    }

    private func name(amongWordsOf bytes: UnsafeBufferPointer<UInt8>) -> String? {
      var start = 0
      for end in 0...bytes.count where end == bytes.count || !bytes[end].isOfWord {
        if start < end, let name = first(like: UnsafeBufferPointer(rebasing: bytes[start..<end])) { return name }
        start = end + 1
      }
      return nil
    }

    /// As `==` has it, which looks at more than the bytes where they are not ASCII.
    private func first(like word: UnsafeBufferPointer<UInt8>) -> String? {
      guard outlines & Self.outline(of: word) != 0 else { return nil }
      let text = String(decoding: word, as: UTF8.self)
      return all.first { $0 == text }
    }
  }

  /// By participant.
  private let own: [Names]
  /// What is secret in the traffic of some service: where a value came from cannot be told any more.
  let anywhere: Names

  init() { (own, anywhere) = ([], Names()) }

  init(_ flow: Flow) {
    var names = Array(repeating: Names(), count: flow.participants.count)
    var all = Names()
    for service in flow.services {
      let own = service.secrets.filter(\.isOfJSON).map(\.name)
      names[service.participant].add(own)
      all.add(own)
    }
    (own, anywhere) = (names, all)
  }

  /// What is secret in what goes between two participants, whichever way.
  func names(between from: Happening.Lane, _ to: Happening.Lane) -> Names {
    guard own.indices.contains(from), own.indices.contains(to) else { return Names() }
    if own[from].all.isEmpty { return own[to] }
    var both = own[from]
    both.add(own[to].all)
    return both
  }
}

extension SecretName {
  var isOfJSON: Bool { part == nil || part == .json }
}

extension Value {
  /// The same with everything in it as secret text, null apart.
  func veiled(as name: String) -> Value {
    switch self {
    case .int, .double, .bool, .timestamp, .duration: asText.map { .string($0.marked(secret: name)) } ?? self
    case .optional(let value?): value.veiled(as: name)
    case .list(let elements): .list(elements.map { $0.veiled(as: name) })
    case .map(let map): Value.map(map.mapValues { $0.veiled(as: name) }).marked(secret: name)
    case .null, .optional(nil), .string: marked(secret: name)
    }
  }

  /// Whether a number or a bool stands in it under one of these names.
  func hasScalar(under names: Names) -> Bool {
    switch self {
    case .list(let elements): elements.contains { $0.hasScalar(under: names) }
    case .map(let map):
      map.entries.contains { entry in
        names.contain(entry.key)
          ? entry.value.veiled(as: "x") != entry.value.marked(secret: "x") : entry.value.hasScalar(under: names)
      }
    default: false
    }
  }
}
