import JSONSyntax

extension Value {
  /// What a peer's JSON is in an expression; maps keep the order of their members, which have distinct names, or are sorted
  /// as those that an expression makes.
  package init(body node: JSONNode, isSorted: Bool = false) {
    switch node.kind {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int(let value): self = .int(value)
    case .double(let value): self = .double(value)
    case .string(let value): self = .string(value)
    case .wholeNumberTooLarge: self = .null
    case .array(let elements): self = .list(elements.map { Value(body: $0, isSorted: isSorted) })
    case .object(let members):
      let entries = members.map {
        ValueMap.Entry(key: .string($0.name), value: Value(body: $0.value, isSorted: isSorted))
      }
      self = .map(isSorted ? ValueMap(distinct: entries).sortedByKey() : ValueMap(distinct: entries))
    }
  }
}

extension Value {
  /// A number such as `2.0` as the int that it is, as JSON Schema and most of its readers have it; `nil` for all else, and
  /// beyond 2⁵³, where it may be another than is written.
  package var wholeNumber: Value? {
    guard case .double(let number) = self, number.magnitude <= 0x1p53 else { return nil }
    return number.wholeNumber.map { .int($0) }
  }
}

extension Value {
  /// Makes it what JSON makes of it: instants, durations and keys are text there, NaN and what is infinite
  /// are null, an optional what it holds.
  ///
  /// - Returns: The name that two keys of one map become; `nil` where none do.
  package mutating func becomeJSON(keepingInstants: Bool = false) -> String? {
    if isJSON(withInstants: keepingInstants) { return nil }
    switch self {
    case .null, .bool, .int, .string: break
    case .double: self = .null
    case .timestamp, .duration: self = .string(scalarText ?? "")
    case .optional:
      self = unwrapped
      return becomeJSON(keepingInstants: keepingInstants)
    case .list(var elements):
      for index in elements.indices {
        if let name = elements[index].becomeJSON(keepingInstants: keepingInstants) { return name }
      }
      self = .list(elements)
    case .map(let map):
      var entries = map.entries
      for index in entries.indices {
        if entries[index].key.text == nil, let name = entries[index].key.scalarText {
          if map.index(of: name) != nil { return name }
          entries[index].key = .string(name)
        }
        if let name = entries[index].value.becomeJSON(keepingInstants: keepingInstants) { return name }
      }
      self = .map(ValueMap(distinct: entries))
    }
    return nil
  }

  /// Whether there is nothing in it that JSON would make something else of; most is so, and is only looked at.
  private func isJSON(withInstants: Bool) -> Bool {
    switch self {
    case .null, .bool, .int, .string: true
    case .double(let number): number.isFinite
    case .timestamp: withInstants
    case .duration, .optional: false
    case .list(let elements): !elements.indices.contains { !elements[$0].isJSON(withInstants: withInstants) }
    case .map(let map): Self.areJSON(map.entries, withInstants: withInstants)
    }
  }

  private static func areJSON(_ entries: [ValueMap.Entry], withInstants: Bool) -> Bool {
    for index in entries.indices {
      guard case .string = entries[index].key, entries[index].value.isJSON(withInstants: withInstants) else {
        return false
      }
    }
    return true
  }
}

extension JSONWriter {
  /// Writes a value; durations become text, an optional its value or null, keys of maps text; timestamps RFC 3339 or, as
  /// JWTs have them (RFC 7519 §2), whole seconds since 1970.
  package mutating func write(_ value: Value, inSeconds: Bool = false) {
    switch value {
    case .null, .optional(nil): null()
    case .bool(let value): bool(value)
    case .int(let value): int(value)
    case .double(let value): double(value)
    case .string(let text): string(text.string)
    case .timestamp(let instant): if inSeconds { int(instant.seconds) } else { string(instant.text) }
    case .duration(let duration): string(duration.text)
    case .optional(let value?): write(value, inSeconds: inSeconds)
    case .list(let elements):
      beginArray()
      for element in elements { write(element, inSeconds: inSeconds) }
      endArray()
    case .map(let map):
      beginObject()
      for entry in map.entries {
        name(entry.key.scalarText ?? "")
        write(entry.value, inSeconds: inSeconds)
      }
      endObject()
    }
  }
}

extension Value {
  /// The text of a scalar, as `string()` and templates write it; `nil` for anything else, null included.
  package var scalarText: String? {
    switch self {
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .double(let value): value.shortText
    case .string(let text): text.string
    case .timestamp(let instant): instant.text
    case .duration(let duration): duration.text
    case .null, .list, .map, .optional: nil
    }
  }
}

extension Double {
  /// As `strconv.ParseFloat` reads it for cel-go, but for hexadecimal; `nil` when it is none or too large.
  package init?(celText text: String) {
    // What reads it takes a NUL for its end.
    guard let value = Double(text), !text.utf8.contains(where: { $0 == 0 || $0 | 0x20 == UInt8(ascii: "x") }) else {
      return nil
    }
    // A NaN has no payload; what is infinite but has digits is too large.
    if value.isNaN, text.utf8.count > 3 { return nil }
    if value.isInfinite, text.utf8.contains(where: \.isDigit) { return nil }
    self = value
  }

  /// The int of the same value; `nil` where it has a fraction or is none of 64 bits.
  var wholeNumber: Int64? {
    guard self >= -9_223_372_036_854_775_808, self < 9_223_372_036_854_775_808 else { return nil }
    let whole = Int64(self)
    return Double(whole) == self ? whole : nil
  }

  /// The shortest text that reads back the same; whole numbers without a point.
  var shortText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    if magnitude < 1e16, let whole = wholeNumber, !(self == 0 && sign == .minus) { return "\(whole)" }
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
