/// Lines of JSON, each a text of its own (JSON Lines), which are put together from pieces.
package struct JSONLines: Sendable {
  private var written = GrowingBytes()
  private static let usualRoom = 256

  /// `room` is for how many bytes there is room from the start.
  package init(room: Int = 0) {
    if room > 0 { written.makeRoom(of: room) }
  }

  /// Gives what was written since it was last asked.
  package mutating func taken() -> [UInt8] { written.taken() }

  /// Writes so many more, which are told apart by their number from 0 on.
  package mutating func add(_ lines: Int, _ write: (Int, inout JSONLine) -> Void) {
    var next = 0
    while next < lines {
      let room = max(Self.usualRoom, written.free)
      var rest = GrowingBytes()
      _ = written.write(atMost: room) { end in
        var line = JSONLine(end, room: room)
        while next < lines, line.room >= 0 {
          write(next, &line)
          line.raw("\n")
          next += 1
        }
        end = line.end
        rest = line.rest
        return true
      }
      if rest.count > 0 { rest.withPart(0..<rest.count) { written.append($0) } }
    }
  }
}

/// A line under way: commas, brackets and names are the caller's.
@usableFromInline
package struct JSONLine {
  @usableFromInline var end: GrowingBytes.End
  /// Nothing more goes there once something did not fit.
  @usableFromInline var room: Int
  /// What did not fit, and all behind it.
  fileprivate private(set) var rest = GrowingBytes()

  fileprivate init(_ end: GrowingBytes.End, room: Int) {
    (self.end, self.room) = (end, room)
  }

  /// Nothing stays of it where `body` says false.
  @inline(__always)
  private mutating func write(atMost most: Int, _ body: (inout GrowingBytes.End) -> Bool) -> Bool {
    guard end.count &+ most <= room else {
      room = -1
      return rest.write(atMost: most, body)
    }
    let start = end.count
    if body(&end) { return true }
    end.count = start
    return false
  }

  /// Writes a piece of JSON as it is; where it stands its length is known, and so how to copy it.
  @inlinable @inline(__always)
  package mutating func raw(_ json: StaticString) {
    let count = json.utf8CodeUnitCount
    guard end.count &+ count <= room else { return spill(json) }
    (end.place + end.count).copyMemory(from: json.utf8Start, byteCount: count)
    end.count &+= count
  }

  @usableFromInline
  mutating func spill(_ json: StaticString) {
    room = -1
    rest.append(UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  package mutating func int(_ value: Int64) {
    _ = write(atMost: GrowingBytes.End.longestInt) { end in
      end.append(value)
      return true
    }
  }
  package mutating func double(_ value: Double) { part(value.json) }

  package mutating func string(_ value: String) {
    if quote(value, without: .quotes) { return }
    raw("\"")
    escape(value)
    raw("\"")
  }

  /// Writes a string in which nothing is to be escaped, nor this byte of ASCII stands; else nothing is written.
  package mutating func string(_ value: String, without byte: UInt8) -> Bool {
    quote(value, without: 0x0101_0101_0101_0101 * UInt64(byte))
  }

  /// A part of a string, which stands in quotation marks.
  package mutating func part(_ text: String) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      write(atMost: utf8.count) { $0.append(utf8, without: .quotes) }
    }
    if isPlain != true { escape(text) }
  }

  /// The same percent-encoded; nothing that is kept is escaped in JSON.
  package mutating func part(_ text: String, percentEncodedBut kept: KeptBytes) {
    var text = text
    text.withUTF8 { utf8 in
      _ = write(atMost: 3 * utf8.count) { end in
        end.append(utf8, percentEncodedBut: kept)
        return true
      }
    }
  }

  /// The name of the next member, behind a comma; it has nothing to escape.
  @inlinable @inline(__always)
  package mutating func name(_ name: StaticString) {
    raw(",\"")
    raw(name)
    raw("\":")
  }

  @inline(__always)
  private mutating func quote(_ text: String, without pattern: UInt64) -> Bool {
    text.utf8.withContiguousStorageIfAvailable { utf8 in
      write(atMost: utf8.count + 2) { $0.append(quoted: utf8, without: pattern) }
    } ?? false
  }

  private mutating func escape(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      _ = write(atMost: GrowingBytes.End.longestEscape * utf8.count) { end in
        end.append(escaping: utf8)
        return true
      }
    }
  }
}
