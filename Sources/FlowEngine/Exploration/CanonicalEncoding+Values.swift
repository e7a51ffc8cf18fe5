import Expressions
import FlowSpec

extension CanonicalEncoding {
  mutating func add(_ values: [Value]) {
    writer.int(values.count)
    for index in values.indices { add(values[index]) }
  }

  mutating func add(_ value: Value) {
    switch value {
    case .null: writer.word(0)
    case .bool(let bool): writer.word(bool ? 2 : 1)
    case .int(let int):
      writer.word(3)
      writer.word(UInt64(bitPattern: int))
    case .double(let double):
      writer.word(4)
      writer.word(double.bitPattern)
    case .string(let text):
      writer.word(5)
      add(text)
    case .timestamp(let instant):
      writer.word(6)
      add(stored: instant)
    case .duration(let duration):
      writer.word(7)
      writer.add(duration)
    case .list(let elements):
      writer.word(8)
      add(elements)
    case .map(let map):
      writer.word(9)
      writer.int(map.count)
      for index in map.entries.indices {
        add(map.entries[index].key)
        add(map.entries[index].value)
      }
    case .optional(let value):
      writer.word(10)
      add(value)
    }
  }

  mutating func add(_ value: Value?) {
    writer.word(value == nil ? 0 : 1)
    if let value { add(value) }
  }

  mutating func add(_ text: Text?) {
    writer.word(text == nil ? 0 : 1)
    if let text { add(text) }
  }

  mutating func add(_ fields: [NamedValue]) {
    writer.int(fields.count)
    for index in fields.indices {
      add(fields[index].key)
      add(fields[index].value)
    }
  }

  /// An origin says what its text is: its number stands for it, and marks are counted from where it begins and ends.
  mutating func add(_ text: Text) {
    if let plain = text.plain {
      writer.int(0)
      return writer.text(plain)
    }
    if let (origin, secret) = text.whole {
      writer.int(-1)
      add(plain: secret)
      return add(origin)
    }
    writer.int(text.spans.count)
    guard text.hasOrigin else {
      writer.text(text.string)
      for span in text.spans {
        writer.text(span.markName)
        writer.int(span.range.lowerBound)
        writer.int(span.range.upperBound)
      }
      return
    }
    addPieces(of: text)
    for span in text.spans {
      if case .origin = span.kind { continue }
      writer.text(span.markName)
      add(place: span.range.lowerBound, in: text, isEnd: false)
      add(place: span.range.upperBound, in: text, isEnd: true)
    }
  }

  private mutating func addPieces(of text: Text) {
    var string = text.string
    string.withUTF8 { bytes in
      var position = 0
      for span in text.spans {
        guard case .origin(let origin) = span.kind else { continue }
        writer.bytes(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[position..<span.range.lowerBound])))
        add(origin)
        position = span.range.upperBound
      }
      writer.bytes(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[position...])))
    }
  }

  /// Where a mark begins or ends: so far behind so many origins; inside of one at its own beginning or end.
  private mutating func add(place offset: Int, in text: Text, isEnd: Bool) {
    var origins = 0
    var last = 0
    for span in text.spans {
      guard case .origin = span.kind, offset > span.range.lowerBound else { continue }
      if offset < span.range.upperBound {
        writer.int(isEnd ? origins + 1 : origins)
        return writer.int(isEnd ? 0 : span.range.lowerBound - last)
      }
      origins += 1
      last = span.range.upperBound
    }
    writer.int(origins)
    writer.int(offset - last)
  }

  mutating func add(_ origin: Origin) {
    switch origin {
    case .fresh(let name, let number, _):
      writer.word(0)
      addMade(name, number, isFresh: true)
    case .identifier(let name, let number, _):
      writer.word(1)
      addMade(name, number, isFresh: false)
    case .derived(let derivation, let argument):
      writer.word(2)
      writer.text(derivation.rawValue)
      add(argument)
    }
  }

  /// By first appearance; what appears for the first time is said.
  private mutating func addMade(_ name: String, _ number: Int, isFresh: Bool) {
    let name = self.number(of: name)
    if let known = part.number(of: EncodedPart.Made(number: number, name: name, isFresh: isFresh)) {
      return writer.int(known)
    }
    writer.int(-1)
    let fingerprint = names[Int(name)].fingerprint
    writer.add(fingerprint.first, fingerprint.second)
  }
}

extension Text.Span {
  /// Empty for a digest, which its text stands for.
  fileprivate var markName: String {
    switch kind {
    case .secret(let name): name
    case .kept(let name): "kept \(name)"
    case .digest, .origin: ""
    }
  }
}
