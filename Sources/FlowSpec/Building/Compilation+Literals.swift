import Expressions
import JSONSyntax

extension Compilation {
  /// A JSON value without templates, read as the type of what it goes into; `nil` when it is wrong.
  mutating func literal(_ node: JSONNode, in document: Document, into destined: Destined) -> Value? {
    let site = Site(document: document, range: node.range)
    switch (destined.type, node.kind) {
    case (_, .wholeNumberTooLarge): return nil
    case (_, .string(let text)): return literal(text, at: site, into: destined)
    case (.dyn, _), (.bool, .bool), (.int, .int), (.double, .double), (.list, .array), (.map, .object):
      return Value(body: node, isSorted: true)
    case (.double, .int(let whole)): return .double(Double(whole))
    case (.int, .double(let number)) where Value.double(number).wholeNumber != nil:
      return Value.double(number).wholeNumber
    // A bool is never unset.
    case (_, .null) where destined.type.isScalar && destined.type != .bool: return .null
    case (.int, .double(let number)) where number.isBeyondWhole:
      mismatch(destined, node.description, at: site, help: Int64.boundsHelp)
      return nil
    default:
      mismatch(destined, node.description, at: site)
      return nil
    }
  }

  /// A string as what it goes into: an instant where an instant is wanted; `scope` is what a template there can read.
  mutating func literal(_ text: String, at site: Site, into destined: Destined, in scope: Scope? = nil) -> Value? {
    switch destined.type {
    case .string:
      if let allowed = destined.allowed, !allowed.contains(where: text.isSame) {
        unknownValue(text, at: site, of: allowed, for: destined)
        return nil
      }
      return .string(text)
    case .dyn: return .string(text)
    case .timestamp:
      if let instant = Timestamp(text: text) { return .timestamp(instant) }
    case .duration:
      if let duration = Duration(celText: text, allowingDays: true) { return .duration(duration) }
    default: break
    }
    let help = destined.isSecret ? nil : help(for: text, into: destined.type, in: scope)
    if destined.type == .duration {
      findings.wrongDuration(text, named: destined.name, at: site, help: help, isSecret: destined.isSecret)
      return nil
    }
    mismatch(destined, "a string", at: site, help: help)
    return nil
  }

  /// How what a string says is written.
  private func help(for text: String, into type: ValueType, in scope: Scope?) -> String? {
    switch type {
    case _ where text == "null" && type.isScalar && type != .bool: return Self.nullHelp
    case .int where Int64(text) != nil, .double where Double(celText: text)?.isFinite == true,
      .bool where Bool(text) != nil:
      return "write \(text) without quotes"
    case .int where text.isWholeNumber: return Int64.boundsHelp
    case .timestamp where Duration(celText: text, allowingDays: true) != nil:
      return "this is a span: a timer takes it as \"wait\"; \"${now + duration('\(text)')}\" is an instant"
    case .timestamp where text.isWrittenAsTime:
      return "no calendar has this day, or no clock this time; write it like \"2026-01-01T09:00:00Z\""
    default:
      let meant = scope.flatMap { try? Expression.compile(text, in: $0) }
      return meant.map { type.takes($0.type) } == true ? "did you mean \"${\(text)}\"?" : nil
    }
  }

  private static let nullHelp = "nothing is written null, without quotes"

  private mutating func unknownValue(_ text: String, at site: Site, of allowed: [String], for destined: Destined) {
    findings.error(
      "unknown-value", destined.isSecret ? "\(destined.name) cannot be this" : "\(destined.name) cannot be \"\(text)\"",
      at: site, "not one of its values",
      help: destined.isSecret ? "it is secret" : text == "null" ? Self.nullHelp : choice(for: text, among: allowed))
  }
}

extension String {
  /// Whether it is digits, with a sign before them or not.
  fileprivate var isWholeNumber: Bool {
    let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
  }

  /// Whether it has the digits and signs of a time in UTC (RFC 3339).
  fileprivate var isWrittenAsTime: Bool {
    String(prefix(20)).map { $0.isASCII && $0.isNumber ? "0" : String($0) }.joined() == "0000-00-00T00:00:00Z"
  }
}

extension ValueType {
  /// How such a value is written; `nil` for what may be anything.
  var spelling: String? {
    switch self {
    case .timestamp: "write it like \"2026-01-01T09:00:00Z\""
    case .duration: "write a number and a unit, such as \"500ms\", \"30s\", \"1h30m\" or \"3d\""
    case .int: "write a whole number without quotes"
    case .double: "write a number without quotes"
    case .bool: "write true or false without quotes"
    case .string: "write one text in quotes"
    case .list: "write it in [ ]"
    default: nil
    }
  }

  /// A value that may be unset, and then reads as null.
  var isScalar: Bool {
    switch self {
    case .bool, .int, .double, .string, .timestamp, .duration: true
    default: false
    }
  }

  /// What an unset key or field of this type is.
  package var unset: Value {
    switch self {
    case .list: .list([])
    case .map: .map(ValueMap())
    default: .null
    }
  }
}
