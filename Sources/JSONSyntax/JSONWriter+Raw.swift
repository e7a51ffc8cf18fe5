/// What was written before goes on as bytes, which takes a fraction of what it takes to write it anew.
extension JSONWriter {
  /// Writes a piece of JSON as it is: brackets, commas and names in it are the caller's.
  package mutating func raw(_ json: StaticString) {
    isFilled = true
    written.append(UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  package mutating func raw(_ json: [UInt8]) { raw(json, 0..<json.count) }

  package mutating func raw(_ json: [UInt8], _ range: Range<Int>) {
    isFilled = true
    json.withUnsafeBufferPointer { written.append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// The name of a member behind a comma, whatever stands before it.
  package mutating func furtherName(_ name: String) {
    isAfterName = false
    quote(name, comma: true, colon: true)
  }

  /// The inside of a string, which stands in quotation marks.
  package mutating func raw(_ json: [UInt8], within range: Range<Int>) {
    json.withUnsafeBufferPointer { json in
      written.append(UnsafeBufferPointer(rebasing: json[(range.lowerBound + 1)..<(range.upperBound - 1)]))
    }
  }

  /// The same that ends with the name of a member and its colon.
  package mutating func rawName(_ json: StaticString) {
    raw(json)
    isAfterName = true
  }

  package mutating func rawName(_ json: [UInt8], _ range: Range<Int>) {
    raw(json, range)
    isAfterName = true
  }

  /// The same that is a whole value, or the members that come next.
  package mutating func rawValue(_ json: [UInt8], _ range: Range<Int>) {
    let comma = separate()
    json.withUnsafeBufferPointer { json in
      _ = written.write(atMost: range.count + 1) { end in
        if comma { end.append(UInt8(ascii: ",")) }
        end.append(UnsafeBufferPointer(rebasing: json[range]))
        return true
      }
    }
  }
}
