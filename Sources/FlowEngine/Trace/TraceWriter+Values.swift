import Expressions
import FlowSpec
import JSONSyntax

extension TraceWriter {
  mutating func write(_ name: StaticString, _ value: Value, to line: inout JSONLine) {
    line.name(name)
    write(value, to: &line)
  }

  mutating func write(_ name: StaticString, _ text: Text, to line: inout JSONLine) {
    line.name(name)
    aliases.write(text, to: &line)
  }

  /// An object of named values, nothing when there is none.
  ///
  /// What stands under one name several times becomes a list.
  mutating func write(_ name: StaticString, _ values: [NamedValue], to line: inout JSONLine) {
    guard !values.isEmpty else { return }
    line.name(name)
    let gathered = values.surelyHaveDistinctNames ? values : values.gathered
    let entries = gathered.span
    for index in entries.indices {
      line.raw(index == 0 ? "{" : ",")
      if let name = entries[index].key.text { aliases.write(name, to: &line) }
      line.raw(":")
      write(entries[index].value, to: &line)
    }
    line.raw("}")
  }

  mutating func write(_ value: Value, to line: inout JSONLine) {
    switch value {
    case .null, .optional(nil): line.raw("null")
    case .bool(let bool): line.raw(bool ? "true" : "false")
    case .int(let int):
      // Most are too short to have one, and are not written out to be looked up.
      if int.magnitude >= 10_000, let alias = aliases.alias(ofNumber: "\(int)") {
        line.string(alias)
      } else {
        line.int(int)
      }
    case .double(let double):
      if let alias = aliases.alias(ofNumber: "\(double)") { line.string(alias) } else { line.double(double) }
    case .string(let text): aliases.write(text, to: &line)
    case .timestamp(let timestamp): line.string(timestamp.text)
    case .duration(let duration): line.string(duration.text)
    case .optional(let value?): write(value, to: &line)
    case .list(let elements):
      let elements = elements.span
      line.raw("[")
      for index in elements.indices {
        if index > 0 { line.raw(",") }
        write(elements[index], to: &line)
      }
      line.raw("]")
    case .map(let map): write(map, to: &line)
    }
  }

  /// An example for a field by itself, as a line shows it and a person writes it: text without quotes, anything else as
  /// JSON; `nil` where any of it is secret.
  package mutating func text(of example: Value, for field: ObjectType.Field) -> String? {
    guard field.secret == nil, case let value = field.shown(example), !value.holdsSecret else { return nil }
    let bytes = written(value)
    guard field.type != .dyn, case .string(let text)? = (try? JSONParser.parse(bytes, as: .document))?.kind else {
      return String(decoding: bytes.dropLast(), as: UTF8.self)
    }
    return text
  }

  /// What a page is called, as a line shows it; `nil` where any of it is secret.
  package mutating func text(of title: Text) -> String? {
    guard title.firstSecret == nil,
      case .string(let text)? = (try? JSONParser.parse(written(.string(title)), as: .document))?.kind
    else { return nil }
    return text
  }

  private mutating func written(_ value: Value) -> [UInt8] {
    var lines = JSONLines()
    lines.add(1) { _, line in write(value, to: &line) }
    return lines.taken()
  }

  private mutating func write(_ map: ValueMap, to line: inout JSONLine) {
    let entries = map.entries.span
    line.raw("{")
    for index in entries.indices {
      if index > 0 { line.raw(",") }
      switch entries[index].key {
      case .string(let text): aliases.write(text, to: &line)
      case .int(let int): line.string("\(int)")
      case .bool(let bool): line.string("\(bool)")
      default: preconditionFailure("The key of a map is a string, a whole number or a bool.")
      }
      line.raw(":")
      if case .string(let key) = entries[index].key, let secret = secret(under: key, entries[index].value) {
        write(entries[index].value.veiled(as: secret), to: &line)
      } else {
        write(entries[index].value, to: &line)
      }
    }
    line.raw("}")
  }

  /// What hides the numbers of a value: its name, or what has marked that as well as the strings beside it.
  private func secret(under key: Text, _ value: Value) -> String? {
    if let name = hidden.name(ofKey: .string(key)) { return name }
    switch value {
    case .map, .string: return nil
    default: return key.isWhollySecret ? key.firstSecret : nil
    }
  }
}

extension [NamedValue] {
  /// Whether `==` tells all of their names apart, as it does where they are of ASCII: by it readers of JSON find members.
  fileprivate var surelyHaveDistinctNames: Bool {
    areDistinct && allSatisfy { !$0.name.hasByte { $0 >= 0x80 } }
  }

  /// Each name once, where it first stands, with a list of what stands under it where that is several.
  fileprivate var gathered: [NamedValue] {
    groupedByName.map { $0.count == 1 ? $0[0] : NamedValue(key: $0[0].key, value: .list($0.map(\.value))) }
  }
}
