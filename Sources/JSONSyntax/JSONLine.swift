/// Lines of JSON, each a text of its own (JSON Lines), which are put together from pieces.
package struct JSONLines: Sendable {
  private var written = GrowingBytes()
  private static let usualRoom = 2048

  /// `room` is for how many bytes there is room from the start.
  package init(room: Int = 0) {
    if room > 0 { written.makeRoom(of: room) }
  }

  package var bytes: [UInt8] { written.all }

  /// Gives what was written since it was last asked.
  package mutating func taken() -> [UInt8] { written.taken() }

  /// Writes one more line.
  ///
  /// Where it does not fit the room that there is, `write` is asked once more with twice as much: it must write the same.
  package mutating func add(_ write: (inout JSONLine) -> Void) {
    var room = max(Self.usualRoom, written.free)
    while true {
      let isWhole = written.write(atMost: room) { end in
        var line = JSONLine(end, room: room)
        write(&line)
        line.byte(UInt8(ascii: "\n"))
        end = line.end
        return !line.isFull
      }
      if isWhole { return }
      room *= 2
    }
  }
}

/// A line under way: commas, brackets and names are the caller's.
package struct JSONLine {
  fileprivate var end: GrowingBytes.End
  private let room: Int
  /// Something did not fit, so that all of it is written once more.
  fileprivate private(set) var isFull = false

  fileprivate init(_ end: GrowingBytes.End, room: Int) {
    self.end = end
    self.room = room
  }

  @inline(__always)
  private mutating func fits(_ count: Int) -> Bool {
    if end.count &+ count <= room { return true }
    isFull = true
    return false
  }

  package mutating func byte(_ byte: UInt8) {
    if fits(1) { end.append(byte) }
  }

  /// Writes a piece of JSON as it is.
  package mutating func raw(_ json: StaticString) {
    guard fits(json.utf8CodeUnitCount) else { return }
    end.append(UnsafeBufferPointer(start: json.utf8Start, count: json.utf8CodeUnitCount))
  }

  package mutating func raw(_ json: [UInt8]) { raw(json, 0..<json.count) }

  package mutating func raw(_ json: [UInt8], _ range: Range<Int>) {
    guard fits(range.count) else { return }
    json.withUnsafeBufferPointer { end.append(UnsafeBufferPointer(rebasing: $0[range])) }
  }

  package mutating func int(_ value: Int64) {
    if fits(20) { end.append(value) }
  }

  package mutating func double(_ value: Double) { part(value.json) }

  package mutating func string(_ value: String) {
    if quote(value, without: .quotes) { return }
    byte(UInt8(ascii: "\""))
    escape(value)
    byte(UInt8(ascii: "\""))
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

  /// The name of the next member, behind a comma; it has nothing to escape.
  package mutating func name(_ name: StaticString) {
    guard fits(name.utf8CodeUnitCount + 4) else { return }
    end.append(UInt8(ascii: ","))
    end.append(UInt8(ascii: "\""))
    end.append(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    end.append(UInt8(ascii: "\""))
    end.append(UInt8(ascii: ":"))
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
