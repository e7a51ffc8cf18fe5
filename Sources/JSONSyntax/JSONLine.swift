/// Lines of JSON, each a text of its own (JSON Lines), which are put together from pieces.
package struct JSONLines: Sendable {
  private var written = GrowingBytes()
  private static let usualRoom = 256

  /// `room` is for how many bytes there is room from the start.
  package init(room: Int = 0) {
    if room > 0 { written.makeRoom(of: room) }
  }

  package var bytes: [UInt8] { written.all }

  /// How many bytes there are.
  package var count: Int { written.count }

  package func part(_ range: Range<Int>) -> [UInt8] { written.withPart(range) { Array($0) } }

  fileprivate func append(_ range: Range<Int>, to end: inout GrowingBytes.End) {
    written.withPart(range) { end.append($0) }
  }

  /// Gives what was written since it was last asked.
  package mutating func taken() -> [UInt8] { written.taken() }

  /// Writes one more line.
  ///
  /// Where it does not fit the room that there is, `write` is asked once more with more of it: it must write the same.
  package mutating func add(_ write: (inout JSONLine) -> Void) {
    var room = max(Self.usualRoom, written.free)
    while true {
      let isWhole = written.write(atMost: room) { end in
        var line = JSONLine(end, room: room)
        write(&line)
        line.raw("\n")
        end = line.end
        return !line.isFull
      }
      if isWhole { return }
      room = max(2 * room, written.free)
    }
  }
}

/// A line under way: commas, brackets and names are the caller's.
@usableFromInline
package struct JSONLine {
  @usableFromInline var end: GrowingBytes.End
  @usableFromInline let room: Int
  /// Something did not fit, so that all of it is written once more.
  @usableFromInline var isFull = false

  fileprivate init(_ end: GrowingBytes.End, room: Int) {
    self.end = end
    self.room = room
  }

  @inlinable @inline(__always)
  mutating func fits(_ count: Int) -> Bool {
    if end.count &+ count <= room { return true }
    isFull = true
    return false
  }

  /// Writes a piece of JSON as it is; where it stands its length is known, and so how to copy it.
  @inlinable @inline(__always)
  package mutating func raw(_ json: StaticString) {
    let count = json.utf8CodeUnitCount
    guard fits(count) else { return }
    (end.place + end.count).copyMemory(from: json.utf8Start, byteCount: count)
    end.count &+= count
  }

  package mutating func raw(_ json: [UInt8]) { raw(json, 0..<json.count) }

  package mutating func raw(_ json: [UInt8], _ range: Range<Int>) {
    guard fits(range.count) else { return }
    json.withUnsafeBufferPointer { end.append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  /// A part of other lines.
  package mutating func raw(_ lines: JSONLines, _ range: Range<Int>) {
    if fits(range.count) { lines.append(range, to: &end) }
  }

  package mutating func int(_ value: Int64) {
    if fits(20) { end.append(value) }
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
    let start = end.count
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      fits(utf8.count) ? end.append(utf8, without: .quotes) : true
    }
    if isPlain == true { return }
    end.count = start
    escape(text)
  }

  /// The same percent-encoded; nothing that is kept is escaped in JSON.
  package mutating func part(_ text: String, percentEncodedBut kept: KeptBytes) {
    var text = text
    text.withUTF8 { utf8 in
      if fits(3 * utf8.count) { end.append(utf8, percentEncodedBut: kept) }
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
    let start = end.count
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      fits(utf8.count + 2) ? end.append(quoted: utf8, without: pattern) : true
    }
    if isPlain == true { return true }
    end.count = start
    return false
  }

  private mutating func escape(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      if fits(GrowingBytes.End.longestEscape * utf8.count) { end.append(escaping: utf8) }
    }
  }
}
