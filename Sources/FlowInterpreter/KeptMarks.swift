import Expressions
import FlowSpec
import JSONSyntax

/// What a kept store says beside its values of the marks of one kind, by the place of each: `session/token`.
///
/// A step is the index of an element, or the name of a member in which `~0` is `~` and `~1` is `/` (RFC 6901 §3); with a
/// `~` behind it, it is that name itself. Where a mark goes from end to end it is a name, and one of a list or a map counts
/// for every text inside; else it is a list of `[from, to, name]`, in bytes of UTF-8.
struct KeptMarks {
  enum Kind: String, CaseIterable {
    case digest, secret, fresh
  }

  private let kind: Kind
  private var marks: [String: Value] = [:]

  /// Whether each has met what it marks.
  var areUsed: Bool { marks.isEmpty }

  init(_ kind: Kind, _ marks: ValueMap) {
    self.kind = kind
    for entry in marks.entries { self.marks[entry.key.step] = entry.value }
  }

  /// A value with the marks that stand at its place and inside.
  mutating func mark(_ value: Value, at place: String) -> Value {
    if marks.isEmpty { return value }
    let inside: Value
    switch value {
    case .list(let elements): inside = .list(elements.enumerated().map { mark($1, at: "\(place)/\($0)") })
    case .map(let map):
      let entries = map.entries.map { entry in
        let step = "\(place)/\(entry.key.step.escaped)"
        return ValueMap.Entry(key: mark(entry.key, at: step + "~"), value: mark(entry.value, at: step))
      }
      inside = .map(ValueMap(distinct: entries))
    default: inside = value
    }
    guard let marked = marks[place].flatMap({ kind.mark(inside, with: $0) }) else { return inside }
    marks[place] = nil
    return marked
  }

  /// The texts of a value that have such marks of which no declaration tells.
  static func undeclared(_ kind: Kind, in value: Value, of key: Key) -> [(place: String, text: Text)] {
    guard key.field.secret == nil else { return [] }
    let declared = key.rowType?.fields.filter { $0.secret != nil }.map(\.name) ?? []
    return value.texts(at: [key.name]).filter { steps, text in
      !(steps.count > 2 && declared.contains(steps[2])) && !kind.spans(of: text).isEmpty
    }.map { ($0.joined(separator: "/"), $1) }
  }
}

extension KeptMarks.Kind {
  fileprivate func spans(of text: Text) -> [(range: Range<Int>, name: String)] {
    text.spans.compactMap { span in
      switch (self, span.kind) {
      case (.secret, .secret(let name)): (span.range, name)
      case (.digest, .digest): (span.range, Origin.Derivation.s256.rawValue)
      case (.fresh, .kept(let name)): (span.range, name)
      case (.fresh, .origin(let origin)): origin.unguessableName.map { (span.range, $0) }
      default: nil
      }
    }
  }

  /// The marks of a text, as a member's value.
  func write(_ text: Text, to writer: inout JSONWriter) {
    let spans = spans(of: text)
    if let whole = spans.first(where: { $0.range == 0..<text.string.utf8.count }) { return writer.string(whole.name) }
    writer.beginArray()
    for span in spans {
      writer.beginArray()
      writer.int(Int64(span.range.lowerBound))
      writer.int(Int64(span.range.upperBound))
      writer.string(span.name)
      writer.endArray()
    }
    writer.endArray()
  }

  private func kind(named name: String) -> Text.Span.Kind {
    switch self {
    case .secret: .secret(name: name)
    // Of a secret that is not known any more.
    case .digest: .digest(of: Text(""))
    case .fresh: .kept(name: name)
    }
  }

  /// `nil` where the mark is none of such a value.
  fileprivate func mark(_ value: Value, with mark: Value) -> Value? {
    if let name = mark.text?.string {
      return self == .secret ? value.marked(secret: name) : value.marked(as: kind(named: name))
    }
    guard case .list(let parts) = mark, let text = value.text else { return nil }
    let bytes = Array(text.string.utf8)
    var spans = text.spans
    var end: Int64 = 0
    for part in parts {
      guard case .list(let bounds) = part, bounds.count == 3, case .int(let from) = bounds[0],
        case .int(let to) = bounds[1], let name = bounds[2].text?.string, end <= from, from < to, to <= bytes.count,
        bytes.isCut(at: Int(from)), bytes.isCut(at: Int(to))
      else { return nil }
      end = to
      spans.append(Text.Span(range: Int(from)..<Int(to), kind: kind(named: name)))
    }
    return .string(Text(string: text.string, spans: spans))
  }
}

extension Origin {
  /// What an alias calls it; `nil` for what anyone may see.
  fileprivate var unguessableName: String? {
    switch self {
    case .fresh(let name, _, _): name
    case .derived(let function, _): function.rawValue
    case .identifier: nil
    }
  }
}

extension [UInt8] {
  /// Whether no character of UTF-8 goes across an offset.
  fileprivate func isCut(at offset: Int) -> Bool { offset == count || self[offset] & 0xC0 != 0x80 }
}

extension Value {
  /// Every text in it that is not plain, with the steps to it.
  fileprivate func texts(at steps: [String]) -> [(steps: [String], text: Text)] {
    switch self {
    case .string(let text): text.isPlain ? [] : [(steps, text)]
    case .list(let elements): elements.enumerated().flatMap { $1.texts(at: steps + ["\($0)"]) }
    case .map(let map):
      map.entries.flatMap { entry in
        let step = entry.key.step.escaped
        return entry.key.texts(at: steps + [step + "~"]) + entry.value.texts(at: steps + [step])
      }
    default: []
    }
  }

  /// As the name of a member.
  fileprivate var step: String { text?.string ?? "" }
}

extension String {
  fileprivate var escaped: String { replacing("~", with: "~0").replacing("/", with: "~1") }
}
